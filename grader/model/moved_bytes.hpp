// Bytes of a buffer that sampled blocks load, and those that they have stored to.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/warp_ops.hpp"
#include "vgpu/memory.hpp"

namespace warpgrade {

// Bytes of a buffer that traced blocks load, each sector once. The trace of a long loop is cut: `units` has all sectors
// that each instruction asked for.
double loaded_bytes(const WorkSample& work, int buffer, const std::vector<double>& units);

// Of much, parts are looked at.
double stored_bytes(const vgpu::Buffer& buffer);

// True if what was stored is what the buffer has to hold there. Of much, parts are looked at.
bool stored_as(const vgpu::Buffer& buffer,
               const std::function<void(std::uint64_t first, std::span<std::byte>)>& expected);

}  // namespace warpgrade
