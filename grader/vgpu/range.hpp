// The one range check of every state space. Addresses and sizes are the submission's: nothing here may wrap.
#pragma once

#include <cstdint>

namespace warpgrade::vgpu {

// True if [at, at + width) lies in [low, high).
constexpr bool inside(std::uint64_t at, std::uint64_t width, std::uint64_t low, std::uint64_t high) {
    return at >= low && at <= high && width <= high - at;
}

}  // namespace warpgrade::vgpu
