// PTX manual, "Integer Arithmetic Instructions": those that count, find and move bits.
#pragma once

#include "vgpu/ops/table.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

void bit_rows(OpTable& t);

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
