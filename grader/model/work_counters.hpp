// Words of global memory that each block changes by one atomic operation: a counter that it draws its work from, or one
// that tells the last block that it is the last.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/trace.hpp"

namespace warpgrade {

// Words that every traced block changed by one atomic operation of one lane.
std::vector<std::uint64_t> work_counters_of(const std::vector<vgpu::BlockTrace>& blocks,
                                            const std::vector<vgpu::SegmentOps>& segments);

// Whether several lanes of a warp draw from one of these in one instruction.
bool do_lanes_draw(const std::vector<vgpu::BlockTrace>& blocks, const std::vector<std::uint64_t>& work_counters);

}  // namespace warpgrade
