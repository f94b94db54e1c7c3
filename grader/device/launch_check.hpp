// Whether CUDA would take a launch, by its size and the kernel's needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/limits.hpp"
#include "vgpu/code.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

struct AskedLaunch {
    vgpu::Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t opted_in_bytes = 0;    // of dynamic shared memory, by cudaFuncSetAttribute
    vgpu::Dim3 cluster{0, 0, 0};         // by cudaLaunchAttributeClusterDimension; 0: not given
    bool allows_large_clusters = false;  // cudaFuncAttributeNonPortableClusterSizeAllowed
};

struct RefusedLaunch {
    int error = 0;  // cudaError_t
    const char* error_name = "";
    vgpu::Refusal refusal = vgpu::Refusal::other;
    std::uint64_t asked = 0, limit = 0;
    std::string what;  // in words: "gridDim.x is 0"
};

// Errors are those of CUDA 13; the runtime before it said cudaErrorInvalidConfiguration of sizes.
std::optional<RefusedLaunch> why_refused(const LaunchLimits& limits, const vgpu::Code& kernel,
                                         const AskedLaunch& launch);

}  // namespace warpgrade
