// What a block knows of its cluster, and a cluster of its blocks (clusters.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vgpu/finding.hpp"
#include "vgpu/race_clocks.hpp"

namespace warpgrade::vgpu {

struct BlockContext;

struct Cluster {
    std::vector<BlockContext*> blocks;        // by rank; null: it has ended
    std::uint64_t alive = 0, arrived = 0;     // threads; of the latter those that wait for the phase to come
    std::uint32_t phase = 0;                  // barriers that were met
    BarrierKnowledge coming, met;             // where races are tracked
    std::vector<std::uint64_t> linear_index;  // of its blocks, by rank
};

// Of the threads of a warp.
struct ClusterArrivals {
    std::uint32_t lanes = 0;                // have arrived, and not waited
    std::array<std::uint32_t, 32> phase{};  // that the last arrival is for: 1 is the first
};

// What another block touches of a block's shared memory, in the latest phase.
struct Visit {
    std::uint32_t phase = 0;  // arrivals of its thread by then
    Finding finding;          // if the block ends without a barrier behind it
};

// The place of a block in its cluster.
struct ClusterSeat {
    std::shared_ptr<Cluster> cluster;
    std::uint32_t rank = 0;
    std::vector<ClusterArrivals> arrivals;  // by warp
    std::uint32_t waited = 0;               // the latest phase that a thread has waited for
    std::uint32_t phase_seen = 0;
    bool waits = false;       // set aside until the phase is another one than that
    bool has_looked = false;  // at what other threads store, by an atomic or a volatile access
    std::optional<Visit> visit;
};

}  // namespace warpgrade::vgpu
