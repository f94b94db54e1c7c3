// One launch on the virtual GPU, of whose races both lines are named.
#pragma once

#include "vgpu/memory.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

struct LoadedProgram {
    vgpu::Session& session;
    const vgpu::Program& program;
    vgpu::Memory& memory;
};

// A race of the first run that names one line is looked at in a second one. What that stores is taken back.
vgpu::RunResult run_explained(const LoadedProgram& loaded, const vgpu::Launch& launch, const vgpu::RunOptions& options);

}  // namespace warpgrade
