#include "classroom/worker_pool.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/worker.hpp"

namespace warpgrade::classroom {
namespace {

std::string ending_of(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("the process that graded it was stopped by signal {} ({})", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    return fmt::format("the process that graded it ended without an answer, with exit code {}", WEXITSTATUS(status));
}

PoolReply run_job(const char* verb, wire::Fields job, std::size_t place, const PoolLimits& limits) {
    job.push_back(std::to_string(limits.cards[place % limits.cards.size()]));
    auto worker = Worker::start(verb, WorkerEnvironment::inherited);
    if (!worker) return {{}, worker.error().title + ": " + worker.error().facts.front()};
    const auto deadline = Worker::Clock::now() + std::chrono::seconds(limits.wall_seconds);
    const auto answer = worker->exchange(wire::pack(job), deadline, limits.reply_bytes, false);
    const int status = worker->stop();
    if (answer.is_out_of_time) return {{}, fmt::format("it was not done after {} s", limits.wall_seconds)};
    if (answer.is_flooded) return {{}, "the process that graded it answered more than it may"};
    auto fields = wire::unpack(answer.received);
    if (fields && !fields->empty()) return {std::move(*fields), ""};
    return {{}, ending_of(status)};
}

}  // namespace

void run_jobs(const char* verb, const std::vector<wire::Fields>& jobs, int workers, const PoolLimits& limits,
              const std::function<bool(std::size_t, PoolReply)>& done) {
    std::atomic<std::size_t> next{0};
    bool goes_on = true;
    std::mutex one_at_a_time;
    std::vector<std::size_t> failed;
    const auto work = [&](std::size_t place) {
        for (std::size_t job = next++; job < jobs.size(); job = next++) {
            PoolReply reply = run_job(verb, jobs[job], place, limits);
            const std::lock_guard lock(one_at_a_time);
            if (!goes_on) return;
            if (reply.ok())
                goes_on = done(job, std::move(reply));
            else
                failed.push_back(job);
            if (!goes_on) next = jobs.size();
        }
    };
    std::vector<std::thread> threads;
    const std::size_t wanted = std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(std::max(workers, 1)));
    for (std::size_t i = 0; i < wanted; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
    std::sort(failed.begin(), failed.end());
    for (const std::size_t job : failed) goes_on = goes_on && done(job, run_job(verb, jobs[job], 0, limits));
}

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
}

}  // namespace warpgrade::classroom
