// Counters that blocks draw tickets from, where only a sample of the blocks runs.
//
// Theory of operation. Blocks that stay and take the next piece of work from a counter each do a part of it, because
// all others draw as well. A sampled block would draw all tickets alone. So each of them sees such a counter (one of
// Sample::work_counters) as if the blocks of the grid drew in turn: its first ticket is as far on as its own number,
// and between two of its own every other block draws one. Its warps, which run one after the other, give their turn
// away when they have drawn, as else the first of them would do the work of all. After the run the counter holds what
// it held before it. Which words are such counters is found by Sample::finds_work_counters: a warp comes back to the
// same one at the same place.
#pragma once

#include <cstdint>

#include "vgpu/exec.hpp"

namespace warpgrade::vgpu {

// For handlers: whether to ask below at all.
bool is_sampled(const Warp& w);
// Before and after an atomic operation that counts: all its lanes on the `bytes` at `place`, which it changes by
// `change`. True if it is such a counter; then end_draw is due.
bool begin_draw(Warp& w, std::uint32_t site, std::uint64_t address, char* place, std::uint32_t bytes,
                std::int64_t change);
void end_draw(Warp& w, std::uint64_t address, const char* place, std::uint32_t bytes, std::int64_t change);

}  // namespace warpgrade::vgpu
