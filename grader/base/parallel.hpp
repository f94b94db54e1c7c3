// Independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace warpgrade {

// As many threads as the machine has processors, but no more than there is work.
inline unsigned threads_for(std::size_t work) {
    return static_cast<unsigned>(std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), work));
}

// Runs `work` on `threads` threads, this one among them, and returns when all have ended; the first exception that one
// threw is thrown again here. Where the machine gives fewer threads, fewer do the work: `work` takes its next piece
// from what they share.
template <class Work>
void run_on_threads(unsigned threads, Work&& work) {
    std::exception_ptr failure;
    std::mutex mutex;
    const auto guarded = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads);
    try {
        for (unsigned i = 1; i < threads; ++i) others.emplace_back(guarded);
    } catch (const std::system_error&) {  // no thread to be had
    }
    guarded();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

// Calls `use(i)` for every i below `count`, in order of i as threads get free. Returns when all are done; the first
// exception that one threw is thrown again here.
template <class Use>
void for_each_in_parallel(std::size_t count, unsigned threads, Use&& use) {
    std::atomic<std::size_t> next{0};
    run_on_threads(threads, [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) use(i);
        } catch (...) {
            next = count;
            throw;
        }
    });
}

}  // namespace warpgrade
