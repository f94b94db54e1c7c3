// PTX manual: "mbarrier" and "cp.async.bulk" (one-dimensional). Lane by lane: these are rare, and not on a fast path.
//
// The 64-bit object in shared memory holds [phase : 1][pending arrivals : 20][expected arrivals : 20][pending bytes :
// 22, signed]. A phase is complete when both counts are zero; then the phase bit flips and the arrivals start again. A
// bulk copy is done at once; who reads its destination without waiting is found by the race stamps.
#include <cstdlib>
#include <cstring>

#include "vgpu/ops/table.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

struct Object {
    std::uint32_t phase = 0, pending = 0, expected = 0;
    std::int32_t bytes = 0;
};

Object unpack(std::uint64_t bits) {
    Object o;
    o.phase = static_cast<std::uint32_t>(bits >> 63);
    o.pending = static_cast<std::uint32_t>(bits >> 42) & 0xFFFFF;
    o.expected = static_cast<std::uint32_t>(bits >> 22) & 0xFFFFF;
    o.bytes = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits & 0x3FFFFF) << 10) >> 10;
    return o;
}
std::uint64_t pack(const Object& o) {
    return std::uint64_t{o.phase & 1} << 63 | std::uint64_t{o.pending & 0xFFFFF} << 42 |
           std::uint64_t{o.expected & 0xFFFFF} << 22 | (static_cast<std::uint32_t>(o.bytes) & 0x3FFFFF);
}
constexpr std::int64_t most_counted = (1 << 20) - 1;  // PTX manual: "mbarrier", arrivals and bytes

// So many bytes more, or fewer.
void expect(Warp& w, const Inst& in, int lane, Object& o, std::int64_t bytes) {
    const std::int64_t all = o.bytes + bytes;
    if (all > most_counted || all < -most_counted) {
        report_misuse(w, in, lane, Misuse::mbarrier_bytes, static_cast<std::uint64_t>(std::abs(all)), most_counted);
        return;
    }
    o.bytes = static_cast<std::int32_t>(all);
}
// True if that was the last that the phase waited for.
bool complete(Warp& w, std::uint64_t place, Object& o) {
    if (o.pending != 0 || o.bytes != 0) return false;
    o.phase ^= 1;
    o.pending = o.expected;
    note_completed(w, place);
    return true;
}

// The object an address means, or null with a finding.
char* object_at(Warp& w, const Inst& in, int lane, std::uint64_t address) {
    address = shared_offset(address);
    if ((address & 7) != 0) {
        report_misaligned(w, in, lane, address, 8, static_cast<int>(ptx::Space::shared));
        return nullptr;
    }
    if (!inside(address, 8, 0, w.shared_bytes)) {
        report_shared_bounds(w, in, lane, address, 8);
        return nullptr;
    }
    return w.shared + address;
}

std::uint64_t address_of_object(const Warp& w, const Inst& in, int lane) {
    return reg<std::uint64_t>(w, in.a)[lane] + static_cast<std::uint64_t>(in.imm);
}
std::uint64_t place_of_object(const Warp& w, const Inst& in, int lane) {
    return shared_offset(address_of_object(w, in, lane));
}

void keep(Warp& w, std::uint64_t offset, const Object& o) {
    const std::uint64_t bits = pack(o);
    std::uint64_t& known = w.block->mbarriers[offset];
    w.block->mbarrier_changes += known != bits;
    known = bits;
    std::memcpy(w.shared + offset, &bits, 8);
}

// act(object), for lanes that mean the same one. What is no mbarrier has no phases to wait for: the launch ends with
// the finding.
template <class F>
void change(Warp& w, const Inst& in, std::uint32_t lanes, std::uint64_t address, F&& act) {
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const char* place = object_at(w, in, lane, address);
        if (place == nullptr) continue;
        const std::uint64_t offset = shared_offset(address);
        std::uint64_t bits = 0;
        std::memcpy(&bits, place, 8);
        const std::uint64_t* const known = w.block->mbarriers.find(offset);
        if (known == nullptr || *known != bits) {
            report_mbarrier(w, in, lane, known != nullptr ? Misuse::mbarrier_overwritten : Misuse::mbarrier_not_set,
                            offset);
            w.stop = 1;
            continue;
        }
        Object o = unpack(bits);
        act(o);
        keep(w, offset, o);
        return;
    }
}

// act(lanes, place, object), for lanes side by side that mean the same one; in the order of the lanes.
template <class F>
void for_each_object(Warp& w, const Inst& in, F&& act) {
    for (std::uint32_t left = w.mask; left != 0;) {
        const std::uint64_t address = address_of_object(w, in, __builtin_ctz(left));
        std::uint32_t lanes = 0;
        for (; left != 0 && address_of_object(w, in, __builtin_ctz(left)) == address; left &= left - 1)
            lanes |= left & -left;
        change(w, in, lanes, address, [&](Object& o) { act(lanes, shared_offset(address), o); });
    }
}

void init(Warp& w, const Inst& in) {
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (object_at(w, in, lane, address_of_object(w, in, lane)) == nullptr) continue;
        const std::uint64_t offset = place_of_object(w, in, lane);
        const std::uint32_t count = reg<std::uint32_t>(w, in.b)[lane];
        if (count == 0 || count > most_counted) report_misuse(w, in, lane, Misuse::mbarrier_count, count, most_counted);
        Object o;
        o.pending = o.expected = count;
        keep(w, offset, o);
        for (std::uint32_t unit = static_cast<std::uint32_t>(offset >> w.unit_shift);
             unit < (offset + 8) >> w.unit_shift; ++unit) {
            w.written[unit] = w.sequence << kStampShift | w.index << 5 | static_cast<std::uint32_t>(lane);
        }
    }
}
void invalidate(Warp& w, const Inst& in) {
    for_each_object(w, in, [](std::uint32_t, std::uint64_t, Object&) {});
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1)
        w.block->mbarriers.erase(place_of_object(w, in, __builtin_ctz(m)));
}

// b = arrivals (0 = one), c = bytes to expect (0 = none), d[0] = state (0 = none), d[1] != 0: they come no more.
void arrive(Warp& w, const Inst& in) {
    for_each_object(w, in, [&](std::uint32_t lanes, std::uint64_t place, Object& o) {
        bool is_noted = false;  // of this phase: they arrive together
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            if (!is_noted) note_arrival(w, place);
            if (in.d[0] != 0) reg<std::uint64_t>(w, in.d[0])[lane] = pack(o);
            if (in.c != 0) expect(w, in, lane, o, reg<std::uint32_t>(w, in.c)[lane]);
            const std::uint32_t count = in.b != 0 ? reg<std::uint32_t>(w, in.b)[lane] : 1;
            if (count == 0 || count > o.pending)
                report_misuse(w, in, lane, Misuse::mbarrier_arrivals, count, o.pending);
            if (in.d[1] != 0) o.expected -= count < o.expected ? count : o.expected;
            o.pending -= count < o.pending ? count : o.pending;
            is_noted = !complete(w, place, o);
        }
    });
}
void expect_bytes(Warp& w, const Inst& in) {
    for_each_object(w, in, [&](std::uint32_t lanes, std::uint64_t, Object& o) {
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            expect(w, in, lane, o, reg<std::uint32_t>(w, in.c)[lane]);
        }
    });
}
void complete_bytes(Warp& w, const Inst& in) {
    for_each_object(w, in, [&](std::uint32_t lanes, std::uint64_t place, Object& o) {
        bool is_noted = false;
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            if (!is_noted) note_arrival(w, place);
            expect(w, in, lane, o, -std::int64_t{reg<std::uint32_t>(w, in.c)[lane]});
            is_noted = !complete(w, place, o);
        }
    });
}

// d[0] = predicate; b = state, or parity where imm's partner c is set.
void wait(Warp& w, const Inst& in) {
    std::uint32_t done = 0;
    for_each_object(w, in, [&](std::uint32_t lanes, std::uint64_t place, Object& o) {
        std::uint32_t ended = 0;
        for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
            const int lane = __builtin_ctz(m);
            const std::uint32_t waited =
                in.c != 0 ? reg<std::uint32_t>(w, in.b)[lane] & 1 : unpack(reg<std::uint64_t>(w, in.b)[lane]).phase;
            if (o.phase != waited) ended |= 1u << lane;
        }
        if (ended != 0) note_wait(w, place, ended);
        done |= ended;
    });
    std::uint32_t& p = pred(w, in.d[0]);
    p = (p & ~w.mask) | (done & w.mask);
    if (done == w.mask || w.mask == 0) return;
    w.yields = true;  // others have to come first
    const int lane = __builtin_ctz(w.mask & ~done);
    w.block->vain_wait = {w.index, in.site, lane, place_of_object(w, in, lane)};
}

// Copies of this lane's cp.async are done when the barrier hears of them.
void arrive_after_copies(Warp& w, const Inst& in) {
    const std::vector<AsyncCopy> told = w.block->warps[w.index].copies;
    wait_all_copies(w);
    if (RaceTracker* races = w.block->races)
        for (const AsyncCopy& copies : told)
            for (std::uint32_t k = 0; k < copies.lanes; ++k) {
                const AsyncCopy copy = copies.of_lane(k);
                races->tell_of_copies(w, copy.lane, copy.site, copy.to, copy.bytes, place_of_object(w, in, copy.lane));
            }
    if (in.c != 0)
        arrive(w, [&] {
            Inst plain = in;
            plain.b = plain.c = 0;
            plain.d[0] = 0;
            return plain;
        }());
    else
        for_each_object(w, in, [](std::uint32_t, std::uint64_t, Object&) {});  // one more is waited for, and has come
}

// cp.async.bulk: a = destination, b = source, c = bytes, d[0] = mbarrier (global to shared). Sites: global, then
// shared.
void bulk_to_shared(Warp& w, const Inst& in) {
    Inst at_shared = in;
    ++at_shared.site;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint32_t bytes = reg<std::uint32_t>(w, in.c)[lane];
        const std::uint64_t from = reg<std::uint64_t>(w, in.b)[lane];
        const std::uint64_t to = shared_offset(reg<std::uint64_t>(w, in.a)[lane]);
        if (((from | bytes) & 15) != 0) {
            report_misaligned(w, in, lane, (from & 15) != 0 ? from : from + bytes, 16,
                              static_cast<int>(ptx::Space::global));
        } else if ((to & 15) != 0) {
            report_misaligned(w, at_shared, lane, to, 16, static_cast<int>(ptx::Space::shared));
        } else if (!inside(to, bytes, 0, w.shared_bytes)) {
            report_shared_bounds(w, at_shared, lane, to, bytes);
        } else if (!find_buffer(w, in.site, from, bytes)) {
            report_global(w, in, lane, from, bytes);
        } else {
            SiteCount& count = w.counts[in.site];
            ++count.requests;
            count.units += bytes / 32;
            w.extra_work += bytes / price::copied_bytes;
            note_bulk(w, in, lane, from, bytes);
            record_needed(w, in.site, &from, 1u << lane, bytes, bytes / 32, bytes / 32);
            record_needed(w, at_shared.site, &to, 1u << lane, bytes, 1, 1);
            const char* const source = w.caches[in.site].bias + from;
            const bool is_there = std::memcmp(w.shared + to, source, bytes) == 0;
            std::memcpy(w.shared + to, source, bytes);
            const std::uint32_t stamp = w.sequence << kStampShift | w.index << 5 | static_cast<std::uint32_t>(lane);
            for (std::uint64_t unit = to >> w.unit_shift; unit < (to + bytes) >> w.unit_shift; ++unit)
                w.written[unit] = stamp;
            note_copied(w, at_shared.site, lane, static_cast<std::uint32_t>(to), bytes, is_there);
        }
        // The bytes are told whatever became of them, so that a faulty copy is a finding and not a hang.
        const std::uint64_t barrier = reg<std::uint64_t>(w, in.d[0])[lane];
        change(w, at_shared, 1u << lane, barrier, [&](Object& o) {
            note_arrival(w, shared_offset(barrier));
            expect(w, at_shared, lane, o, -std::int64_t{bytes});
            complete(w, shared_offset(barrier), o);
        });
    }
}

// a = address, c = bytes. What is in a cache is seen by nobody, but a card (H100) faults where they are no multiples.
void bulk_prefetch(Warp& w, const Inst& in) {
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint32_t bytes = reg<std::uint32_t>(w, in.c)[lane];
        const std::uint64_t from = reg<std::uint64_t>(w, in.a)[lane];
        if (((from | bytes) & 15) != 0)
            report_misaligned(w, in, lane, (from & 15) != 0 ? from : from + bytes, 16,
                              static_cast<int>(ptx::Space::global));
    }
}

void check_source(Warp& w, const Inst& in, int lane, std::uint64_t from, std::uint32_t bytes) {
    for (std::uint64_t unit = from >> w.unit_shift; unit < (from + bytes) >> w.unit_shift; ++unit) {
        if (w.written[unit] >> kStampShift >= w.first_sequence) continue;
        report_unwritten(w, in, lane, unit << w.unit_shift, 1u << w.unit_shift, static_cast<int>(ptx::Space::shared));
        return;
    }
}

void bulk_commit(Warp& w, const Inst&) {
    if (RaceTracker* races = w.block->races) races->bulk_commit(w);
}
void bulk_wait(Warp& w, const Inst& in) {
    if (RaceTracker* races = w.block->races) races->bulk_wait(w, static_cast<std::uint32_t>(in.imm));
}

void bulk_to_global(Warp& w, const Inst& in) {
    Inst at_shared = in;
    ++at_shared.site;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint32_t bytes = reg<std::uint32_t>(w, in.c)[lane];
        const std::uint64_t to = reg<std::uint64_t>(w, in.a)[lane];
        const std::uint64_t from = shared_offset(reg<std::uint64_t>(w, in.b)[lane]);
        if (((to | bytes) & 15) != 0) {
            report_misaligned(w, in, lane, (to & 15) != 0 ? to : to + bytes, 16, static_cast<int>(ptx::Space::global));
        } else if ((from & 15) != 0) {
            report_misaligned(w, at_shared, lane, from, 16, static_cast<int>(ptx::Space::shared));
        } else if (!inside(from, bytes, 0, w.shared_bytes)) {
            report_shared_bounds(w, at_shared, lane, from, bytes);
        } else if (!find_buffer(w, in.site, to, bytes)) {
            report_global(w, in, lane, to, bytes);
        } else if (w.caches[in.site].is_read_only) {
            report_read_only(w, in, lane, to, bytes);
        } else {
            const SiteCache& c = w.caches[in.site];
            SiteCount& count = w.counts[in.site];
            ++count.requests;
            count.units += bytes / 32;
            w.extra_work += bytes / price::copied_bytes;
            check_source(w, at_shared, lane, from, bytes);
            note_bulk(w, in, lane, to, bytes);
            record_needed(w, at_shared.site, &from, 1u << lane, bytes, 1, 1);
            record_needed(w, in.site, &to, 1u << lane, bytes, bytes / 32, bytes / 32);
            if (RaceTracker* races = w.block->races)
                races->bulk_store(w, at_shared, lane, static_cast<std::uint32_t>(from), bytes);
            std::memcpy(c.bias + to, w.shared + from, bytes);
            if (c.shadow_bias == nullptr) continue;
            for (std::uint64_t at = to; at < to + bytes; at += 4) {
                const std::uint32_t s = c.shadow_bias[at / 4], tag = s >> kTagShift;
                if (tag >= w.first_tag && tag != w.tag) check_global_race(w, in, lane, at, s, true);
                c.shadow_bias[at / 4] = w.tag << kTagShift | 0xF;
            }
        }
    }
}

}  // namespace

std::uint32_t arrivals_left(std::uint64_t mbarrier) { return unpack(mbarrier).pending; }

void mbarrier_rows(OpTable& t) {
    t.add("mbarrier.init", "", init, init);
    t.add("mbarrier.inval", "", invalidate, invalidate);
    t.add("mbarrier.arrive", "", arrive, arrive);
    t.add("mbarrier.expect_tx", "", expect_bytes, expect_bytes);
    t.add("mbarrier.complete_tx", "", complete_bytes, complete_bytes);
    t.add("mbarrier.wait", "", wait, wait);
    t.add("cp.async.mbarrier.arrive", "", arrive_after_copies, arrive_after_copies);
    t.add("cp.async.bulk.shared.global", "", bulk_to_shared, bulk_to_shared);
    t.add("cp.async.bulk.global.shared", "", bulk_to_global, bulk_to_global);
    t.add("cp.async.bulk.prefetch.global", "", bulk_prefetch, bulk_prefetch);
    t.add("cp.async.bulk.commit_group", "", bulk_commit, bulk_commit);
    t.add("cp.async.bulk.wait_group", "", bulk_wait, bulk_wait);
}

}  // namespace warpgrade::vgpu
