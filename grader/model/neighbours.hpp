// Where blocks meet in memory with those next to them in the grid.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/warp_ops.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// Of a few blocks, and of those next to them.
struct Neighbours {
    double loads_continue = 0;    // share of the runs of bytes read that the next block goes on with
    double stores_continue = 0;   // and of the runs of bytes written
    double completed_beside = 0;  // share of the open sectors that the block before or behind it completes
    // And those that a block further away completes: a row of the grid, or of the matrix where the grid has one row.
    struct Apart {
        double share = 0;
        double bytes = 0;  // that the blocks between the two move
    };
    std::vector<Apart> completed_apart;  // the nearest first
    // The same of the sectors that a block leaves out of lines that it stores to.
    double filled_beside = 0;
    std::vector<Apart> filled_apart;
};

// Runs a few blocks of the launch and those near them.
Neighbours look_around(vgpu::Session& session, const vgpu::Program& program, const vgpu::Launch& launch,
                       std::span<const std::vector<std::byte>> arguments, std::span<const AddressRange> buffers,
                       const std::vector<std::uint64_t>& work_counters, vgpu::RunOptions options);

}  // namespace warpgrade
