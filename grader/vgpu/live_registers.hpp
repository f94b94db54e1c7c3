// How many registers a kernel's values take at a time, as far as PTX tells.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptx/module.hpp"

namespace warpgrade::vgpu {

// Those that an operand names: itself, a base, what a vector is made of.
template <class F>
void each_register(const ptx::Operand& operand, F&& visit) {
    if (operand.kind == ptx::Operand::Kind::reg && operand.index >= 0) visit(static_cast<std::size_t>(operand.index));
    for (const ptx::Operand& element : operand.elements) each_register(element, visit);
}

// Of 32 bits each, at the place where most are alive. The assembler moves instructions about and may need more or
// fewer. What is too large to be looked at counts as 255.
std::uint32_t most_live_registers(const ptx::Function& function);

}  // namespace warpgrade::vgpu
