// Work on what a student wrote, in a process that can do no harm even if that text takes it over.
//
// Theory of operation. `run_confined` forks; the child has everything that the parent had loaded, and nothing else: it
// closes its files, puts up all walls, and works. What it needs from outside it asks of the parent, over one socket, by
// the names of the services that the parent offers; a service believes nothing that it is told. The parent waits, and
// outlives whatever the child sends: nothing, too much, or nonsense. What comes back is text that a student may have
// written.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/cpu_slowdown.hpp"
#include "base/result.hpp"
#include "base/walls.hpp"
#include "base/wire.hpp"

namespace warpgrade {

// One thing that a confined process may ask for; runs in the parent. The request is without the service's name.
using Service = std::function<wire::Fields(const wire::Fields& request)>;
using Services = std::map<std::string, Service>;

struct ConfinedLimits {
    // Of all its threads, and of the processes of `charged_service`; where the machine is slower, so many times more,
    // three at most. Work that is given more time has 4 more, and nothing is charged to it.
    unsigned cpu_seconds = 8;
    double (*slowdown)() = cpu_slowdown;      // asked in the child, once these seconds are over
    unsigned least_cpu_seconds = 2;           // of these, that such a service leaves it
    std::string_view charged_service{};       // what other services take is not counted
    unsigned wall_seconds = 100;              // that it neither asks nor answers, in all
    std::uint64_t memory_bytes = 2ull << 30;  // that it has for itself
    std::uint64_t message_bytes = 64ull << 20;
    unsigned requests = 10'000;
    unsigned service_seconds = 3600;  // of all services together
    WallSet required{};               // without one of these the work is not begun
};

struct ConfinedRun {
    enum class End {
        done,   // `reply` is what the work returned
        threw,  // `what` is what was thrown
        out_of_memory,
        out_of_cpu,
        out_of_time,     // of the clock on the wall: the machine was busy, or it waits for what never comes
        broke_protocol,  // it sent what the work never sends
        lacks_walls,     // one that is required does not stand: it did not begin
        crashed,         // `what` says how: "was stopped by signal 11 (Segmentation fault)"
    };
    End end = End::crashed;
    wire::Fields reply;
    std::string what;
    WallSet walls;
    double cpu_seconds = 0;
    double charged_seconds = 0;  // of the service that counts
};

// The parent has to have no other thread. `work` runs in the child; what it does to memory is not seen here. Error:
// kit, when no process can be started.
Result<ConfinedRun> run_confined(const std::function<wire::Fields()>& work, const Services& services = {},
                                 const ConfinedLimits& limits = {}, const Walls& walls = {});

// Work of our own in a process of its own, without walls or limits: so that what it read is not in the memory of the
// processes that are confined later. Ends are told as above. Error: kit.
Result<ConfinedRun> run_apart(const std::function<wire::Fields()>& work, const Services& services = {});

// The walls that stand around a confined process on this machine: puts them up around one that does nothing.
WallSet walls_here();

// In the child: whether it may take longer, also where its time is over. Who is right so far loses no mark to the
// machine, and what is wrong is explained to the end on each.
void work_has_more_time(bool has_more);
// In the child: true once the processor time is over, some moments before the end (0.8 s, or a quarter of few seconds),
// so that it can say what it has found until then.
const std::atomic<bool>& work_time_is_over();
// In the child: true where only that "more" is left, in which nothing is begun that can be left out.
bool work_time_is_short();
// In the child: what it answers if its processor time ends before it does; the last of several. Elsewhere nothing.
void keep_so_far(const wire::Fields& reply);
// In the child. Services may be asked by several threads; they wait for each other.
bool is_confined();
// False behind walls that leave a process its own memory only.
bool opens_files();
// True behind walls and in a process apart: there is a parent to ask.
bool has_parent_to_ask();
// The service's answer; empty if the parent offers no such service. Ends the process if the parent is gone.
wire::Fields ask_outside(const std::string& service, const wire::Fields& request);

}  // namespace warpgrade
