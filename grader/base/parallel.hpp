// Independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpgrade {

// As many threads as the machine has processors, but no more than there is work.
inline unsigned threads_for(std::size_t work) {
    return static_cast<unsigned>(std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), work));
}

// Calls `use(i)` for every i below `count`, in order of i as threads get free. Returns when all are done; the first
// exception that one threw is thrown again here.
template <class Use>
void for_each_in_parallel(std::size_t count, unsigned threads, Use&& use) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                use(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace warpgrade
