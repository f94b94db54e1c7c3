// PTX manual: "Integer Arithmetic Instructions". Arithmetic wraps; it is done on the unsigned type so that it may.
#include "vgpu/ops/bits.hpp"
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a + b);
    }
};
struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a - b);
    }
};
// u16 operands would promote to int and overflow; widen to 32 bits first.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), u32, T>;
struct MulLo {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
    }
};
template <class T>
struct Twice;
template <>
struct Twice<u16> {
    using type = u32;
};
template <>
struct Twice<s16> {
    using type = s32;
};
template <>
struct Twice<u32> {
    using type = u64;
};
template <>
struct Twice<s32> {
    using type = s64;
};
template <>
struct Twice<u64> {
    using type = unsigned __int128;
};
template <>
struct Twice<s64> {
    using type = __int128;
};
struct MulWide {
    template <class T>
    static typename Twice<T>::type apply(T a, T b) {
        return static_cast<typename Twice<T>::type>(a) * static_cast<typename Twice<T>::type>(b);
    }
};
struct MulHi {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(MulWide::apply(a, b) >> (8 * sizeof(T)));
    }
};
struct Mul24 {
    static u32 apply(u32 a, u32 b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); }
    static s32 apply(s32 a, s32 b) {
        return static_cast<s32>(static_cast<u32>((a << 8) >> 8) * static_cast<u32>((b << 8) >> 8));
    }
};
struct MadLo {
    template <class T>
    static T apply(T a, T b, T c) {
        return static_cast<T>(MulLo::apply(a, b) + c);
    }
};
struct MadHi {
    template <class T>
    static T apply(T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(MulHi::apply(a, b)) + static_cast<Unsigned<T>>(c));
    }
};
struct MadWide {
    template <class T, class W>
    static W apply(T a, T b, W c) {
        return static_cast<W>(static_cast<Unsigned<W>>(MulWide::apply(a, b)) + static_cast<Unsigned<W>>(c));
    }
};
struct Mad24 {
    template <class T>
    static T apply(T a, T b, T c) {
        return static_cast<T>(static_cast<u32>(Mul24::apply(a, b)) + static_cast<u32>(c));
    }
};
struct Sad {
    template <class T>
    static T apply(T a, T b, T c) {
        using U = Unsigned<T>;
        const U difference = a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b);
        return static_cast<T>(static_cast<U>(c) + difference);
    }
};
// Division by zero gives all ones, quotient and remainder, as an H200 does; the most negative value over -1 wraps.
struct Div {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
        }
        return static_cast<T>(a / b);
    }
};
struct Rem {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return 0;
        }
        return static_cast<T>(a % b);
    }
};
struct Abs {
    template <class T>
    static T apply(T a) {
        return a < 0 ? static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)) : a;
    }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
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
template <class T>
using Byte = std::conditional_t<std::is_signed_v<T>, s8, u8>;
template <class A, class B>
struct DotProduct4 {
    static u32 apply(u32 a, u32 b, u32 c) {
        for (int k = 0; k < 32; k += 8)
            c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> k)) * static_cast<s32>(static_cast<B>(b >> k)));
        return c;
    }
};
// Two of 16 bits, with two of the four bytes: the lower ones, or the upper.
template <class A, class B, int FirstBit>
struct DotProduct2 {
    static u32 apply(u32 a, u32 b, u32 c) {
        for (int k = 0; k < 2; ++k)
            c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> 16 * k)) *
                                  static_cast<s32>(static_cast<B>(b >> (FirstBit + 8 * k))));
        return c;
    }
};
template <class A, class B>
void dot_product_rows(OpTable& t, const char* types) {
    const char* signature = "u32=u32,u32,u32";
    ternary<DotProduct4<Byte<A>, Byte<B>>, u32>(t, Text("dp4a.", types, "", "").text, signature);
    ternary<DotProduct2<A, Byte<B>, 0>, u32>(t, Text("dp2a.lo.", types, "", "").text, signature);
    ternary<DotProduct2<A, Byte<B>, 16>, u32>(t, Text("dp2a.hi.", types, "", "").text, signature);
}

// Two of 16 bits in 32.
template <class Op, class T>
struct Packed {
    static u32 apply(u32 a, u32 b) {
        const u32 low = static_cast<u16>(Op::apply(static_cast<T>(a), static_cast<T>(b)));
        const u32 high = static_cast<u16>(Op::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
        return high << 16 | low;
    }
};
// To 0 and above.
template <class Op>
struct Relu {
    template <class T>
    static T apply(T a, T b) {
        return Max::apply(Op::apply(a, b), T{0});
    }
};

void relu_rows(OpTable& t, const char* min, const char* max, const char* min_two, const char* max_two) {
    binary<Relu<Min>, s32>(t, min, "s32=s32,s32");
    binary<Relu<Max>, s32>(t, max, "s32=s32,s32");
    binary<Packed<Relu<Min>, s16>, u32>(t, min_two, "b32=b32,b32");
    binary<Packed<Relu<Max>, s16>, u32>(t, max_two, "b32=b32,b32");
}

void packed_rows(OpTable& t) {
    binary<Packed<Add, u16>, u32>(t, "add.s16x2", "b32=b32,b32");
    binary<Packed<Add, u16>, u32>(t, "add.u16x2", "b32=b32,b32");
    binary<Packed<Min, s16>, u32>(t, "min.s16x2", "b32=b32,b32");
    binary<Packed<Min, u16>, u32>(t, "min.u16x2", "b32=b32,b32");
    binary<Packed<Max, s16>, u32>(t, "max.s16x2", "b32=b32,b32");
    binary<Packed<Max, u16>, u32>(t, "max.u16x2", "b32=b32,b32");
    relu_rows(t, "min.relu.s32", "max.relu.s32", "min.relu.s16x2", "max.relu.s16x2");
    relu_rows(t, "min.s32.relu", "max.s32.relu", "min.s16x2.relu", "max.s16x2.relu");  // as the compiler writes it
}

// Sums and products, which wrap.
void wrapping_rows(OpTable& t) {
    binary<Add, u16>(t, "add.s16", "s16=s16,s16");
    binary<Add, u16>(t, "add.u16", "u16=u16,u16");
    binary<Add, u32>(t, "add.s32", "s32=s32,s32");
    binary<Add, u32>(t, "add.u32", "u32=u32,u32");
    binary<Add, u64>(t, "add.s64", "s64=s64,s64");
    binary<Add, u64>(t, "add.u64", "u64=u64,u64");
    binary<Sub, u16>(t, "sub.s16", "s16=s16,s16");
    binary<Sub, u16>(t, "sub.u16", "u16=u16,u16");
    binary<Sub, u32>(t, "sub.s32", "s32=s32,s32");
    binary<Sub, u32>(t, "sub.u32", "u32=u32,u32");
    binary<Sub, u64>(t, "sub.s64", "s64=s64,s64");
    binary<Sub, u64>(t, "sub.u64", "u64=u64,u64");
    binary<MulLo, u16>(t, "mul.lo.s16", "s16=s16,s16");
    binary<MulLo, u16>(t, "mul.lo.u16", "u16=u16,u16");
    binary<MulLo, u32>(t, "mul.lo.s32", "s32=s32,s32");
    binary<MulLo, u32>(t, "mul.lo.u32", "u32=u32,u32");
    binary<MulLo, u64>(t, "mul.lo.s64", "s64=s64,s64");
    binary<MulLo, u64>(t, "mul.lo.u64", "u64=u64,u64");
    binary<MulHi, s16>(t, "mul.hi.s16", "s16=s16,s16");
    binary<MulHi, u16>(t, "mul.hi.u16", "u16=u16,u16");
    binary<MulHi, s32>(t, "mul.hi.s32", "s32=s32,s32");
    binary<MulHi, u32>(t, "mul.hi.u32", "u32=u32,u32");
    binary<MulHi, s64>(t, "mul.hi.s64", "s64=s64,s64");
    binary<MulHi, u64>(t, "mul.hi.u64", "u64=u64,u64");
    binary<MulWide, s32, s16>(t, "mul.wide.s16", "s32=s16,s16");
    binary<MulWide, u32, u16>(t, "mul.wide.u16", "u32=u16,u16");
    binary<MulWide, s64, s32>(t, "mul.wide.s32", "s64=s32,s32");
    binary<MulWide, u64, u32>(t, "mul.wide.u32", "u64=u32,u32");
    binary<Mul24, s32>(t, "mul24.lo.s32", "s32=s32,s32");
    binary<Mul24, u32>(t, "mul24.lo.u32", "u32=u32,u32");
    ternary<MadLo, u16>(t, "mad.lo.s16", "s16=s16,s16,s16");
    ternary<MadLo, u16>(t, "mad.lo.u16", "u16=u16,u16,u16");
    ternary<MadLo, u32>(t, "mad.lo.s32", "s32=s32,s32,s32");
    ternary<MadLo, u32>(t, "mad.lo.u32", "u32=u32,u32,u32");
    ternary<MadLo, u64>(t, "mad.lo.s64", "s64=s64,s64,s64");
    ternary<MadLo, u64>(t, "mad.lo.u64", "u64=u64,u64,u64");
    ternary<MadHi, s32>(t, "mad.hi.s32", "s32=s32,s32,s32");
    ternary<MadHi, u32>(t, "mad.hi.u32", "u32=u32,u32,u32");
    ternary<MadHi, s64>(t, "mad.hi.s64", "s64=s64,s64,s64");
    ternary<MadHi, u64>(t, "mad.hi.u64", "u64=u64,u64,u64");
    ternary<MadWide, s32, s16, s16, s32>(t, "mad.wide.s16", "s32=s16,s16,s32");
    ternary<MadWide, u32, u16, u16, u32>(t, "mad.wide.u16", "u32=u16,u16,u32");
    ternary<MadWide, s64, s32, s32, s64>(t, "mad.wide.s32", "s64=s32,s32,s64");
    ternary<MadWide, u64, u32, u32, u64>(t, "mad.wide.u32", "u64=u32,u32,u64");
    ternary<Mad24, s32>(t, "mad24.lo.s32", "s32=s32,s32,s32");
    ternary<Mad24, u32>(t, "mad24.lo.u32", "u32=u32,u32,u32");
}

// In front of a division: the CPU that runs a launcher stops at a divisor of zero.
template <class T>
void divisor(Warp& w, const Inst& in) {
    if (!w.is_host) return;
    const T* b = reg<T>(w, in.a);
    for (u32 rest = w.mask; rest != 0; rest &= rest - 1)
        if (b[__builtin_ctz(rest)] == 0) return report_trap(w, in, FindingReason::division_by_zero);
}

}  // namespace

void integer_arithmetic(OpTable& t) {
    wrapping_rows(t);
    ternary<Sad, s32>(t, "sad.s32", "s32=s32,s32,u32");
    ternary<Sad, u32>(t, "sad.u32", "u32=u32,u32,u32");
    ternary<Sad, s64>(t, "sad.s64", "s64=s64,s64,u64");
    ternary<Sad, u64>(t, "sad.u64", "u64=u64,u64,u64");
    t.add("divisor.b16", "", divisor<u16>, divisor<u16>);
    t.add("divisor.b32", "", divisor<u32>, divisor<u32>);
    t.add("divisor.b64", "", divisor<u64>, divisor<u64>);
    binary<Div, s16>(t, "div.s16", "s16=s16,s16");
    binary<Div, u16>(t, "div.u16", "u16=u16,u16");
    binary<Div, s32>(t, "div.s32", "s32=s32,s32");
    binary<Div, u32>(t, "div.u32", "u32=u32,u32");
    binary<Div, s64>(t, "div.s64", "s64=s64,s64");
    binary<Div, u64>(t, "div.u64", "u64=u64,u64");
    binary<Rem, s16>(t, "rem.s16", "s16=s16,s16");
    binary<Rem, u16>(t, "rem.u16", "u16=u16,u16");
    binary<Rem, s32>(t, "rem.s32", "s32=s32,s32");
    binary<Rem, u32>(t, "rem.u32", "u32=u32,u32");
    binary<Rem, s64>(t, "rem.s64", "s64=s64,s64");
    binary<Rem, u64>(t, "rem.u64", "u64=u64,u64");
    unary<Abs, s16>(t, "abs.s16", "s16=s16");
    unary<Abs, s32>(t, "abs.s32", "s32=s32");
    unary<Abs, s64>(t, "abs.s64", "s64=s64");
    unary<Neg, s16>(t, "neg.s16", "s16=s16");
    unary<Neg, s32>(t, "neg.s32", "s32=s32");
    unary<Neg, s64>(t, "neg.s64", "s64=s64");
    binary<Min, s16>(t, "min.s16", "s16=s16,s16");
    binary<Min, u16>(t, "min.u16", "u16=u16,u16");
    binary<Min, s32>(t, "min.s32", "s32=s32,s32");
    binary<Min, u32>(t, "min.u32", "u32=u32,u32");
    binary<Min, s64>(t, "min.s64", "s64=s64,s64");
    binary<Min, u64>(t, "min.u64", "u64=u64,u64");
    binary<Max, s16>(t, "max.s16", "s16=s16,s16");
    binary<Max, u16>(t, "max.u16", "u16=u16,u16");
    binary<Max, s32>(t, "max.s32", "s32=s32,s32");
    binary<Max, u32>(t, "max.u32", "u32=u32,u32");
    binary<Max, s64>(t, "max.s64", "s64=s64,s64");
    binary<Max, u64>(t, "max.u64", "u64=u64,u64");
    packed_rows(t);
    bit_rows(t);
    dot_product_rows<u16, u16>(t, "u32.u32");
    dot_product_rows<u16, s16>(t, "u32.s32");
    dot_product_rows<s16, u16>(t, "s32.u32");
    dot_product_rows<s16, s16>(t, "s32.s32");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
