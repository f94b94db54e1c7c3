#include "compile/compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/sha256.hpp"
#include "compile/advice.hpp"
#include "compile/cache.hpp"
#include "compile/include_scan.hpp"
#include "compile/job.hpp"
#include "compile/kit_root.hpp"
#include "compile/nvrtc_log.hpp"
#include "compile/registers.hpp"
#include "compile/source_lines.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

// Raised when the meaning of a cache entry changes.
constexpr std::string_view cache_schema = "compile/1";

Result<std::string> shipped_headers() {
    const auto root = find_kit_root();
    // As the kernel names it: NVRTC's log and line information hold the working folder, whatever links led there.
    std::error_code ignored;
    if (root) return fs::canonical(*root / "grader" / "compile" / "include", ignored).string();
    return Diagnostic{.blame = Blame::host,
                      .code = "no_kit_files",
                      .title = "the kit's own files are not where this program looks",
                      .marks = {},
                      .facts = {"no grader/compile/include above the executable or in $WARPGRADE_ROOT"},
                      .help = "set WARPGRADE_ROOT to the kit's folder, the one with grader/ and assignments/ in it"};
}

std::vector<std::string> options_for(const CompileRequest& request, const HeaderFolders& folders,
                                     bool uses_cuda_headers) {
    std::vector<std::string> options{"-default-device",       "-rdc=true",         "-lineinfo",           "-std=c++17",
                                     "-arch=" + request.arch, "-D__WARPGRADE__=1", "-I" + folders.shipped};
    if (!folders.cuda_include.empty()) {
        options.push_back("-I" + folders.cuda_include);
        options.push_back("-I" + folders.cuda_include + "/cccl");
    }
    if (uses_cuda_headers) options.push_back("-D__WARPGRADE_CUDA_HEADERS__=1");
    // `[] __device__ (...)` in a launcher.
    options.push_back("-Xcudafe=--extended-lambda");
    // "declared but never referenced" is what every stub is before it is filled.
    options.push_back("-diag-suppress=177");
    // As nvcc does; it is also what makes host API calls in a launcher reach the plan recorder.
    options.push_back("-include=cuda_runtime.h");
    // libnvvm without passes: every load and store of the source stays, and -lineinfo does too. -G would add debug
    // sections and a local-memory home for each variable, four times the text.
    if (!request.is_optimised) options.push_back("-Xnvvm=-opt=0");
    if (request.reports_registers) options.push_back("--ptxas-options=-v");
    for (const std::string& definition : request.definitions) options.push_back("-D" + definition);
    return options;
}

std::string whole_text(const CompileRequest& request) {
    // Editors write a byte order mark where nobody sees it; NVRTC takes it for three stray characters.
    const bool has_mark = request.source.starts_with("\xef\xbb\xbf");
    const std::string source = has_mark ? request.source.substr(3) : request.source;
    if (request.appended.empty()) return source;
    // The blank line ends a comment or a spliced line that the submission left open.
    return source + "\n\n#line 1 \"" + appended_name + "\"\n" + request.appended + "\n";
}

void add_folder(Sha256& hash, const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) files.push_back(*at);
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) {
        std::ifstream file(path, std::ios::binary);
        hash.add_field(path.filename().string());
        hash.add_field(std::string((std::istreambuf_iterator<char>(file)), {}));
    }
}

std::string cache_key(const CompileJob& job, const NvrtcInfo& nvrtc, const HeaderFolders& folders) {
    Sha256 hash;
    hash.add_field(cache_schema);
    hash.add_field(job.source);
    for (const std::string& option : job.options) hash.add_field(option);
    hash.add_field(nvrtc.version);
    // Two builds of one version differ in size.
    std::error_code ignored;
    hash.add_field(std::to_string(fs::file_size(nvrtc.path, ignored)));
    add_folder(hash, folders.shipped);
    return hash.hex();
}

bool has_main(const std::string& ptx) {
    for (std::size_t at = 0; (at = ptx.find(" main(", at)) != std::string::npos; ++at) {
        const std::size_t begin = ptx.rfind('\n', at) + 1;
        if (ptx.substr(begin, at - begin).find(".func") != std::string::npos) return true;
    }
    return false;
}

void interpret(const CompileReply& reply, const CompileRequest& request, const PathNames& names,
               CompileOutput& output) {
    output.ok = reply.status == CompileStatus::compiled;
    if (request.reports_registers) output.registers = registers_in_log(reply.log);
    output.messages = parse_nvrtc_log(reply.log, names);
    advise(output.messages, request.source, request.path);
    const int main_line = line_of_main(source_lines(request.source));
    if (output.ok ? has_main(reply.ptx) : main_line > 0) {
        output.ok = false;
        output.messages.insert(output.messages.begin(), main_message(request.path, main_line));
    }
    if (output.ok) output.ptx = with_shown_files(reply.ptx, names);
    const auto is_error = [](const CompilerMessage& message) { return message.severity == "error"; };
    if (!output.ok && std::none_of(output.messages.begin(), output.messages.end(), is_error))
        output.messages.push_back({"error", request.path, 0, 0, printable(reply.log, longest_message)});
}

Diagnostic needs_toolkit(const CompileRequest& request, const IncludeScan& scan) {
    std::string names;
    for (const std::string& name : scan.missing_cuda_headers) names += (names.empty() ? "<" : ", <") + name + ">";
    return {.blame = Blame::host,
            .code = "no_cuda_headers",
            .title = "this submission includes CUDA headers that this machine does not have",
            .marks = {{.path = request.path, .line = 0, .column = 0, .length = 1, .label = {}}},
            .facts = {names + " come with the CUDA toolkit, not with the NVRTC library alone"},
            .help = "install the toolkit's headers of NVRTC's version (pip: nvidia-cuda-runtime, nvidia-cuda-cccl)"};
}

}  // namespace

Result<CompileOutput> compile_within(const CompileRequest& request, const CompileLimits& limits) {
    const auto shipped = shipped_headers();
    if (!shipped) return shipped.error();
    const auto nvrtc = find_nvrtc();
    if (!nvrtc) return nvrtc.error();
    const HeaderFolders folders{shipped.value(), nvrtc.value().cuda_include};

    CompileOutput output;
    output.nvrtc_version = nvrtc.value().version;
    IncludeScan scan = scan_includes(request.source, request.path, folders);
    if (!scan.errors.empty()) {
        output.messages = std::move(scan.errors);
        if (const int line = line_of_main(source_lines(request.source)))
            output.messages.push_back(main_message(request.path, line));
        return output;
    }
    if (!scan.missing_cuda_headers.empty()) return needs_toolkit(request, scan);

    const PathNames names{request.path, {folders.shipped, folders.cuda_include + "/cccl", folders.cuda_include}};
    CompileJob job{.nvrtc_path = nvrtc.value().path,
                   .source = whole_text(request),
                   .options = options_for(request, folders, scan.uses_cuda_headers),
                   .working_folder = folders.shipped,
                   .readable = {fs::path(nvrtc.value().path).parent_path(), folders.shipped, "/lib", "/lib64",
                                "/usr/lib", "/usr/lib64"},
                   .limits = limits};
    std::error_code ignored;
    job.readable.push_back(fs::canonical(nvrtc.value().path, ignored).parent_path());
    if (!folders.cuda_include.empty()) job.readable.push_back(folders.cuda_include);

    const PtxCache cache = PtxCache::of_user();
    const std::string key = cache_key(job, nvrtc.value(), folders);
    if (const auto entry = cache.find(key)) {
        const auto fields = wire::unpack(*entry);
        if (const auto reply = fields ? reply_from(*fields) : std::nullopt) {
            interpret(*reply, request, names, output);
            output.is_cached = true;
            return output;
        }
    }
    const auto reply = run_in_worker(job);
    if (!reply) return reply.error();
    interpret(reply.value(), request, names, output);
    output.seconds = reply.value().seconds;
    if (output.ok) cache.keep(key, wire::pack(to_fields(reply.value())));
    return output;
}

Result<CompileOutput> compile(const CompileRequest& request) { return compile_within(request, {}); }

}  // namespace warpgrade
