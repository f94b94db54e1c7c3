// PTX manual: "Parallel Synchronization and Communication Instructions": shuffles, votes, match, redux, fences. The
// runner lets such an instruction start only when the lanes its member mask names are here (Segment::needs_mask); block
// barriers and bar.warp.sync are terminators, not handlers. Also the special registers that change while a warp runs.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

enum class Mode { idx, up, down, bfly };

// a = value, b = lane or delta, c = clamp and segment mask; d[0] = value, d[1] = predicate (0 = none), d[2] = member
// mask. "The value is undefined" (PTX manual, shfl.sync): no number in any type, so that whoever uses it comes out
// wrong.
constexpr u32 kNobodysValue = 0x7FC0FFEE;

template <Mode M, bool Masked>
void shuffle(Warp& w, const Inst& in) {
    alignas(64) u32 source[32];
    const u32* a = reg<u32>(w, in.a);
    for (int i = 0; i < 32; ++i) source[i] = a[i];
    const u32* b = reg<u32>(w, in.b);
    const u32* c = reg<u32>(w, in.c);
    u32* d = reg<u32>(w, in.d[0]);
    const u32 active = Masked ? w.mask : kFullMask;
    u32 valid = 0;
    for (u32 rest = active; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const int bval = static_cast<int>(b[i] & 31), cval = static_cast<int>(c[i] & 31),
                  segment = static_cast<int>((c[i] >> 8) & 31);
        const int last = (i & segment) | (cval & ~segment), first = i & segment;
        int j = 0;
        bool in_range = false;
        switch (M) {
            case Mode::up:
                j = i - bval;
                in_range = j >= last;
                break;
            case Mode::down:
                j = i + bval;
                in_range = j <= last;
                break;
            case Mode::bfly:
                j = i ^ bval;
                in_range = j <= last;
                break;
            case Mode::idx:
                j = first | (bval & ~segment);
                in_range = j <= last;
                break;
        }
        if (!in_range) j = i;
        if (in_range) valid |= 1u << i;
        if (((active >> j) & 1) != 0) {
            d[i] = source[j];
        } else {
            report_lane(w, in, j, in.d[2] != 0 ? reg<u32>(w, in.d[2])[i] : active);
            d[i] = kNobodysValue;
        }
    }
    if (in.d[1] != 0) write_pred<Masked>(w, in.d[1], valid);
}

enum class Vote { all, any, uni, ballot };
// a = predicate (negated if imm), b = member mask.
template <Vote V, bool Masked>
void vote(Warp& w, const Inst& in) {
    const u32 active = Masked ? w.mask : kFullMask;
    const u32 p = (in.imm != 0 ? ~pred(w, in.a) : pred(w, in.a)) & active;
    if constexpr (V == Vote::ballot) {
        write_lanes<Masked, u32>(w, in.d[0], [=](int) { return p; });
    } else {
        const bool holds = V == Vote::all ? p == active : V == Vote::any ? p != 0 : p == 0 || p == active;
        write_pred<Masked>(w, in.d[0], holds ? kFullMask : 0);
    }
}

template <class T, bool All, bool Masked>
void match(Warp& w, const Inst& in) {
    const u32 active = Masked ? w.mask : kFullMask;
    const T* a = reg<T>(w, in.a);
    alignas(64) u32 result[32] = {};
    u32 agree = 0, values = 0;
    for (u32 rest = active; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        u32 same = 0;
        for (u32 others = active; others != 0; others &= others - 1) {
            const int j = __builtin_ctz(others);
            if (a[i] == a[j]) same |= 1u << j;
        }
        result[i] = All ? (same == active ? active : 0) : same;
        if (same == active) agree = kFullMask;
        values += __builtin_ctz(same) == i ? 1 : 0;
    }
    if (w.traces) note_values(w, values);
    write_lanes<Masked, u32>(w, in.d[0], [&](int i) { return result[i]; });
    if (All && in.d[1] != 0) write_pred<Masked>(w, in.d[1], agree);
}

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a + b);
    }
};
struct Min {
    template <class T>
    static T apply(T a, T b) {
        return b < a ? b : a;
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        return a < b ? b : a;
    }
};
struct And {
    template <class T>
    static T apply(T a, T b) {
        return a & b;
    }
};
struct Or {
    template <class T>
    static T apply(T a, T b) {
        return a | b;
    }
};
struct Xor {
    template <class T>
    static T apply(T a, T b) {
        return a ^ b;
    }
};
template <class Op, class T, bool Masked>
void redux(Warp& w, const Inst& in) {
    const u32 active = Masked ? w.mask : kFullMask;
    const T* a = reg<T>(w, in.a);
    T total{};
    bool is_first = true;
    for (u32 rest = active; rest != 0; rest &= rest - 1) {
        const T v = a[__builtin_ctz(rest)];
        total = is_first ? v : Op::apply(total, v);
        is_first = false;
    }
    write_lanes<Masked, T>(w, in.d[0], [=](int) { return total; });
}
template <class Op, class T>
void redux_row(OpTable& t, const char* key, const char* signature) {
    t.add(key, signature, redux<Op, T, false>, redux<Op, T, true>);
}

template <bool Masked>
void active_mask(Warp& w, const Inst& in) {
    const u32 mask = w.mask;
    write_lanes<Masked, u32>(w, in.d[0], [=](int) { return mask; });
}
template <bool Masked>
void clock32(Warp& w, const Inst& in) {
    const u32 now = static_cast<u32>(read_clock(w));
    write_lanes<Masked, u32>(w, in.d[0], [=](int) { return now; });
}
template <bool Masked>
void clock_64(Warp& w, const Inst& in) {
    const u64 now = read_clock(w);
    write_lanes<Masked, u64>(w, in.d[0], [=](int) { return now; });
}
// Elects the lowest active lane.
template <bool Masked>
void elect(Warp& w, const Inst& in) {
    const u32 active = Masked ? w.mask : kFullMask;
    const u32 leader = active == 0 ? 0 : static_cast<u32>(__builtin_ctz(active));
    if (in.d[0] != 0) write_lanes<Masked, u32>(w, in.d[0], [=](int) { return leader; });
    write_pred<Masked>(w, in.d[1], 1u << leader);
}
// imm: of the block only.
void fence(Warp& w, const Inst& in) { note_fence(w, in.imm != 0); }
void nothing(Warp&, const Inst&) {}
void trap(Warp& w, const Inst& in) {
    if (w.mask != 0) report_trap(w, in);
}

}  // namespace

void parallel_synchronization(OpTable& t) {
    t.add("shfl.sync.idx.b32", "", shuffle<Mode::idx, false>, shuffle<Mode::idx, true>);
    t.add("shfl.sync.up.b32", "", shuffle<Mode::up, false>, shuffle<Mode::up, true>);
    t.add("shfl.sync.down.b32", "", shuffle<Mode::down, false>, shuffle<Mode::down, true>);
    t.add("shfl.sync.bfly.b32", "", shuffle<Mode::bfly, false>, shuffle<Mode::bfly, true>);
    t.add("vote.sync.all.pred", "p", vote<Vote::all, false>, vote<Vote::all, true>);
    t.add("vote.sync.any.pred", "p", vote<Vote::any, false>, vote<Vote::any, true>);
    t.add("vote.sync.uni.pred", "p", vote<Vote::uni, false>, vote<Vote::uni, true>);
    t.add("vote.sync.ballot.b32", "b32", vote<Vote::ballot, false>, vote<Vote::ballot, true>);
    t.add("match.any.sync.b32", "b32", match<u32, false, false>, match<u32, false, true>);
    t.add("match.any.sync.b64", "b64", match<u64, false, false>, match<u64, false, true>);
    t.add("match.all.sync.b32", "b32", match<u32, true, false>, match<u32, true, true>);
    t.add("match.all.sync.b64", "b64", match<u64, true, false>, match<u64, true, true>);
    redux_row<Add, u32>(t, "redux.sync.add.s32", "s32");
    redux_row<Add, u32>(t, "redux.sync.add.u32", "u32");
    redux_row<Min, s32>(t, "redux.sync.min.s32", "s32");
    redux_row<Min, u32>(t, "redux.sync.min.u32", "u32");
    redux_row<Max, s32>(t, "redux.sync.max.s32", "s32");
    redux_row<Max, u32>(t, "redux.sync.max.u32", "u32");
    redux_row<And, u32>(t, "redux.sync.and.b32", "b32");
    redux_row<Or, u32>(t, "redux.sync.or.b32", "b32");
    redux_row<Xor, u32>(t, "redux.sync.xor.b32", "b32");
    t.add("activemask.b32", "b32=", active_mask<false>, active_mask<true>);
    t.add("elect.sync", "", elect<false>, elect<true>);
    t.add("fence", "", fence, fence);
}

void miscellaneous(OpTable& t) {
    t.add("special.clock", "", clock32<false>, clock32<true>);
    t.add("special.clock64", "", clock_64<false>, clock_64<true>);
    t.add("nothing", "", nothing, nothing);
    t.add("trap", "", trap, trap);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
