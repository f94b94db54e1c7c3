// PTX manual: "Logic and Shift Instructions". Shifts clamp at the width: shl and unsigned shr give 0, signed shr the
// sign.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct And {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a & b);
    }
};
struct Or {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a | b);
    }
};
struct Xor {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a ^ b);
    }
};
struct Not {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(~a);
    }
};
struct LogicalNot {
    template <class T>
    static T apply(T a) {
        return a == 0 ? 1 : 0;
    }
};
struct ShiftLeft {
    template <class T>
    static T apply(T a, u32 b) {
        return b >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << b);
    }
};
struct ShiftRight {
    template <class T>
    static T apply(T a, u32 b) {
        constexpr u32 width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (b >= width ? width - 1 : b));
        return b >= width ? T{0} : static_cast<T>(a >> b);
    }
};
template <bool Left, bool Clamp>
struct Funnel {
    static u32 apply(u32 low, u32 high, u32 amount) {
        const u32 n = Clamp ? (amount > 32 ? 32 : amount) : amount & 31;
        const u64 both = static_cast<u64>(high) << 32 | low;
        return Left ? static_cast<u32>((both << n) >> 32) : static_cast<u32>(both >> n);
    }
};
template <bool Masked>
void lop3(Warp& w, const Inst& in) {
    const u32* a = reg<u32>(w, in.a);
    const u32* b = reg<u32>(w, in.b);
    const u32* c = reg<u32>(w, in.c);
    const u32 table = reg<u32>(w, in.d[1])[0];
    write_lanes<Masked, u32>(w, in.d[0], [=](int i) {
        u32 result = 0;
        for (u32 k = 0; k < 8; ++k) {
            const u32 term =
                ((k & 4) != 0 ? a[i] : ~a[i]) & ((k & 2) != 0 ? b[i] : ~b[i]) & ((k & 1) != 0 ? c[i] : ~c[i]);
            result |= ((table >> k) & 1) != 0 ? term : 0;
        }
        return result;
    });
}
struct Permute {
    static u32 apply(u32 a, u32 b, u32 selector) {
        const u64 bytes = static_cast<u64>(b) << 32 | a;
        u32 result = 0;
        for (int k = 0; k < 4; ++k) {
            const u32 nibble = (selector >> (4 * k)) & 0xF;
            u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 0xFF;
            if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
            result |= byte << (8 * k);
        }
        return result;
    }
};

template <class Op, bool Masked>
void pred_binary(Warp& w, const Inst& in) {
    write_pred<Masked>(w, in.d[0], Op::apply(pred(w, in.a), pred(w, in.b)));
}
template <bool Masked>
void pred_not(Warp& w, const Inst& in) {
    write_pred<Masked>(w, in.d[0], ~pred(w, in.a));
}

}  // namespace

void logic_and_shift(OpTable& t) {
    binary<And, u16>(t, "and.b16", "b16=b16,b16");
    binary<And, u32>(t, "and.b32", "b32=b32,b32");
    binary<And, u64>(t, "and.b64", "b64=b64,b64");
    binary<Or, u16>(t, "or.b16", "b16=b16,b16");
    binary<Or, u32>(t, "or.b32", "b32=b32,b32");
    binary<Or, u64>(t, "or.b64", "b64=b64,b64");
    binary<Xor, u16>(t, "xor.b16", "b16=b16,b16");
    binary<Xor, u32>(t, "xor.b32", "b32=b32,b32");
    binary<Xor, u64>(t, "xor.b64", "b64=b64,b64");
    unary<Not, u16>(t, "not.b16", "b16=b16");
    unary<Not, u32>(t, "not.b32", "b32=b32");
    unary<Not, u64>(t, "not.b64", "b64=b64");
    unary<LogicalNot, u16>(t, "cnot.b16", "b16=b16");
    unary<LogicalNot, u32>(t, "cnot.b32", "b32=b32");
    unary<LogicalNot, u64>(t, "cnot.b64", "b64=b64");
    t.add("and.pred", "p=p,p", pred_binary<And, false>, pred_binary<And, true>);
    t.add("or.pred", "p=p,p", pred_binary<Or, false>, pred_binary<Or, true>);
    t.add("xor.pred", "p=p,p", pred_binary<Xor, false>, pred_binary<Xor, true>);
    t.add("not.pred", "p=p", pred_not<false>, pred_not<true>);
    binary<ShiftLeft, u16, u16, u32>(t, "shl.b16", "b16=b16,u32");
    binary<ShiftLeft, u32, u32, u32>(t, "shl.b32", "b32=b32,u32");
    binary<ShiftLeft, u64, u64, u32>(t, "shl.b64", "b64=b64,u32");
    binary<ShiftRight, u16, u16, u32>(t, "shr.b16", "b16=b16,u32");
    binary<ShiftRight, u32, u32, u32>(t, "shr.b32", "b32=b32,u32");
    binary<ShiftRight, u64, u64, u32>(t, "shr.b64", "b64=b64,u32");
    binary<ShiftRight, u16, u16, u32>(t, "shr.u16", "u16=u16,u32");
    binary<ShiftRight, u32, u32, u32>(t, "shr.u32", "u32=u32,u32");
    binary<ShiftRight, u64, u64, u32>(t, "shr.u64", "u64=u64,u32");
    binary<ShiftRight, s16, s16, u32>(t, "shr.s16", "s16=s16,u32");
    binary<ShiftRight, s32, s32, u32>(t, "shr.s32", "s32=s32,u32");
    binary<ShiftRight, s64, s64, u32>(t, "shr.s64", "s64=s64,u32");
    ternary<Funnel<true, false>, u32>(t, "shf.l.wrap.b32", "b32=b32,b32,u32");
    ternary<Funnel<true, true>, u32>(t, "shf.l.clamp.b32", "b32=b32,b32,u32");
    ternary<Funnel<false, false>, u32>(t, "shf.r.wrap.b32", "b32=b32,b32,u32");
    ternary<Funnel<false, true>, u32>(t, "shf.r.clamp.b32", "b32=b32,b32,u32");
    t.add("lop3.b32", "b32=b32,b32,b32,u32", lop3<false>, lop3<true>);
    ternary<Permute, u32>(t, "prmt.b32", "b32=b32,b32,b32");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
