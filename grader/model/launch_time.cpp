#include "model/launch_time.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace warpgrade {

namespace {

// A cold read of this much finds L2 full of lines that the measurement's own flush left to be written (see
// dirty_bytes).
constexpr double flush_window = 64.0 * 1024 * 1024;

// Shares of L2 that may pass between two stores to a sector before it starts, and before it is sure, to be written to
// DRAM in between (microbenchmark shifted_copy: 1 MB and 64 MB, of an H200's 60).
constexpr double near_share = 1.0 / 60, far_share = 1;
constexpr int passes = 5, passes_to_compare = 3, longer_passes = 2;  // the gain of a limit that is gone needs no more
constexpr double heaviest_load = 1;
constexpr double close_enough = 0.03;
constexpr double nearly_all = 0.9;
constexpr double uneven = 1.5;  // of what was left out of a warp, over what was of its block
constexpr double most_operations = 100'000, most_rounds = 4;  // of the longer run

// What the whole launch asks of L2 and DRAM, from the sample.
struct Traffic {
    std::vector<double> loaded, stored;  // bytes by buffer: each block's own sectors, over all blocks
    double atomic_turns = 0, hottest_unit_ns = 0;
};

// What atomics take of one unit of L2, over the blocks of the sample.
struct UnitTurns {
    double ns = 0;
    int blocks = 0, last_block = -1;
};

void add_turns(std::unordered_map<std::uint64_t, UnitTurns>& units, const WorkSample& work, const MemoryAccess& access,
               double weight, int block, const ModelParameters& gpu) {
    const auto lines_of_a_unit = static_cast<std::uint64_t>(std::max(1.0, gpu.atomic_unit_bytes / line_bytes));
    const LineTouch* first = work.lines.data() + access.first_line;
    for (int i = 0; i < access.lines; ++i) {
        UnitTurns& unit = units[first[i].line / lines_of_a_unit];
        const double turns = first[i].turns * gpu.atomic_turn_ns;
        unit.ns += weight * (access.adds_floats ? std::max(turns, first[i].same * gpu.atomic_address_ns) : turns);
        if (unit.last_block != block) ++unit.blocks;
        unit.last_block = block;
    }
}

Traffic traffic_of(const SampledLaunch& launch, const ModelParameters& gpu) {
    Traffic t;
    t.loaded.assign(launch.buffers.size(), 0);
    t.stored.assign(launch.buffers.size(), 0);
    const WorkSample& work = launch.work;
    const double scale =
        static_cast<double>(launch.blocks) / static_cast<double>(std::max<std::size_t>(1, work.blocks.size()));
    std::unordered_map<std::uint64_t, UnitTurns> atomics;
    int number = 0;
    for (const BlockWork& block : work.blocks) {
        ++number;
        for (const auto& warp : block.warps) {
            for (const MicroOp& op : warp) {
                if (op.access < 0) continue;
                const MemoryAccess& access = work.accesses[static_cast<std::size_t>(op.access)];
                if (op.unit == Unit::global_atomic) {
                    t.atomic_turns += access.turns * scale * block.left_out;
                    add_turns(atomics, work, access, block.left_out, number, gpu);
                }
                if (access.buffer < 0 || (op.unit != Unit::global_load && op.unit != Unit::global_store)) continue;
                double bytes = 0;
                for (int i = 0; i < access.lines; ++i)
                    bytes += __builtin_popcount(work.lines[access.first_line + static_cast<std::size_t>(i)].first) *
                             sector_bytes;
                (op.unit == Unit::global_load ? t.loaded : t.stored)[static_cast<std::size_t>(access.buffer)] +=
                    bytes * scale * block.left_out;
            }
        }
    }
    // What one block of several goes to is its own, and what several go to all do.
    for (const auto& [unit, on] : atomics)
        t.hottest_unit_ns = std::max(t.hottest_unit_ns, on.ns * (on.blocks > 1 || work.blocks.size() == 1 ? scale : 1));
    return t;
}

MachineSetup setup_of(const SampledLaunch& launch, bool is_first, const ModelParameters& gpu) {
    MachineSetup setup;
    setup.resident_blocks = std::max(1, launch.occupancy.blocks);
    setup.l1_bytes = launch.occupancy.l1_bytes;
    const Traffic t = traffic_of(launch, gpu);
    double loaded = 0, stored = 0, stored_sectors = 0;
    for (std::size_t b = 0; b < launch.buffers.size(); ++b) {
        const double footprint =
            static_cast<double>((launch.buffers[b].bytes + sector_bytes - 1) / sector_bytes * sector_bytes);
        const bool is_in_l2 = launch.written_before[b] && footprint < static_cast<double>(gpu.l2_bytes) / 2;
        setup.l2_hit.push_back(is_in_l2 ? 1 : std::max(0.0, 1 - footprint / std::max(t.loaded[b], 1.0)));
        setup.reads_all.push_back(t.loaded[b] > nearly_all * footprint);
        if (!is_in_l2) loaded += std::min(t.loaded[b], footprint);
        stored += std::min(t.stored[b], footprint);
        stored_sectors += t.stored[b];
    }
    // A sector that another block completes costs L2 more, and more still when it has left L2 by then.
    const Neighbours& n = launch.neighbours;
    // Blocks that all run at the same time walk through memory side by side.
    const bool is_one_wave = launch.blocks <= static_cast<std::uint64_t>(setup.resident_blocks) *
                                                  static_cast<std::uint64_t>(gpu.multiprocessors);
    const auto in_time = [&](double beside, const std::vector<Neighbours::Apart>& all) {
        double share = beside;
        for (const Neighbours::Apart& apart : all) {
            const double octaves =
                std::log2(std::max(apart.bytes, 1.0) / (near_share * static_cast<double>(gpu.l2_bytes))) /
                std::log2(far_share / near_share);
            share += apart.share * (is_one_wave ? 1 : 1 - std::clamp(octaves, 0.0, 1.0));
        }
        return share;
    };
    setup.open_sector_ps = gpu.l2_far_partial_ps * (1 - in_time(n.completed_beside, n.completed_apart));
    setup.filled_lines = in_time(n.filled_beside, n.filled_apart);
    setup.loads_continue = n.loads_continue > 0.5;
    setup.stores_continue = n.stores_continue > 0.5;
    // What a launch leaves in L2 is written to DRAM after it; what was left there before it, during it.
    const double left_behind = std::min(stored, gpu.dirty_bytes);
    const double found = is_first ? gpu.dirty_bytes * std::min(1.0, (loaded + stored) / flush_window) : 0;
    if (stored_sectors > 0) setup.dram_write_factor = (stored - left_behind) / stored_sectors;
    if (loaded > 0) setup.dram_read_factor = 1 + found / loaded;
    setup.write_share = (stored - left_behind + found) / std::max(stored - left_behind + found + loaded, 1.0);
    return setup;
}

// Cycles from block to block once the first ones are through and before the last ones run alone: the slope of a line
// through the ends.
double interval_of(const MachineRun& run, int resident) {
    std::vector<double> ends = run.block_end;
    std::sort(ends.begin(), ends.end());
    const std::size_t n = ends.size(), r = static_cast<std::size_t>(resident);
    if (n < 2 * r || n < 3) return run.cycles / static_cast<double>(n);
    const std::size_t first = r - 1, last = n >= 3 * r ? n - r - 1 : n - 1;
    if (last <= first) return run.cycles / static_cast<double>(n);
    const double count = static_cast<double>(last - first + 1), middle = 0.5 * static_cast<double>(first + last);
    double mean = 0, covariance = 0, variance = 0;
    for (std::size_t i = first; i <= last; ++i) mean += ends[i] / count;
    for (std::size_t i = first; i <= last; ++i) {
        const double x = static_cast<double>(i) - middle;
        covariance += x * (ends[i] - mean);
        variance += x * x;
    }
    return covariance / variance;
}

struct Extent {
    double blocks_each = 0;  // of each multiprocessor
    double left_out = 1;     // of the blocks' instructions: run over simulated
};

// Latency depends on how busy DRAM is, and that on how long the blocks take: runs until the two agree.
void settle(LaunchTime& one, const WorkSample& work, const std::vector<int>& order, const Extent& extent, int most,
            const ModelParameters& gpu) {
    const auto count = static_cast<double>(order.size());
    const bool is_whole = extent.blocks_each <= count;
    struct Pass {
        double excess = 0, cycles = 0, load = 0;  // excess: of the load that came of it over the one that was assumed
    };
    std::optional<Pass> below, above;  // the nearest on each side of where the two agree
    double dram_cycles = 0;
    for (int pass = 0; pass < most; ++pass) {
        one.run = run_multiprocessor(work, order, one.setup, gpu);
        const double interval = interval_of(one.run, one.setup.resident_blocks);
        const double load = is_whole ? one.run.dram / one.run.cycles : one.run.dram / count / interval;
        Pass now{
            load - one.setup.dram_load,
            (is_whole ? one.run.cycles : one.run.cycles + (extent.blocks_each - count) * interval) * extent.left_out,
            one.setup.dram_load};
        dram_cycles = one.run.dram / count * std::max(extent.blocks_each, is_whole ? count : 0.0) * extent.left_out;
        (now.excess > 0 ? below : above) = now;
        one.cycles = now.cycles;
        if (std::abs(now.excess) < close_enough) break;
        if (below && above) {
            const double share = below->excess / (below->excess - above->excess);
            one.cycles = below->cycles + share * (above->cycles - below->cycles);
            one.setup.dram_load = below->load + std::clamp(share, 0.1, 0.9) * (above->load - below->load);
        } else if (below) {
            if (below->load >= heaviest_load) break;
            one.setup.dram_load = std::min(below->load + 0.7 * below->excess, below->load > 0.8 ? heaviest_load : 0.9);
        } else {
            one.setup.dram_load = above->load + 0.7 * above->excess;
        }
    }
    one.cycles = std::max(one.cycles, dram_cycles);
}

// How blocks meet in time is partly chance, which a longer run evens out.
void settle(LaunchTime& one, const SampledLaunch& launch, const ModelParameters& gpu) {
    const WorkSample& work = launch.work;
    std::vector<int> order(work.blocks.size());
    std::iota(order.begin(), order.end(), 0);
    one.simulated_blocks = static_cast<int>(order.size());
    Extent extent{static_cast<double>(launch.blocks) / gpu.multiprocessors, 1};
    double operations = 1;
    for (const BlockWork& block : work.blocks) {
        extent.left_out = std::max(extent.left_out, block.left_out);
        for (const auto& warp : block.warps) operations += static_cast<double>(warp.size());
    }
    const bool is_compared = !(one.setup.what_if == WhatIf{});
    settle(one, work, order, extent, is_compared ? passes_to_compare : passes, gpu);
    if (is_compared) return;
    const double rounds =
        std::min({most_operations / operations, extent.blocks_each / static_cast<double>(order.size()), most_rounds});
    if (rounds < 2) return;
    std::vector<int> longer;
    for (int round = 0; round + 1 <= rounds; ++round) longer.insert(longer.end(), order.begin(), order.end());
    settle(one, work, longer, extent, longer_passes, gpu);
}

// How much longer a block that does more behind all others takes than one of them, each alone. What the others stored
// is in L2.
double cycles_of_last(const SampledLaunch& launch, MachineSetup setup, const ModelParameters& gpu) {
    if (launch.last.blocks.empty() || launch.work.blocks.empty()) return 0;
    setup.resident_blocks = 1;
    setup.dram_load = 0;
    const std::vector<double> stored = traffic_of(launch, gpu).stored;
    for (std::size_t b = 0; b < stored.size(); ++b)
        if (stored[b] > 0 && stored[b] < static_cast<double>(gpu.l2_bytes) / 2) setup.l2_hit[b] = 1;
    const auto alone = [&](const WorkSample& work) {
        return run_multiprocessor(work, {0}, setup, gpu).cycles * work.blocks.front().left_out;
    };
    return std::max(0.0, alone(launch.last) - alone(launch.work));
}

// A warp that runs on long after those beside it: one lane adds up what all have found. The share of its block's
// instructions that were looked at says nothing of it, and it has the multiprocessor to itself.
double cycles_of_longest(const SampledLaunch& launch, MachineSetup setup, const ModelParameters& gpu) {
    const int places = setup.resident_blocks;
    setup.resident_blocks = 1;
    setup.dram_load = 0;
    double longest = 0;
    std::size_t uneven_blocks = 0;
    for (const BlockWork& block : launch.work.blocks) {
        double most = 1;
        BlockWork alone;
        for (std::size_t w = 0; w < block.warps_left_out.size(); ++w) {
            if (block.warps_left_out[w] < uneven * block.left_out) continue;
            most = std::max(most, block.warps_left_out[w]);
            alone.warps.push_back(block.warps[w]);
        }
        if (alone.warps.empty()) continue;
        ++uneven_blocks;
        WorkSample work{{std::move(alone)}, launch.work.accesses, launch.work.lines, launch.work.registers};
        longest = std::max(longest, run_multiprocessor(work, {0}, setup, gpu).cycles * most);
    }
    if (2 * uneven_blocks <= launch.work.blocks.size()) return longest;
    return longest * std::ceil(static_cast<double>(launch.blocks) / (places * gpu.multiprocessors));
}

}  // namespace

PlanTime time_of(std::span<const SampledLaunch> launches, const ModelParameters& real_gpu, const WhatIf& what_if) {
    ModelParameters gpu = real_gpu;
    if (what_if.free_blocks) gpu.block_interval_ns = gpu.block_turnover = 0;
    if (what_if.more_in_flight)
        gpu.dram_latency = gpu.l2_latency = gpu.dram_queue_read = gpu.dram_queue_write = gpu.dram_spread = 0;
    if (what_if.free_instructions) gpu.issue_scale /= 4;
    PlanTime plan;
    for (const SampledLaunch& launch : launches) {
        LaunchTime one;
        one.setup = setup_of(launch, plan.launches.empty(), gpu);
        one.setup.what_if = what_if;
        if (what_if.ideal_stores) one.setup.open_sector_ps = 0;
        const Traffic t = traffic_of(launch, gpu);
        // Turns at one unit queue up behind each other, whoever takes them; units work side by side.
        if (t.atomic_turns > 0 && !what_if.free_atomics)
            one.setup.atomic_turn_cycles =
                gpu.cycles_of_ns(std::max(t.hottest_unit_ns / t.atomic_turns, 1 / gpu.atomic_lanes_per_ns)) *
                gpu.multiprocessors;
        settle(one, launch, gpu);
        one.cycles = std::max(one.cycles, cycles_of_longest(launch, one.setup, gpu));
        one.cycles += cycles_of_last(launch, one.setup, gpu);
        one.seconds = gpu.seconds_of(one.cycles) + (plan.launches.empty() ? gpu.launch_us : gpu.next_launch_us) * 1e-6;
        plan.seconds += one.seconds;
        plan.launches.push_back(std::move(one));
    }
    return plan;
}

}  // namespace warpgrade
