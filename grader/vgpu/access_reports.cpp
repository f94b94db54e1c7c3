// What is said of accesses, calls and operands that are wrong.
#include "vgpu/access_findings.hpp"

namespace warpgrade::vgpu {

namespace {

void describe_local(Finding& f, const Warp& w, std::uint64_t address, std::uint32_t width) {
    f.buffer = local_memory;
    f.address = address;
    f.offset_bytes = static_cast<std::int64_t>(address);
    f.buffer_bytes = w.local_bytes;
    f.width_bytes = static_cast<int>(width);
}

// Of the variable that was read, piece by piece.
void note_stored(Finding& f, const Warp& w) {
    if (f.offset_bytes < 0 || static_cast<std::uint64_t>(f.offset_bytes) >= f.buffer_bytes) return;
    const std::uint64_t first = f.address - static_cast<std::uint64_t>(f.offset_bytes);
    for (std::uint64_t at = first; at < first + f.buffer_bytes; at += 1u << w.unit_shift)
        f.stored += w.written[at >> w.unit_shift] >> kStampShift >= w.first_sequence ? '1' : '0';
}

}  // namespace

void report_global(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    const LaunchState& launch = *w.worker->launch;
    const bool is_device_memory = launch.memory->find(address) >= 0;
    const FindingKind kind =
        launch.is_host && is_device_memory ? FindingKind::host_dereference : FindingKind::out_of_bounds;
    if (Finding* f = begin_finding(w, in, kind, lane)) {
        describe_global(*f, *w.worker, address, width);
        if (!launch.is_host && is_device_memory) f->reason = FindingReason::host_memory;
        if (launch.is_host && belongs(launch.module_buffers, launch.memory->find(address)))
            f->reason = FindingReason::variable;
    }
    // A GPU ends such a launch as well, far from all buffers; a stage's kernel goes on, so that all is found.
    const bool is_far = is_device_memory || launch.memory->find_nearest(address) < 0;
    if (launch.is_host || (launch.has_heap && is_far)) w.stop = 1;
}

void report_misaligned(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space) {
    Finding* f = begin_finding(w, in, FindingKind::misaligned, lane);
    if (f == nullptr) return;
    if (space == static_cast<int>(ptx::Space::shared))
        describe_shared(*f, *w.worker, address, width);
    else
        describe_global(*f, *w.worker, address, width);
}

void report_shared_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    const Site& site = w.sites[in.site];
    if (names_block(address) && is_in_cluster_of_many(w)) {  // loads, stores and atomics do not come here
        bool is_new = false;
        Finding& f =
            add_finding(*w.worker, w.block, FindingKind::unsupported, line_of(w, site), AccessKind::none,
                        FindingReason::none, is_new, "a copy to another block's shared memory, or an mbarrier there");
        if (is_new) f.place = place_of(w, lane, site);
        w.stop = 1;
        return;
    }
    tell_shared_bounds(w, site, place_of(w, lane, site), address, width);
}

void report_local_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin_finding(w, in, FindingKind::out_of_bounds_local, lane))
        describe_local(*f, w, address, width);
}

std::uint32_t report_unwritten_local(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin_finding(w, in, FindingKind::uninitialized, lane)) describe_local(*f, w, address, width);
    return w.worker->launch->options->shared_poison;
}

void report_unwritten(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space) {
    const bool is_shared = space == static_cast<int>(ptx::Space::shared);
    if (is_shared && leaves_array(*w.worker, w.sites[in.site], address))
        return report_shared_bounds(w, in, lane, address, width);
    Finding* f = begin_finding(w, in, FindingKind::uninitialized, lane);
    if (f == nullptr) return;
    if (is_shared) {
        describe_shared(*f, *w.worker, address, width);
        note_stored(*f, w);
        for (const WarpState& ws : w.block->warps) {
            for (const AsyncCopy& c : ws.copies) {
                if (address < c.to || address >= c.end()) continue;
                f->reason = FindingReason::awaits_copy;
                f->stored.clear();
            }
        }
    } else {
        describe_global(*f, *w.worker, address, width);
    }
}

void report_read_only(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin_finding(w, in, FindingKind::write_to_input, lane))
        describe_global(*f, *w.worker, address, width);
}

namespace {

void report_absent(Warp& w, const Inst& in, int lane, std::uint32_t named, bool is_awaited) {
    const Site& site = w.sites[in.site];
    bool is_new = false;
    const FindingReason reason = is_awaited ? FindingReason::awaited : FindingReason::none;
    Finding& f =
        add_finding(*w.worker, w.block, FindingKind::inactive_lane, line_of(w, site), AccessKind::read, reason, is_new);
    if (!is_new) return;
    f.place = place_of(w, __builtin_ctz(w.mask), site);
    f.lane = lane;
    f.mask = named;
}

}  // namespace

// A lane that the mask names has to come, if it has not ended; any other may be read for nothing.
void report_lane(Warp& w, const Inst& in, int lane, std::uint32_t named) {
    report_absent(w, in, lane, named, ((named & w.alive) >> lane & 1) != 0);
}
void report_lane_of_whole_warp(Warp& w, const Inst& in, int lane) { report_absent(w, in, lane, kFullMask, true); }

void report_trap(Warp& w, const Inst& in, FindingReason reason) {
    if (Finding* f = begin_finding(w, in, FindingKind::trap, __builtin_ctz(w.mask))) {
        f->mask = w.mask;
        f->reason = reason;
    }
    w.stop = 1;
}

void report_misuse(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t value, std::uint64_t limit) {
    Finding* f = begin_finding(w, in, FindingKind::undefined_operand, lane);
    if (f == nullptr) return;
    f->misuse = misuse;
    f->value = value;
    f->limit = limit;
}

void report_mbarrier(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t offset) {
    Finding* f = begin_finding(w, in, FindingKind::undefined_operand, lane);
    if (f == nullptr) return;
    f->misuse = misuse;
    describe_shared(*f, *w.worker, offset, 8);
}

}  // namespace warpgrade::vgpu
