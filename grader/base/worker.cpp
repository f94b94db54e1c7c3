#include "base/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/walls.hpp"
#include "base/wire.hpp"

namespace warpgrade {
namespace {

// `error`: an errno. A program that is not where it was is the kit's fault; all else is what the machine does not give.
Diagnostic cannot_start(const std::string& name, const std::string& call, int error) {
    const bool is_missing = error == ENOENT || error == EACCES || error == ENOEXEC;
    return {.blame = is_missing ? Blame::kit : Blame::host,
            .code = "worker",
            .title = "the " + name + " cannot be started",
            .marks = {},
            .facts = {call + ": " + std::strerror(error)},
            .help = is_missing ? "this is a defect of the kit; please report it"
                               : "close other programs; `ulimit -a` shows what one user may have"};
}

std::string named_worker(const char* verb) { return std::string("worker process `") + verb + "`"; }

constexpr int first_free = 3;  // after the standard streams

// The child's first steps: the socket becomes `first_free`.
void leave_behind(int socket) {
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int high = fcntl(socket, F_DUPFD, first_free + 1);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < first_free; ++fd)
        if (dup2(nowhere, fd) != fd) close(fd);
    dup2(high, first_free);
    close_descriptors_from(first_free + 1);
}

}  // namespace

Result<Worker> Worker::start(const char* verb, WorkerEnvironment environment) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cannot_start(named_worker(verb), "socketpair", errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    const char* named = std::getenv("WARPGRADE_WORKER");
    const char* program = named && *named ? named : "/proc/self/exe";
    char name[] = "warpgrade";
    std::string word = verb;
    char* arguments[] = {name, word.data(), nullptr};
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    std::string found_in = std::string("LD_LIBRARY_PATH=") + (libraries ? libraries : "");
    char* loader_only[] = {libraries ? found_in.data() : nullptr, nullptr};
    Worker worker(-1, ends[0]);
    const int error = posix_spawn(&worker.pid_, program, &actions, &attributes, arguments,
                                  environment == WorkerEnvironment::loader_only ? loader_only : environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error == 0) return worker;
    worker.pid_ = -1;
    return cannot_start(named_worker(verb), std::string("cannot start ") + program, error);
}

Result<Worker> Worker::fork(const std::function<void(int)>& live) {
    int ends[2];
    const bool has_socket = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    const pid_t pid = has_socket ? ::fork() : -1;
    if (pid < 0) {
        const int error = errno;
        for (int i = 0; has_socket && i < 2; ++i) close(ends[i]);
        return cannot_start("process for a submission", has_socket ? "fork" : "socketpair", error);
    }
    if (pid == 0) {
        leave_behind(ends[1]);
        live(first_free);
        _exit(0);  // what the parent had open is not this process's to clean up
    }
    close(ends[1]);
    return Worker(pid, ends[0]);
}

Worker::Worker(Worker&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      status_(other.status_),
      cpu_seconds_(other.cpu_seconds_) {}

Worker& Worker::operator=(Worker&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(socket_, other.socket_);
    std::swap(status_, other.status_);
    std::swap(cpu_seconds_, other.cpu_seconds_);
    return *this;
}

Worker::~Worker() {
    stop();
    if (socket_ >= 0) close(socket_);
}

int Worker::stop() {
    if (pid_ < 0) return status_;
    kill(pid_, SIGKILL);
    rusage used{};
    while (wait4(pid_, &status_, 0, &used) < 0)
        if (errno != EINTR) break;
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + time.tv_usec / 1e6; };
    cpu_seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
    pid_ = -1;
    return status_;
}

std::size_t Worker::send_now(std::string_view outgoing) {
    const ssize_t sent = send(socket_, outgoing.data(), outgoing.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

Worker::Exchange Worker::exchange(std::string_view outgoing, Clock::time_point deadline, std::size_t cap,
                                  bool one_message) {
    Exchange result;
    std::string buffer(1 << 16, '\0');
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            result.is_out_of_time = true;
            return result;
        }
        pollfd poll_for{socket_, static_cast<short>(POLLIN | (outgoing.empty() ? 0 : POLLOUT)), 0};
        if (poll(&poll_for, 1, static_cast<int>(std::min<long long>(left, 60'000))) < 0 && errno != EINTR)
            return result;
        if (poll_for.revents & POLLOUT) {
            const ssize_t sent = send(socket_, outgoing.data(), outgoing.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent > 0) outgoing.remove_prefix(static_cast<std::size_t>(sent));
            if (sent < 0 && errno != EAGAIN && errno != EINTR) outgoing = {};
        }
        if (poll_for.revents & (POLLIN | POLLHUP | POLLERR)) {
            const ssize_t got = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
                result.is_closed = true;
                return result;
            }
            if (got > 0) result.received.append(buffer.data(), static_cast<std::size_t>(got));
            if (result.received.size() > cap) {
                result.is_flooded = true;
                return result;
            }
            if (one_message && wire::is_complete(result.received)) return result;
        }
    }
}

std::string read_message(int fd) {
    std::string bytes;
    char buffer[65536];
    while (!wire::is_complete(bytes)) {
        const ssize_t count = read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return {};
        bytes.append(buffer, static_cast<std::size_t>(count));
    }
    return bytes;
}

void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace warpgrade
