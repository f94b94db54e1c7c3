#include "device/card_process.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/make_diagnostic.hpp"
#include "base/walls.hpp"
#include "device/cuda_driver.hpp"

namespace warpgrade {

namespace {

constexpr int code_without_walls = 123, code_without_card = 124, code_without_library = 125;

// As the worker for cards: the driver starts threads of its own, so that the filter comes when it is open.
void put_up_walls(const cuda::Driver& driver, const std::string& library) {
    Walls walls = cuda::walls_of(driver);
    walls.readable.push_back(library);
    walls.wanted = WallSet::only(Wall::files).with(Wall::privileges);
    put_up(walls);
    prctl(PR_SET_DUMPABLE, 1);
    cuda::Handle context = nullptr;
    if (driver.cuInit(0) != cuda::success || driver.cuDevicePrimaryCtxRetain(&context, 0) != cuda::success)
        _exit(code_without_card);
    walls.wanted = WallSet::only(Wall::system_calls);
    prctl(PR_SET_DUMPABLE, 0);
    if (!put_up(walls).holds()) _exit(code_without_walls);
}

[[noreturn]] void live(const CardProcess& process, const cuda::Driver& driver) {
    end_with_parent();
    close_descriptors_from(STDERR_FILENO + 1);
    const rlimit time{process.cpu_seconds, process.cpu_seconds + 1}, none{0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    put_up_walls(driver, process.library);
    void* const library = dlopen(process.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto main = library ? reinterpret_cast<int (*)(int, char**)>(dlsym(library, "main")) : nullptr;
    if (!main) _exit(code_without_library);
    std::vector<std::string> words = process.arguments;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::exit(main(static_cast<int>(words.size()), arguments.data()));
}

// The status of waitpid; nothing after the time.
std::optional<int> wait_for(pid_t pid, unsigned seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (int status = 0; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds(5)))
        if (waitpid(pid, &status, WNOHANG) == pid) return status;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return std::nullopt;
}

}  // namespace

Result<int> run_on_card(const CardProcess& process) {
    const auto driver = cuda::open_driver();
    if (!driver) return driver.error();
    setenv("CUDA_CACHE_DISABLE", "1", 1);  // a folder that it writes
    std::fflush(nullptr);
    const pid_t pid = fork();
    if (pid == 0) live(process, *driver);
    const auto status = pid < 0 ? std::nullopt : wait_for(pid, process.wall_seconds);
    if (!status)
        return make_error(Blame::learner, "timeout", "the program does not come to an end on the card", {},
                          {fmt::format("stopped after {} s", process.wall_seconds)},
                          "run it on the virtual GPU, which names the line: leave --device out");
    if (WIFSIGNALED(*status)) return 128 + WTERMSIG(*status);
    switch (WEXITSTATUS(*status)) {
        case code_without_card:
            return make_error(Blame::host, "no_gpu", "the driver does not open the card for this program", {}, {},
                              "`warpgrade doctor` says what the card lacks");
        case code_without_walls:
            return make_error(Blame::host, "no_walls", "no walls can be put up around the program", {}, {},
                              "`warpgrade doctor` says which walls stand here");
        case code_without_library:
            return make_error(Blame::kit, "defect", "what nvcc made of the program cannot be loaded", {}, {},
                              "please report it");
        default: return WEXITSTATUS(*status);
    }
}

}  // namespace warpgrade
