#include "base/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace warpgrade {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

}  // namespace

Ended run_program(std::vector<std::string> words, std::chrono::seconds longest) {
    Ended ended;
    const auto deadline = std::chrono::steady_clock::now() + longest;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return ended;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, words.front().c_str(), &actions, nullptr, pointers(words).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    while (error == 0) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd output{ends[0], POLLIN, 0};
        const int ready = poll(&output, 1, static_cast<int>(std::max<long long>(left.count(), 0)));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            ended.is_out_of_time = true;
            kill(pid, SIGKILL);
            break;
        }
        const ssize_t count = read(ends[0], buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        if (ended.output.size() < (1 << 20)) ended.output.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    if (error != 0) ended.output = std::strerror(error);
    while (error == 0 && waitpid(pid, &ended.status, 0) < 0 && errno == EINTR) {
    }
    return ended;
}

}  // namespace warpgrade
