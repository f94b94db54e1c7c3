#include "cli/watch.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/terminal.hpp"

namespace warpgrade::cli {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(100);
constexpr auto settle_time = std::chrono::milliseconds(30);
constexpr int polls_until_deleted = 5;

extern "C" void on_interrupt(int) {
    // Only calls that are safe in a handler. The colour may be mid-line.
    constexpr std::string_view restore = "\x1b[0m\n";
    if (isatty(STDOUT_FILENO) == 1) {
        [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, restore.data(), restore.size());
    }
    ::_exit(130);
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return {};
    return {true, static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::int64_t>(info.st_size), static_cast<std::uint64_t>(info.st_ino)};
}

Watcher::Watcher(std::vector<std::string> paths) : paths_(std::move(paths)) {
    for (const std::string& path : paths_) known_.push_back(stamp_of(path));
}

std::vector<std::size_t> Watcher::wait(const std::function<bool()>& is_stopped) {
    std::vector<std::size_t> changed;
    std::vector<int> missing_polls(paths_.size());
    for (;;) {
        for (std::size_t i = 0; i < paths_.size(); ++i) {
            FileStamp now = stamp_of(paths_[i]);
            if (now == known_[i]) continue;
            if (!now.exists && ++missing_polls[i] < polls_until_deleted) continue;  // between unlink and rename
            while (now.exists) {
                std::this_thread::sleep_for(settle_time);
                const FileStamp later = stamp_of(paths_[i]);
                if (later == now) break;
                now = later;
            }
            if (now == known_[i]) continue;
            known_[i] = now;
            changed.push_back(i);
        }
        if (!changed.empty() || is_stopped()) return changed;
        std::this_thread::sleep_for(poll_interval);
    }
}

char typed_letter() {
    if (!is_terminal(STDIN_FILENO)) return '\0';
    char letter = '\0';
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (::poll(&input, 1, 0) == 1 && (input.revents & POLLIN) != 0) {
        char line[256];
        const auto bytes = ::read(STDIN_FILENO, line, sizeof line);
        if (bytes <= 0) break;
        letter = line[0];
    }
    return letter;
}

void stop_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

}  // namespace warpgrade::cli
