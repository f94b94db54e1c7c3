// What of a run its output needs: launches, warps, loads, stores, atomic operations, barriers and divergent branches.
//
// Theory of operation. One run is traced (need_trace.hpp): each segment that a warp ran, and the addresses of its
// accesses. A pass from the end to the start (need_slice.cpp) begins with the bytes of the output buffers. A store is
// needed if a byte of it is read later by something needed; then its operands are needed, the instructions that
// computed them, the loads among these, and the branches that decided that all of this ran. Lanes are followed apart,
// registers by warp, memory by word; a byte that is stored to again needs no earlier store.
//
// What an instruction has no influence with is not followed. This is decided for an instruction over the whole run, so
// that all of these decisions hold at once: a branch that always went one way, a comparison that always had one result,
// a sum that always equalled one of its operands (the other was 0), a load that always brought 0 (need_plan.hpp). Each
// could be replaced by a constant or a copy, and the run would be the same.
//
// A barrier is needed if it orders two needed accesses of different threads to one word of shared memory, one of them a
// store. Of several barriers that stand between two such accesses one is enough: the least number of barriers is
// counted that has one between any two of them. A loop ends with a barrier though nothing follows: the last one of a
// block counts as well, if another one is needed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vgpu/counters.hpp"

namespace warpgrade::vgpu {

// Of one launch of the plan.
struct NeededLaunch {
    std::uint64_t warps = 0, threads = 0;  // that do something needed; 0: nothing of the launch is
    std::uint64_t barriers = 0;            // these warps waited at, the phases of mbarriers among them
    std::uint64_t needed_barriers = 0;     // that order something, by warp, and the last of a block
    std::uint64_t input_bytes = 0;         // of the largest input, loaded and needed, each counted once
    std::uint64_t dynamic_shared_bytes =
        0;  // of the dynamic shared memory, loaded and needed; 0: most loads are elsewhere
    bool is_needed() const { return warps > 0; }
};

enum class NeedKind : std::uint8_t { load, store, atomic, shared_load, shared_store, shared_atomic, barrier };

std::string_view to_string(NeedKind kind);  // "load", "shared_load" ...

// Requests of one line of which some are not needed.
struct UnneededLine {
    int line = 0;
    NeedKind kind = NeedKind::load;
    std::uint64_t requests = 0, of = 0;
};

struct Needed {
    bool is_whole = true;  // false: the run was too long to be traced to its end, and nothing else here is known
    Counters whole;        // requests of which something is needed, with all of their lanes
    Counters exact;        // the same, with the lanes that are needed
    bool is_shared_private = false;  // each thread loads what it stored itself: of shared memory nothing is counted
    std::uint64_t input_bytes = 0;   // of the largest input, all
    std::vector<NeededLaunch> launches;
    std::vector<UnneededLine> unneeded;  // ascending lines
};

}  // namespace warpgrade::vgpu
