#include "device/limits.hpp"

#include <algorithm>

namespace warpgrade {

std::optional<int> device_attribute(const LaunchLimits& limits, int attribute) {
    const auto number = [](std::uint32_t value) { return static_cast<int>(value); };
    switch (attribute) {  // cudaDeviceAttr, driver_types.h
        case 1: return number(limits.max_threads_per_block);
        case 2: return number(limits.max_block.x);
        case 3: return number(limits.max_block.y);
        case 4: return number(limits.max_block.z);
        case 5: return number(limits.max_grid.x);
        case 6: return number(limits.max_grid.y);
        case 7: return number(limits.max_grid.z);
        case 8: return number(limits.shared_bytes_per_block);
        case 9: return 65536;                                         // of constant memory
        case 10: return 32;                                           // warp size
        case 12: return number(limits.registers_per_multiprocessor);  // of a block: it may have them all
        case 13: return number(limits.clock_khz);
        case 16: return number(limits.multiprocessors);
        case 31: return 1;  // concurrent kernels
        case 36: return number(limits.memory_clock_khz);
        case 37: return number(limits.memory_bus_bits);
        case 38: return number(limits.l2_bytes);
        case 39: return number(limits.threads_per_multiprocessor);
        case 75: return limits.compute_capability_major;
        case 76: return limits.compute_capability_minor;
        case 81: return number(limits.shared_bytes_per_multiprocessor);
        case 82: return number(limits.registers_per_multiprocessor);
        case 95: return 0;  // cooperative launch: launchers have <<< >>> only
        case 97: return number(limits.shared_bytes_per_block_optin);
        case 106: return number(limits.blocks_per_multiprocessor);
        case 111: return number(limits.reserved_shared_bytes_per_block);
        case 120: return limits.compute_capability_major >= 9 ? 1 : 0;  // clusters
        default: return std::nullopt;
    }
}

std::uint64_t registers_of_block(std::uint32_t threads, int registers_per_thread) {
    constexpr std::uint64_t kUnit = 256, kWarpsAtATime = 4;
    const std::uint64_t warps = (std::uint64_t{threads} + 31) / 32;
    const std::uint64_t of_warp = (static_cast<std::uint64_t>(registers_per_thread) * 32 + kUnit - 1) / kUnit * kUnit;
    return (warps + kWarpsAtATime - 1) / kWarpsAtATime * kWarpsAtATime * of_warp;
}

std::uint32_t blocks_per_multiprocessor(const LaunchLimits& limits, std::uint32_t threads, std::uint64_t shared_bytes) {
    if (threads == 0 || threads > limits.max_threads_per_block) return 0;
    if (shared_bytes > limits.shared_bytes_per_block_optin) return 0;
    const std::uint32_t warps = (threads + 31) / 32;
    const std::uint32_t by_threads = limits.threads_per_multiprocessor / 32 / warps;
    constexpr std::uint64_t kUnit = 128;  // shared memory is given out in units of this many bytes
    const std::uint64_t taken = (shared_bytes + limits.reserved_shared_bytes_per_block + kUnit - 1) / kUnit * kUnit;
    const std::uint64_t by_shared =
        taken == 0 ? limits.blocks_per_multiprocessor : limits.shared_bytes_per_multiprocessor / taken;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>({by_threads, by_shared, limits.blocks_per_multiprocessor}));
}

}  // namespace warpgrade
