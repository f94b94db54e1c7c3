#include "device/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpgrade {

namespace {

using vgpu::Refusal;
using Refused = std::optional<RefusedLaunch>;

// driver_types.h
constexpr int invalid_value = 1, launch_out_of_resources = 701, not_supported = 801, invalid_cluster_size = 912;

Refused refused_value(Refusal refusal, std::uint64_t asked, std::uint64_t limit, std::string what) {
    return RefusedLaunch{invalid_value, "cudaErrorInvalidValue", refusal, asked, limit, std::move(what)};
}

Refused check(Refusal refusal, std::uint64_t asked, std::uint64_t limit, const std::string& what) {
    if (asked == 0) return refused_value(Refusal::no_threads, 0, limit, what + " is 0");
    if (asked <= limit) return std::nullopt;
    return refused_value(refusal, asked, limit, fmt::format("{} is {}, the limit is {}", what, asked, limit));
}

Refused check_shape(const LaunchLimits& limits, const vgpu::Code& kernel, const AskedLaunch& launch) {
    const vgpu::Dim3 &grid = launch.grid, &block = launch.block;
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
                 "the number of threads a block, with the __launch_bounds__ of this kernel,");
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

// CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks on any GPU that has clusters, 16 where that is asked
// for.
Refused check_cluster(const LaunchLimits& limits, const vgpu::Code& kernel, const AskedLaunch& launch) {
    constexpr std::uint64_t most_portable = 8, most = 16;
    const vgpu::Dim3 &size = launch.cluster == vgpu::Dim3{0, 0, 0} ? kernel.cluster : launch.cluster,
                     &grid = launch.grid;
    if (size == vgpu::Dim3{0, 0, 0}) return std::nullopt;
    const auto text = [](const vgpu::Dim3& dims) { return fmt::format("({}, {}, {})", dims.x, dims.y, dims.z); };
    const auto refused = [](std::uint64_t asked, std::uint64_t limit, std::string what) {
        return RefusedLaunch{invalid_cluster_size, "cudaErrorInvalidClusterSize", Refusal::cluster, asked, limit,
                             std::move(what)};
    };
    if (limits.compute_capability_major < 9) {
        if (size.count() == 1) return std::nullopt;
        return RefusedLaunch{
            not_supported,
            "cudaErrorNotSupported",
            Refusal::other,
            size.count(),
            1,
            fmt::format("its clusters are of {} blocks, and clusters begin with compute capability 9.0", size.count())};
    }
    if (kernel.cluster.x != 0 && kernel.cluster != size)
        return refused(size.count(), kernel.cluster.count(),
                       fmt::format("its clusters are {}, but its kernel has __cluster_dims__{}", text(size),
                                   text(kernel.cluster)));
    const std::uint64_t limit = launch.allows_large_clusters ? most : most_portable;
    const bool is_wide = size.x > limit || size.y > limit || size.z > limit;  // their product may wrap
    if (size.count() == 0 || is_wide || size.count() > limit)
        return refused(
            size.count(), limit,
            fmt::format("its clusters are of {} x {} x {} blocks, the limit is {}", size.x, size.y, size.z, limit));
    for (const auto& [extent, part, axis] :
         {std::tuple(grid.x, size.x, 'x'), {grid.y, size.y, 'y'}, {grid.z, size.z, 'z'}})
        if (extent % part != 0)
            return refused(extent, part,
                           fmt::format("gridDim.{} is {}, not a multiple of the cluster's {}", axis, extent, part));
    return std::nullopt;
}

}  // namespace

std::optional<RefusedLaunch> why_refused(const LaunchLimits& limits, const vgpu::Code& kernel,
                                         const AskedLaunch& launch) {
    if (auto refused = check_shape(limits, kernel, launch)) return refused;
    if (auto refused = check_cluster(limits, kernel, launch)) return refused;
    if (auto refused = check_shared(limits, kernel, launch)) return refused;
    return check_registers(limits, kernel, launch);
}

}  // namespace warpgrade
