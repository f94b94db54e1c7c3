#pragma once

#include <cstdint>

namespace warpgrade::vgpu {

struct Worker;

// The blocks of a launch, as far as they are left, on one thread. Those that wait for others are set aside, so that
// those get their turn.
void run_in_turn(Worker& worker, std::uint64_t resident, bool is_reversed);

}  // namespace warpgrade::vgpu
