// The walls, looked at from inside by somebody who means harm, and the parent, looked at by somebody who lies.
#include "base/confined.hpp"

#include <signal.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "base/attacks.hpp"
#include "base/worker.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::tests;
namespace fs = std::filesystem;
using End = ConfinedRun::End;

namespace {

int listening(int family, int type, const sockaddr* address, socklen_t size) {
    const int fd = socket(family, type | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0);
    REQUIRE(bind(fd, address, size) == 0);
    if (type == SOCK_STREAM) REQUIRE(listen(fd, 200) == 0);
    return fd;
}
int port_of(int fd) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

// Something of everything that an attack may be about.
class World {
public:
    World() {
        char name[] = "/tmp/warpgrade-prey-XXXXXX";
        prey_.folder = mkdtemp(name);
        prey_.secret = prey_.folder + "/secret";
        prey_.unix_socket = prey_.folder + "/socket";
        prey_.abstract_name = prey_.folder;
        prey_.parent = getpid();
        const sockaddr_in any = local(0);
        sockets_.push_back(listening(AF_INET, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&any), sizeof any));
        prey_.tcp_port = port_of(sockets_.back());
        sockets_.push_back(listening(AF_INET, SOCK_DGRAM, reinterpret_cast<const sockaddr*>(&any), sizeof any));
        prey_.udp_port = port_of(sockets_.back());
        sockaddr_un path{};
        path.sun_family = AF_UNIX;
        std::strncpy(path.sun_path, prey_.unix_socket.c_str(), sizeof path.sun_path - 1);
        sockets_.push_back(listening(AF_UNIX, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&path), sizeof path));
        sockaddr_un name_only{};
        name_only.sun_family = AF_UNIX;
        std::memcpy(name_only.sun_path + 1, prey_.abstract_name.data(), prey_.abstract_name.size());
        sockets_.push_back(
            listening(AF_UNIX, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&name_only),
                      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + prey_.abstract_name.size())));
        const int key = 0x57470000 + (getpid() & 0xFFFF);
        memory_ = shmget(key, 16, IPC_CREAT | 0600);
        queue_ = msgget(key, IPC_CREAT | 0600);
        if (memory_ >= 0) prey_.shared_memory = key;
        if (queue_ >= 0) prey_.message_queue = key;
    }
    ~World() {
        end_process();
        for (const int fd : sockets_) close(fd);
        if (memory_ >= 0) shmctl(memory_, IPC_RMID, nullptr);
        if (queue_ >= 0) msgctl(queue_, IPC_RMID, nullptr);
        std::error_code ignored;
        fs::remove_all(prey_.folder, ignored);
    }
    World(const World&) = delete;

    // As before every attack.
    const Prey& prey() {
        for (const auto& entry : fs::directory_iterator(prey_.folder))
            if (entry.path() != prey_.unix_socket) fs::remove_all(entry.path());
        std::ofstream(prey_.secret) << "secret\n";
        fs::permissions(prey_.secret, fs::perms(0600));
        end_process();
        prey_.process = fork();
        if (prey_.process == 0) {
            signal(SIGTERM, SIG_DFL);  // not the test's handler
            for (;;) pause();
        }
        return prey_;
    }

private:
    void end_process() {
        if (prey_.process <= 0) return;
        kill(prey_.process, SIGKILL);
        waitpid(prey_.process, nullptr, 0);
    }
    Prey prey_;
    std::vector<int> sockets_;
    int memory_ = -1, queue_ = -1;
};

bool succeeds(const Attack& attack, World& world, WallSet walls) {
    const Prey& prey = world.prey();
    const auto run = run_confined([&]() -> wire::Fields { return {attack.attempt(prey) < 0 ? "failed" : "succeeded"}; },
                                  {}, {}, {.wanted = walls});
    REQUIRE(run);
    // Another program takes the process's place and does not speak the protocol.
    return run->end != End::done || run->reply.at(0) == "succeeded";
}

Result<ConfinedRun> confined(const std::function<wire::Fields()>& work, const ConfinedLimits& limits = {}) {
    return run_confined(work, {}, limits);
}

}  // namespace

TEST_CASE("work behind walls does its work, and what it returns comes back") {
    const auto run = confined([]() -> wire::Fields {
        std::vector<std::thread> threads;  // as the virtual GPU has them
        std::atomic<int> sum{0};
        for (int i = 1; i <= 4; ++i) threads.emplace_back([&sum, i] { sum += i; });
        for (std::thread& thread : threads) thread.join();
        return {is_confined() ? "confined" : "free", std::to_string(sum), std::string(3'000'000, 'x')};
    });
    REQUIRE(run);
    REQUIRE(run->end == End::done);
    CHECK(run->reply.at(0) == "confined");
    CHECK(run->reply.at(1) == "10");
    CHECK(run->reply.at(2).size() == 3'000'000);
    CHECK_FALSE(is_confined());
    CHECK(run->walls == walls_here());
}

TEST_CASE("whoever takes over a confined process can do no harm") {
    World world;
    const WallSet here = walls_here();
    CAPTURE(here.names());
    if (!here.has(Wall::system_calls)) {
        WARN("skipped: no seccomp here");
        return;
    }
    std::string impossible;
    int tried = 0;
    for (const Attack& attack : attacks()) {
        if (!succeeds(attack, world, WallSet::none())) {
            impossible += std::string("\n    ") + attack.name;
            continue;
        }
        ++tried;
        INFO(attack.name);
        CHECK_FALSE(succeeds(attack, world, WallSet::all()));
    }
    CHECK(tried > 30);
    if (!impossible.empty()) WARN("not possible here without walls either:" << impossible);
}

TEST_CASE("each wall stops alone what it is said to stop") {
    World world;
    std::string said;
    for (const WallWords& one : wall_words()) {
        if (!walls_here().has(one.wall)) {
            WARN("no " << one.name << " here");
            continue;
        }
        std::string stopped;
        for (const Attack& attack : attacks()) {
            if (!succeeds(attack, world, WallSet::none())) continue;
            const bool is_stopped = !succeeds(attack, world, WallSet::only(one.wall));
            if (is_stopped) stopped += std::string("\n    ") + attack.name;
            INFO(one.name << ": " << attack.name);
            if (one.wall == Wall::system_calls) CHECK(is_stopped);
            if (one.wall == Wall::files && attack.landlock_stops) CHECK(is_stopped);
        }
        said += std::string("\n  ") + one.name + " alone stops:" + stopped;
    }
    WARN(said);
}

TEST_CASE("work for which a wall is missing is not begun") {
    bool is_asked = false;
    const Services services{{"begun", [&](const wire::Fields&) -> wire::Fields {
                                 is_asked = true;
                                 return {};
                             }}};
    const auto work = [] { return ask_outside("begun", {}); };
    ConfinedLimits limits;
    limits.required = WallSet::only(Wall::system_calls);
    const auto lacking = run_confined(work, services, limits, {.wanted = WallSet::none()});
    REQUIRE(lacking);
    CHECK(lacking->end == End::lacks_walls);
    CHECK_FALSE(is_asked);
    if (!walls_here().has(Wall::system_calls)) return;
    CHECK(run_confined(work, services, limits)->end == End::done);
    CHECK(is_asked);
}

TEST_CASE("the parent's environment is not the child's, but for the kit's own variables") {
    setenv("A_TOKEN", "secret", 1);
    setenv("WARPGRADE_ISA", "baseline", 1);
    const char* const token = std::getenv("A_TOKEN");
    const auto run = confined([&]() -> wire::Fields {
        const char* isa = std::getenv("WARPGRADE_ISA");
        return {std::getenv("A_TOKEN") ? "seen" : "gone", std::string(token), isa ? isa : ""};
    });
    CHECK(std::string(std::getenv("A_TOKEN")) == "secret");
    unsetenv("A_TOKEN");
    unsetenv("WARPGRADE_ISA");
    REQUIRE(run);
    CHECK(run->reply == wire::Fields{"gone", "", "baseline"});
}

TEST_CASE("a process may be left some folders to read in, and still writes nothing") {
    if (!walls_here().has(Wall::files)) {
        WARN("skipped: no Landlock here");
        return;
    }
    World world;
    const Prey& prey = world.prey();
    Walls walls;
    walls.calls = SystemCalls::reading;
    walls.readable = {prey.folder};
    const auto run = run_confined(
        [&]() -> wire::Fields {
            std::ifstream secret(prey.secret), elsewhere("/etc/passwd");
            std::ofstream written(prey.folder + "/new");
            std::string text;
            secret >> text;
            const bool runs = run_program(prey) >= 0;
            return {text, elsewhere ? "open" : "closed", written ? "open" : "closed", runs ? "runs" : "does not",
                    opens_files() ? "opens" : "does not"};
        },
        {}, {}, walls);
    REQUIRE(run);
    REQUIRE(run->end == End::done);
    CHECK(run->reply == wire::Fields{"secret", "closed", "closed", "does not", "opens"});
    CHECK_FALSE(succeeds({"", false, run_program}, world, WallSet::all()));
}

TEST_CASE("services answer, and only those that are offered") {
    int calls = 0;
    const Services services{{"double", [&](const wire::Fields& request) -> wire::Fields {
                                 ++calls;
                                 return {request.at(0) + request.at(0)};
                             }}};
    const auto run = run_confined(
        []() -> wire::Fields {
            return {ask_outside("double", {"ab"}).at(0), ask_outside("double", {std::string(200'000, 'x')}).at(0),
                    std::to_string(ask_outside("another", {}).size())};
        },
        services);
    REQUIRE(run);
    REQUIRE(run->end == End::done);
    CHECK(run->reply.at(0) == "abab");
    CHECK(run->reply.at(1).size() == 400'000);
    CHECK(run->reply.at(2) == "0");
    CHECK(calls == 2);
}

TEST_CASE("what ends a confined process is told apart") {
    const auto end_of = [](const std::function<wire::Fields()>& work, const ConfinedLimits& limits = {}) {
        const auto run = confined(work, limits);
        REQUIRE(run);
        return *run;
    };
    const auto thrown = end_of([]() -> wire::Fields { throw std::runtime_error("no such thing"); });
    CHECK(thrown.end == End::threw);
    CHECK(thrown.what == "no such thing");

    const auto crashed = end_of([]() -> wire::Fields {
        raise(SIGSEGV);
        return {};
    });
    CHECK(crashed.end == End::crashed);
    CHECK(crashed.what == "was stopped by signal 11 (Segmentation fault)");
    const auto left = end_of([]() -> wire::Fields { _exit(3); });
    CHECK(left.end == End::crashed);
    CHECK(left.what == "ended without an answer, with exit code 3");

    ConfinedLimits quick;
    quick.cpu_seconds = 1;
    const auto spin = []() -> wire::Fields {
        for (std::atomic<unsigned> i{0};; ++i) {
        }
    };
    CHECK(end_of(spin, quick).end == End::out_of_cpu);
    const auto knew = end_of(
        [&]() -> wire::Fields {
            keep_so_far({"nothing"});
            keep_so_far({"all but", "the last"});
            return spin();
        },
        quick);
    CHECK(knew.end == End::done);
    CHECK(knew.reply == wire::Fields{"all but", "the last"});
    CHECK(end_of(
              [&]() -> wire::Fields {
                  signal(SIGXCPU, SIG_IGN);
                  return spin();
              },
              quick)
              .end == End::out_of_cpu);
    ConfinedLimits impatient;
    impatient.wall_seconds = 1;
    CHECK(end_of(
              []() -> wire::Fields {
                  std::this_thread::sleep_for(std::chrono::hours(1));
                  return {};
              },
              impatient)
              .end == End::out_of_time);
#ifndef __SANITIZE_ADDRESS__
    ConfinedLimits small;
    small.memory_bytes = 64 << 20;
    CHECK(end_of(
              []() -> wire::Fields {
                  std::vector<std::string> all;
                  for (;;) all.emplace_back(1 << 20, 'x');
              },
              small)
              .end == End::out_of_memory);
#endif
}

TEST_CASE("the parent outlives whatever a confined process sends") {
    constexpr int socket = 3;
    const auto sent = [](const std::string& bytes) {
        return [bytes]() -> wire::Fields {
            write_all(socket, bytes);
            std::this_thread::sleep_for(std::chrono::hours(1));
            return {};
        };
    };
    ConfinedLimits limits;
    limits.wall_seconds = 1;
    limits.message_bytes = 1 << 20;
    const auto end_of = [&](const std::function<wire::Fields()>& work) {
        const auto run = confined(work, limits);
        REQUIRE(run);
        return run->end;
    };
    std::string noise(100'000, '\0');
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>((i * 2654435761u) >> 13);
    CHECK(end_of(sent(noise)) == End::out_of_time);  // its first bytes announce a message without end
    CHECK(end_of(sent(wire::pack({}))) == End::broke_protocol);
    CHECK(end_of(sent(wire::pack({"ready", "15"}))) == End::broke_protocol);
    CHECK(end_of(sent(wire::pack({"ask"}))) == End::broke_protocol);
    CHECK(end_of(sent(wire::pack({"done"}) + "more")) == End::broke_protocol);
    CHECK(end_of(sent(wire::pack(wire::Fields(wire::most_fields + 1)))) == End::broke_protocol);
    CHECK(end_of(sent(std::string(12, '\0'))) == End::broke_protocol);
    CHECK(end_of(sent("abc")) == End::out_of_time);  // a message that never ends
    CHECK(end_of([]() -> wire::Fields { return {std::string(2 << 20, 'x')}; }) == End::broke_protocol);
    CHECK(end_of([]() -> wire::Fields {
              const std::string flood(1 << 16, 'x');
              const std::string endless = "\xff\xff\xff\xff\xff\xff\xff\x7f";
              write_all(socket, endless);
              for (;;) write_all(socket, flood);
          }) == End::broke_protocol);
    CHECK(end_of([]() -> wire::Fields {
              close(socket);
              std::this_thread::sleep_for(std::chrono::hours(1));
              return {};
          }) == End::crashed);
    limits.requests = 100;
    CHECK(end_of([]() -> wire::Fields {
              for (;;) ask_outside("anything", {});
          }) == End::broke_protocol);
}

TEST_CASE("a confined process ends with its parent") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t middle = fork();
    if (middle == 0) {
        // The service runs here, in the middle; the confined process waits for it.
        const Services services{{"die", [&](const wire::Fields& request) -> wire::Fields {
                                     [[maybe_unused]] const auto written =
                                         write(ends[1], request.at(0).data(), request.at(0).size());
                                     kill(getpid(), SIGKILL);
                                     return {};
                                 }}};
        (void)run_confined([]() -> wire::Fields { return ask_outside("die", {std::to_string(getpid()) + "\n"}); },
                           services);
        _exit(1);
    }
    close(ends[1]);
    char text[32] = {};
    REQUIRE(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    waitpid(middle, nullptr, 0);
    const int child = std::atoi(text);
    bool is_gone = false;
    for (int i = 0; i < 200 && !is_gone; ++i) {
        // Who has ended and is not yet waited for is a zombie.
        std::ifstream state("/proc/" + std::to_string(child) + "/stat");
        std::string word;
        is_gone = !state;
        for (int field = 0; field < 3 && state >> word; ++field) is_gone |= field == 2 && word == "Z";
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(is_gone);
}

TEST_CASE("what a service takes in processes of its own may count as the time of who asks", "[eighth_0]") {
    const auto spin = [](double seconds) {
        const std::clock_t begun = std::clock();
        while (static_cast<double>(std::clock() - begun) < seconds * CLOCKS_PER_SEC) {
        }
        return wire::Fields{};
    };
    const Services services{{"slow", [&](const wire::Fields&) -> wire::Fields {
                                 const auto run = run_apart([&] { return spin(1.5); });
                                 return {run && run->end == ConfinedRun::End::done ? "done" : "not done"};
                             }}};
    ConfinedLimits limits;
    limits.cpu_seconds = 3;
    limits.least_cpu_seconds = 1;
    limits.slowdown = [] { return 1.0; };
    const auto end_after = [&](double seconds, bool is_right = false) {
        const auto run = run_confined(
            [&] {
                wire::Fields reply = ask_outside("slow", {});
                work_has_more_time(is_right);
                spin(seconds);
                return reply;
            },
            services, limits);
        REQUIRE(run.ok());
        return run->end;
    };
    CHECK(end_after(2.2) == ConfinedRun::End::done);
    limits.charged_service = "slow";
    CHECK(end_after(1.0) == ConfinedRun::End::done);
    CHECK(end_after(2.2) == ConfinedRun::End::out_of_cpu);
    CHECK(end_after(2.2, true) == ConfinedRun::End::done);  // of what is right so far it does not
    limits.cpu_seconds = 2;
    limits.least_cpu_seconds = 2;  // so much it has in any case
    CHECK(end_after(1.0) == ConfinedRun::End::done);
}

#ifndef __SANITIZE_ADDRESS__  // which has ten times the limits
TEST_CASE("work is told when its processor time is over, and may still say what it knows") {
    ConfinedLimits limits;
    limits.cpu_seconds = 2;
    limits.slowdown = [] { return 1.0; };
    const auto run = run_confined(
        []() -> wire::Fields {
            while (!work_time_is_over()) {
            }
            return {"known by then"};
        },
        {}, limits);
    REQUIRE(run.ok());
    CHECK(run->end == ConfinedRun::End::done);
    CHECK(run->reply == wire::Fields{"known by then"});
    const auto is_about = [](double seconds, double expected) {
        return expected - 0.1 < seconds && seconds < expected + 0.4;
    };
    CHECK(is_about(run->cpu_seconds, 2));
    const auto deaf = run_confined(
        []() -> wire::Fields {
            for (volatile bool goes_on = true; goes_on;) {
            }
            return {};
        },
        {}, limits);
    REQUIRE(deaf.ok());
    CHECK(deaf->end == ConfinedRun::End::out_of_cpu);
    CHECK(is_about(deaf->cpu_seconds, 2.5));
}

TEST_CASE("where everything takes longer a process has so many times the processor time", "[eighth_6]") {
    const auto spin = [](double seconds) {
        return [seconds]() -> wire::Fields {
            const std::clock_t begun = std::clock();
            while (static_cast<double>(std::clock() - begun) < seconds * CLOCKS_PER_SEC) {
            }
            return {};
        };
    };
    ConfinedLimits limits;
    limits.cpu_seconds = 1;
    const auto end_of = [&](double seconds) {
        const auto run = run_confined(spin(seconds), {}, limits);
        REQUIRE(run.ok());
        return *run;
    };
    limits.slowdown = [] { return 0.5; };
    CHECK(end_of(0.5).end == End::done);
    CHECK(end_of(2.5).end == End::out_of_cpu);
    limits.slowdown = [] { return 2.0; };
    CHECK(end_of(1.5).end == End::done);
    // Half a second is what it has to say what it knows, twice as long.
    const auto is_about = [](double seconds, double expected) {
        return expected - 0.1 < seconds && seconds < expected + 0.4;
    };
    CHECK(is_about(end_of(5).cpu_seconds, 2.5));
    limits.slowdown = [] { return 1e9; };  // as one that was taken over might say
    const auto liar = end_of(20);
    CHECK(liar.end == End::out_of_cpu);
    CHECK(is_about(liar.cpu_seconds, 3.75));
}

TEST_CASE("work whose processor time is over goes on where it gets more", "[eighth_2]") {
    ConfinedLimits limits;
    limits.cpu_seconds = 1;
    limits.slowdown = [] { return 1.0; };
    const auto run = run_confined(
        []() -> wire::Fields {
            while (!work_time_is_over()) {
            }
            work_has_more_time(true);
            const bool was_over = work_time_is_over();
            while (!work_time_is_over()) {
            }
            return {std::to_string(was_over)};
        },
        {}, limits);
    REQUIRE(run.ok());
    CHECK(run->reply == wire::Fields{"0"});
    CHECK(run->cpu_seconds > 3);
}

TEST_CASE("work that is right so far has more processor time, until it is not", "[eighth_4]") {
    ConfinedLimits limits;
    limits.cpu_seconds = 1;
    limits.slowdown = [] { return 1.0; };
    const auto end_of = [&](bool at_first, bool then, double seconds) {
        const auto work = [=]() -> wire::Fields {
            const std::clock_t begun = std::clock();
            work_has_more_time(at_first);
            while (std::clock() - begun < CLOCKS_PER_SEC / 2) {
            }
            work_has_more_time(then);
            while (static_cast<double>(std::clock() - begun) < seconds * CLOCKS_PER_SEC) {
            }
            return {};
        };
        const auto run = run_confined(work, {}, limits);
        REQUIRE(run.ok());
        return run->end;
    };
    CHECK(end_of(false, false, 1.6) == End::out_of_cpu);
    CHECK(end_of(false, true, 4.5) == End::done);
    CHECK(end_of(false, true, 7) == End::out_of_cpu);
    CHECK(end_of(true, false, 1.6) == End::out_of_cpu);
}
#endif

TEST_CASE("how slow a machine is comes out alike twice") {
    const double once = cpu_slowdown(), twice = cpu_slowdown();
    CHECK(once > 0.05);
    CHECK(once < 50);
    CHECK(twice == Approx(once).epsilon(0.5));
}
