// Races by the stamps of shared memory's words and the block tags in memory's shadow.
#include "vgpu/access_findings.hpp"
#include "vgpu/clusters.hpp"
#include "vgpu/race_tracker.hpp"

namespace warpgrade::vgpu {

void check_shared_race(Warp& w, const Inst& in, int lane, std::uint32_t unit, std::uint32_t other, bool other_is_write,
                       bool is_write, bool same_value) {
    const Site& site = w.sites[in.site];
    if (!w.worker->launch->finds_races_by_stamps || !site.checks_races) return;
    const std::uint32_t sequence = other >> kStampShift, kind = other & kStampKind;
    const std::uint32_t other_warp = (other >> 5) & 31, other_lane = other & 31;
    const bool is_same_warp = other_warp == w.index && (other_is_write || kind != kManyWarps);
    // Inside a warp, __syncwarp orders; and what one instruction did to several lanes' words is one event.
    if (is_same_warp && sequence < w.sync_floor) return;
    if (is_same_warp && other_is_write && kind == kAtomicStamp && site.is_atomic) return;
    if (is_same_warp && !other_is_write && kind == 0 && other_lane == static_cast<std::uint32_t>(lane)) return;
    if (other_is_write && kind == kAtomicStamp && site.is_atomic) return;
    if (is_same_warp && other_is_write && is_write && same_value) return;
    // The plain read that a loop round a compare-and-swap begins with.
    const bool is_first_look = w.worker->launch->code->compares_and_swaps &&
                               ((!is_write && kind == kAtomicStamp) || (site.compares && !other_is_write));
    if (is_first_look) return;
    const std::uint64_t address = static_cast<std::uint64_t>(unit) << w.unit_shift;
    if (leaves_array(*w.worker, site, address))
        return tell_shared_bounds(w, site, place_of(w, lane, site), address, site.width);
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_shared, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    if (!is_new) return;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    describe_shared(f, *w.worker, address, 1u << w.unit_shift);
    f.width_bytes = site.width;
    f.is_volatile = site.is_volatile;
    f.is_same_value = same_value && other_is_write && is_write;
    f.has_other = true;
    f.other_access = !other_is_write ? AccessKind::read : kind == kAtomicStamp ? AccessKind::atomic : AccessKind::write;
    const std::uint32_t thread = other_warp * 32 + other_lane;
    const Dim3 size = w.worker->launch->launch->block;
    f.other.block = w.block->index;
    f.other.thread = {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
    const auto& sites = other_is_write ? w.block->written_site : w.block->read_site;
    if (!sites.empty()) {
        const Site& from = w.sites[sites[unit]];
        f.other.line = from.line;
        f.other.column = from.column;
        f.other.called_from = from.outer_line == from.line ? 0 : from.outer_line;
        f.is_volatile = f.is_volatile && from.is_volatile;
    }
}

Finding* begin_tracked_shared_race(Warp& w, const Site& site, int lane, std::uint64_t offset, bool same_value) {
    if (leaves_array(*w.worker, site, offset)) {
        tell_shared_bounds(w, site, place_of(w, lane, site), offset, site.width);
        return nullptr;
    }
    const bool is_write = site.access != AccessKind::read;
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_shared, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    if (!is_new && (!f.is_same_value || same_value)) return nullptr;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    f.is_same_value = same_value;
    describe_shared(f, *w.worker, offset, site.width);
    return &f;
}

Finding* begin_global_race(Warp& w, const Site& site, int lane, std::uint64_t address, bool same_value, bool may_be_old,
                           bool is_across) {
    const bool is_write = site.access != AccessKind::read;
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_global, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    f.crosses_blocks |= is_across;
    const bool is_mild = same_value || may_be_old;
    if (!is_new && (is_mild || (!f.is_same_value && !f.may_be_old))) return nullptr;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    f.is_same_value = same_value;
    f.may_be_old = may_be_old;
    describe_global(f, *w.worker, address, site.width);
    return &f;
}

Finding race_at(Warp& w, const Site& site, int lane, std::uint64_t address) {
    Finding f;
    f.kind = FindingKind::race_global;
    f.access = site.access;
    f.kernel = w.worker->launch->code->display_name;
    f.place = place_of(w, lane, site);
    f.is_volatile = site.is_volatile;
    describe_global(f, *w.worker, address, site.width);
    return f;
}

void check_global_race(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t other_shadow,
                       bool is_write, bool same_value) {
    const LaunchState& launch = *w.worker->launch;
    if (!launch.options->check_races || launch.is_host) return;
    const std::uint32_t tag = other_shadow >> kTagShift;
    const std::uint64_t other_block = tag - launch.first_tag;
    const Site& site = w.sites[in.site];
    if (tag != w.tag) {
        if (launch.races != nullptr && !launch.races->is_of_part()) return;    // knows better
        if (are_of_one_cluster(launch, w.block->linear, other_block)) return;  // a barrier may be between them
        // Ordered: the other block has had a fence, and this one has looked at something by an atomic or a volatile
        // access.
        if (other_block < launch.published.size() && launch.published[other_block] && w.block->has_seen_atomic) return;
        if (site.is_volatile && !is_write && launch.code->has_global_atomics) return;  // a flag being polled
        if (!is_write && launch.code->compares_and_swaps) return;  // the first look of a loop round a compare-and-swap
    }
    Finding* f = begin_global_race(w, site, lane, address, same_value, false, tag != w.tag);
    if (f == nullptr) return;
    f->other_access = AccessKind::write;
    if (tag == w.tag) return;  // another lane of the same store
    f->has_other = true;
    const Dim3 grid = launch.launch->grid;
    if (tag >= launch.first_tag && other_block < launch.block_count) {
        f->other.block = {static_cast<std::uint32_t>(other_block % grid.x),
                          static_cast<std::uint32_t>(other_block / grid.x % grid.y),
                          static_cast<std::uint32_t>(other_block / grid.x / grid.y)};
    }
}

}  // namespace warpgrade::vgpu
