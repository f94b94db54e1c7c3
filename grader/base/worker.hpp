// A child process that does what may crash, hang or be stopped: the same executable, started again with a hidden verb,
// or a copy of this process. Parent and child speak over one socket, in the messages of base/wire.hpp.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace warpgrade {

// `loader_only`: nothing but LD_LIBRARY_PATH, without which an executable that was built with a compiler from `module
// load` does not start.
enum class WorkerEnvironment { loader_only, inherited };

class Worker {
public:
    using Clock = std::chrono::steady_clock;

    // The socket is the child's standard input and output; its standard error goes nowhere. $WARPGRADE_WORKER names
    // another executable. Error: host, or kit where the executable is missing.
    static Result<Worker> start(const char* verb, WorkerEnvironment environment);
    // Runs `live` in a copy of this process, which then ends; this process may have no other thread. The copy has the
    // socket and no other descriptor, standard streams that lead nowhere, and no signal handlers. Error: kit.
    static Result<Worker> fork(const std::function<void(int socket)>& live);
    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&& other) noexcept;
    ~Worker();  // kills

    struct Exchange {
        std::string received;
        bool is_out_of_time = false;
        bool is_flooded = false;  // more than `cap` bytes came
        bool is_closed = false;   // the worker closed its end
    };
    // Sends as much of it as goes without waiting; how many bytes that is.
    std::size_t send_now(std::string_view outgoing);
    // Sends and receives at once, so that neither side waits on a full buffer. Ends when the worker closes its end;
    // with `one_message`, as soon as a whole message is there.
    Exchange exchange(std::string_view outgoing, Clock::time_point deadline, std::size_t cap, bool one_message);

    // Leaves the child to end by itself.
    void let_go() { pid_ = -1; }
    // Kills the child if it still runs. Its wait status: see waitpid(2).
    int stop();
    // Processor time of a worker that was stopped.
    double cpu_seconds() const { return cpu_seconds_; }
    pid_t pid() const { return pid_; }

private:
    Worker(pid_t pid, int socket) : pid_(pid), socket_(socket) {}
    pid_t pid_ = -1;
    int socket_ = -1;
    int status_ = 0;
    double cpu_seconds_ = 0;
};

// The child's side. Read one message: empty if the parent is gone. Write all of it, as far as the parent reads.
std::string read_message(int fd);
void write_all(int fd, std::string_view bytes);

}  // namespace warpgrade
