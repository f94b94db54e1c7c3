#include "model/block_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace warpgrade {

namespace {
// Generations of resident blocks that are looked at where a launch has more: the first and the last differ from those
// between, of which there are two.
constexpr int generations = 4;
constexpr std::uint64_t least_blocks = 16;
}  // namespace

std::vector<std::uint64_t> choose_blocks(std::uint64_t grid, int resident, std::uint64_t warps_a_block,
                                         std::uint64_t warps, const ModelParameters& gpu) {
    const auto multiprocessors = static_cast<std::uint64_t>(gpu.multiprocessors);
    const std::uint64_t own = (grid + multiprocessors - 1) / multiprocessors;
    std::uint64_t count = std::max(static_cast<std::uint64_t>(resident) * generations, least_blocks);
    while (count > static_cast<std::uint64_t>(resident) && count * warps_a_block > warps)
        count -= static_cast<std::uint64_t>(resident);
    count = std::min(count, own);
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t k = 0; k < count; ++k) {
        const double jitter = std::fmod(static_cast<double>(k) * 0.6180339887, 1.0);
        const double place = (static_cast<double>(k) + jitter) * static_cast<double>(grid) / static_cast<double>(count);
        blocks.push_back(std::min(grid - 1, static_cast<std::uint64_t>(place)));
    }
    return blocks;
}

std::vector<std::uint64_t> choose_others(std::uint64_t grid, const std::vector<std::uint64_t>& known,
                                         std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint64_t> others;
    if (grid <= 2 * known.size() || count >= grid) {
        for (std::uint64_t block = 0; block < grid; ++block)
            if (!std::binary_search(known.begin(), known.end(), block)) others.push_back(block);
        return others;
    }
    std::mt19937_64 random(seed);  // the same numbers everywhere, unlike the distributions of <random>
    while (others.size() < count && others.size() + known.size() < grid / 2) {
        const std::uint64_t block = random() % grid;
        if (std::binary_search(known.begin(), known.end(), block)) continue;
        if (std::find(others.begin(), others.end(), block) == others.end()) others.push_back(block);
    }
    std::sort(others.begin(), others.end());
    return others;
}

bool are_alike(const vgpu::Counters& one, double blocks_of_one, const vgpu::Counters& other, double blocks_of_other) {
    for (const auto field : {&vgpu::Counters::warp_instructions, &vgpu::Counters::global_load_sectors,
                             &vgpu::Counters::global_store_sectors, &vgpu::Counters::wide_copy_sectors,
                             &vgpu::Counters::bulk_load_sectors, &vgpu::Counters::bulk_store_sectors,
                             &vgpu::Counters::shared_load_wavefronts, &vgpu::Counters::shared_store_wavefronts,
                             &vgpu::Counters::global_atomic_operations, &vgpu::Counters::barriers}) {
        const double a = static_cast<double>(one.*field) / blocks_of_one;
        const double b = static_cast<double>(other.*field) / blocks_of_other;
        if (std::abs(a - b) > alike * std::max({a, b, 1.0})) return false;
    }
    return true;
}

std::vector<std::uint64_t> choose_evenly(const std::vector<std::uint64_t>& blocks, const std::vector<double>& work,
                                         std::size_t count) {
    std::vector<std::size_t> by_work(blocks.size());
    std::iota(by_work.begin(), by_work.end(), 0);
    std::stable_sort(by_work.begin(), by_work.end(), [&](std::size_t a, std::size_t b) { return work[a] < work[b]; });
    std::vector<std::uint64_t> chosen;
    count = std::min(count, blocks.size());
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(blocks[by_work[(2 * i + 1) * blocks.size() / (2 * count)]]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace warpgrade
