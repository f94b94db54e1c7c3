// What launches cost, in warp instructions (budget.hpp), and in memory.
#pragma once

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

// What the blocks that wait for others may take of this machine's memory.
inline constexpr std::uint64_t kMostContextBytes = std::uint64_t{3} << 28;

std::uint64_t context_bytes(const LaunchState& state);
// What a thread that runs blocks keeps: made once a launch.
std::uint64_t context_work(const LaunchState& state);
// What it costs to start a launch and to count what came of it, and to start one of its blocks.
std::uint64_t launch_work(const Program& program);
std::uint64_t block_work(const LaunchState& state);
// What the launch costs. One over its budget has a timeout, whichever thread noticed first and if none did. What it has
// cost is the same for any number of threads: of one that is stopped early, what it could have cost or next to nothing.
void settle(LaunchState& state, RunResult& result);
bool has_room_for_cluster(const LaunchState& state);
RunResult without_room(const LaunchState& state);

}  // namespace warpgrade::vgpu
