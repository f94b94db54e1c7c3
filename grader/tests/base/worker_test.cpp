// The parent's side, with programs of the system as workers.
#include "base/worker.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "base/wire.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// Names another program as the worker while it lives.
struct Program {
    std::string before;
    explicit Program(const char* path) {
        if (const char* named = std::getenv("WARPGRADE_WORKER")) before = named;
        setenv("WARPGRADE_WORKER", path, 1);
    }
    ~Program() {
        if (before.empty())
            unsetenv("WARPGRADE_WORKER");
        else
            setenv("WARPGRADE_WORKER", before.c_str(), 1);
    }
};

Worker::Clock::time_point in(std::chrono::milliseconds time) { return Worker::Clock::now() + time; }

}  // namespace

TEST_CASE("a message of any size goes to a worker and back") {
    const Program program("/bin/cat");
    auto worker = Worker::start("-", WorkerEnvironment::loader_only);  // `cat -`: an echo
    REQUIRE(worker);
    for (const std::size_t size : {0u, 1u, 70'000u, 3'000'000u}) {
        const std::string message = wire::pack({std::string(size, 'x'), "end"});
        const auto answer = worker->exchange(message, in(std::chrono::seconds(10)), 10'000'000, true);
        CHECK_FALSE(answer.is_closed);
        CHECK_FALSE(answer.is_out_of_time);
        CHECK(answer.received == message);
    }
    const auto flood =
        worker->exchange(wire::pack({std::string(100'000, 'x')}), in(std::chrono::seconds(10)), 1000, true);
    CHECK(flood.is_flooded);
}

TEST_CASE("a worker is told where its libraries are, and nothing else of the environment") {
    const Program program("/usr/bin/printenv");
    const char* before = std::getenv("LD_LIBRARY_PATH");
    const std::string kept = before ? before : "";
    setenv("LD_LIBRARY_PATH", "/where/libraries/are", 1);
    const auto printed = [](const char* variable) {
        auto worker = Worker::start(variable, WorkerEnvironment::loader_only);
        REQUIRE(worker);
        return worker->exchange({}, in(std::chrono::seconds(10)), 1000, false).received;
    };
    CHECK(printed("LD_LIBRARY_PATH") == "/where/libraries/are\n");
    CHECK(printed("WARPGRADE_WORKER").empty());
    if (before)
        setenv("LD_LIBRARY_PATH", kept.c_str(), 1);
    else
        unsetenv("LD_LIBRARY_PATH");
}

TEST_CASE("a worker that does not answer is given up in time, and killed") {
    const Program program("/bin/sleep");
    auto worker = Worker::start("60", WorkerEnvironment::loader_only);
    REQUIRE(worker);
    const auto start = Worker::Clock::now();
    const auto answer = worker->exchange(wire::pack({"hello"}), in(std::chrono::milliseconds(50)), 1000, true);
    CHECK(answer.is_out_of_time);
    const int status = worker->stop();
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(Worker::Clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("a worker that ends is noticed, and one that is not there is said") {
    {
        const Program program("/bin/true");
        auto worker = Worker::start("x", WorkerEnvironment::loader_only);
        REQUIRE(worker);
        CHECK(worker->exchange(wire::pack({"hello"}), in(std::chrono::seconds(10)), 1000, true).is_closed);
    }
    const Program program("/no/such/program");
    const auto worker = Worker::start("x", WorkerEnvironment::loader_only);
    REQUIRE_FALSE(worker);
    CHECK(worker.error().blame == Blame::kit);
    CHECK(worker.error().facts.at(0) == "cannot start /no/such/program: No such file or directory");
}
