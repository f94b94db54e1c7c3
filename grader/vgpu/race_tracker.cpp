#include "vgpu/race_tracker.hpp"

#include <algorithm>
#include <cstring>

#include "vgpu/old_values.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

std::uint64_t RaceTracker::first_warp(const Warp& w) const { return w.block->linear * warps_per_block_; }

bool RaceTracker::knows(const Knowledge& knowledge, const Warp& w, const Touch& earlier) const {
    const std::uint64_t warp = earlier.warp - 1, first = first_warp(w);
    if (warp >= first && warp < first + warps_per_block_)
        return !knowledge.own.empty() && knowledge.own[warp - first] >= earlier.clock;
    if (knowledge.foreign != nullptr && (*knowledge.foreign)[warp] >= earlier.clock) return true;
    if (knowledge.cluster.empty()) return false;
    const auto index = index_in_cluster(w, warp);
    return index && knowledge.cluster[*index] >= earlier.clock;
}

RaceTracker::Order RaceTracker::order_of(const Warp& w, const Touch& earlier, int lane) const {
    const WarpClock& clock = w.block->clocks.warps[w.index];
    if (earlier.warp - 1 == first_warp(w) + w.index) {
        const bool is_known = earlier.lane == lane || clock.lanes.is_ordered(lane, earlier.lane, earlier.step) ||
                              clock.lanes.learned[static_cast<std::size_t>(lane)] >= earlier.clock;
        return is_known ? Order::known : Order::none;
    }
    return knows(clock.knows, w, earlier)       ? Order::known
           : knows(clock.heard, w, earlier)     ? Order::heard_of
           : knows(clock.looked_up, w, earlier) ? Order::looked_up
                                                : Order::none;
}

bool RaceTracker::may_meet(const Touch& earlier, const Touch& mine, bool is_shared) const {
    if (earlier.warp == 0 || (earlier.bytes & mine.bytes) == 0) return false;
    const bool is_same_warp = earlier.warp == mine.warp;
    if (is_same_warp && (earlier.lane == mine.lane || earlier.is_mixed || earlier.instruction == mine.instruction))
        return false;
    if (earlier.is_strong && mine.is_strong) {
        const bool is_same_block = (earlier.warp - 1) / warps_per_block_ == (mine.warp - 1) / warps_per_block_;
        const bool is_wide_enough = is_same_block || (!earlier.is_block_scope && !mine.is_block_scope);
        // In step within a warp, and nothing else: the old way of reductions.
        const bool is_in_step = is_shared && is_same_warp && earlier.is_volatile && mine.is_volatile;
        if (is_wide_enough && !is_in_step) return false;
    }
    const bool is_first_look =
        (earlier.compares && mine.access == AccessKind::read) || (mine.compares && earlier.access == AccessKind::read);
    return !is_first_look;
}

void RaceTracker::note_write(TrackedWord& word, const Touch& mine) const {
    const Touch& last = word.write;
    if (!mine.is_strong) {
        // What it was not ordered after has been reported.
        word.plain = {};
        word.others = {};
    } else if (!last.is_strong) {
        if (last.warp != 0) word.plain = last;
    } else if (last.warp != mine.warp) {
        const bool is_same_block = (last.warp - 1) / warps_per_block_ == (mine.warp - 1) / warps_per_block_;
        word.others[is_same_block ? 0 : 1] = last;
        if (!is_same_block) word.others[0] = {};
    }
    word.write = mine;
}

bool RaceTracker::select_buffer(std::uint64_t address) {
    if (address >= low_ && address < high_) return is_tracked_;
    const int index = launch_.memory->find(address);
    if (index < 0) return false;
    const Buffer& b = launch_.memory->buffer(index);
    low_ = b.address;
    high_ = b.address + b.spec.bytes;
    unit_shift_ = b.spec.element_bytes == 1 ? 0 : b.spec.element_bytes == 2 ? 1 : 2;
    is_tracked_ = !b.spec.is_read_only;
    last_page_ = ~std::uint64_t{0};
    return is_tracked_;
}

// What a warp reads of the input is most of what many kernels touch.
bool RaceTracker::is_all_untracked(const Warp& w, const Site& site, const std::uint64_t* address,
                                   std::uint64_t offset) {
    const std::uint64_t first = address[__builtin_ctz(w.mask)] + offset;
    if (first >= kParamWindow || select_buffer(first) || !inside(first, site.width, low_, high_)) return false;
    for (std::uint32_t m = w.mask & (w.mask - 1); m != 0; m &= m - 1)
        if (!inside(address[__builtin_ctz(m)] + offset, site.width, low_, high_)) return false;
    return true;
}

TrackedWord* RaceTracker::find(std::uint64_t unit) {
    if (!watched_.empty() &&
        !std::binary_search(watched_.begin(), watched_.end(), unit << unit_shift_ & ~std::uint64_t{3}))
        return nullptr;
    const std::uint64_t page = page_of(unit, unit_shift_);
    if (page != last_page_) {
        if (most_pages_ != 0 && pages_.size() >= most_pages_ && !pages_.contains(page)) {
            has_left_out_ = true;
            return nullptr;
        }
        std::unique_ptr<Page>& found = pages_[page];
        if (found == nullptr) found = std::make_unique<Page>();
        page_ = found.get();
        last_page_ = page;
    }
    return &(*page_)[unit % kPageWords];
}

namespace {

// What a lane is about to store; null where that is more than one register.
const char* stored_value(const Warp& w, const Inst& in, const Site& site, int lane) {
    if (site.access != AccessKind::write || in.d[1] != 0 || site.is_copy) return nullptr;
    return w.base[in.d[0] & 1] + (in.d[0] >> 1) + lane * site.width;
}

}  // namespace

void RaceTracker::report(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address,
                         const Touch& earlier, bool is_shared, bool is_heard_of, bool is_looked_up) {
    bool is_same_value = is_shared && site.is_copy && earlier.access == AccessKind::write && copies_what_is_there_;
    const char* value = earlier.access == AccessKind::write ? stored_value(w, in, site, lane) : nullptr;
    BlockContext* const owner = is_shared ? owner_of_shared(w, address) : nullptr;
    if (value != nullptr && is_shared) {
        is_same_value = inside(address, site.width, 0, w.shared_bytes) &&
                        std::memcmp(owner->shared.data() + address, value, site.width) == 0;
    } else if (value != nullptr) {
        const Buffer& b = launch_.memory->buffer(launch_.memory->find(address));
        is_same_value = std::memcmp(b.data + (address - b.address), value, site.width) == 0;
    }
    const bool is_same_warp = earlier.warp - 1 == first_warp(w) + w.index;
    if (is_same_value && is_same_warp) return;
    Finding* f = is_shared ? begin_tracked_shared_race(w, site, lane, address, is_same_value)
                           : begin_global_race(w, site, lane, address, is_same_value, is_heard_of,
                                               (earlier.warp - 1) / warps_per_block_ != w.block->linear);
    if (f == nullptr) return;
    f->has_other = true;
    f->is_looked_up = is_looked_up;
    f->other_access = earlier.access;
    f->is_volatile = site.is_volatile && earlier.is_volatile;
    f->other = place_of(earlier, launch_.launch->grid, launch_.launch->block);
}

// Of no lane yet.
Touch RaceTracker::touch_of(const Warp& w, const Site& site) const {
    const WarpClock& clock = w.block->clocks.warps[w.index];
    Touch mine;
    mine.warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    mine.line = line_of(w, site);
    mine.column = static_cast<std::uint16_t>(site.line > 0 ? site.column : 0);
    mine.called_from = called_from(w, site);
    mine.access = site.access;
    mine.is_strong = site.is_atomic || site.is_volatile;
    mine.is_volatile = site.is_volatile && !site.is_atomic;
    mine.is_block_scope = site.is_block_scope;
    mine.compares = site.compares;
    mine.step = clock.lanes.step;
    mine.instruction = clock.instruction;
    return mine;
}

// A release counts the clock on, so that it is a lane's own.
void RaceTracker::set_lane(const Warp& w, Touch& mine, int lane) const {
    mine.lane = static_cast<std::uint8_t>(lane);
    mine.clock = w.block->clocks.warps[w.index].knows.own[w.index];
}

void RaceTracker::touch_word(Warp& w, const Inst& in, const Site& site, const Touch& mine, std::uint64_t at,
                             TrackedWord& word, std::uint64_t address, bool is_shared) {
    WarpClock& clock = w.block->clocks.warps[w.index];
    const bool writes = site.access != AccessKind::read;
    const Touch& last = word.write;
    // One more of the atomic operations that count in shared memory: they race with each other in no way, and nobody
    // else has been there.
    if (is_shared && site.access == AccessKind::atomic && site.is_atomic && !site.is_seen && last.is_strong &&
        word.plain.warp == 0 && word.reads[0].warp == 0 && word.reads[1].warp == 0) {
        if (last.warp != mine.warp) word.others[0] = last;
        word.write = mine;
        ++word.version;
        return;
    }
    // What it saw by an atomic or a volatile access came before, at this place.
    const auto seen = last.is_strong ? clock.seen.find(at) : clock.seen.end();
    const bool is_seen = seen != clock.seen.end() && seen->second == word.version;
    bool has_raced = false;
    // Two lanes, one store, different values: one of them is left.
    const bool is_one_store = writes && !mine.is_strong && last.warp == mine.warp &&
                              last.instruction == mine.instruction && last.lane != mine.lane &&
                              (last.bytes & mine.bytes) != 0;
    if (is_one_store && is_shared) {
        const char *one = stored_value(w, in, site, last.lane), *other = stored_value(w, in, site, mine.lane);
        if (one != nullptr && std::memcmp(one, other, site.width) != 0)
            report(w, in, site, mine.lane, address, last, is_shared, false);
    } else if (may_meet(last, mine, is_shared)) {
        const Order order = order_of(w, last, mine.lane);
        const bool may_be_early = !is_shared && !writes && !site.is_past_cache;
        const bool may_be_old = may_be_early && order == Order::heard_of && word.has_copies;
        const bool is_looked_up = may_be_early && order == Order::looked_up && !mine.is_strong;
        if (!is_seen && (order == Order::none || may_be_old || is_looked_up))
            report(w, in, site, mine.lane, address, last, is_shared, may_be_old, is_looked_up);
        has_raced = order == Order::none || is_looked_up;
    }
    // Atomic operations order nothing by themselves: what was before the last of them still has to be known.
    for (const Touch* t : {&word.plain, &word.others[0], &word.others[1]}) {
        if (has_raced || is_seen || !may_meet(*t, mine, is_shared) || order_of(w, *t, mine.lane) != Order::none)
            continue;
        report(w, in, site, mine.lane, address, *t, is_shared, false);
        has_raced = true;
    }
    if (!writes) {
        if (mine.is_strong) clock.seen[at] = word.version;
        // The new reader stands for every one it knows of; of two others the later one goes.
        const bool is_first = word.reads[0].warp == 0 || order_of(w, word.reads[0], mine.lane) == Order::known;
        word.reads[is_first ? 0 : 1] = mine;
        return;
    }
    for (const Touch& t : word.reads) {
        if (may_meet(t, mine, is_shared) && order_of(w, t, mine.lane) == Order::none)
            report(w, in, site, mine.lane, address, t, is_shared, false);
        word.has_copies = word.has_copies || (t.warp != 0 && !t.is_strong);
    }
    const bool adds_bytes = last.warp == mine.warp && last.clock == mine.clock && (last.bytes & ~mine.bytes) != 0;
    const std::uint8_t before = adds_bytes ? last.bytes : 0;
    const bool is_mixed = adds_bytes && (last.is_mixed || last.lane != mine.lane);
    note_write(word, mine);
    word.write.bytes |= before;
    word.write.is_mixed = is_mixed;
    word.reads = {};
    ++word.version;
    if (mine.is_strong && site.is_seen && site.access == AccessKind::atomic) clock.seen[at] = word.version;
}

void RaceTracker::touch(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t address,
                        std::uint32_t bytes) {
    if (!select_buffer(address) || !inside(address, bytes, low_, high_)) return;
    if (looks_at_global_) --touches_left_;
    const bool is_strong = site.is_atomic || site.is_volatile;
    const bool may_get_old_value = old_values_ != nullptr && is_strong && site.access == AccessKind::read;
    if (may_get_old_value && look_for_old_values(w, site, mine, lane, address, bytes)) return;
    if (is_strong) strong_access(w, site, lane, places_[address], false);
    if (!looks_at_global_) return;
    w.worker->spend(price::tracked_touch);
    set_lane(w, mine, lane);
    if (old_values_ != nullptr && old_values_->tries() && site.access != AccessKind::read)
        for (std::uint64_t word = address & ~std::uint64_t{3}; word < address + bytes; word += 4)
            if (const char* at = word_at(word)) {
                std::uint32_t before = 0;
                std::memcpy(&before, at, 4);
                old_values_->store(word, before, mine);
            }
    const std::uint64_t size = std::uint64_t{1} << unit_shift_;
    for (std::uint64_t at = address & ~(size - 1); at < address + bytes; at += size) {
        TrackedWord* word = find(at >> unit_shift_);
        if (word == nullptr) continue;
        mine.bytes = 0;
        for (std::uint64_t k = 0; k < size; ++k) {
            if (at + k >= address && at + k < address + bytes) mine.bytes |= static_cast<std::uint8_t>(1u << k);
        }
        if (old_values_ != nullptr && site.is_used) look_for_draws(w, mine, *word);
        if (!held_.empty() && site.access != AccessKind::read) look_for_late_changes(w, site, mine, *word, address);
        touch_word(w, in, site, mine, at, *word, address, false);
    }
}

void RaceTracker::touch_shared(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t offset,
                               std::uint32_t bytes) {
    BlockContext* const owner = owner_of_shared(w, offset);
    if (owner == nullptr || !inside(offset, bytes, 0, w.shared_bytes)) return;
    BlockClocks& clocks = owner->clocks;
    const bool is_own = owner == w.block;
    if (site.is_atomic || site.is_volatile) {
        // Where nothing was ever left, and nothing is left now, there is nothing to learn.
        const bool leaves_something = site.access != AccessKind::read &&
                                      (site.is_release || !w.block->clocks.warps[w.index].fenced_in_block.own.empty());
        if (leaves_something || !clocks.places.empty())
            strong_access(w, site, lane, clocks.place_at(offset), !is_in_cluster_of_many(w));
    }
    if (!looks_at_shared_) return;
    w.worker->spend(price::tracked_touch);
    --touches_left_;
    set_lane(w, mine, lane);
    if (is_own && !clocks.told_copies.leave_alone(offset, bytes)) look_for_told_copies(w, site, mine, offset, bytes);
    if (is_own && !clocks.bulk_stores.empty() && site.access != AccessKind::read)
        look_for_bulk_stores(w, site, mine, offset, bytes);
    // What a warp has seen there is not what it has seen in its own block's.
    const std::uint64_t seen_at = is_own ? 0 : std::uint64_t{owner->seat->rank + 1} << kRankShift;
    const std::uint64_t size = std::uint64_t{1} << w.unit_shift;
    mine.bytes = 0xFF;
    for (std::uint64_t at = offset & ~(size - 1); at < offset + bytes; at += size)
        touch_word(w, in, site, mine, seen_at | at, clocks.words[at >> w.unit_shift], seen_at | offset, true);
}

// Lanes between the first and the last that ask by a strong load for one word of shared memory, where the last store
// was strong: what the first has seen all have seen, and of those who looked two are remembered.
std::uint32_t RaceTracker::lanes_without_news(Warp& w, const Site& site, const std::uint64_t* address,
                                              std::uint64_t offset) {
    if (!looks_at_shared_ || site.access != AccessKind::read || (!site.is_atomic && !site.is_volatile)) return 0;
    const int first = __builtin_ctz(w.mask), last = 31 - __builtin_clz(w.mask);
    const std::uint32_t between = w.mask & ~(1u << first) & ~(1u << last);
    const std::uint64_t at = address[first] + offset;
    const bool is_generic = static_cast<ptx::Space>(site.space) != ptx::Space::shared;
    if (between == 0 || (is_generic && !is_near(at, kSharedWindow))) return 0;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1)
        if (address[__builtin_ctz(m)] != address[first]) return 0;
    const std::uint64_t place = is_generic ? at - kSharedWindow : shared_offset(at);
    if (!inside(place, site.width, 0, w.shared_bytes)) return 0;
    BlockClocks& clocks = w.block->clocks;
    const std::uint64_t size = std::uint64_t{1} << w.unit_shift;
    for (std::uint64_t word = place & ~(size - 1); word < place + site.width; word += size)
        if (!clocks.words[word >> w.unit_shift].write.is_strong) return 0;
    const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(between));
    w.worker->spend(price::tracked_touch * lanes);
    touches_left_ -= lanes;
    const OrderPlace& order = clocks.place_at(place);
    if (order.block != w.block->linear || order.in_block.own.empty()) return between;
    for (std::uint32_t m = between; m != 0; m &= m - 1) {
        std::uint32_t& learned = clocks.warps[w.index].lanes.learned[static_cast<std::size_t>(__builtin_ctz(m))];
        learned = std::max(learned, order.in_block.own[w.index]);
    }
    return between;
}

void RaceTracker::access(Warp& w, const Inst& in, const Site& site) {
    if (w.mask == 0) return;
    const auto space = static_cast<ptx::Space>(site.space);
    if (space != ptx::Space::shared && space != ptx::Space::global && space != ptx::Space::generic) return;
    ++w.block->clocks.warps[w.index].instruction;
    // cp.async keeps its global address in b, and its offset in d[3].
    const std::uint64_t* address = reg<std::uint64_t>(w, site.is_copy ? in.b : in.a);
    const std::uint64_t offset =
        site.is_copy ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(in.d[3])))
                     : static_cast<std::uint64_t>(in.imm);
    w.worker->spend(price::spread_row);
    if (space != ptx::Space::shared && is_all_untracked(w, site, address, offset)) return;
    Touch mine = touch_of(w, site);
    Touch of_block = mine;  // in shared memory there is no other scope
    of_block.is_block_scope = false;
    for (std::uint32_t m = w.mask & ~lanes_without_news(w, site, address, offset); m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint64_t at = address[lane] + offset;
        if (space == ptx::Space::shared)
            touch_shared(w, in, site, of_block, lane, shared_offset(at), site.width);
        else if (at < kParamWindow)
            touch(w, in, site, mine, lane, at, site.width);
        else if (is_near(at, kSharedWindow))
            touch_shared(w, in, site, of_block, lane, at - kSharedWindow, site.width);
    }
}

}  // namespace warpgrade::vgpu
