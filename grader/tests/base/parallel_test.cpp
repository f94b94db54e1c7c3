#include "base/parallel.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("every piece of work is done once, whatever the number of threads") {
    for (const unsigned threads : {1u, 2u, 7u}) {
        std::vector<int> done(100, 0);
        for_each_in_parallel(done.size(), threads, [&](std::size_t i) { ++done[i]; });
        CHECK(done == std::vector<int>(100, 1));
    }
}

TEST_CASE("what a thread throws is thrown to who asked, once, and no other piece is begun") {
    std::atomic<int> begun{0};
    CHECK_THROWS_AS(for_each_in_parallel(1'000'000, 3,
                                         [&](std::size_t i) {
                                             ++begun;
                                             if (i == 5) throw std::runtime_error("five");
                                         }),
                    std::runtime_error);
    CHECK(begun < 1'000'000);
}

TEST_CASE("where the machine gives no thread, the one that asks does the work") {
    // In a child: the limit is the process's, and root is above a limit of processes. Without room for a stack no
    // thread starts.
    const pid_t child = fork();
    if (child == 0) {
        const rlimit stack{rlim_t{1} << 46, RLIM_INFINITY};
        setrlimit(RLIMIT_STACK, &stack);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        if (pthread_attr_setstacksize(&attributes, std::size_t{1} << 46) != 0) _exit(2);
        if (pthread_setattr_default_np(&attributes) != 0) _exit(3);
        int sum = 0;
        try {
            for_each_in_parallel(10, 4, [&](std::size_t i) { sum += static_cast<int>(i); });
        } catch (...) {
            _exit(4);
        }
        _exit(sum == 45 ? 0 : 5);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
