// The trusted side of a compilation: it chooses the library, the options and the folders, looks into the cache, and
// starts the worker. It hands the text on and reads none of it.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "compile/cache.hpp"
#include "compile/include_scan.hpp"
#include "compile/job.hpp"
#include "compile/kit_root.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

// Raised when the meaning of a cache entry changes.
constexpr std::string_view cache_schema = "compile/2";

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

std::vector<std::string> options_for(const CompileOrder& order, const HeaderFolders& folders) {
    std::vector<std::string> options{"-default-device",     "-rdc=true",         "-lineinfo",           "-std=c++17",
                                     "-arch=" + order.arch, "-D__WARPGRADE__=1", "-I" + folders.shipped};
    if (!folders.cuda_include.empty()) {
        options.push_back("-I" + folders.cuda_include);
        options.push_back("-I" + folders.cuda_include + "/cccl");
    }
    // "declared but never referenced" is what every stub is before it is filled.
    options.push_back("-diag-suppress=177");
    // As nvcc does; it is also what makes host API calls in a launcher reach the plan recorder.
    options.push_back("-include=cuda_runtime.h");
    options.push_back("--device-int128");  // nvcc has __int128 without being asked
    // libnvvm without passes: every load and store of the source stays, and -lineinfo does too. -G would add debug
    // sections and a local-memory home for each variable, four times the text.
    if (!order.is_optimised) options.push_back("-Xnvvm=-opt=0");
    if (order.reports_registers) options.push_back("--ptxas-options=-v");
    for (const std::string& definition : order.definitions) options.push_back("-D" + definition);
    return options;
}

void add_folder(Sha256& hash, const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) files.push_back(*at);
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) {
        const auto text = read_whole_file(path);
        hash.add_field(path.filename().string());
        hash.add_field(text ? *text : "");
    }
}

std::string cache_key(const CompileJob& job, const NvrtcInfo& nvrtc, const HeaderFolders& folders) {
    Sha256 hash;
    hash.add_field(cache_schema);
    hash.add_field(job.source);
    hash.add_field(job.appended);
    for (const std::string& option : job.options) hash.add_field(option);
    hash.add_field(nvrtc.version);
    // Two builds of one version differ in size.
    std::error_code ignored;
    hash.add_field(std::to_string(fs::file_size(nvrtc.path, ignored)));
    add_folder(hash, folders.shipped);
    return hash.hex();
}

}  // namespace

Result<RawCompilation> carry_out(const CompileOrder& order, const CompileLimits& limits) {
    const auto shipped = shipped_headers();
    if (!shipped) return shipped.error();
    const auto nvrtc = find_nvrtc();
    if (!nvrtc) return nvrtc.error();
    const HeaderFolders folders{shipped.value(), nvrtc->cuda_include};

    CompileJob job{
        .nvrtc_path = nvrtc->path,
        .source = order.source,
        .appended = order.appended,
        .options = options_for(order, folders),
        .working_folder = folders.shipped,
        .cuda_include = folders.cuda_include,
        .readable = {fs::path(nvrtc->path).parent_path(), folders.shipped, "/lib", "/lib64", "/usr/lib", "/usr/lib64"},
        .limits = limits};
    std::error_code ignored;
    job.readable.push_back(fs::canonical(nvrtc->path, ignored).parent_path());
    if (!folders.cuda_include.empty()) job.readable.push_back(folders.cuda_include);

    RawCompilation raw;
    raw.nvrtc_version = nvrtc->version;
    raw.header_folders = {folders.shipped, folders.cuda_include + "/cccl", folders.cuda_include};
    const PtxCache cache = PtxCache::of_user();
    const std::string key = cache_key(job, nvrtc.value(), folders);
    if (const auto entry = cache.find(key)) {
        const auto fields = wire::unpack(*entry);
        if (auto reply = fields ? reply_from(*fields) : std::nullopt) {
            raw.reply = std::move(*reply);
            raw.is_cached = true;
            return raw;
        }
    }
    auto reply = run_in_worker(job);
    if (!reply) return reply.error();
    if (reply->status == CompileStatus::compiled) cache.keep(key, wire::pack(to_fields(*reply)));
    raw.reply = std::move(*reply);
    return raw;
}

Service compile_service(unsigned most, double cpu_seconds) {
    return [most, done = 0u, left = cpu_seconds](const wire::Fields& request) mutable -> wire::Fields {
        const auto order = order_from(request);
        if (!order || done++ == most)
            return wire::to_fields(Diagnostic{
                .blame = Blame::kit,
                .code = "compile_order",
                .title = order ? "too much was asked to be compiled" : "what was asked to be compiled makes no sense",
                .marks = {},
                .facts = {},
                .help = "this is a defect of the kit; please report it"});
        CompileLimits limits;
        limits.cpu_seconds = std::min(limits.cpu_seconds, static_cast<std::uint64_t>(std::max(1.0, left)));
        auto raw = carry_out(*order, limits);
        if (!raw) {
            // What a limit ended has used it up, as far as is known.
            if (raw.error().blame == Blame::learner) left -= static_cast<double>(limits.cpu_seconds);
            return wire::to_fields(raw.error());
        }
        left -= raw->reply.cpu_seconds;
        wire::Fields fields = to_fields(*raw);
        fields.insert(fields.begin(), "compiled");
        return fields;
    };
}

}  // namespace warpgrade
