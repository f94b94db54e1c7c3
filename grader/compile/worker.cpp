// The child's side: read one job, give up what it does not need, compile, reply.
#include <unistd.h>

#include <chrono>
#include <optional>

#include "base/walls.hpp"
#include "base/worker.hpp"
#include "compile/exceptions.hpp"
#include "compile/include_scan.hpp"
#include "compile/job.hpp"
#include "compile/late_values.hpp"
#include "compile/nvrtc.hpp"
#include "compile/sides.hpp"
#include "compile/static_locals.hpp"

namespace warpgrade {
namespace {

// `size_of` and `get` are NVRTC's pair for the PTX or for the log. nullopt: more than `cap` bytes.
std::optional<std::string> read_text(NvrtcProgram program, decltype(NvrtcFunctions::get_ptx_size) size_of,
                                     decltype(NvrtcFunctions::get_ptx) get, std::uint64_t cap) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0 || size == 0) return std::string();
    if (size > cap) return std::nullopt;
    std::string text(size, '\0');
    get(program, text.data());
    text.pop_back();  // NVRTC counts the final NUL
    return text;
}

// Editors write a byte order mark where nobody sees it; NVRTC takes it for three stray characters.
std::string_view without_mark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

std::string whole_text(const CompileJob& job) {
    std::string source(without_mark(job.source));
    // NVRTC appends a directive of its own, which a last line that ends in a backslash would take in.
    if (!source.ends_with('\n')) source += '\n';
    if (job.appended.empty()) return source;
    // The blank line ends a comment or a spliced line that the submission left open.
    return source + "\n#line 1 \"" + appended_name + "\"\n" + job.appended + "\n";
}

// Here and nowhere else, so that no text comes to NVRTC around it. The kit's lines are looked at as well: who has taken
// over the process that asks can put anything there.
IncludeScan scan(const CompileJob& job) {
    const HeaderFolders folders{job.working_folder, job.cuda_include, job.more_headers, job.allows_cub};
    IncludeScan scan = scan_includes(without_mark(job.source), submission_name, folders);
    IncludeScan of_ours = scan_includes(job.appended, appended_name, folders);
    scan.errors.insert(scan.errors.end(), of_ours.errors.begin(), of_ours.errors.end());
    return scan;
}

CompileReply compile_text(const NvrtcFunctions& nvrtc, const CompileJob& job, const char* more = nullptr) {
    CompileReply reply;
    NvrtcProgram program = nullptr;
    const std::string text = whole_text(job);
    int status = nvrtc.create_program(&program, text.c_str(), submission_name, 0, nullptr, nullptr);
    if (status != 0) {
        reply.log = std::string("nvrtcCreateProgram: ") + nvrtc.error_string(status);
        return reply;
    }
    std::vector<const char*> options;
    for (const std::string& option : job.options) options.push_back(option.c_str());
    if (more != nullptr) options.push_back(more);
    const auto start = std::chrono::steady_clock::now();
    status = nvrtc.compile_program(program, static_cast<int>(options.size()), options.data());
    reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    reply.log = read_text(program, nvrtc.get_log_size, nvrtc.get_log, job.limits.ptx_bytes).value_or("");
    if (status == 0) {
        const auto ptx = read_text(program, nvrtc.get_ptx_size, nvrtc.get_ptx, job.limits.ptx_bytes);
        reply.status = ptx ? CompileStatus::compiled : CompileStatus::too_large;
        reply.ptx = ptx.value_or("");
    } else if (status == nvrtc_error_compilation) {
        const bool is_starved = reply.log.find("catastrophic error: out of memory") != std::string::npos;
        reply.status = is_starved ? CompileStatus::out_of_memory : CompileStatus::rejected;
    } else if (status == nvrtc_error_out_of_memory) {
        reply.status = CompileStatus::out_of_memory;
    } else {
        reply.log = std::string(nvrtc.error_string(status)) + ": " + reply.log;
    }
    return reply;
}

// What warnings of its marks the program gets. Nothing is made of this text, so that it takes a front end's time alone.
std::string sides_log_of(const NvrtcFunctions& nvrtc, CompileJob job) {
    job.source = with_marked_sides(without_mark(job.source));
    job.options.push_back("-D__WARPGRADE_SIDES__=1");
    CompileReply reply = compile_text(nvrtc, job, "--fdevice-syntax-only");
    if (reply.status == CompileStatus::failed) reply = compile_text(nvrtc, job);  // an NVRTC without that option
    return reply.status == CompileStatus::compiled ? reply.log : "";
}

CompileReply compile_job(const NvrtcFunctions& nvrtc, CompileJob& job) {
    const IncludeScan found = scan(job);
    CompileReply refused;
    if (!found.errors.empty()) {
        refused.status = CompileStatus::refused;
        for (const CompilerMessage& error : found.errors) refused.refusals.push_back({error.line, error.message});
        return refused;
    }
    if (!found.missing_cuda_headers.empty()) {
        refused.status = CompileStatus::needs_headers;
        refused.missing_headers.assign(found.missing_cuda_headers.begin(), found.missing_cuda_headers.end());
        return refused;
    }
    if (found.uses_cuda_headers) job.options.push_back("-D__WARPGRADE_CUDA_HEADERS__=1");
    CompileReply reply = compile_text(nvrtc, job);
    const bool is_program = !job.more_headers.empty();
    // NVRTC may name one of them at a time.
    for (int most = 8; reply.status == CompileStatus::rejected && most > 0; --most) {
        const std::string_view text = without_mark(job.source);
        auto other =
            is_program ? without_exceptions(text, reply.log) : without_static_locals(text, reply.log, submission_name);
        if (is_program && !other) other = with_late_values(text, reply.log, submission_name);
        if (!other) break;
        job.source = *other;
        const double seconds = reply.seconds;
        reply = compile_text(nvrtc, job);
        reply.seconds += seconds;
    }
    if (is_program && reply.status == CompileStatus::compiled) reply.sides_log = sides_log_of(nvrtc, job);
    return reply;
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// NVRTC 13.0.88 reads what it has freed while it compiles out_of_bounds/launcher_local_escapes.cu: its own defect.
extern "C" const char* __asan_default_suppressions() { return "interceptor_via_lib:libnvrtc\n"; }
#endif

int compile_worker_main() {
    const auto fields = wire::unpack(read_message(STDIN_FILENO));
    auto job = fields ? job_from(*fields) : std::nullopt;
    if (!job) return 0;  // the parent sees the missing reply
    close_descriptors_from(STDERR_FILENO + 1);
    constexpr int way_given = 10;
    if (job->limits.gives_way) (void)!nice(way_given);
    limit_process({.cpu_seconds = job->limits.cpu_seconds, .address_space_bytes = job->limits.memory_bytes});
    CompileReply reply;
    if (chdir(job->working_folder.c_str()) != 0) {
        reply.log = "cannot enter the folder of the shipped headers";
        write_all(STDOUT_FILENO, wire::pack(to_fields(reply)));
        return 0;
    }
    const auto nvrtc = open_nvrtc(job->nvrtc_path);
    if (!nvrtc) {
        reply.log = nvrtc.error().title + ": " + nvrtc.error().facts.front();
        write_all(STDOUT_FILENO, wire::pack(to_fields(reply)));
        return 0;
    }
    if (const auto opened = open_nvrtc_builtins(nvrtc.value(), job->nvrtc_path); !opened) {
        reply.log = opened.error().title + ": " + opened.error().facts.front();
        write_all(STDOUT_FILENO, wire::pack(to_fields(reply)));
        return 0;
    }
    const WallSet walls = put_up({.calls = SystemCalls::reading, .readable = job->readable, .threads = 64});
    // Whatever ends this process from here on was caused by the text being compiled.
    write_all(STDOUT_FILENO, wire::pack({"ready"}));
    reply = compile_job(nvrtc.value(), *job);
    reply.walls = walls.names();
    write_all(STDOUT_FILENO, wire::pack(to_fields(reply)));
    _exit(0);  // NVRTC's own clean-up costs milliseconds and serves nobody
}

}  // namespace warpgrade
