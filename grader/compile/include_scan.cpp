#include "compile/include_scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/characters.hpp"
#include "base/near_names.hpp"
#include "base/text.hpp"
#include "compile/conditions.hpp"
#include "compile/source_lines.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::string_view trimmed_front(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    return text;
}

std::string_view take_word(std::string_view& text) {
    text = trimmed_front(text);
    std::size_t length = 0;
    while (length < text.size() && is_word(text[length])) ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
}

// Longer than any name: what is looked at of one.
constexpr std::size_t long_name = 1000;

// "name" or <name> at the start of `text`; empty if it is neither.
std::string quoted_name(std::string_view text) {
    text = trimmed_front(text).substr(0, long_name);
    if (text.empty() || (text.front() != '"' && text.front() != '<')) return {};
    const std::size_t end = text.find(text.front() == '"' ? '"' : '>', 1);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(1, end - 1));
}

// A name that no folder search can lead astray: path parts of ordinary characters, none of them `.` or `..`.
bool is_plain_name(std::string_view name) {
    if (name.empty() || name.size() > 200 || name.front() == '/') return false;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        if (part.empty() || part.front() == '.') return false;
        if (!std::ranges::all_of(part, [](char c) { return is_word(c) || c == '.' || c == '-' || c == '+'; }))
            return false;
        begin = end + 1;
    }
    return true;
}

bool is_there(const fs::path& cuda_include, const std::string& name) {
    std::error_code ignored;
    return fs::exists(cuda_include / name, ignored) || fs::exists(cuda_include / "cccl" / name, ignored);
}

// The headers of a toolkit come in several packages, and this is of one that is not installed: of a folder that is not
// there, or a header that every toolkit has.
bool is_of_missing_part(const std::string& name, const std::string& cuda_include) {
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) return !is_there(cuda_include, name.substr(0, slash));
    return !name.starts_with("curand_") || !is_there(cuda_include, "curand_kernel.h");
}

enum class Standing { shipped, cuda, needs_toolkit, forbidden, unknown };

Standing standing_of(const std::string& name, const HeaderFolders& folders) {
    if (name.starts_with("cub/")) {  // before the shipped ones: cub/cub.cuh is one, of CUDA's others
        if (!folders.allows_cub || !is_cub_header(name)) return Standing::forbidden;
        if (folders.cuda_include.empty() || is_of_missing_part(name, folders.cuda_include))
            return Standing::needs_toolkit;
        return name == "cub/cub.cuh" || is_there(folders.cuda_include, name) ? Standing::cuda : Standing::unknown;
    }
    std::error_code ignored;
    if (fs::is_regular_file(fs::path(folders.shipped) / name, ignored)) return Standing::shipped;
    if (!folders.more.empty() && fs::is_regular_file(fs::path(folders.more) / name, ignored)) return Standing::shipped;
    for (const char* folder : {"", "cccl"})
        if (!folders.cuda_include.empty() &&
            fs::is_regular_file(fs::path(folders.cuda_include) / folder / name, ignored))
            return is_device_header(name) ? Standing::cuda : Standing::forbidden;
    if (!is_device_header(name)) return Standing::unknown;
    return folders.cuda_include.empty() || is_of_missing_part(name, folders.cuda_include) ? Standing::needs_toolkit
                                                                                          : Standing::unknown;
}

// Of a header of CUB where those for kernels may be used.
std::string cub_advice(const std::string& header) {
    return "<" + header +
           (is_cub_header(header) ? "> is not a header of CUB"
                                  : "> is for the host, which starts the library's kernels") +
           ": a kernel may use <cub/cub.cuh>, with cub::BlockReduce, cub::BlockScan, cub::WarpReduce and the like";
}

// NUL and 0xff end the text for NVRTC, whatever follows.
std::size_t first_unread_byte(std::string_view text) {
    return std::min({find_invalid_utf8(text), text.find('\0'), text.size()});
}

constexpr std::size_t most_errors = 100;  // as NVRTC has it; more says nothing new

class Scanner {
public:
    Scanner(std::string_view source, const std::string& path, const HeaderFolders& folders)
        : source_(source), path_(path), folders_(folders) {}

    IncludeScan run() {
        if (const std::size_t at = first_unread_byte(source_); at < source_.size()) {
            const auto lines = std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            scan_.errors.push_back({Severity::error, path_, static_cast<int>(lines) + 1, 0,
                                    "the text is not UTF-8 from here on; save the file as UTF-8"});
            return std::move(scan_);
        }
        for (int reading = 0; reading < 16; ++reading) {
            if ((reading & ~differences()) != 0) continue;
            conditionals_ = 0;
            const Dialect dialect{.splices_over_blanks = (reading & 1) != 0,
                                  .has_trigraphs = (reading & 2) != 0,
                                  .has_raw_strings = (reading & 4) == 0,
                                  .ends_lines_at_cr = (reading & 8) != 0};
            const std::vector<SourceLine> lines = source_lines(source_, dialect);
            for (const SourceLine& line : lines) scan(line);
            for (auto& [line, message] : unreadable_conditions(lines)) fail(line, std::move(message));
        }
        for (auto& [line, message] : errors_) {
            if (scan_.errors.size() == most_errors) break;
            scan_.errors.push_back({Severity::error, path_, line, 0, message});
        }
        return std::move(scan_);
    }

private:
    bool is_of_program() const { return !folders_.more.empty(); }
    // The bits of a reading that can make a difference to this text.
    int differences() const {
        const auto has = [&](std::string_view text) { return source_.find(text) != source_.npos; };
        const bool has_trigraphs = has("??");
        return (has("\\") || has_trigraphs ? 1 : 0) | (has_trigraphs ? 2 : 0) | (has("R") && has("\"") ? 4 : 0) |
               (has("\r") ? 8 : 0);
    }

    void scan(const SourceLine& line) {
        std::string_view text = trimmed(line.text);
        for (const char* hash : {"#", "%:"}) {
            if (!text.starts_with(hash)) continue;
            text.remove_prefix(std::string_view(hash).size());
            directive(line.line, text);
            return;
        }
        if (contains_word(line.text, "__has_include")) fail(line.line, "`__has_include` belongs in an #if line only");
    }

    void directive(int line, std::string_view text) {
        const std::string_view name = take_word(text);
        if (name == "include") {
            include(line, text);
        } else if (name == "include_next" || name == "import" || name == "embed") {
            fail(line, "#" + std::string(name) + " is not available here; use #include <header>");
        } else if (name == "line" || (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())))) {
            fail(line, "#line is not available here: messages and measurements name the file's own lines");
        } else {
            if (name == "if" || name == "ifdef" || name == "ifndef") ++conditionals_;
            if (name == "endif") --conditionals_;
            has_include(line, name, text);
        }
    }

    void include(int line, std::string_view text) {
        const std::string name = quoted_name(text);
        const std::string_view begin = trimmed_front(text).substr(0, 1);
        if (name.empty() && begin != "\"" && begin != "<" && (begin.empty() || !is_word(begin.front()))) {
            fail(line, "the name of a header stands in < > or in \" \", as in #include <cuda_runtime.h>");
        } else if (name.empty() && (begin == "\"" || begin == "<")) {
            fail(line, "a " + std::string(begin == "<" ? ">" : "\"") +
                           " is missing after the header's name, as in #include <cuda_runtime.h>");
        } else if (name.empty()) {
            fail(line, "an #include names its header directly, as in #include <cuda_runtime.h>, not through a macro");
        } else if (!is_plain_name(name)) {
            fail(line,
                 is_of_program()
                     ? "a program includes its own files by their name, from the folder of the file or below it; copy "
                       "the header there"
                     : "a submission cannot include files by path; it is one file, and may use the CUDA headers and "
                       "the few standard ones, as in #include <cuda_runtime.h>");
        } else if (const Standing standing = standing_of(name, folders_); standing == Standing::needs_toolkit) {
            scan_.missing_cuda_headers.insert(name);
        } else if (standing == Standing::cuda) {
            scan_.uses_cuda_headers = true;
        } else if (standing == Standing::forbidden || (standing == Standing::unknown && conditionals_ <= 0)) {
            fail(line, folders_.allows_cub && name.starts_with("cub/") ? cub_advice(name)
                       : !is_of_program()                              ? header_advice(name, begin == "\"")
                       : standing == Standing::forbidden               ? "<" + name +
                                                               "> is a library of CUDA, which `run` does not have: "
                                                               "write that step as a kernel of your own"
                                                         : program_header_advice(name));
        }
    }

    void has_include(int line, std::string_view directive_name, std::string_view text) {
        for (const char* word : {"__has_embed", "__has_include_next"})
            if (contains_word(text, word)) fail(line, "`" + std::string(word) + "` is not available here");
        while (true) {
            const std::size_t at = text.find("__has_include");
            if (at == std::string_view::npos) return;
            const bool is_test = directive_name == "if" || directive_name == "elif";
            text.remove_prefix(at + std::string_view("__has_include").size());
            const std::string_view after = trimmed_front(text).substr(0, long_name);
            const bool is_asked_if_defined =
                after.empty() || after.front() == ')' || after.front() == '&' || after.front() == '|';
            if (directive_name == "ifdef" || directive_name == "ifndef" || (is_test && is_asked_if_defined)) continue;
            if (!is_test || after.front() != '(' || !is_plain_name(quoted_name(after.substr(1))))
                fail(line, "`__has_include` may only ask for a header by its plain name, in an #if line");
        }
    }

    static bool contains_word(std::string_view text, std::string_view word) {
        for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
            const bool begins = at == 0 || !is_word(text[at - 1]);
            const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
            if (begins && ends) return true;
        }
        return false;
    }

    void fail(int line, std::string message) { errors_.emplace(line, std::move(message)); }

    std::string_view source_;
    const std::string& path_;
    const HeaderFolders& folders_;
    int conditionals_ = 0;
    std::map<int, std::string> errors_;  // one a line, however many readings find it
    IncludeScan scan_;
};

}  // namespace

std::string program_header_advice(const std::string& header) {
    if (header.ends_with(".cuh") || header.ends_with(".h") || header.ends_with(".hpp"))
        return "<" + header +
               "> is not among the headers that are known here: copy what the program needs of it into the file; `run` "
               "takes a header of your own that is beside the file";
    return "<" + header +
           "> is not among the headers that `run` knows; the program may work without it, or with printf "
           "and arrays in its place";
}

IncludeScan scan_includes(std::string_view source, const std::string& path, const HeaderFolders& folders) {
    return Scanner(source, path, folders).run();
}

bool is_cub_header(std::string_view name) {
    if (name == "cub/cub.cuh") return true;
    return name.starts_with("cub/block/") || name.starts_with("cub/warp/") || name.starts_with("cub/thread/") ||
           name.starts_with("cub/grid/") || name.starts_with("cub/util_");
}

bool is_device_header(std::string_view name) {
    static constexpr std::array exact{"cooperative_groups.h",
                                      "cuda_fp16.h",
                                      "cuda_fp16.hpp",
                                      "cuda_bf16.h",
                                      "cuda_bf16.hpp",
                                      "cuda_fp8.h",
                                      "cuda_fp8.hpp",
                                      "cuda_pipeline.h",
                                      "cuda_awbarrier.h",
                                      "cuda_pipeline_helpers.h",
                                      "cuda_pipeline_primitives.h",
                                      "cuda_awbarrier_primitives.h",
                                      "cuda_awbarrier_helpers.h",
                                      "math_constants.h",
                                      "mma.h",
                                      "vector_types.h",
                                      "vector_functions.h",
                                      "cuComplex.h",
                                      "curand.h",  // which curand_kernel.h begins with
                                      "library_types.h",
                                      "driver_types.h",
                                      "builtin_types.h",
                                      "host_defines.h",
                                      "device_types.h",
                                      "sm_20_intrinsics.h",
                                      "sm_30_intrinsics.h",
                                      "sm_32_intrinsics.h",
                                      "sm_60_atomic_functions.h",
                                      "nv/target"};
    if (std::ranges::find(exact, name) != exact.end()) return true;
    return name.starts_with("cooperative_groups/") || name.starts_with("cuda/") || name.starts_with("curand_");
}

std::vector<std::string> missing_usual_headers(const std::string& cuda_include) {
    std::vector<std::string> missing;
    for (const char* name : {"cooperative_groups.h", "cuda_fp16.h", "nv/target", "cuda/std/type_traits"})
        if (!is_there(cuda_include, name)) missing.emplace_back(name);
    return missing;
}

std::string header_advice(const std::string& header, bool is_quoted) {
    const std::string belongs =
        "; a submission holds kernels and the launcher only: the grader allocates, copies, checks and times";
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, header) != names.end();
    };
    const std::string shown = "<" + header + ">";
    if (header.starts_with("thrust/") || header.starts_with("cub/") || header.starts_with("cublas") ||
        header.starts_with("cutlass/") || header.starts_with("cute/"))
        return shown + " is not available, since the exercise should be done without a library: leave the line out" +
               belongs;
    if (is_one_of({"iostream", "iomanip", "fstream", "sstream", "ostream", "istream"}))
        return shown + " is for host programs: leave the line out" + belongs + " (printf works inside a kernel)";
    if (is_one_of({"chrono", "ctime", "time.h", "sys/time.h"}))
        return shown + " is for host programs: leave the line out" + belongs;
    if (is_one_of({"stdexcept", "exception", "cerrno", "fcntl.h", "unistd.h", "optional", "vector", "string", "memory",
                   "random", "map", "thread"}))
        return shown + " is for host programs: leave the line out" + belongs;
    static const std::vector<std::string> usual{"cuda_runtime.h", "cooperative_groups.h",
                                                "cuda_fp16.h",    "device_launch_parameters.h",
                                                "algorithm",      "cassert",
                                                "cfloat",         "climits",
                                                "cmath",          "cstddef",
                                                "cstdint",        "cstdio",
                                                "cstdlib",        "cstring",
                                                "limits",         "utility",
                                                "type_traits",    "array",
                                                "tuple",          "numeric",
                                                "functional",     "iterator"};
    if (const auto near = nearest_name(header, usual))
        return shown + " is not a header of the kit or of CUDA: is it <" + *near + ">?";
    if (is_quoted)
        return "\"" + header +
               "\" is not there: a submission is one file; write what it needs of that header into it, "
               "or leave the line out";
    return shown + " is not a header of the kit or of CUDA: leave the line out" + belongs;
}

}  // namespace warpgrade
