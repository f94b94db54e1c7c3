#include "device/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpgrade {

namespace {

using vgpu::Refusal;
using Refused = std::optional<RefusedLaunch>;

constexpr int invalid_value = 1, launch_out_of_resources = 701;  // driver_types.h

Refused refused_value(Refusal refusal, std::uint64_t asked, std::uint64_t limit, std::string what) {
    return RefusedLaunch{invalid_value, "cudaErrorInvalidValue", refusal, asked, limit, std::move(what)};
}

Refused check(Refusal refusal, std::uint64_t asked, std::uint64_t limit, const std::string& what) {
    if (asked == 0) return refused_value(Refusal::no_threads, 0, limit, what + " is 0");
    if (asked <= limit) return std::nullopt;
    return refused_value(refusal, asked, limit, fmt::format("{} is {}, the limit is {}", what, asked, limit));
}

Refused check_shape(const LaunchLimits& limits, const vgpu::Code& kernel, const AskedLaunch& launch) {
    const auto& [grid, block, bytes, opted_in] = launch;
    const std::string threads = fmt::format("threads a block ({} x {} x {})", block.x, block.y, block.z);
    for (const Refused& refused : {check(Refusal::grid_extent, grid.x, limits.max_grid.x, "gridDim.x"),
                                   check(Refusal::grid_extent, grid.y, limits.max_grid.y, "gridDim.y"),
                                   check(Refusal::grid_extent, grid.z, limits.max_grid.z, "gridDim.z"),
                                   check(Refusal::block_extent, block.x, limits.max_block.x, "blockDim.x"),
                                   check(Refusal::block_extent, block.y, limits.max_block.y, "blockDim.y"),
                                   check(Refusal::block_extent, block.z, limits.max_block.z, "blockDim.z"),
                                   check(Refusal::block_extent, block.count(), limits.max_threads_per_block, threads)})
        if (refused) return refused;
    if (kernel.info.max_threads == 0) return std::nullopt;
    return check(Refusal::block_extent, block.count(), kernel.info.max_threads,
                 "threads a block, for a kernel with __launch_bounds__,");
}

Refused check_shared(const LaunchLimits& limits, const vgpu::Code& kernel, const AskedLaunch& launch) {
    const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes;
    const std::uint64_t allowed = launch.opted_in_bytes == 0
                                      ? limits.shared_bytes_per_block
                                      : std::max<std::uint64_t>(limits.shared_bytes_per_block,
                                                                launch.opted_in_bytes + kernel.static_shared_bytes);
    if (shared <= allowed) return std::nullopt;
    return refused_value(Refusal::shared_bytes, shared, allowed,
                         fmt::format("shared memory a block is {} bytes, the limit is {}", shared, allowed));
}

Refused check_registers(const LaunchLimits& limits, const vgpu::Code& kernel, const AskedLaunch& launch) {
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint64_t most = limits.registers_per_multiprocessor;
    if (!limits.registers_of || registers_of_block(threads, most_registers_of_thread) <= most) return std::nullopt;
    const int used = limits.registers_of(kernel.name);
    const std::uint64_t registers = registers_of_block(threads, used);
    if (registers <= most) return std::nullopt;
    return RefusedLaunch{launch_out_of_resources,
                         "cudaErrorLaunchOutOfResources",
                         Refusal::registers,
                         registers,
                         most,
                         fmt::format("registers a block are {}: {} threads of {} each; a multiprocessor has {}",
                                     registers, threads, used, most)};
}

}  // namespace

std::optional<RefusedLaunch> why_refused(const LaunchLimits& limits, const vgpu::Code& kernel,
                                         const AskedLaunch& launch) {
    if (auto refused = check_shape(limits, kernel, launch)) return refused;
    if (auto refused = check_shared(limits, kernel, launch)) return refused;
    return check_registers(limits, kernel, launch);
}

}  // namespace warpgrade
