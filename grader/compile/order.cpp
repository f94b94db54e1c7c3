// The trusted side of a compilation: it chooses the library, the options and the folders, looks into the cache, and
// starts the worker. It hands the text on and reads none of it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "compile/cache.hpp"
#include "compile/compiler.hpp"
#include "compile/include_scan.hpp"
#include "compile/job.hpp"
#include "compile/kit_root.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

// Raised when the meaning of a cache entry changes.
constexpr std::string_view cache_schema = "compile/3";

Result<std::string> shipped_headers(const char* room) {
    const auto root = find_kit_root();
    // As the kernel names it: NVRTC's log and line information hold the working folder, whatever links led there.
    std::error_code ignored;
    if (root) return fs::canonical(*root / "grader" / room / "include", ignored).string();
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
    if (!folders.more.empty()) options.push_back("-I" + folders.more);
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
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        files.push_back(*at);
    std::ranges::sort(files);
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
    hash.add_field(job.allows_cub ? "cub" : "");  // a stage without it gets no PTX of one with it
    hash.add_field(nvrtc.version);
    // Two builds of one version differ in size.
    std::error_code ignored;
    hash.add_field(std::to_string(fs::file_size(nvrtc.path, ignored)));
    add_folder(hash, folders.shipped);
    if (!folders.more.empty()) add_folder(hash, folders.more);
    return hash.hex();
}

// An order on its way: what it becomes for a worker, and what is known without one.
struct Prepared {
    CompileJob job;
    std::string key;  // in the cache
    RawCompilation raw;
};

Result<Prepared> prepare(const CompileOrder& order, const CompileLimits& limits) {
    const auto shipped = shipped_headers("compile");
    if (!shipped) return shipped.error();
    const auto nvrtc = find_nvrtc();
    if (!nvrtc) return nvrtc.error();
    HeaderFolders folders{shipped.value(), nvrtc->cuda_include, ""};
    if (order.is_program) {
        auto of_programs = shipped_headers("host");
        if (!of_programs) return of_programs.error();
        folders = {std::move(*of_programs), nvrtc->cuda_include, shipped.value()};
    }

    CompileJob job{
        .nvrtc_path = nvrtc->path,
        .source = order.source,
        .appended = order.appended,
        .options = options_for(order, folders),
        .working_folder = folders.shipped,
        .more_headers = folders.more,
        .cuda_include = folders.cuda_include,
        .allows_cub = order.allows_cub || order.is_program,
        .readable = {fs::path(nvrtc->path).parent_path(), folders.shipped, "/lib", "/lib64", "/usr/lib", "/usr/lib64"},
        .limits = limits};
    std::error_code ignored;
    job.readable.push_back(fs::canonical(nvrtc->path, ignored).parent_path());
    if (!folders.cuda_include.empty()) job.readable.push_back(folders.cuda_include);
    if (!folders.more.empty()) job.readable.push_back(folders.more);

    Prepared prepared{std::move(job), "", {}};
    prepared.key = cache_key(prepared.job, nvrtc.value(), folders);
    prepared.raw.nvrtc_version = nvrtc->version;
    prepared.raw.header_folders = {folders.shipped, folders.more, folders.cuda_include + "/cccl", folders.cuda_include};
    if (const auto entry = ContentCache::of_user().find(prepared.key)) {
        const auto fields = wire::unpack(*entry);
        if (auto reply = fields ? reply_from(*fields) : std::nullopt) {
            prepared.raw.reply = std::move(*reply);
            prepared.raw.is_cached = true;
        }
    }
    return prepared;
}

RawCompilation finish(Prepared prepared, CompileReply reply) {
    if (reply.status == CompileStatus::compiled)
        ContentCache::of_user().keep(prepared.key, wire::pack(to_fields(reply)));
    prepared.raw.reply = std::move(reply);
    return std::move(prepared.raw);
}

// The trusted side of one confined process's compilations.
class Orders {
public:
    Orders(unsigned most, double cpu_seconds, double (*slowdown)())
        : most_(most), left_(cpu_seconds), slowdown_(slowdown) {}

    wire::Fields compile(const wire::Fields& request) {
        const auto order = order_from(request);
        if (!order || done_++ == most_)
            return wire::to_fields(Diagnostic{
                .blame = Blame::kit,
                .code = "compile_order",
                .title = order ? "too much was asked to be compiled" : "what was asked to be compiled makes no sense",
                .marks = {},
                .facts = {},
                .help = "this is a defect of the kit; please report it"});
        auto raw = take(request);
        CompileLimits limits = limits_of_now(*order);
        // What had as long as is left is not tried again.
        if (!raw || (!*raw && (limits.cpu_seconds > most_seconds_ahead || is_slow_here()))) {
            auto carried = carry_out(*order, limits);
            if (!carried && carried.error().code == "compile_timeout" && is_slow_here()) {
                limits.cpu_seconds =
                    static_cast<std::uint64_t>(std::ceil(static_cast<double>(limits.cpu_seconds) * times_));
                carried = carry_out(*order, limits);
            }
            if (!carried) note_failure(carried.error(), limits);
            raw = std::move(carried);
        }
        if (!*raw) return wire::to_fields(raw->error());
        const RawCompilation& done = **raw;
        left_ -= done.reply.cpu_seconds / times_;
        if (!done.is_cached) longest_ = std::max(longest_, done.reply.cpu_seconds);
        wire::Fields fields = to_fields(done);
        fields.insert(fields.begin(), "compiled");
        return fields;
    }

    void begin(const wire::Fields& request) {
        constexpr std::size_t most_under_way = 2;
        const auto order = order_from(request);
        const bool takes_too_long =
            longest_ > 0.75 * static_cast<double>(most_seconds_ahead);  // it is one text, mostly
        if (!order || takes_too_long || under_way_.size() == most_under_way || under_way_.contains(request)) return;
        CompileLimits limits = limits_of_now(*order);
        limits.cpu_seconds = std::min(limits.cpu_seconds, most_seconds_ahead);
        limits.gives_way = true;
        auto prepared = prepare(*order, limits);
        if (!prepared || prepared->raw.is_cached) return;  // it is told when it is asked for
        auto compilation = Compilation::begin(prepared->job);
        if (compilation) under_way_.emplace(request, UnderWay{std::move(*prepared), std::move(*compilation)});
    }

private:
    // What is still not done by then may be a text without an end, of which one at a time is enough.
    static constexpr std::uint64_t most_seconds_ahead = 2;
    struct UnderWay {
        Prepared prepared;
        Compilation compilation;
    };

    CompileLimits limits_of_now(const CompileOrder& order) const {
        constexpr std::uint64_t most_of_a_program = 30;  // with containers and streams: 2 to 6 s
        CompileLimits limits;
        if (order.is_program) limits.cpu_seconds = most_of_a_program;
        limits.cpu_seconds = std::min(limits.cpu_seconds, static_cast<std::uint64_t>(std::max(1.0, left_)));
        return limits;
    }

    // Limits are those of a machine as fast as most; on a slower one a text may take as much longer. It is asked only
    // where a text took too long.
    bool is_slow_here() {
        constexpr double worth_another = 1.2, slowest = 3;
        times_ = std::clamp(slowdown_(), 1.0, slowest);
        return times_ > worth_another;
    }

    // What a limit ended has used it up, as far as is known.
    void note_failure(const Diagnostic& error, const CompileLimits& limits) {
        if (error.blame == Blame::learner) left_ -= static_cast<double>(limits.cpu_seconds) / times_;
    }

    // Nothing where it was not begun; an error where its own limits have ended it.
    std::optional<Result<RawCompilation>> take(const wire::Fields& request) {
        auto begun = under_way_.extract(request);
        if (begun.empty()) return std::nullopt;
        auto& [prepared, compilation] = begun.mapped();
        auto reply = compilation.end();
        if (reply) return finish(std::move(prepared), std::move(*reply));
        note_failure(reply.error(), prepared.job.limits);
        if (reply.error().blame != Blame::learner) return std::nullopt;
        return reply.error();
    }

    const unsigned most_;
    unsigned done_ = 0;
    double left_;
    double (*slowdown_)();
    double times_ = 1;    // as long as elsewhere a text takes here, as far as was asked
    double longest_ = 0;  // seconds, of those that were not known
    std::map<wire::Fields, UnderWay> under_way_;
};

}  // namespace

Result<RawCompilation> carry_out(const CompileOrder& order, const CompileLimits& limits) {
    auto prepared = prepare(order, limits);
    if (!prepared) return prepared.error();
    if (prepared->raw.is_cached) return std::move(prepared->raw);
    auto compilation = Compilation::begin(prepared->job);
    if (!compilation) return compilation.error();
    auto reply = compilation->end();
    if (!reply) return reply.error();
    return finish(std::move(*prepared), std::move(*reply));
}

Services compile_services(unsigned most, double cpu_seconds, double (*slowdown)()) {
    const auto orders = std::make_shared<Orders>(most, cpu_seconds, slowdown);
    return {{compile_service_name, [orders](const wire::Fields& request) { return orders->compile(request); }},
            {compile_ahead_service, [orders](const wire::Fields& request) {
                 orders->begin(request);
                 return wire::Fields();
             }}};
}

}  // namespace warpgrade
