// Runs that are tried: a load gets an old value, a block is held back after it has counted (old_values.hpp).
#include <cstring>
#include <utility>

#include "vgpu/old_values.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

// A word of the buffer looked at last; null where it is not all there.
char* RaceTracker::word_at(std::uint64_t address) const {
    if (!inside(address, 4, low_, high_)) return nullptr;
    const Buffer& b = launch_.memory->buffer(launch_.memory->find(address));
    return b.spec.contents ? nullptr : reinterpret_cast<char*>(b.data) + (address - b.address);
}

bool RaceTracker::look_for_old_values(Warp& w, const Site& site, const Touch& mine, int lane, std::uint64_t address,
                                      std::uint32_t bytes) {
    if ((address & 3) != 0 || (bytes & 3) != 0) return false;
    const SourceSite place{mine.line, mine.column, mine.called_from};
    const auto is_unordered = [&](const Touch& store) {
        return store.warp != 0 && store.is_strong && (store.warp - 1) / warps_per_block_ != w.block->linear &&
               order_of(w, store, lane) == Order::none;
    };
    if (!old_values_->tries()) {
        for (std::uint64_t at = address; at < address + bytes; at += std::uint64_t{1} << unit_shift_) {
            const TrackedWord* word = find(at >> unit_shift_);
            if (word != nullptr && is_unordered(word->write)) old_values_->note(place);
        }
        return false;
    }
    std::vector<std::uint64_t> words;
    for (std::uint64_t at = address; at < address + bytes; at += 4) words.push_back(at);
    const bool is_tried = old_values_->tries(place);
    Touch missed;
    const auto old = old_values_->read(
        mine.warp, words, [&](const Touch& store) { return is_tried && is_unordered(store); }, missed);
    for (const auto& [word, value] : old) {
        char* const at = word_at(word);
        if (at == nullptr) continue;
        std::uint32_t now = 0;
        std::memcpy(&now, at, 4);
        put_back_.emplace_back(at, now);
        has_more_to_do_ = true;
        std::memcpy(at, &value, 4);
    }
    if (old.empty() || old_value_) return !old.empty();
    old_value_ = race_at(w, site, lane, address);
    old_value_->has_other = true;
    old_value_->is_tried = true;
    old_value_->other_access = missed.access;
    old_value_->other = place_of(missed, launch_.launch->grid, launch_.launch->block);
    return true;
}

bool RaceTracker::holds_back() const { return !held_.empty(); }

// Who draws first need not go on first.
void RaceTracker::look_for_draws(Warp& w, const Touch& mine, const TrackedWord& word) {
    const SourceSite place{mine.line, mine.column, mine.called_from};
    if (!old_values_->tries()) {
        const std::set<int>* const lines = launch_.options->drawing_lines;
        if (lines != nullptr && !lines->contains(mine.line)) return;
        const Touch& last = word.write;
        const bool is_other_block = last.warp != 0 && (last.warp - 1) / warps_per_block_ != w.block->linear;
        if (is_other_block && last.is_strong && order_of(w, last, mine.lane) == Order::none)
            old_values_->note_draw(place);
    } else if (old_values_->tries(place) && held_.try_emplace(w.block->linear, mine).second) {
        holds_now_ = has_more_to_do_ = true;
    }
}

void RaceTracker::look_for_late_changes(Warp& w, const Site& site, const Touch& mine, const TrackedWord& word,
                                        std::uint64_t address) {
    if (old_value_) return;
    const auto held = held_.find(w.block->linear);
    if (held == held_.end()) return;
    const Touch& draw = held->second;
    if (mine.line == draw.line && mine.column == draw.column) return;
    const auto is_by_other = [&](const Touch& touch) {
        return touch.warp != 0 && (touch.warp - 1) / warps_per_block_ != w.block->linear &&
               order_of(w, touch, mine.lane) == Order::none;
    };
    if (!is_by_other(word.write) && !is_by_other(word.reads[0]) && !is_by_other(word.reads[1])) return;
    old_value_ = race_at(w, site, mine.lane, address);
    old_value_->has_other = true;
    old_value_->is_held_back = true;
    old_value_->other_access = draw.access;
    old_value_->other = place_of(draw, launch_.launch->grid, launch_.launch->block);
}

bool RaceTracker::finish(Warp& w) {
    put_back();
    has_more_to_do_ = false;
    // What is left of an instruction that only some lanes do, or some strands, is not kept apart.
    return std::exchange(holds_now_, false) && w.block->warps[w.index].strands.size() == 1;
}

void RaceTracker::put_back() {
    for (auto at = put_back_.rbegin(); at != put_back_.rend(); ++at) std::memcpy(at->first, &at->second, 4);
    put_back_.clear();
}

std::vector<SourceSite> RaceTracker::may_be_old() const {
    if (old_values_ == nullptr) return {};
    std::vector<SourceSite> sites = old_values_->noted();
    const std::vector<SourceSite>& draws = old_values_->noted_draws();
    sites.insert(sites.end(), draws.begin(), draws.end());
    return sites;
}

}  // namespace warpgrade::vgpu
