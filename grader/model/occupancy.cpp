#include "model/occupancy.hpp"

#include <algorithm>
#include <array>

namespace warpgrade {

namespace {

// Compute capabilities 7.5 to 9.0, CUDA occupancy calculator: registers are given to a warp 256 at a time from the
// quarter of the file that its scheduler has, and each block takes 1 KiB of shared memory for the system.
constexpr int register_unit = 256;
constexpr std::uint64_t shared_reserve = 1024;

}  // namespace

Occupancy occupancy_of(const KernelResources& kernel, const ModelParameters& gpu) {
    const int warps = (std::max(kernel.threads, 1) + 31) / 32;
    Occupancy occupancy;
    occupancy.blocks = gpu.max_blocks_per_sm;
    occupancy.limited_by = "blocks";
    const auto limit = [&](int blocks, const char* by) {
        if (blocks >= occupancy.blocks) return;
        occupancy.blocks = blocks;
        occupancy.limited_by = by;
    };
    limit(gpu.max_threads_per_sm / 32 / warps, "threads");
    if (kernel.registers > 0) {
        const int a_warp = (kernel.registers * 32 + register_unit - 1) / register_unit * register_unit;
        const int a_quarter = static_cast<int>(gpu.registers_per_sm) / schedulers / a_warp;
        limit(a_quarter * schedulers / warps, "registers");
    }
    if (kernel.shared_bytes > 0)
        limit(static_cast<int>(gpu.shared_bytes_per_sm / (kernel.shared_bytes + shared_reserve)), "shared memory");

    // The driver takes the smallest split of L1 that holds what the blocks ask for (CUDA programming guide, 8.x, 9.0).
    constexpr std::array<double, 10> splits_kib{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    const double asked = kernel.shared_bytes == 0 ? 0
                                                  : static_cast<double>(occupancy.blocks) *
                                                        static_cast<double>(kernel.shared_bytes + shared_reserve);
    double split = static_cast<double>(gpu.shared_bytes_per_sm);
    for (const double kib : splits_kib)
        if (kib * 1024 >= asked) {
            split = std::min(split, kib * 1024);
            break;
        }
    occupancy.l1_bytes = std::max(gpu.l1_bytes - split, 16.0 * 1024);
    return occupancy;
}

}  // namespace warpgrade
