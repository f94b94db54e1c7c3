// The process that holds the CUDA context. It trusts its parent and nothing that runs on the card: whatever a kernel
// does to this process's context ends with this process.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/walls.hpp"
#include "base/worker.hpp"
#include "device/cuda_server.hpp"

namespace warpgrade::cuda {

namespace {

// A profiler has its own library with every process of a program, and talks to it: it looks at trusted work.
bool is_profiled() {
    for (const char* name : {"LD_PRELOAD", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return false;
}

}  // namespace

Walls walls_of(const Driver& driver) {
    Walls walls;
    walls.calls = SystemCalls::driver;
    walls.readable = {"/lib",  "/lib64", "/usr/lib",    "/usr/lib64",        "/usr/local/nvidia",
                      "/proc", "/sys",   "/etc/nvidia", "/usr/share/nvidia", "/etc/ld.so.cache"};
    if (!driver.folder.empty()) walls.readable.push_back(driver.folder);
    if (const char* folders = std::getenv("LD_LIBRARY_PATH")) {
        std::istringstream list(folders);
        for (std::string folder; std::getline(list, folder, ':');)
            if (!folder.empty()) walls.readable.push_back(folder);
    }
    // The driver gives its threads names, and does not start where it cannot (cuInit: CUDA_ERROR_OPERATING_SYSTEM).
    walls.devices = {"/dev/null", "/dev/zero", "/dev/dxg", "/proc/self/task"};
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/dev", error))
        if (entry.path().filename().string().starts_with("nvidia")) walls.devices.push_back(entry.path().string());
    return walls;
}

namespace {

// `files` and `privileges` stand before the driver starts threads of its own, which they would not hold later; the
// filter comes when everything is open.
wire::Fields open_card(Server& server, const Driver& driver, int index, bool is_walled) {
    WallSet standing;
    Walls walls = walls_of(driver);
    walls.wanted = WallSet::only(Wall::files).with(Wall::privileges);
    if (is_walled) standing = put_up(walls);
    prctl(PR_SET_DUMPABLE, 1);  // or a user's own threads are not theirs to name
    const auto facts = server.open(index);
    if (!facts) return server.open_failure();
    walls.wanted = WallSet::only(Wall::system_calls);
    if (is_walled) prctl(PR_SET_DUMPABLE, 0);
    if (is_walled) standing = WallSet::from_bits(standing.bits() | put_up(walls).bits());
    if (is_walled && !server.works()) return {"walls"};
    return {"ok", to_bytes(*facts), std::to_string(standing.bits())};
}

}  // namespace

int worker_main() {
    end_with_parent();
    setenv("CUDA_CACHE_DISABLE", "1", 1);  // a folder that it writes; Server keeps what it compiled
    // The socket moves away from the standard streams: a kernel's printf comes out of standard output.
    const int channel = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (channel < 0 || nowhere < 0) return 70;
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);

    auto driver = open_driver();
    std::unique_ptr<Server> server;
    for (;;) {
        const auto request = wire::unpack(read_message(channel));
        if (!request) _exit(0);  // the parent is gone; the driver's own clean-up serves nobody
        wire::Fields answer;
        if (*request == wire::Fields{"end"}) {
            prctl(PR_SET_PDEATHSIG, 0);  // refused behind walls, where no profiler waits for an orderly end
            write_all(channel, wire::pack({"ok"}));
            std::exit(0);
        }
        if (!driver) {
            const Diagnostic& why = driver.error();
            answer = {"no_driver", why.code, why.title, why.facts.empty() ? "" : why.facts.front(), why.help};
        } else if (request->size() == 3 && request->front() == "open") {
            server = std::make_unique<Server>(*driver);
            answer = open_card(*server, *driver, static_cast<int>(number_in((*request)[1])),
                               (*request)[2] == "walled" && !is_profiled());
        } else if (server) {
            answer = server->answer(*request);
        } else {
            answer = to_fields(CudaError{-1, "nothing is open", "", "", ""});
        }
        write_all(channel, wire::pack(answer));
    }
}

}  // namespace warpgrade::cuda
