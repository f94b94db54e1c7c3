// What orders accesses: barriers, fences, and what strong accesses leave and learn at a place.
#include <algorithm>
#include <array>

#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

void RaceTracker::join(SharedClocks& into, const SharedClocks& from) const {
    if (from == nullptr || from == into) return;
    if (into == nullptr) {
        into = from;
        return;
    }
    if (into.use_count() > 1) into = std::make_shared<std::vector<std::uint32_t>>(*into);
    for (std::size_t i = 0; i < into->size(); ++i) (*into)[i] = std::max((*into)[i], (*from)[i]);
}

void RaceTracker::join(Knowledge& into, const Knowledge& from) const {
    if (into.own.empty()) into.own = from.own;
    for (std::size_t i = 0; i < from.own.size(); ++i) into.own[i] = std::max(into.own[i], from.own[i]);
    join(into.foreign, from.foreign);
    if (into.cluster.empty()) into.cluster = from.cluster;
    for (std::size_t i = 0; i < from.cluster.size(); ++i) into.cluster[i] = std::max(into.cluster[i], from.cluster[i]);
}

void RaceTracker::fence(Warp& w, bool is_of_block) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (const Knowledge* heard : {&clock.heard, &clock.looked_up})
        join(clock.knows, is_of_block ? Knowledge{heard->own, nullptr, {}} : *heard);
    clock.fenced_in_block = clock.knows;
    if (!is_of_block) {
        clock.fenced = clock.knows;
        clock.heard = {};
        clock.looked_up = {};
    }
    ++clock.knows.own[w.index];
}

void RaceTracker::lanes_met(Warp& w, std::uint32_t lanes) const {
    w.block->clocks.warps[w.index].lanes.meet(lanes, w.alive);
}

void RaceTracker::arrive(Warp& w, BarrierKnowledge& barrier) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    join(barrier.knows, clock.knows);
    join(barrier.heard, clock.heard);
    join(barrier.looked_up, clock.looked_up);
    join(barrier.fenced, clock.fenced);
    join(barrier.fenced_in_block, clock.fenced_in_block);
    ++clock.knows.own[w.index];
}

void RaceTracker::leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    join(clock.knows, barrier.knows);
    join(clock.heard, barrier.heard);
    join(clock.looked_up, barrier.looked_up);
    join(clock.fenced, barrier.fenced);
    join(clock.fenced_in_block, barrier.fenced_in_block);
    clock.lanes.meet(lanes, w.alive);
}

namespace {

constexpr std::array<Knowledge WarpClock::*, 5> of_warp{&WarpClock::knows, &WarpClock::heard, &WarpClock::looked_up,
                                                        &WarpClock::fenced, &WarpClock::fenced_in_block};
constexpr std::array<Knowledge BarrierKnowledge::*, 5> of_barrier{
    &BarrierKnowledge::knows, &BarrierKnowledge::heard, &BarrierKnowledge::looked_up, &BarrierKnowledge::fenced,
    &BarrierKnowledge::fenced_in_block};

}  // namespace

void RaceTracker::arrive(Warp& w, BarrierKnowledge& barrier, std::uint32_t rank, std::size_t blocks) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        Knowledge given = clock.*of_warp[i];
        if (given.own.empty() && given.cluster.empty() && given.foreign == nullptr) continue;
        given.cluster.resize(blocks * warps_per_block_);
        for (std::size_t k = 0; k < given.own.size(); ++k) {
            std::uint32_t& known = given.cluster[rank * warps_per_block_ + k];
            known = std::max(known, given.own[k]);
        }
        given.own.clear();
        join(barrier.*of_barrier[i], given);
    }
    ++clock.knows.own[w.index];
}

void RaceTracker::leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t rank, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Knowledge& given = barrier.*of_barrier[i];
        Knowledge& into = clock.*of_warp[i];
        join(into, given);
        if (given.cluster.empty()) continue;
        into.own.resize(warps_per_block_);
        for (std::size_t k = 0; k < into.own.size(); ++k)
            into.own[k] = std::max(into.own[k], given.cluster[rank * warps_per_block_ + k]);
    }
    clock.lanes.meet(lanes, w.alive);
}

std::optional<std::size_t> RaceTracker::index_in_cluster(const Warp& w, std::uint64_t warp) const {
    const ClusterSeat* const seat = w.block->seat.get();
    if (seat == nullptr) return std::nullopt;
    const auto& blocks = seat->cluster->linear_index;
    const auto found = std::find(blocks.begin(), blocks.end(), warp / warps_per_block_);
    if (found == blocks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - blocks.begin()) * warps_per_block_ + warp % warps_per_block_;
}

void RaceTracker::arrive_at(Warp& w, std::uint64_t place) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    OrderPlace& order = w.block->clocks.places[place];
    order.block = w.block->linear;
    join(order.in_phase, clock.knows);
    ++clock.knows.own[w.index];
}
void RaceTracker::completed_at(Warp& w, std::uint64_t place) const {
    OrderPlace& order = w.block->clocks.places[place];
    join(order.in_block, order.in_phase);
    order.in_phase = {};
    ++order.version;
}

void RaceTracker::waited_at(Warp& w, std::uint64_t place, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    w.block->clocks.told_copies.erase_if([&](const ToldCopy& copy) { return copy.mbarrier == place; });
    const OrderPlace& order = w.block->clocks.places[place];
    if (order.in_block.own.empty()) return;
    join(clock.knows, order.in_block);
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        std::uint32_t& learned = clock.lanes.learned[static_cast<std::size_t>(__builtin_ctz(m))];
        learned = std::max(learned, order.in_block.own[w.index]);
    }
}

void RaceTracker::learn(Warp& w, const OrderPlace& place, Knowledge& into, bool is_block_scope) const {
    if (!is_block_scope && place.clocks != nullptr) {
        join(into.foreign, place.clocks);
        const std::uint64_t first = first_warp(w);
        if (into.own.empty()) into.own.assign(warps_per_block_, 0);
        for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
            if (i != w.index) into.own[i] = std::max(into.own[i], (*place.clocks)[first + i]);
        }
    }
    if (place.block != w.block->linear || place.in_block.own.empty()) return;
    const std::uint32_t mine = into.own.empty() ? 0 : into.own[w.index];
    join(into, place.in_block);
    into.own[w.index] = mine;
}

void RaceTracker::publish(Warp& w, OrderPlace& place, const Site& site, bool is_shared) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    const Knowledge& to_block = site.is_release ? clock.knows : clock.fenced_in_block;
    if (!to_block.own.empty()) {
        if (place.block != w.block->linear) place.in_block = {};
        place.block = w.block->linear;
        join(place.in_block, to_block);
        ++place.version;
    }
    const Knowledge& to_all = site.is_release ? clock.knows : clock.fenced;
    if (!is_shared && !site.is_block_scope && !to_all.own.empty() && warp_count_ <= 4 * kMostWarps) {
        if (place.clocks == nullptr)
            place.clocks = std::make_shared<std::vector<std::uint32_t>>(warp_count_, 0);
        else if (place.clocks.use_count() > 1)
            place.clocks = std::make_shared<std::vector<std::uint32_t>>(*place.clocks);
        join(place.clocks, to_all.foreign);
        const std::uint64_t first = first_warp(w);
        for (std::uint32_t i = 0; i < warps_per_block_; ++i)
            (*place.clocks)[first + i] = std::max((*place.clocks)[first + i], to_all.own[i]);
        for (std::size_t i = 0; i < to_all.cluster.size(); ++i) {
            const std::uint64_t block = w.block->seat->cluster->linear_index[i / warps_per_block_];
            std::uint32_t& known = (*place.clocks)[block * warps_per_block_ + i % warps_per_block_];
            known = std::max(known, to_all.cluster[i]);
        }
        ++place.version;
    }
    if (site.is_release) ++clock.knows.own[w.index];
}

void RaceTracker::strong_access(Warp& w, const Site& site, int lane, OrderPlace& place, bool is_shared) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    if (site.access != AccessKind::write) {
        if (place.block == w.block->linear && !place.in_block.own.empty()) {
            std::uint32_t& learned = clock.lanes.learned[static_cast<std::size_t>(lane)];
            learned = std::max(learned, place.in_block.own[w.index]);
        }
        if (site.is_acquire || clock.learned_from != &place || clock.learned_version != place.version) {
            const bool looks_up = !is_shared && site.access == AccessKind::read;
            learn(w, place,
                  site.is_acquire ? clock.knows
                  : looks_up      ? clock.looked_up
                                  : clock.heard,
                  site.is_block_scope);
            clock.learned_from = &place;
            clock.learned_version = place.version;
        }
    }
    if (site.access != AccessKind::read) publish(w, place, site, is_shared);
}

}  // namespace warpgrade::vgpu
