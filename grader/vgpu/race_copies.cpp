// Races of copies that run beside their threads: bulk copies and cp.async.
#include <algorithm>

#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

// A copy of many bytes is a touch of each word.
bool RaceTracker::pays_for(Warp& w, std::uint32_t bytes, unsigned unit_shift) {
    if (touches_left_ <= 0) return false;
    const std::uint64_t words = bytes >> unit_shift;
    w.extra_work += price::tracked_touch * words;
    touches_left_ -= static_cast<std::int64_t>(words);
    return true;
}

void RaceTracker::bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes) {
    if (!looks_at_global_ || !select_buffer(address) || !pays_for(w, bytes, unit_shift_)) return;
    Touch mine = touch_of(w, w.sites[in.site]);
    touch(w, in, w.sites[in.site], mine, lane, address, bytes);
}

// As a read of its own, which later stores have to be ordered after.
void RaceTracker::touch_source(Warp& w, const BulkStore& store) {
    if (!pays_for(w, store.bytes, w.unit_shift)) return;
    Inst in;
    in.site = store.site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[store.site]);
    mine.is_block_scope = false;
    mine.line = store.read.line;
    mine.column = store.read.column;
    mine.called_from = store.read.called_from;
    touch_shared(w, in, w.sites[store.site], mine, store.read.lane, store.from, store.bytes);
}

void RaceTracker::bulk_store(Warp& w, const Inst& in, int lane, std::uint32_t from, std::uint32_t bytes) {
    constexpr std::size_t most_stores = 4096;  // of a block, at once
    std::vector<BulkStore>& stores = w.block->clocks.bulk_stores;
    if (!looks_at_shared_ || !inside(from, bytes, 0, w.shared_bytes) || stores.size() >= most_stores) return;
    BulkStore store;
    store.read = touch_of(w, w.sites[in.site]);
    set_lane(w, store.read, lane);
    store.site = in.site;
    store.from = from;
    store.bytes = bytes;
    touch_source(w, store);
    stores.push_back(store);
}

void RaceTracker::bulk_commit(Warp& w) const {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    for (BulkStore& store : w.block->clocks.bulk_stores)
        if (store.read.warp == warp && (w.mask >> store.read.lane & 1) != 0) ++store.commits;
}

void RaceTracker::bulk_wait(Warp& w, std::uint32_t groups_left) {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    std::vector<BulkStore>& stores = w.block->clocks.bulk_stores;
    const auto done = std::stable_partition(stores.begin(), stores.end(), [&](const BulkStore& store) {
        return store.read.warp != warp || (w.mask >> store.read.lane & 1) == 0 || store.commits <= groups_left;
    });
    const std::vector<BulkStore> read(done, stores.end());
    stores.erase(done, stores.end());
    for (const BulkStore& store : read) touch_source(w, store);
}

void RaceTracker::tell_of_copies(Warp& w, int lane, std::uint32_t site, std::uint32_t to, std::uint32_t bytes,
                                 std::uint64_t mbarrier) {
    constexpr std::size_t most_copies = 256;  // of a block, at once
    ToldCopies& copies = w.block->clocks.told_copies;
    if (!looks_at_shared_ || touches_left_ <= 0 || copies.all().size() >= most_copies) return;
    ToldCopy copy{touch_of(w, w.sites[site]), to, bytes, mbarrier};
    set_lane(w, copy.write, lane);
    copies.add(copy);
}

void RaceTracker::waited_for_copies(Warp& w) const {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    w.block->clocks.told_copies.erase_if([&](const ToldCopy& copy) { return copy.write.warp == warp; });
}

void RaceTracker::look_for_told_copies(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset,
                                       std::uint32_t bytes) {
    for (const ToldCopy& copy : w.block->clocks.told_copies.all()) {
        if (offset >= std::uint64_t{copy.to} + copy.bytes || copy.to >= offset + bytes) continue;
        Finding* const f =
            begin_tracked_shared_race(w, site, mine.lane, std::max<std::uint64_t>(offset, copy.to), false);
        if (f == nullptr) continue;
        f->has_other = true;
        f->other_access = AccessKind::write;
        f->other = place_of(copy.write, launch_.launch->grid, launch_.launch->block);
    }
}

void RaceTracker::look_for_bulk_stores(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset,
                                       std::uint32_t bytes) {
    for (const BulkStore& store : w.block->clocks.bulk_stores) {
        if (offset >= std::uint64_t{store.from} + store.bytes || store.from >= offset + bytes) continue;
        Finding* const f =
            begin_tracked_shared_race(w, site, mine.lane, std::max<std::uint64_t>(offset, store.from), false);
        if (f == nullptr) continue;
        f->has_other = f->is_under_copy = true;
        f->other_access = AccessKind::read;
        f->other = place_of(store.read, launch_.launch->grid, launch_.launch->block);
    }
}

void RaceTracker::copy_begins(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes) {
    if (!looks_at_shared_ || !pays_for(w, bytes, w.unit_shift) || !inside(to, bytes, 0, w.shared_bytes)) return;
    Inst in;
    in.site = site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[site]);
    set_lane(w, mine, lane);
    mine.is_block_scope = false;
    mine.bytes = 0xFF;
    for (std::uint32_t unit = to >> w.unit_shift; unit < (to + bytes) >> w.unit_shift; ++unit)
        for (const Touch& read : w.block->clocks.words[unit].reads)
            if (may_meet(read, mine, true) && order_of(w, read, lane) == Order::none)
                report(w, in, w.sites[site], lane, to, read, true, false);
}

void RaceTracker::copied(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes, bool is_there) {
    if (!looks_at_shared_ || !pays_for(w, bytes, w.unit_shift)) return;
    copies_what_is_there_ = is_there;
    Inst in;
    in.site = site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[site]);
    mine.is_block_scope = false;
    touch_shared(w, in, w.sites[site], mine, lane, to, bytes);
}

}  // namespace warpgrade::vgpu
