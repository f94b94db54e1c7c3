#include "vgpu/work_counters.hpp"

#include <algorithm>
#include <cstring>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Words that are looked at: sums and counts that are no tickets may be many.
constexpr std::size_t most_places_counted = 4096;

std::uint64_t read(const char* place, std::uint32_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, place, bytes);
    return value;
}

}  // namespace

bool is_sampled(const Warp& w) { return w.worker->launch->options->sample != nullptr; }

bool begin_draw(Warp& w, std::uint32_t site, std::uint64_t address, char* place, std::uint32_t bytes,
                std::int64_t change) {
    LaunchState& launch = *w.worker->launch;
    BlockContext& block = *w.block;
    const Sample& sample = *launch.options->sample;
    const bool is_known =
        std::find(sample.work_counters.begin(), sample.work_counters.end(), address) != sample.work_counters.end();
    if (!is_known && !sample.finds_work_counters) return false;
    if (launch.counted.size() < most_places_counted)
        launch.counted.try_emplace(address, LaunchState::Counted{place, bytes, read(place, bytes)});
    if (is_known) {
        const std::uint64_t first = launch.counted.contains(address) ? launch.counted.at(address).value : 0;
        const auto [own, is_new] = block.work_counters.try_emplace(address, first);
        if (is_new) own->second += static_cast<std::uint64_t>(change) * block.linear;
        std::memcpy(place, &own->second, bytes);
        return true;
    }
    if (change == 0) return false;
    const auto [draw, is_first] = block.draws.try_emplace({w.index, site}, address);
    if (!is_first && draw->second == address) {
        launch.drawn_from = address;
        w.stop = 1;
    } else if (!is_first) {
        draw->second = 0;  // now here, now there: a histogram
    }
    return false;
}

void end_draw(Warp& w, std::uint64_t address, const char* place, std::uint32_t bytes, std::int64_t change) {
    const std::uint64_t others = w.worker->launch->block_count - 1;
    w.yields = w.block->has_drawn = true;
    w.block->work_counters[address] = read(place, bytes) + static_cast<std::uint64_t>(change) * others;
}

void put_back_counted(LaunchState& launch) {
    const std::vector<std::uint64_t>& work_counters = launch.options->sample->work_counters;
    for (const auto& [address, word] : launch.counted)
        if (launch.drawn_from != 0 ||
            std::find(work_counters.begin(), work_counters.end(), address) != work_counters.end())
            std::memcpy(word.place, &word.value, word.bytes);
}

}  // namespace warpgrade::vgpu
