// PTX manual: "Parallel Synchronization and Communication Instructions", atom and red. Lanes take their turn in lane
// order; kernels with global atomics run their blocks in order on one host thread, so host memory needs no atomics.
#include "vgpu/ops/generic.hpp"
#include "vgpu/ops/half.hpp"
#include "vgpu/ops/handlers.hpp"
#include "vgpu/work_counters.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct Add {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old + b);
    }
};
struct And {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old & b);
    }
};
struct Or {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old | b);
    }
};
struct Xor {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old ^ b);
    }
};
struct Min {
    template <class T>
    static T apply(T old, T b, T) {
        return b < old ? b : old;
    }
};
struct Max {
    template <class T>
    static T apply(T old, T b, T) {
        return old < b ? b : old;
    }
};
struct Exchange {
    template <class T>
    static T apply(T, T b, T) {
        return b;
    }
};
struct CompareAndSwap {
    template <class T>
    static T apply(T old, T b, T c) {
        return old == b ? c : old;
    }
};
struct Increment {
    static u32 apply(u32 old, u32 b, u32) { return old >= b ? 0 : old + 1; }
};
struct Decrement {
    static u32 apply(u32 old, u32 b, u32) { return old == 0 || old > b ? b : old - 1; }
};
template <class H>
struct AddHalf {
    static u16 apply(u16 old, u16 b, u16) {
        return H::store(static_cast<f64>(H::load(old)) + static_cast<f64>(H::load(b)));
    }
};
template <class H>
struct AddHalf2 {
    static u32 apply(u32 old, u32 b, u32) {
        const u32 low = AddHalf<H>::apply(static_cast<u16>(old), static_cast<u16>(b), 0);
        const u32 high = AddHalf<H>::apply(static_cast<u16>(old >> 16), static_cast<u16>(b >> 16), 0);
        return high << 16 | low;
    }
};

template <class Op, class T>
void step(Warp& w, const Inst& in, char* where, int lane) {
    T old;
    std::memcpy(&old, where, sizeof(T));
    const T b = reg<T>(w, in.b)[lane];
    const T c = in.c != 0 ? reg<T>(w, in.c)[lane] : T{};
    const T now = Op::apply(old, b, c);
    std::memcpy(where, &now, sizeof(T));
    if (in.d[0] != 0) reg<T>(w, in.d[0])[lane] = old;
}

// An exchange is a store to who drops what it gives back, and most do.
template <class Op>
constexpr bool reads = !std::is_same_v<Op, Exchange>;

// What may be a counter, and by how much the lanes move it on together; past its end it is no counter any more.
template <class Op, class T>
constexpr bool counts = (std::is_same_v<Op, Add> && std::is_integral_v<T>) || std::is_same_v<Op, Increment> ||
                        std::is_same_v<Op, Decrement>;

template <class Op, class T, bool Full>
std::int64_t change_by(const Warp& w, const Inst& in, const Lanes& l) {
    if constexpr (std::is_same_v<Op, Increment>) return l.count;
    if constexpr (std::is_same_v<Op, Decrement>) return -l.count;
    std::int64_t change = 0;
    for (int k = 0; k < l.count; ++k)
        change += static_cast<std::make_signed_t<T>>(reg<T>(w, in.b)[lane_of<Full>(l, k)]);
    return change;
}

// True if the lanes draw from one counter as one of many blocks that do.
template <class T>
bool begin_to_draw(Warp& w, const Inst& in, const Lanes& l, std::int64_t change) {
    const u64 at = l.low;
    if (l.high != at || at % sizeof(T) != 0 || in.d[0] == 0) return false;
    if (!find_buffer(w, in.site, at, sizeof(T)) || w.caches[in.site].is_read_only) return false;
    return begin_draw(w, in.site, at, w.caches[in.site].bias + at, sizeof(T), change);
}

template <class Op, class T, bool Full>
[[gnu::noinline]] void atomic_global(Warp& w, const Inst& in, Lanes& l) {
    // Of a vector, which lies in one sector, the first part stands for all (lower_memory.cpp): its bytes in d[1]; later
    // ones have 1 there.
    const u64 alignment = in.d[1] > 1 ? in.d[1] : sizeof(T);
    if (in.d[1] != 1) {
        SiteCount& count = w.counts[in.site];
        ++count.requests;
        const u32 sectors = count_sectors<Full>(l);
        count.units += sectors;
        count.ideal += static_cast<u64>(l.count);  // of atomics: the lanes
        if (w.traces)
            record_access(w, in, l.at, l.mask, static_cast<u32>(alignment), sectors, ideal_sectors(l.count, alignment));
        note_atomic(w);
    }
    bool draws = false;
    std::int64_t change = 0;
    if constexpr (counts<Op, T>) {
        if (is_sampled(w)) {
            change = change_by<Op, T, Full>(w, in, l);
            draws = begin_to_draw<T>(w, in, l, change);
        }
    }
    for (int k = 0; k < l.count; ++k) {
        const int i = lane_of<Full>(l, k);
        const u64 at = l.at[k];
        if ((at & (alignment - 1)) != 0) {
            report_misaligned(w, in, i, at, static_cast<u32>(alignment), 1);
            continue;
        }
        if (!find_buffer(w, in.site, at, sizeof(T))) {
            report_global(w, in, i, at, sizeof(T));
            continue;
        }
        const SiteCache& c = w.caches[in.site];
        if (c.is_read_only) {
            report_read_only(w, in, i, at, sizeof(T));
            continue;
        }
        if (c.shadow_bias != nullptr) {
            u32& shadow = c.shadow_bias[at / 4];
            const u32 need = sizeof(T) >= 4 ? 0xF : ((1u << sizeof(T)) - 1) << (at & 3);
            if (reads<Op> && c.checks_written && (shadow & need) != need) report_unwritten(w, in, i, at, sizeof(T), 1);
            const u32 tag = shadow >> kTagShift;
            if (tag >= w.first_tag && tag != w.tag) check_global_race(w, in, i, at, shadow, true);
            shadow = (shadow & 0xF) | need;  // no block tag: atomics do not race with each other
            if (sizeof(T) == 8) c.shadow_bias[at / 4 + 1] = 0xF;
        }
        step<Op, T>(w, in, c.bias + at, i);
    }
    if (draws) end_draw(w, l.low, w.caches[in.site].bias + l.low, sizeof(T), change);
}

template <class Op, class T, bool Full>
[[gnu::noinline]] void atomic_shared(Warp& w, const Inst& in, Lanes& l) {
    SiteCount& count = w.counts[in.site];
    ++count.requests;
    u64 words[64] = {};
    int n = 0;
    for (int k = 0; k < l.count; ++k) {
        for (u32 j = 0; j < (sizeof(T) + 3) / 4; ++j) words[n++] = (l.at[k] >> 2) + j;
    }
    const u32 wavefronts = sizeof(T) <= 4 ? bank_degree(words, n, true) : count_wavefronts<Full>(l, sizeof(T), false);
    count.units += wavefronts;
    count.ideal += static_cast<u64>(l.count);
    if (w.traces) record_access(w, in, l.at, l.mask, sizeof(T), wavefronts, ideal_wavefronts(sizeof(T)));
    for (int k = 0; k < l.count; ++k) {
        const int i = lane_of<Full>(l, k);
        u64 at = l.at[k];
        if (char* place = nullptr; names_block(at)) {
            const SharedReach reach = reach_shared(w, in, i, at, sizeof(T), reads<Op>, place);
            if (reach == SharedReach::other) step<Op, T>(w, in, place, i);
            if (reach != SharedReach::own) continue;
        }
        if ((at & (sizeof(T) - 1)) != 0) {
            report_misaligned(w, in, i, at, sizeof(T), 7);
            continue;
        }
        if (!inside(at, sizeof(T), 0, w.shared_bytes)) {
            report_shared_bounds(w, in, i, at, sizeof(T));
            continue;
        }
        for (u32 unit = static_cast<u32>(at >> w.unit_shift); unit <= (at + sizeof(T) - 1) >> w.unit_shift; ++unit) {
            const u32 mine = own_stamp(w, i), written = w.written[unit];
            if ((written >> kStampShift) < w.first_sequence) {
                if (reads<Op>) report_unwritten(w, in, i, at, sizeof(T), 7);
            } else if ((written >> kStampShift) >= w.barrier_floor && (written & kStampKind) != kAtomicStamp &&
                       ((written ^ mine) & kStampThread) != 0) {
                check_shared_race(w, in, i, unit, written, true, true, false);
            }
            if (w.read != nullptr && (w.read[unit] >> kStampShift) >= w.barrier_floor &&
                (((w.read[unit] ^ mine) & kStampThread) != 0 || (w.read[unit] & kStampKind) != 0)) {
                check_shared_race(w, in, i, unit, w.read[unit], false, true, false);
            }
            w.written[unit] = mine | kAtomicStamp;
            if (w.written_site != nullptr) w.written_site[unit] = in.site;
        }
        step<Op, T>(w, in, w.shared + at, i);
    }
}

enum class Space { global, shared, generic };

template <class Op, class T, Space S, bool Masked>
void atomic(Warp& w, const Inst& in) {
    Lanes l;
    if (!collect<Masked>(w, in, l)) return;
    if constexpr (S == Space::global) atomic_global<Op, T, !Masked>(w, in, l);
    if constexpr (S == Space::shared) atomic_shared<Op, T, !Masked>(w, in, l);
    if constexpr (S == Space::generic) {
        by_window<!Masked>(l, [&](Where where, Lanes& part, auto full) {
            constexpr bool is_full = decltype(full)::value;
            if (where == Where::shared) {
                const Inst shared = at_site(in, 1);
                atomic_shared<Op, T, is_full>(w, shared, part);
            } else {
                atomic_global<Op, T, is_full>(w, in, part);
            }
        });
    }
}

template <class Op, class T>
void row(OpTable& t, const char* global, const char* shared, const char* generic) {
    t.add(global, "", atomic<Op, T, Space::global, false>, atomic<Op, T, Space::global, true>);
    t.add(shared, "", atomic<Op, T, Space::shared, false>, atomic<Op, T, Space::shared, true>);
    t.add(generic, "", atomic<Op, T, Space::generic, false>, atomic<Op, T, Space::generic, true>);
}

}  // namespace

void atomics(OpTable& t) {
    row<Add, u32>(t, "atom.global.add.u32", "atom.shared.add.u32", "atom.generic.add.u32");
    row<Add, u32>(t, "atom.global.add.s32", "atom.shared.add.s32", "atom.generic.add.s32");
    row<Add, u64>(t, "atom.global.add.u64", "atom.shared.add.u64", "atom.generic.add.u64");
    row<Add, f32>(t, "atom.global.add.f32", "atom.shared.add.f32", "atom.generic.add.f32");
    row<Add, f64>(t, "atom.global.add.f64", "atom.shared.add.f64", "atom.generic.add.f64");
    row<AddHalf<half::F16>, u16>(t, "atom.global.add.f16", "atom.shared.add.f16", "atom.generic.add.f16");
    row<AddHalf2<half::F16>, u32>(t, "atom.global.add.f16x2", "atom.shared.add.f16x2", "atom.generic.add.f16x2");
    row<AddHalf<half::BF16>, u16>(t, "atom.global.add.bf16", "atom.shared.add.bf16", "atom.generic.add.bf16");
    row<AddHalf2<half::BF16>, u32>(t, "atom.global.add.bf16x2", "atom.shared.add.bf16x2", "atom.generic.add.bf16x2");
    row<And, u32>(t, "atom.global.and.b32", "atom.shared.and.b32", "atom.generic.and.b32");
    row<And, u64>(t, "atom.global.and.b64", "atom.shared.and.b64", "atom.generic.and.b64");
    row<Or, u32>(t, "atom.global.or.b32", "atom.shared.or.b32", "atom.generic.or.b32");
    row<Or, u64>(t, "atom.global.or.b64", "atom.shared.or.b64", "atom.generic.or.b64");
    row<Xor, u32>(t, "atom.global.xor.b32", "atom.shared.xor.b32", "atom.generic.xor.b32");
    row<Xor, u64>(t, "atom.global.xor.b64", "atom.shared.xor.b64", "atom.generic.xor.b64");
    row<Min, u32>(t, "atom.global.min.u32", "atom.shared.min.u32", "atom.generic.min.u32");
    row<Min, s32>(t, "atom.global.min.s32", "atom.shared.min.s32", "atom.generic.min.s32");
    row<Min, u64>(t, "atom.global.min.u64", "atom.shared.min.u64", "atom.generic.min.u64");
    row<Min, s64>(t, "atom.global.min.s64", "atom.shared.min.s64", "atom.generic.min.s64");
    row<Max, u32>(t, "atom.global.max.u32", "atom.shared.max.u32", "atom.generic.max.u32");
    row<Max, s32>(t, "atom.global.max.s32", "atom.shared.max.s32", "atom.generic.max.s32");
    row<Max, u64>(t, "atom.global.max.u64", "atom.shared.max.u64", "atom.generic.max.u64");
    row<Max, s64>(t, "atom.global.max.s64", "atom.shared.max.s64", "atom.generic.max.s64");
    row<Exchange, u32>(t, "atom.global.exch.b32", "atom.shared.exch.b32", "atom.generic.exch.b32");
    row<Exchange, u64>(t, "atom.global.exch.b64", "atom.shared.exch.b64", "atom.generic.exch.b64");
    row<CompareAndSwap, u16>(t, "atom.global.cas.b16", "atom.shared.cas.b16", "atom.generic.cas.b16");
    row<CompareAndSwap, u32>(t, "atom.global.cas.b32", "atom.shared.cas.b32", "atom.generic.cas.b32");
    row<CompareAndSwap, u64>(t, "atom.global.cas.b64", "atom.shared.cas.b64", "atom.generic.cas.b64");
    row<Increment, u32>(t, "atom.global.inc.u32", "atom.shared.inc.u32", "atom.generic.inc.u32");
    row<Decrement, u32>(t, "atom.global.dec.u32", "atom.shared.dec.u32", "atom.generic.dec.u32");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
