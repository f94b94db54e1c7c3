// PTX manual: "Data Movement and Conversion Instructions", the part on registers: mov, cvt, cvta; and `resize`,
// lowering's own row for an operand whose register is wider or narrower than the instruction's type.
#include "vgpu/ops/half.hpp"
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct Copy {
    template <class T>
    static T apply(T a) {
        return a;
    }
};

template <bool Masked>
void mov_pred(Warp& w, const Inst& in) {
    write_pred<Masked>(w, in.d[0], pred(w, in.a));
}

// Integer to integer: truncation or extension by the source's sign; .sat clamps to the destination's range.
template <class D, bool Saturate>
struct ToInteger {
    template <class A>
    static D apply(A a) {
        if constexpr (Saturate) {
            using W = __int128;
            const W low = std::is_signed_v<D> ? -(W{1} << (8 * sizeof(D) - 1)) : W{0};
            const W high = std::is_signed_v<D> ? (W{1} << (8 * sizeof(D) - 1)) - 1 : (W{1} << (8 * sizeof(D))) - 1;
            const W v = static_cast<W>(a);
            return static_cast<D>(v < low ? low : v > high ? high : v);
        }
        return static_cast<D>(a);
    }
};

enum class Rounding { nearest, zero, down, up };
template <Rounding R, class F>
F rounded(F v) {
    if constexpr (R == Rounding::nearest) return sizeof(F) == 4 ? __builtin_nearbyintf(v) : __builtin_nearbyint(v);
    if constexpr (R == Rounding::zero) return sizeof(F) == 4 ? __builtin_truncf(v) : __builtin_trunc(v);
    if constexpr (R == Rounding::down) return sizeof(F) == 4 ? __builtin_floorf(v) : __builtin_floor(v);
    return sizeof(F) == 4 ? __builtin_ceilf(v) : __builtin_ceil(v);
}
// Float to integer clamps to the range. A NaN becomes 0, or only the top bit where one side has 64 bits (PTX manual,
// cvt).
template <Rounding R, class D>
struct FloatToInteger {
    template <class F>
    static D apply(F v) {
        if (v != v)
            return sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(Unsigned<D>{1} << (8 * sizeof(D) - 1)) : D{0};
        const F r = rounded<R>(v);
        constexpr int bits = 8 * sizeof(D) - (std::is_signed_v<D> ? 1 : 0);
        const F limit = static_cast<F>(bits == 64 ? 18446744073709551616.0 : static_cast<f64>(u64{1} << (bits & 63)));
        using Max = Unsigned<D>;
        if (r >= limit)
            return std::is_signed_v<D> ? static_cast<D>(static_cast<Max>(~Max{0}) >> 1) : static_cast<D>(~D{0});
        if constexpr (std::is_signed_v<D>) {
            if (r < -limit) return static_cast<D>(Max{1} << (8 * sizeof(D) - 1));
        } else {
            if (r < 0) return 0;
        }
        return static_cast<D>(r);
    }
};
template <class D>
struct ToFloat {
    template <class A>
    static D apply(A a) {
        return static_cast<D>(a);
    }
};
template <Rounding R>
struct RoundToIntegral {
    static f32 apply(f32 a) { return a == a ? rounded<R>(a) : __builtin_bit_cast(f32, 0x7FFFFFFFu); }
    static f64 apply(f64 a) { return rounded<R>(a); }
};
struct SaturateFloat {
    template <class F>
    static F apply(F a) {
        return a > 0 ? (a < 1 ? a : F{1}) : F{0};
    }
};

// An integer as a float, rounded as the mode says: never through the processor's own conversion, which the compiler may
// make of several instructions.
template <class D, Rounding R>
struct ToFloatDirected {
    template <class A>
    static D apply(A a) {
        constexpr int digits = sizeof(D) == 4 ? 24 : 53;
        const bool is_negative = a < 0;
        const u64 magnitude = is_negative ? u64{0} - static_cast<u64>(a) : static_cast<u64>(a);
        const int width = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
        const int dropped = width > digits ? width - digits : 0;
        u64 kept = magnitude >> dropped;
        const bool goes_out = R == Rounding::up ? !is_negative : R == Rounding::down && is_negative;
        if (goes_out && kept << dropped != magnitude) ++kept;
        const D scale = static_cast<D>(u64{1} << dropped);
        const D v = static_cast<D>(static_cast<s64>(kept)) * scale;  // both are exact
        return is_negative ? -v : v;
    }
};
template <int Mode>
void narrow_directed(Warp& w, const Inst& in) {
    const RoundingMode mode(Mode);
    unary_handler<ToFloat<f32>, f32, f64, true>(w, in);
}
template <int Mode>
void narrow_row(OpTable& t, const char* key) {
    t.add(key, "f32=f64", narrow_directed<Mode>, narrow_directed<Mode>);
}

template <class D, class A>
void integer_pair(OpTable& t, const char* to, const char* from) {
    unary<ToInteger<D, false>, D, A>(t, Text("cvt.", to, ".", from).text, Text(to, "=", from, "").text);
    rare_unary<ToInteger<D, true>, D, A>(t, Text("cvt.sat.", to, ".", from).text, Text(to, "=", from, "").text);
}
template <class H, class A>
void directed_to_half(OpTable& t, const char* to, const char* from) {
    const Text signature(to, "=", from, "");
    rare_unary<half::FromDirected<half::Towards::zero, H>, u16, A>(t, Text("cvt.rz.", to, ".", from).text,
                                                                   signature.text);
    rare_unary<half::FromDirected<half::Towards::down, H>, u16, A>(t, Text("cvt.rm.", to, ".", from).text,
                                                                   signature.text);
    rare_unary<half::FromDirected<half::Towards::up, H>, u16, A>(t, Text("cvt.rp.", to, ".", from).text,
                                                                 signature.text);
}
template <class H, class A>
void integer_to_half(OpTable& t, const char* to, const char* from) {
    rare_unary<half::FromInteger<H>, u16, A>(t, Text("cvt.", to, ".", from).text, Text(to, "=", from, "").text);
    directed_to_half<H, A>(t, to, from);
}
template <class D, class A>
void directed_to_float(OpTable& t, const char* to, const char* from) {
    const Text signature(to, "=", from, "");
    rare_unary<ToFloatDirected<D, Rounding::zero>, D, A>(t, Text("cvt.rz.", to, ".", from).text, signature.text);
    rare_unary<ToFloatDirected<D, Rounding::down>, D, A>(t, Text("cvt.rm.", to, ".", from).text, signature.text);
    rare_unary<ToFloatDirected<D, Rounding::up>, D, A>(t, Text("cvt.rp.", to, ".", from).text, signature.text);
}
template <class A>
void from_integer(OpTable& t, const char* from) {
    integer_pair<u8, A>(t, "u8", from);
    integer_pair<u16, A>(t, "u16", from);
    integer_pair<u32, A>(t, "u32", from);
    integer_pair<u64, A>(t, "u64", from);
    integer_pair<s8, A>(t, "s8", from);
    integer_pair<s16, A>(t, "s16", from);
    integer_pair<s32, A>(t, "s32", from);
    integer_pair<s64, A>(t, "s64", from);
    unary<ToFloat<f32>, f32, A>(t, Text("cvt.f32.", from, "", "").text, Text("f32=", from, "", "").text);
    unary<ToFloat<f64>, f64, A>(t, Text("cvt.f64.", from, "", "").text, Text("f64=", from, "", "").text);
    directed_to_float<f32, A>(t, "f32", from);
    directed_to_float<f64, A>(t, "f64", from);
    integer_to_half<half::F16, A>(t, "f16", from);
    integer_to_half<half::BF16, A>(t, "bf16", from);
}
template <class H, Rounding R, class D>
struct HalfToInteger {
    static D apply(u16 h) { return FloatToInteger<R, D>::apply(H::load(h)); }
};
template <class H, Rounding R>
struct HalfToIntegral {
    static u16 apply(u16 h) { return H::store(static_cast<f64>(rounded<R>(H::load(h)))); }
};
template <class H, class D>
void half_to_integer(OpTable& t, const char* to, const char* from) {
    const Text signature(to, "=", from, "");
    rare_unary<HalfToInteger<H, Rounding::nearest, D>, D, u16>(t, Text("cvt.rni.", to, ".", from).text, signature.text);
    rare_unary<HalfToInteger<H, Rounding::zero, D>, D, u16>(t, Text("cvt.rzi.", to, ".", from).text, signature.text);
    rare_unary<HalfToInteger<H, Rounding::down, D>, D, u16>(t, Text("cvt.rmi.", to, ".", from).text, signature.text);
    rare_unary<HalfToInteger<H, Rounding::up, D>, D, u16>(t, Text("cvt.rpi.", to, ".", from).text, signature.text);
}
template <class H>
void from_half(OpTable& t, const char* from) {
    half_to_integer<H, u8>(t, "u8", from);
    half_to_integer<H, u16>(t, "u16", from);
    half_to_integer<H, u32>(t, "u32", from);
    half_to_integer<H, u64>(t, "u64", from);
    half_to_integer<H, s8>(t, "s8", from);
    half_to_integer<H, s16>(t, "s16", from);
    half_to_integer<H, s32>(t, "s32", from);
    half_to_integer<H, s64>(t, "s64", from);
    const Text signature(from, "=", from, "");
    rare_unary<HalfToIntegral<H, Rounding::nearest>, u16>(t, Text("cvt.rni.", from, ".", from).text, signature.text);
    rare_unary<HalfToIntegral<H, Rounding::zero>, u16>(t, Text("cvt.rzi.", from, ".", from).text, signature.text);
    rare_unary<HalfToIntegral<H, Rounding::down>, u16>(t, Text("cvt.rmi.", from, ".", from).text, signature.text);
    rare_unary<HalfToIntegral<H, Rounding::up>, u16>(t, Text("cvt.rpi.", from, ".", from).text, signature.text);
}
template <class D, class F>
void float_to_integer(OpTable& t, const char* to, const char* from) {
    const Text signature(to, "=", from, "");
    rare_unary<FloatToInteger<Rounding::nearest, D>, D, F>(t, Text("cvt.rni.", to, ".", from).text, signature.text);
    unary<FloatToInteger<Rounding::zero, D>, D, F>(t, Text("cvt.rzi.", to, ".", from).text, signature.text);
    rare_unary<FloatToInteger<Rounding::down, D>, D, F>(t, Text("cvt.rmi.", to, ".", from).text, signature.text);
    rare_unary<FloatToInteger<Rounding::up, D>, D, F>(t, Text("cvt.rpi.", to, ".", from).text, signature.text);
}
template <class F>
void from_float(OpTable& t, const char* from) {
    float_to_integer<u8, F>(t, "u8", from);
    float_to_integer<u16, F>(t, "u16", from);
    float_to_integer<u32, F>(t, "u32", from);
    float_to_integer<u64, F>(t, "u64", from);
    float_to_integer<s8, F>(t, "s8", from);
    float_to_integer<s16, F>(t, "s16", from);
    float_to_integer<s32, F>(t, "s32", from);
    float_to_integer<s64, F>(t, "s64", from);
    const Text signature(from, "=", from, "");
    rare_unary<RoundToIntegral<Rounding::nearest>, F>(t, Text("cvt.rni.", from, ".", from).text, signature.text);
    rare_unary<RoundToIntegral<Rounding::zero>, F>(t, Text("cvt.rzi.", from, ".", from).text, signature.text);
    rare_unary<RoundToIntegral<Rounding::down>, F>(t, Text("cvt.rmi.", from, ".", from).text, signature.text);
    rare_unary<RoundToIntegral<Rounding::up>, F>(t, Text("cvt.rpi.", from, ".", from).text, signature.text);
    rare_unary<SaturateFloat, F>(t, Text("cvt.sat.", from, ".", from).text, signature.text);
    unary<Copy, F>(t, Text("cvt.", from, ".", from).text, signature.text);
}
// mov between one register and the vector of its parts (PTX manual, mov: "pack", "unpack"). Sources beyond three in
// d[1].
template <class D, class P, bool Masked>
void pack(Warp& w, const Inst& in) {
    constexpr int parts = sizeof(D) / sizeof(P);
    const P* p[4] = {reg<P>(w, in.a), reg<P>(w, in.b), reg<P>(w, in.c), reg<P>(w, in.d[1])};
    write_lanes<Masked, D>(w, in.d[0], [=](int i) {
        D value = 0;
        for (int k = 0; k < parts; ++k)
            value = static_cast<D>(value | static_cast<D>(static_cast<D>(p[k][i]) << (8 * sizeof(P) * k)));
        return value;
    });
}
template <class D, class P, bool Masked>
void unpack(Warp& w, const Inst& in) {
    constexpr int parts = sizeof(D) / sizeof(P);
    alignas(64) D a[32];
    std::memcpy(a, reg<D>(w, in.a), sizeof a);
    for (int k = 0; k < parts; ++k) {
        write_lanes<Masked, P>(w, in.d[k], [&](int i) { return static_cast<P>(a[i] >> (8 * sizeof(P) * k)); });
    }
}
template <class D, class P>
void pack_rows(OpTable& t, const char* packs, const char* unpacks) {
    t.add(packs, "", pack<D, P, false>, pack<D, P, true>);
    t.add(unpacks, "", unpack<D, P, false>, unpack<D, P, true>);
}

template <class A>
void resize_rows(OpTable& t, const char* from) {
    const auto row = [&]<class D>(D, const char* to) {
        unary<ToInteger<D, false>, D, A>(t, Text("resize.", to, ".", from).text, Text(to, "=", from, "").text);
    };
    row(u8{}, "u8");
    row(u16{}, "u16");
    row(u32{}, "u32");
    row(u64{}, "u64");
}

}  // namespace

void data_movement(OpTable& t) {
    t.add("mov.pred", "p=p", mov_pred<false>, mov_pred<true>);
    unary<Copy, u16>(t, "mov.b16", "b16=b16");
    unary<Copy, u32>(t, "mov.b32", "b32=b32");
    unary<Copy, u64>(t, "mov.b64", "b64=b64");
    pack_rows<u64, u32>(t, "pack.b64.b32", "unpack.b64.b32");
    pack_rows<u64, u16>(t, "pack.b64.b16", "unpack.b64.b16");
    pack_rows<u32, u16>(t, "pack.b32.b16", "unpack.b32.b16");
    pack_rows<u32, u8>(t, "pack.b32.b8", "unpack.b32.b8");
    pack_rows<u16, u8>(t, "pack.b16.b8", "unpack.b16.b8");
    resize_rows<u8>(t, "u8");
    resize_rows<s8>(t, "s8");
    resize_rows<u16>(t, "u16");
    resize_rows<s16>(t, "s16");
    resize_rows<u32>(t, "u32");
    resize_rows<s32>(t, "s32");
    resize_rows<u64>(t, "u64");
    resize_rows<s64>(t, "s64");
}

void conversion(OpTable& t) {
    from_integer<u8>(t, "u8");
    from_integer<u16>(t, "u16");
    from_integer<u32>(t, "u32");
    from_integer<u64>(t, "u64");
    from_integer<s8>(t, "s8");
    from_integer<s16>(t, "s16");
    from_integer<s32>(t, "s32");
    from_integer<s64>(t, "s64");
    from_float<f32>(t, "f32");
    from_float<f64>(t, "f64");
    from_half<half::F16>(t, "f16");
    from_half<half::BF16>(t, "bf16");
    directed_to_half<half::F16, f32>(t, "f16", "f32");
    directed_to_half<half::BF16, f32>(t, "bf16", "f32");
    unary<ToFloat<f64>, f64, f32>(t, "cvt.f64.f32", "f64=f32");
    unary<ToFloat<f32>, f32, f64>(t, "cvt.f32.f64", "f32=f64");
    narrow_row<FE_TOWARDZERO>(t, "cvt.rz.f32.f64");
    narrow_row<FE_DOWNWARD>(t, "cvt.rm.f32.f64");
    narrow_row<FE_UPWARD>(t, "cvt.rp.f32.f64");
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
