#include "vgpu/block_turns.hpp"

#include <algorithm>

#include "vgpu/clusters.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// What blocks start together: one by itself, or a cluster.
std::uint64_t units_of(const LaunchState& state) {
    const Sample* const sample = state.options->sample;
    if (sample != nullptr) return state.has_clusters ? state.first_of_clusters.size() : sample->blocks.size();
    return state.block_count / state.cluster.count();
}

// Of the launch's blocks as they are numbered along the grid, the first of a cluster.
std::uint64_t first_of_cluster(const LaunchState& state, std::uint64_t cluster) {
    const Dim3 grid = state.launch->grid, size = state.cluster;
    const std::uint64_t x = grid.x / size.x, y = grid.y / size.y;
    return cluster % x * size.x +
           grid.x * (cluster / x % y * size.y + std::uint64_t{grid.y} * (cluster / x / y * size.z));
}

std::size_t index_in(const Sample& sample, std::uint64_t block, std::uint64_t unit) {
    if (unit < sample.blocks.size() && sample.blocks[unit] == block) return unit;
    const auto found = std::ranges::find(sample.blocks, block);
    return found == sample.blocks.end() ? no_sample : static_cast<std::size_t>(found - sample.blocks.begin());
}

// The blocks that start next on one thread. Of a sample's cluster those that are not in it run unobserved.
std::vector<std::unique_ptr<BlockContext>> start_unit(BlockRunner& runner, LaunchState& state, std::uint64_t unit,
                                                      bool is_reversed,
                                                      std::vector<std::unique_ptr<BlockContext>>& free) {
    const Sample* const sample = state.options->sample;
    const std::uint64_t number = is_reversed ? units_of(state) - 1 - unit : unit;
    const std::uint64_t first = sample == nullptr    ? first_of_cluster(state, number)
                                : state.has_clusters ? state.first_of_clusters[unit]
                                                     : sample->blocks[unit];
    std::vector<std::unique_ptr<BlockContext>> blocks;
    for (const std::uint64_t linear : state.has_clusters ? blocks_of_cluster(state, first) : std::vector{first}) {
        std::unique_ptr<BlockContext> block = free.empty() ? runner.make_context() : std::move(free.back());
        if (!free.empty()) free.pop_back();
        block->in_sample = sample == nullptr ? no_sample : index_in(*sample, linear, unit);
        block->trace = block->in_sample != no_sample && sample->is_traced ? &state.traces[block->in_sample] : nullptr;
        runner.start(*block, linear);
        blocks.push_back(std::move(block));
    }
    if (state.has_clusters) seat_cluster(blocks);
    return blocks;
}

}  // namespace

void run_in_turn(Worker& worker, std::uint64_t resident, bool is_reversed) {
    LaunchState& state = *worker.launch;
    BlockRunner runner(worker);
    WaitingBlocks waiting;
    std::vector<std::unique_ptr<BlockContext>> free;
    const std::uint64_t count = units_of(state), size = state.has_clusters ? state.cluster.count() : 1;
    while (!state.is_stopped) {
        std::unique_ptr<BlockContext> block;
        const bool has_room = waiting.size() == 0 || waiting.size() + size <= resident;
        const bool may_start = has_room && state.next_block < count && (size == 1 || !waiting.has_ready());
        const std::uint64_t next = may_start ? state.next_block.fetch_add(1) : count;
        if (next < count) {
            worker.spend(size * state.block_work);
            auto blocks = start_unit(runner, state, next, is_reversed, free);
            if (state.options->schedule == 1) std::reverse(blocks.begin(), blocks.end());
            block = std::move(blocks.front());
            for (std::size_t i = 1; i < blocks.size(); ++i) waiting.add(std::move(blocks[i]));
        } else if (waiting.size() != 0) {
            block = waiting.take(worker);
            if (block == nullptr) break;
        } else {
            break;
        }
        const bool is_done = runner.run(*block);
        if (worker.need != nullptr) worker.need->mark(NeedStep::block_leaves, block->linear);
        if (block->in_sample != no_sample)
            state.block_instructions[block->in_sample] = static_cast<double>(block->clock);
        worker.longest_block = std::max(worker.longest_block, block->clock);
        if (is_done && block->seat != nullptr && !state.is_stopped) leave_cluster(worker, *block);
        if (is_done)
            free.push_back(std::move(block));
        else
            waiting.add(std::move(block));
    }
    state.work += static_cast<std::uint64_t>(worker.budget_given - worker.budget);
}

}  // namespace warpgrade::vgpu
