// The longest chain of floating-point additions of a run: it bounds what rounding can do to a sum.
//
// Theory of operation. A warp counts the additions that it executes, in order. At a block's barrier every warp takes over the
// largest count, as it may read what that warp has added up. Blocks know of each other by atomic operations and by polling
// only, within a launch: then the chain may pass through two of them and be handed on by each of the others.
#pragma once

#include <cstdint>

namespace warpgrade::vgpu {

// Summed over the launches that this thread has run since it asked last; 0 where nothing was added up.
std::uint64_t take_addition_chain();

}  // namespace warpgrade::vgpu
