#include "vgpu/ops/bits.hpp"

#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct PopCount {
    static u32 apply(u32 a) { return static_cast<u32>(__builtin_popcount(a)); }
    static u32 apply(u64 a) { return static_cast<u32>(__builtin_popcountll(a)); }
};
struct CountLeadingZeros {
    static u32 apply(u32 a) { return a == 0 ? 32u : static_cast<u32>(__builtin_clz(a)); }
    static u32 apply(u64 a) { return a == 0 ? 64u : static_cast<u32>(__builtin_clzll(a)); }
};
// Position of the highest bit that differs from the sign; shiftamt counts from the top instead.
template <bool ShiftAmount>
struct FindBit {
    template <class T>
    static u32 apply(T a) {
        using U = Unsigned<T>;
        U bits = static_cast<U>(a);
        if constexpr (std::is_signed_v<T>) {
            if (a < 0) bits = static_cast<U>(~bits);
        }
        if (bits == 0) return 0xFFFFFFFFu;
        const u32 width = 8 * sizeof(T);
        const u32 position = width - 1 - CountLeadingZeros::apply(bits);
        return ShiftAmount ? width - 1 - position : position;
    }
};
struct BitReverse {
    static u32 apply(u32 a) {
        a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
        a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
        a = ((a >> 4) & 0x0F0F0F0Fu) | ((a & 0x0F0F0F0Fu) << 4);
        return __builtin_bswap32(a);
    }
    static u64 apply(u64 a) {
        return static_cast<u64>(apply(static_cast<u32>(a))) << 32 | apply(static_cast<u32>(a >> 32));
    }
};
// The count-th set bit from `base` on, upwards or (count < 0) downwards; count 0: the bit at `base` itself.
struct FindNthSet {
    static u32 apply(u32 mask, u32 base, s32 count) {
        const s32 step = count < 0 ? -1 : 1;
        s64 left = count == 0 ? 1 : static_cast<s64>(count) * step;
        for (s64 at = base; at >= 0 && at < 32; at += step) {
            if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<u32>(at);
            if (count == 0) break;
        }
        return ~0u;
    }
};
// b bits from bit a on, as far as there are bits; with wrap, of both the lowest five bits count.
template <bool clamps>
struct BitMask {
    static u32 apply(u32 a, u32 b) {
        if (clamps && a >= 32) return 0;
        const u64 bits = clamps && b >= 32 ? ~u64{0} : (u64{1} << (b & 31)) - 1;
        return static_cast<u32>(bits << (a & 31));
    }
};
// The lowest b bits, as a number with or without a sign.
template <bool clamps>
struct Extend {
    template <class T>
    static T apply(T a, u32 b) {
        if (clamps && b >= 32) return a;
        const u32 bits = b & 31;
        if (bits == 0) return 0;
        return static_cast<T>(static_cast<T>(static_cast<u32>(a) << (32 - bits)) >> (32 - bits));
    }
};
struct FieldExtract {
    template <class T>
    static T apply(T a, u32 position, u32 length) {
        using U = Unsigned<T>;
        constexpr u32 width = 8 * sizeof(T);
        position &= 0xFF;
        length &= 0xFF;
        if (length == 0) return 0;
        U sign = 0;
        if constexpr (std::is_signed_v<T>) {
            const u32 top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
            sign = (static_cast<U>(a) >> top) & 1;
        }
        U field = position < width ? static_cast<U>(a) >> position : U{0};
        const u32 available = position < width ? width - position : 0;
        const u32 kept = length < available ? length : available;
        const U mask = kept >= width ? ~U{0} : static_cast<U>((U{1} << kept) - 1);
        field &= mask;
        if (sign != 0) field |= static_cast<U>(~mask);
        return static_cast<T>(field);
    }
};
template <class T>
T insert_field(T a, T b, u32 position, u32 length) {
    constexpr u32 width = 8 * sizeof(T);
    position &= 0xFF;
    length &= 0xFF;
    if (position >= width || length == 0) return b;
    const u32 kept = length < width - position ? length : width - position;
    const T mask = static_cast<T>((kept >= width ? ~T{0} : static_cast<T>((T{1} << kept) - 1)) << position);
    return static_cast<T>((b & ~mask) | ((a << position) & mask));
}
// bfi has four sources; the fourth travels in d[1].
template <class T, bool Masked>
void field_insert(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const T* b = reg<T>(w, in.b);
    const u32* position = reg<u32>(w, in.c);
    const u32* length = reg<u32>(w, in.d[1]);
    write_lanes<Masked, T>(w, in.d[0], [=](int i) { return insert_field(a[i], b[i], position[i], length[i]); });
}

}  // namespace

void bit_rows(OpTable& t) {
    unary<PopCount, u32>(t, "popc.b32", "b32=b32");
    unary<PopCount, u32, u64>(t, "popc.b64", "b32=b64");
    unary<CountLeadingZeros, u32>(t, "clz.b32", "b32=b32");
    unary<CountLeadingZeros, u32, u64>(t, "clz.b64", "b32=b64");
    unary<FindBit<false>, u32, u32>(t, "bfind.u32", "u32=u32");
    unary<FindBit<false>, u32, s32>(t, "bfind.s32", "u32=s32");
    unary<FindBit<false>, u32, u64>(t, "bfind.u64", "u32=u64");
    unary<FindBit<false>, u32, s64>(t, "bfind.s64", "u32=s64");
    unary<FindBit<true>, u32, u32>(t, "bfind.shiftamt.u32", "u32=u32");
    unary<FindBit<true>, u32, s32>(t, "bfind.shiftamt.s32", "u32=s32");
    unary<FindBit<true>, u32, u64>(t, "bfind.shiftamt.u64", "u32=u64");
    unary<FindBit<true>, u32, s64>(t, "bfind.shiftamt.s64", "u32=s64");
    unary<BitReverse, u32>(t, "brev.b32", "b32=b32");
    unary<BitReverse, u64>(t, "brev.b64", "b64=b64");
    ternary<FindNthSet, u32, u32, u32, s32>(t, "fns.b32", "b32=b32,b32,s32");
    binary<BitMask<true>, u32>(t, "bmsk.clamp.b32", "b32=b32,b32");
    binary<BitMask<false>, u32>(t, "bmsk.wrap.b32", "b32=b32,b32");
    binary<Extend<true>, u32>(t, "szext.clamp.u32", "u32=u32,u32");
    binary<Extend<true>, s32, s32, u32>(t, "szext.clamp.s32", "s32=s32,u32");
    binary<Extend<false>, u32>(t, "szext.wrap.u32", "u32=u32,u32");
    binary<Extend<false>, s32, s32, u32>(t, "szext.wrap.s32", "s32=s32,u32");
    ternary<FieldExtract, u32, u32, u32, u32>(t, "bfe.u32", "u32=u32,u32,u32");
    ternary<FieldExtract, s32, s32, u32, u32>(t, "bfe.s32", "s32=s32,u32,u32");
    ternary<FieldExtract, u64, u64, u32, u32>(t, "bfe.u64", "u64=u64,u32,u32");
    ternary<FieldExtract, s64, s64, u32, u32>(t, "bfe.s64", "s64=s64,u32,u32");
    t.add("bfi.b32", "b32=b32,b32,u32,u32", field_insert<u32, false>, field_insert<u32, true>);
    t.add("bfi.b64", "b64=b64,b64,u32,u32", field_insert<u64, false>, field_insert<u64, true>);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
