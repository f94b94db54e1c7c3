#pragma once

#include "vgpu/code.hpp"

namespace warpgrade::vgpu {

// Whether a function can come to call itself, as far as calls by name tell; through a pointer any can.
bool has_recursion(const Program& program);

}  // namespace warpgrade::vgpu
