// The parent's side: start a worker, hand it the job, wait no longer than the limits say, read what came back.
#include <sys/wait.h>

#include <cmath>
#include <cstring>

#include "base/worker.hpp"
#include "compile/job.hpp"

namespace warpgrade {
namespace {

Diagnostic kit_defect(const std::string& what) {
    return {.blame = Blame::kit,
            .code = "compile_worker",
            .title = "the compile worker did not do its job",
            .marks = {},
            .facts = {what},
            .help = "this is a defect of the kit; please report it"};
}

Diagnostic learner_fault(std::string code, std::string title, std::string fact, std::string help) {
    return {.blame = Blame::learner,
            .code = std::move(code),
            .title = std::move(title),
            .marks = {},
            .facts = {std::move(fact)},
            .help = std::move(help)};
}

Diagnostic took_too_long(const CompileLimits& limits) {
    const double seconds = std::min(limits.wall_seconds, static_cast<double>(limits.cpu_seconds));
    const bool is_whole = seconds == std::floor(seconds);
    std::string text = is_whole ? std::to_string(static_cast<long>(seconds)) : std::to_string(seconds);
    while (!is_whole && text.back() == '0') text.pop_back();
    return learner_fault("compile_timeout", "compilation took longer than " + text + " s",
                         "a stage's solution compiles in well under one second",
                         "look for a template or a constexpr loop that multiplies its own work");
}

Diagnostic took_too_much_memory(const CompileLimits& limits) {
    return learner_fault("compile_memory",
                         "compilation needed more than " + std::to_string(limits.memory_bytes >> 20) + " MiB of memory",
                         "a stage's solution compiles in a few hundred",
                         "look for a huge initialised array or a template that multiplies");
}

Diagnostic crashed(int wait_status, const CompileLimits& limits) {
    const int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    const std::string how =
        signal ? std::string("was stopped by signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")"
               : "ended without an answer";
    // NVRTC aborts when an allocation fails at a bad moment.
    const std::string memory = signal == SIGABRT
                                   ? "; it may use " + std::to_string(limits.memory_bytes >> 20) + " MiB of memory"
                                   : std::string();
    return learner_fault("compiler_crashed", "the CUDA compiler crashed on this file", "NVRTC " + how + memory,
                         "undo the last change; huge initialised arrays and very deep nesting do this");
}

}  // namespace

Result<CompileReply> run_in_worker(const CompileJob& job) {
    auto worker = Worker::start("compile-worker", WorkerEnvironment::empty);
    if (!worker) return worker.error();
    const auto limit =
        std::chrono::duration_cast<Worker::Clock::duration>(std::chrono::duration<double>(job.limits.wall_seconds));
    const Worker::Exchange result = worker->exchange(wire::pack(to_fields(job)), Worker::Clock::now() + limit,
                                                     2 * job.limits.ptx_bytes + (1 << 20), false);
    const int status = worker->stop();  // it has closed its end, or has to go

    std::string_view bytes = result.received;
    auto message = wire::take(bytes);
    const bool is_ready = message && message->size() == 1 && message->front() == "ready";
    if (is_ready) message = wire::take(bytes);
    if (result.is_out_of_time && is_ready) return took_too_long(job.limits);
    if (result.is_out_of_time) return kit_defect("it did not answer in time");
    if (result.is_flooded) return kit_defect("it sent more than it may");
    const auto reply = message ? reply_from(*message) : std::nullopt;
    if (!reply) {
        if (!is_ready) return kit_defect("it ended before it was ready, wait status " + std::to_string(status));
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return took_too_long(job.limits);
        return crashed(status, job.limits);
    }
    switch (reply->status) {
        case CompileStatus::compiled:
        case CompileStatus::rejected:
        case CompileStatus::refused:
        case CompileStatus::needs_headers: return *reply;
        case CompileStatus::out_of_memory: return took_too_much_memory(job.limits);
        case CompileStatus::too_large:
            return learner_fault(
                "compile_output",
                "the compiled program is larger than " + std::to_string(job.limits.ptx_bytes >> 20) + " MiB",
                "a stage's solution is a few kilobytes", "look for a huge initialised array");
        case CompileStatus::failed: break;
    }
    if (is_ready) return kit_defect(reply->log);
    return Diagnostic{.blame = Blame::host,
                      .code = "no_nvrtc",
                      .title = "NVRTC was found but cannot be used",
                      .marks = {},
                      .facts = {reply->log},
                      .help = "run `warpgrade doctor`"};
}

}  // namespace warpgrade
