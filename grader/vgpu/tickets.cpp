#include "vgpu/tickets.hpp"

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
    const bool is_known = std::find(sample.tickets.begin(), sample.tickets.end(), address) != sample.tickets.end();
    if (!is_known && !sample.finds_tickets) return false;
    if (launch.counted.size() < most_places_counted)
        launch.counted.try_emplace(address, LaunchState::Counted{place, bytes, read(place, bytes)});
    if (is_known) {
        const std::uint64_t first = launch.counted.contains(address) ? launch.counted.at(address).value : 0;
        const auto [own, is_new] = block.tickets.try_emplace(address, first);
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
    w.block->tickets[address] = read(place, bytes) + static_cast<std::uint64_t>(change) * others;
}

void put_back_counted(LaunchState& launch) {
    const std::vector<std::uint64_t>& tickets = launch.options->sample->tickets;
    for (const auto& [address, word] : launch.counted)
        if (launch.drawn_from != 0 || std::find(tickets.begin(), tickets.end(), address) != tickets.end())
            std::memcpy(word.place, &word.value, word.bytes);
}

}  // namespace warpgrade::vgpu
