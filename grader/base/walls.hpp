// What a process gives up, for good, before it looks at what a student wrote: so that it can do no harm even if that
// text takes it over.
//
// Theory of operation. Each wall is a means of the Linux kernel that works without the others; a kernel or a container
// may lack one, and then the rest stand. Who puts walls up is told which stand, and says so (`doctor`, `grade`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/system_call_filter.hpp"

namespace warpgrade {

enum class Wall : unsigned {
    system_calls,  // seccomp(2): a filter on what may be asked of the kernel
    files,         // landlock(7): no file but those named, and as far as the kernel goes no connection and no signal
    namespaces,    // user_namespaces(7): a network and an IPC name space with nothing in them
    privileges,    // no set-user-ID programs, no capabilities, not to be looked into by others
};

struct WallWords {
    Wall wall;
    const char* name;   // "seccomp": in JSON and in one line of text
    const char* stops;  // what it stops, for `doctor`
    const char* help;   // where it is not to be had
};
// In the order of the enum.
const std::vector<WallWords>& wall_words();

class WallSet {
public:
    constexpr WallSet() = default;
    static WallSet all();
    static WallSet none() { return {}; }
    static WallSet only(Wall wall) { return WallSet().with(wall); }
    static WallSet from_bits(unsigned bits);  // bits of no wall are dropped

    WallSet with(Wall wall) const { return from_bits(bits_ | bit(wall)); }
    bool has(Wall wall) const { return (bits_ & bit(wall)) != 0; }
    // The one that the others only add to: with landlock and without it a process that is taken over still starts
    // others, opens sockets and sends signals.
    bool holds() const { return has(Wall::system_calls); }
    unsigned bits() const { return bits_; }
    std::vector<std::string> list() const;  // {"seccomp", "landlock"}
    std::string names() const;              // "seccomp, landlock"; "none"
    bool operator==(const WallSet&) const = default;

private:
    static constexpr unsigned bit(Wall wall) { return 1u << static_cast<unsigned>(wall); }
    unsigned bits_ = 0;
};

struct Walls {
    SystemCalls calls = SystemCalls::own_memory;
    std::vector<std::string> readable{};  // files and folders that may be opened
    std::vector<std::string> devices{};   // files and folders that may be written and controlled as well
    unsigned threads = 0;                 // at most; 0: no limit. Holds in an own user namespace only
    WallSet wanted = WallSet::all();      // fewer: for a test of one alone
};

// Threads that run already are not held by `files`; with others running there are no `namespaces`. From here on the
// process ends with its parent. Returns what stands.
WallSet put_up(const Walls& walls);

struct ProcessLimits {
    std::uint64_t cpu_seconds = 0;          // of all threads: SIGXCPU; SIGKILL a second later
    std::uint64_t address_space_bytes = 0;  // RLIMIT_AS
    std::uint64_t data_bytes = 0;           // RLIMIT_DATA: what is its own and can be written, touched or not
};
// 0: no limit. Always: no file grows, no core is written, the process ends with its parent.
void limit_process(const ProcessLimits& limits);

// From here on the kernel ends this process when its parent ends; a change of credentials forgets it.
void end_with_parent();

// Closes `first` and every descriptor above it.
void close_descriptors_from(int first);

}  // namespace warpgrade
