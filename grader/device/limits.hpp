// What a device allows, and what a launcher may ask it: limits of launches, device attributes, occupancy.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "vgpu/finding.hpp"

namespace warpgrade {

// Units as CUDA's device attributes. The defaults are those of compute capability 9.0 (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability") and of an H200's number of multiprocessors and L2 cache.
struct LaunchLimits {
    std::uint32_t max_threads_per_block = 1024;
    vgpu::Dim3 max_block{1024, 1024, 64};
    vgpu::Dim3 max_grid{2147483647u, 65535, 65535};
    std::uint32_t shared_bytes_per_block = 48 * 1024;
    std::uint32_t shared_bytes_per_block_optin = 227 * 1024;
    std::uint32_t shared_bytes_per_multiprocessor = 228 * 1024;
    std::uint32_t reserved_shared_bytes_per_block = 1024;  // taken by CUDA itself
    std::uint32_t threads_per_multiprocessor = 2048;
    std::uint32_t blocks_per_multiprocessor = 32;
    std::uint32_t registers_per_multiprocessor = 64 * 1024;
    std::uint32_t multiprocessors = 132;
    std::uint32_t l2_bytes = 50 * 1024 * 1024;
    std::uint64_t memory_bytes = 150109880320;
    std::uint32_t clock_khz = 1'980'000, memory_clock_khz = 3'201'000, memory_bus_bits = 6144;
    int compute_capability_major = 9, compute_capability_minor = 0;
    // Of a thread of a kernel, by mangled name; 0: not known. Asked only of blocks so large that it may matter, as the
    // assembler takes its time. Called by several threads. Null: there is nobody to ask.
    std::function<int(const std::string& kernel)> registers_of;
    std::uint32_t max_launches = 4096;  // steps of a plan; more are taken for a loop without end
};

// The value of a cudaDeviceAttr; nothing if it is not known: the launcher is told cudaErrorInvalidValue, never 0.
std::optional<int> device_attribute(const LaunchLimits& limits, int attribute);

// Registers that a block takes of a multiprocessor: a warp gets them in units of 256, four warps at a time get the same
// (CUDA's occupancy calculator, compute capability 7.0 to 9.0).
inline constexpr int most_registers_of_thread = 255;
std::uint64_t registers_of_block(std::uint32_t threads, int registers_per_thread);

// Blocks of a kernel that one multiprocessor holds at a time, by threads (whole warps), blocks and shared memory
// (static and dynamic, bytes a block). 0 if not even one fits. Registers are not counted: they are chosen by the
// assembler, which the virtual GPU has none of, so that a GPU may hold fewer.
std::uint32_t blocks_per_multiprocessor(const LaunchLimits& limits, std::uint32_t threads, std::uint64_t shared_bytes);

}  // namespace warpgrade
