// The parent's side: start a worker, hand it the job, wait no longer than the limits say, read what came back.
#include <sys/wait.h>

#include <cstring>

#include <fmt/format.h>

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
    return learner_fault("compile_timeout",
                         fmt::format("compilation took longer than {} s of processor time", limits.cpu_seconds),
                         "a stage's solution compiles in well under one second",
                         "look for a template or a constexpr loop that multiplies its own work");
}

Diagnostic machine_is_busy(const CompileLimits& limits) {
    return {.blame = Blame::host,
            .code = "machine_too_busy",
            .title = fmt::format("it was not compiled within {} s: this machine is too busy", limits.wall_seconds),
            .marks = {},
            .facts = {"a stage's solution compiles in well under one second"},
            .help = "end other programs, then run the command again"};
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

Compilation::Compilation(Worker worker, const CompileLimits& limits, std::string outgoing)
    : worker_(std::move(worker)),
      limits_(limits),
      outgoing_(std::move(outgoing)),
      deadline_(Worker::Clock::now() + std::chrono::duration_cast<Worker::Clock::duration>(
                                           std::chrono::duration<double>(limits.wall_seconds))) {
    outgoing_.erase(0, worker_.send_now(outgoing_));
}

Result<Compilation> Compilation::begin(const CompileJob& job) {
    auto worker = Worker::start("compile-worker", WorkerEnvironment::loader_only);
    if (!worker) return worker.error();
    return Compilation(std::move(*worker), job.limits, wire::pack(to_fields(job)));
}

Result<CompileReply> Compilation::end() {
    const Worker::Exchange result = worker_.exchange(outgoing_, deadline_, 2 * limits_.ptx_bytes + (1 << 20), false);
    const int status = worker_.stop();  // it has closed its end, or has to go

    std::string_view bytes = result.received;
    auto message = wire::take(bytes);
    const bool is_ready = message && message->size() == 1 && message->front() == "ready";
    if (is_ready) message = wire::take(bytes);
    if (result.is_out_of_time) return machine_is_busy(limits_);
    if (result.is_flooded) return kit_defect("it sent more than it may");
    auto reply = message ? reply_from(*message) : std::nullopt;
    if (!reply) {
        if (!is_ready) return kit_defect("it ended before it was ready, wait status " + std::to_string(status));
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        const auto most = static_cast<double>(limits_.cpu_seconds);
        // Who stays deaf to the first signal gets the second.
        if (signal == SIGXCPU || (signal == SIGKILL && worker_.cpu_seconds() >= most)) return took_too_long(limits_);
        return crashed(status, limits_);
    }
    reply->cpu_seconds = worker_.cpu_seconds();
    switch (reply->status) {
        case CompileStatus::compiled:
        case CompileStatus::rejected:
        case CompileStatus::refused:
        case CompileStatus::needs_headers: return *reply;
        case CompileStatus::out_of_memory: return took_too_much_memory(limits_);
        case CompileStatus::too_large:
            return learner_fault(
                "compile_output",
                "the compiled program is larger than " + std::to_string(limits_.ptx_bytes >> 20) + " MiB",
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
