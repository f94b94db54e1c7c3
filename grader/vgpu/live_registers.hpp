// How many registers a kernel's values take at a time, as far as PTX tells.
#pragma once

#include <cstdint>

#include "ptx/module.hpp"

namespace warpgrade::vgpu {

// Of 32 bits each, at the place where most are alive. The assembler moves instructions about and may need more or
// fewer. What is too large to be looked at counts as 255.
std::uint32_t most_live_registers(const ptx::Function& function);

}  // namespace warpgrade::vgpu
