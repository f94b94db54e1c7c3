#include "compile/advice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>

#include "base/near_names.hpp"
#include "compile/include_scan.hpp"
#include "compile/source_lines.hpp"

namespace warpgrade {
namespace {

constexpr std::string_view belongs = "a submission holds kernels and the launcher only";
constexpr std::string_view library = "libraries do the exercise for you";
constexpr std::string_view allocation = "the grader allocates; the launcher gets device pointers that are ready to use";
constexpr std::string_view timing = "the grader times the launches itself";

struct HostName {
    std::string_view prefix;  // of the identifier; the first match serves
    std::string_view reason;
};

constexpr std::array host_prefixes{
    HostName{"cudaMalloc", allocation},
    HostName{"cudaHostAlloc", allocation},
    HostName{"cudaHostRegister", allocation},
    HostName{"cudaFree", "the grader frees what it allocated"},
    HostName{"cudaMemcpy", "the grader copies; data is on the device before the launcher runs and is read after it"},
    HostName{"cudaMemPrefetch", "the grader places the data on the device before the launcher runs"},
    HostName{"cudaStream", "everything runs in the default stream, as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaEvent", timing},
    HostName{"cudaLaunch", "launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaGraph", "the grader records the launches; launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaDeviceReset", "the grader owns the device"},
    HostName{"cublas", library},
    HostName{"thrust", library},
    HostName{"cutlass", library},
    HostName{"cuda", "the grader does what host programs do around the launches"},
};

constexpr std::array host_words{
    HostName{"cub", library},
    HostName{"time", timing},
    HostName{"gettimeofday", timing},
    HostName{"clock_gettime", timing},
    HostName{"rand", "the grader makes the input"},
    HostName{"srand", "the grader makes the input"},
    HostName{"fopen", "there are no files"},
    HostName{"scanf", "there is no input to read"},
    HostName{"getenv", "there is no environment"},
    HostName{"system", "there are no other programs"},
};

// What <vector>, <iostream> ... bring into std.
const std::set<std::string, std::less<>> host_library{"vector",
                                                      "string",
                                                      "cout",
                                                      "cerr",
                                                      "endl",
                                                      "cin",
                                                      "unique_ptr",
                                                      "shared_ptr",
                                                      "make_unique",
                                                      "array",
                                                      "map",
                                                      "chrono",
                                                      "thread",
                                                      "function",
                                                      "random_device",
                                                      "mt19937",
                                                      "sort",
                                                      "accumulate",
                                                      "iota",
                                                      "ifstream",
                                                      "ofstream",
                                                      "to_string",
                                                      "runtime_error",
                                                      "exception",
                                                      "unordered_map",
                                                      "set",
                                                      "list",
                                                      "stringstream",
                                                      "default_random_engine",
                                                      "uniform_real_distribution",
                                                      "mutex",
                                                      "future",
                                                      "async",
                                                      "reduce",
                                                      "transform",
                                                      "generate",
                                                      "this_thread",
                                                      "string_view"};

// Misspelt ones get the right one offered.
const std::vector<std::string> cuda_words{"threadIdx",
                                          "blockIdx",
                                          "blockDim",
                                          "gridDim",
                                          "warpSize",
                                          "__syncthreads",
                                          "__syncwarp",
                                          "__shared__",
                                          "__global__",
                                          "__device__",
                                          "__shfl_down_sync",
                                          "__shfl_xor_sync",
                                          "__shfl_sync",
                                          "__shfl_up_sync",
                                          "__ballot_sync",
                                          "__any_sync",
                                          "__all_sync",
                                          "__activemask",
                                          "atomicAdd",
                                          "atomicMax",
                                          "atomicMin",
                                          "atomicCAS",
                                          "__threadfence",
                                          "__ldg",
                                          "dim3",
                                          "float2",
                                          "float4",
                                          "size_t",
                                          "nullptr",
                                          "printf",
                                          "cudaGetLastError",
                                          "cudaFuncSetAttribute",
                                          "cudaMemsetAsync",
                                          "cudaDeviceSynchronize",
                                          "__launch_bounds__",
                                          "__restrict__"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string unavailable(std::string_view name, std::string_view reason) {
    return "`" + std::string(name) + "` is not available: " + std::string(reason) + "; " + std::string(belongs);
}

std::string advice_for(std::string_view name) {
    for (const HostName& word : host_words)
        if (name == word.prefix) return unavailable(name, word.reason);
    for (const HostName& known : host_prefixes)
        if (name.starts_with(known.prefix)) return unavailable(name, known.reason);
    return {};
}

std::string std_advice(const std::string& name) {
    if (host_library.count(name) == 0) return {};
    return "`std::" + name + "` is for host programs; " + std::string(belongs) +
           ": the grader allocates, copies, checks and times";
}

// The runtime's names are macros here (include/cuda_runtime_api.h); a learner wrote, and should read, the plain ones.
void show_plain_names(std::string& message) {
    for (const std::string_view prefix : {"__warpgrade_no_", "__warpgrade_cuda"})
        for (std::size_t at; (at = message.find(prefix)) != std::string::npos;)
            message.erase(at, std::string_view("__warpgrade_").size() + (prefix.ends_with("no_") ? 3 : 0));
}

class Adviser {
public:
    Adviser(std::string_view source, const std::string& path) : path_(path) {
        std::size_t begin = 0;
        while (begin <= source.size()) {
            const std::size_t end = std::min(source.find('\n', begin), source.size());
            lines_.push_back(source.substr(begin, end - begin));
            begin = end + 1;
        }
        for (const SourceLine& line : source_lines(source)) {
            const std::size_t last = line.text.find_last_not_of(" \t");
            if (last != std::string::npos) lines_with_code_.push_back({line.line, line.text.substr(0, last + 1)});
        }
    }

    void run(std::vector<CompilerMessage>& messages) {
        std::vector<CompilerMessage> kept;
        for (CompilerMessage& message : messages) {
            show_plain_names(message.message);
            if (std::string better = rewritten(message); !better.empty()) {
                message.message = std::move(better);
                explained_.insert(message.line);
            } else if (is_echo(message)) {
                continue;
            } else {
                place_semicolon(message);
                explain_device_code(message);
                offer_near_name(message);
            }
            kept.push_back(std::move(message));
        }
        messages = std::move(kept);
    }

private:
    std::string rewritten(const CompilerMessage& message) const {
        static const std::regex undefined(R"re(^identifier "(\w+)" is undefined)re");
        static const std::regex no_member(R"re(^namespace "std" has no member (?:class )?"(\w+)")re");
        static const std::regex no_header(R"re(^(?:cannot|could not) open source file "([^"]*)")re");
        const std::string& text = message.message;
        std::smatch match;
        if (std::regex_search(text, match, undefined)) return advice_for(std::string(match[1]));
        if (std::regex_search(text, match, no_member)) return std_advice(match[1]);
        if (std::regex_search(text, match, no_header)) return header_advice(match[1]);
        if (text.starts_with("name followed by \"::\"") || text.starts_with("name must be a namespace name")) {
            const std::string name = word_at(message);
            const std::string advice = advice_for(name);
            return advice.empty() && message.path == path_ ? std_advice(name) : advice;
        }
        return {};
    }

    // After `std::vector<int> v` come complaints about `int`, `v` and the bracket: all the same mistake.
    bool is_echo(const CompilerMessage& message) const {
        if (message.severity != "error" || explained_.count(message.line) == 0) return false;
        const std::string& text = message.message;
        return text.starts_with("type name is not allowed") || text.starts_with("expected a") ||
               text.find(" is undefined") != std::string::npos;
    }

    // NVRTC reports a missing `;` where the next token stands, which is usually a line too late.
    void place_semicolon(CompilerMessage& message) const {
        if (message.message != "expected a \";\"" || message.path != path_ || message.column == 0) return;
        const std::string_view line = line_text(message.line);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || static_cast<int>(first) + 1 != message.column) return;
        for (auto code = lines_with_code_.rbegin(); code != lines_with_code_.rend(); ++code) {
            if (code->line >= message.line) continue;
            message.line = code->line;
            // Behind the code, unless a comment before it has moved the column.
            const bool is_in_place = line_text(code->line).starts_with(code->text);
            message.column = is_in_place ? static_cast<int>(code->text.size()) + 1 : 0;
            message.message = "expected a `;` at the end of this line";
            return;
        }
    }

    // In a launcher, "device code" would be read as a mistake of the compiler's.
    static void explain_device_code(CompilerMessage& message) {
        for (const char* words : {"device code", "a __device__ variable", "for a __device__"})
            if (message.severity == "error" && message.message.find(words) != std::string::npos) {
                message.message += "; the grader compiles the whole submission, the launcher too, as device code";
                return;
            }
    }

    void offer_near_name(CompilerMessage& message) const {
        static const std::regex undefined(R"re(^identifier "(\w+)" is undefined$)re");
        std::smatch match;
        if (!std::regex_search(message.message, match, undefined)) return;
        if (const auto near = nearest_name(std::string(match[1]), cuda_words))
            message.message += "; is it `" + *near + "`?";
    }

    std::string_view line_text(int line) const {
        return line > 0 && static_cast<std::size_t>(line) <= lines_.size() ? lines_[line - 1] : std::string_view();
    }

    std::string word_at(const CompilerMessage& message) const {
        const std::string_view line = line_text(message.line);
        std::string word;
        for (std::size_t i = message.column > 0 ? message.column - 1 : line.size(); i < line.size() && is_word(line[i]);
             ++i)
            word += line[i];
        return word;
    }

    const std::string& path_;
    std::vector<std::string_view> lines_;
    std::vector<SourceLine> lines_with_code_;  // without comments
    std::set<int> explained_;
};

}  // namespace

void advise(std::vector<CompilerMessage>& messages, std::string_view source, const std::string& path) {
    Adviser(source, path).run(messages);
}

CompilerMessage main_message(const std::string& path, int line) {
    return {"error", path, line, 0,
            "a submission has no main(): the grader calls the launcher; remove main, or put it between "
            "#ifndef __WARPGRADE__ and #endif"};
}

}  // namespace warpgrade
