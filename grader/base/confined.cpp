#include "base/confined.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "base/worker.hpp"

namespace warpgrade {
namespace {

// A thread's stack, and what the allocator sets aside for it.
constexpr std::uint64_t bytes_a_thread = 16ull << 20;

unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

// The child's way out: -1 in a process that nobody forked.
int channel = -1;
bool stands_behind_walls = false, has_own_memory_only = false;
std::mutex one_at_a_time;

wire::Fields call_outside(wire::Fields message) {
    const std::lock_guard lock(one_at_a_time);
    write_all(channel, wire::pack(message));
    auto answer = wire::unpack(read_message(channel));
    if (!answer) _exit(0);
    return std::move(*answer);
}

// What the shell told the parent is nobody else's business; the kit's own variables are looked at now and then.
void forget_environment() {
    char** kept = environ;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (std::strncmp(*variable, "WARPGRADE_", 10) == 0)
            *kept++ = *variable;
        else
            std::memset(*variable, 0, std::strlen(*variable));
    }
    *kept = nullptr;
}

wire::Fields last_words(const std::function<wire::Fields()>& work) {
    try {
        wire::Fields reply = work();
        reply.insert(reply.begin(), "done");
        return reply;
    } catch (const std::bad_alloc&) {
        return {"out_of_memory"};
    } catch (const std::exception& error) {
        return {"threw", error.what()};
    } catch (...) {
        return {"threw", "an exception of an unknown type"};
    }
}

// A machine or an hour in which everything takes longer must cost nobody a mark, and a program without an end has to
// end.
constexpr unsigned slowest = 3;

// Seconds, more for what is given more time: right programs with libcu++'s barriers need some of them, and all of them
// where other programs share the caches.
constexpr double more_seconds = 4;

unsigned cpu_seconds_of_slowest(double seconds) {
    return static_cast<unsigned>(std::ceil(slowest * (seconds + more_seconds))) + 1;
}

// Seconds, or a quarter of few of them, that it has then to say what is known.
constexpr double to_say_it = 0.8;
constexpr suseconds_t tick_us = 50'000;

// What a child may have that is not given more, in seconds of a machine as fast as most. The parent takes from it
// what it charges.
struct Unmap {
    void operator()(std::atomic<double>* shared) const { munmap(shared, sizeof *shared); }
};
using SharedSeconds = std::unique_ptr<std::atomic<double>, Unmap>;
static_assert(std::atomic<double>::is_always_lock_free);

SharedSeconds share_seconds(double seconds) {
    void* const memory =
        mmap(nullptr, sizeof(std::atomic<double>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return SharedSeconds(new (memory) std::atomic<double>(seconds));
}

// The child's, as its clock's handler sees it.
const std::atomic<double>* own_limit = nullptr;
double (*slowdown_of_machine)() = nullptr;
double longer_limit = 0, usual_limit = 0;
std::atomic<bool> has_more_time = false;
std::atomic<bool> is_time_over = false, is_time_short = false;
static_assert(std::atomic<bool>::is_always_lock_free);

double own_cpu_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// The handler of SIGPROF, which comes with each tick of the process's own time.
void look_at_clock(int) {
    static std::atomic_flag is_looking;  // another thread
    static double slow = 1, asked_at = -1;
    if (is_looking.test_and_set()) return;
    const int error = errno;
    const double limit = has_more_time ? longer_limit : own_limit->load(), used = own_cpu_seconds();
    const auto most = [&] { return slow * limit; };
    constexpr double between_questions = 0.5;
    if (used > slow * std::min(limit, usual_limit) && used > asked_at + between_questions) {
        slow = std::clamp(slowdown_of_machine(), slow, double{slowest});
        asked_at = used;
    }
    is_time_short = used > slow * usual_limit;
    if (used > most()) is_time_over = true;
    if (used > most() + slow * std::min(to_say_it, limit / 4)) {
        signal(SIGXCPU, SIG_DFL);
        raise(SIGXCPU);
    }
    errno = error;
    is_looking.clear();
}

void start_clock(const ConfinedLimits& limits, const std::atomic<double>& limit) {
    own_limit = &limit;
    slowdown_of_machine = limits.slowdown;
    usual_limit = limits.cpu_seconds;
    longer_limit = usual_limit + more_seconds;
    struct sigaction action {};
    action.sa_handler = look_at_clock;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, nullptr);
    const itimerval ticks{{0, tick_us}, {0, tick_us}};
    setitimer(ITIMER_PROF, &ticks, nullptr);
}

void live_confined(int socket, const std::function<wire::Fields()>& work, const ConfinedLimits& limits,
                   const std::atomic<double>& seconds, Walls walls) {
    channel = socket;
    stands_behind_walls = true;
    has_own_memory_only = walls.calls == SystemCalls::own_memory;
    forget_environment();
    start_clock(limits, seconds);
    const unsigned last = cpu_seconds_of_slowest(limits.cpu_seconds);  // whatever became of the clock
    limit_process({.cpu_seconds = last, .data_bytes = limits.memory_bytes + processors() * bytes_a_thread});
    walls.threads = 64 + 4 * processors();
    call_outside({"ready", std::to_string(put_up(walls).bits())});
    write_all(channel, wire::pack(last_words(work)));
}

std::string ending_of(int status) {
    if (WIFSIGNALED(status))
        return std::string("was stopped by signal ") + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "ended without an answer, with exit code " + std::to_string(WEXITSTATUS(status));
}

// Under the sanitizers everything takes so much longer, and their runs look for something else than time.
#ifdef __SANITIZE_ADDRESS__
constexpr unsigned sanitizer_slowdown = 10;
#else
constexpr unsigned sanitizer_slowdown = 1;
#endif

double cpu_seconds_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The parent's side of one child.
class Host {
public:
    // `seconds`: the child's, where it has a clock.
    Host(Worker worker, const Services& services, const ConfinedLimits& limits, SharedSeconds seconds = nullptr)
        : worker_(std::move(worker)),
          services_(services),
          limits_(limits),
          left_(std::chrono::seconds(limits.wall_seconds)),
          seconds_(std::move(seconds)) {}

    ConfinedRun serve() {
        wire::Fields answer;
        for (unsigned asked = 0;; ++asked) {
            auto message = receive(answer);
            if (!message) break;
            const std::string kind = message->empty() ? "" : message->front();
            if (asked == 0 && kind == "ready" && message->size() == 2) {
                run_.walls =
                    WallSet::from_bits(static_cast<unsigned>(std::strtoul((*message)[1].c_str(), nullptr, 10)));
                if ((run_.walls.bits() & limits_.required.bits()) != limits_.required.bits()) {
                    run_.end = ConfinedRun::End::lacks_walls;
                    break;
                }
                answer = {"go"};
            } else if (asked != 0 && may_ask(asked) && kind == "so_far") {
                so_far_.emplace(message->begin() + 1, message->end());
                answer = {"go"};
            } else if (asked != 0 && may_ask(asked) && kind == "ask" && message->size() >= 2) {
                answer = serve_one(std::move(*message));
            } else {
                finish(std::move(*message));
                break;
            }
        }
        worker_.stop();
        run_.cpu_seconds = worker_.cpu_seconds();
        return std::move(run_);
    }

private:
    bool may_ask(unsigned asked) const {
        return asked <= limits_.requests && served_ <= std::chrono::seconds(limits_.service_seconds);
    }
    // Nothing: the run has ended.
    std::optional<wire::Fields> receive(const wire::Fields& answer) {
        const std::string outgoing = answer.empty() ? std::string() : wire::pack(answer);
        const auto begun = Worker::Clock::now();
        const auto got = worker_.exchange(outgoing, begun + left_, limits_.message_bytes, true);
        left_ -= Worker::Clock::now() - begun;
        std::string_view bytes = got.received;
        if (got.is_out_of_time) {
            run_.end = ConfinedRun::End::out_of_time;
        } else if (got.is_closed && !wire::is_complete(bytes)) {
            note_death();
        } else {
            auto message = got.is_flooded ? std::nullopt : wire::take(bytes);
            if (message && bytes.empty()) return message;  // it speaks, then waits
            run_.end = ConfinedRun::End::broke_protocol;
        }
        return std::nullopt;
    }
    wire::Fields serve_one(wire::Fields message) {
        const auto service = services_.find(message[1]);
        message.erase(message.begin(), message.begin() + 2);
        wire::Fields answer;
        const auto begun = Worker::Clock::now();
        const double before = cpu_seconds_of_children();
        if (service != services_.end()) answer = service->second(message);
        served_ += Worker::Clock::now() - begun;
        if (service != services_.end() && service->first == limits_.charged_service)
            charge(cpu_seconds_of_children() - before);
        answer.insert(answer.begin(), "answer");
        return answer;
    }
    // In seconds of a machine as fast as most: where it is slower, it is so for what is charged too.
    void charge(double seconds) {
        constexpr double usual = 2.5;  // no text that is meant well takes more
        if (run_.charged_seconds + seconds > usual && limits_.slowdown != nullptr && !is_slowdown_known_) {
            times_ = std::clamp(limits_.slowdown(), 1.0, double{slowest});
            is_slowdown_known_ = true;
            run_.charged_seconds /= times_;
        }
        run_.charged_seconds += seconds / times_;
        const double own = std::max<double>(limits_.cpu_seconds - run_.charged_seconds, limits_.least_cpu_seconds);
        own_cpu_seconds_ = std::min<double>(limits_.cpu_seconds, own);
        if (seconds_ != nullptr) *seconds_ = own_cpu_seconds_;
    }
    void finish(wire::Fields message) {
        using End = ConfinedRun::End;
        const std::string kind = message.empty() ? "" : message.front();
        if (kind == "done") {
            run_.end = End::done;
            message.erase(message.begin());
            run_.reply = std::move(message);
        } else if (kind == "threw" && message.size() == 2) {
            run_.end = End::threw;
            run_.what = message[1];
        } else {
            run_.end = kind == "out_of_memory" ? End::out_of_memory : End::broke_protocol;
        }
    }
    void note_death() {
        const int status = worker_.stop();
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        // Who stays deaf to the clock is killed.
        const bool is_over = signal == SIGXCPU || (signal == SIGKILL && worker_.cpu_seconds() >= own_cpu_seconds_);
        run_.end = is_over ? ConfinedRun::End::out_of_cpu : ConfinedRun::End::crashed;
        run_.what = ending_of(status);
        if (!is_over || !so_far_) return;
        run_.end = ConfinedRun::End::done;
        run_.reply = std::move(*so_far_);
    }

    Worker worker_;
    const Services services_;
    const ConfinedLimits limits_;
    Worker::Clock::duration left_;
    Worker::Clock::duration served_{};
    const SharedSeconds seconds_;
    double own_cpu_seconds_ = limits_.cpu_seconds;
    double times_ = 1;  // as long as elsewhere everything takes here, once it is known
    bool is_slowdown_known_ = false;
    std::optional<wire::Fields> so_far_;
    ConfinedRun run_;
};

}  // namespace

Result<ConfinedRun> run_confined(const std::function<wire::Fields()>& work, const Services& services,
                                 const ConfinedLimits& limits, const Walls& walls) {
    ConfinedLimits scaled = limits;
    scaled.cpu_seconds *= sanitizer_slowdown;
    scaled.least_cpu_seconds *= sanitizer_slowdown;
    scaled.wall_seconds *= sanitizer_slowdown;
    SharedSeconds seconds = share_seconds(scaled.cpu_seconds);
    auto worker = Worker::fork([&](int socket) { live_confined(socket, work, scaled, *seconds, walls); });
    if (!worker) return worker.error();
    return Host(std::move(*worker), services, scaled, std::move(seconds)).serve();
}

Result<ConfinedRun> run_apart(const std::function<wire::Fields()>& work, const Services& services) {
    auto worker = Worker::fork([&](int socket) {
        channel = socket;
        end_with_parent();
        call_outside({"ready", "0"});
        write_all(channel, wire::pack(last_words(work)));
    });
    if (!worker) return worker.error();
    constexpr ConfinedLimits most{
        .cpu_seconds = 600, .wall_seconds = 6000, .message_bytes = 1ull << 30, .requests = 1'000'000};
    return Host(std::move(*worker), services, most).serve();
}

WallSet walls_here() {
    const auto run = run_confined([] { return wire::Fields(); });
    return run ? run->walls : WallSet::none();
}

void work_has_more_time(bool has_more) {
    if (!has_more_time.exchange(has_more) && has_more) is_time_over = false;  // the clock says when it is again
}
const std::atomic<bool>& work_time_is_over() { return is_time_over; }
bool work_time_is_short() { return is_time_short; }
bool is_confined() { return stands_behind_walls; }
bool opens_files() { return !has_own_memory_only; }
bool has_parent_to_ask() { return channel >= 0; }

void keep_so_far(const wire::Fields& reply) {
    if (!has_parent_to_ask()) return;
    wire::Fields message{"so_far"};
    message.insert(message.end(), reply.begin(), reply.end());
    call_outside(std::move(message));
}

wire::Fields ask_outside(const std::string& service, const wire::Fields& request) {
    wire::Fields message{"ask", service};
    message.insert(message.end(), request.begin(), request.end());
    wire::Fields answer = call_outside(std::move(message));
    answer.erase(answer.begin());
    return answer;
}

}  // namespace warpgrade
