// The pass from the end of a trace to its start (needed.hpp).
#pragma once

#include <vector>

#include "vgpu/need_trace.hpp"
#include "vgpu/needed.hpp"

namespace warpgrade::vgpu {

// `outputs`: buffers of `memory` that are read after the run.
Needed find_needed(const NeedTrace& trace, const Memory& memory, const std::vector<int>& outputs);

}  // namespace warpgrade::vgpu
