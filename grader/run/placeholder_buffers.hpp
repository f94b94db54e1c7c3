// Buffers for a launcher that is asked what it would launch, while no kernel runs.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// The addresses of what the problem has on this shape, in place of all that the program had: each of 256 bytes, too
// small to be used. Error: as of DeviceProgram::allocate.
Result<std::vector<std::uint64_t>> allocate_placeholders(DeviceProgram& program, const Problem& problem,
                                                         const Shape& shape);

}  // namespace warpgrade
