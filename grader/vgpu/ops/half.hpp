// IEEE 754 binary16 and bfloat16 in 16 bits, through float, rounded to nearest even. A sum or product of two halves is
// exact enough in float that rounding twice gives the right half (float has more than 2 x 11 + 2 bits).
#pragma once

#include "vgpu/ops/lanes.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA::half {

inline f32 to_float(u16 h) {
    const u32 sign = static_cast<u32>(h & 0x8000) << 16;
    const u32 exponent = (h >> 10) & 0x1F, fraction = h & 0x3FF;
    if (exponent == 31) return __builtin_bit_cast(f32, fraction == 0 ? sign | 0x7F800000u : 0x7FFFFFFFu);
    if (exponent == 0) {
        const f32 magnitude = static_cast<f32>(fraction) * 0x1p-24f;
        return __builtin_bit_cast(f32, __builtin_bit_cast(u32, magnitude) | sign);
    }
    return __builtin_bit_cast(f32, sign | (exponent + 112) << 23 | fraction << 13);
}

inline u16 from_double(f64 v) {
    const u64 bits = __builtin_bit_cast(u64, v);
    const u16 sign = static_cast<u16>((bits >> 48) & 0x8000);
    if (v != v) return 0x7FFF;
    const f64 magnitude = v < 0 ? -v : v;
    if (magnitude >= 65520.0) return static_cast<u16>(sign | 0x7C00);
    if (magnitude < 0x1p-14) return static_cast<u16>(sign | static_cast<u16>(__builtin_nearbyint(magnitude * 0x1p24)));
    const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023;
    const f64 scale = __builtin_bit_cast(f64, static_cast<u64>(1023 + 10 - exponent) << 52);
    const u32 fraction = static_cast<u32>(__builtin_nearbyint(magnitude * scale));  // 1024 .. 2048
    return static_cast<u16>(sign | (((exponent + 15) << 10) + static_cast<int>(fraction) - 1024));
}
inline u16 from_float(f32 v) { return from_double(static_cast<f64>(v)); }

inline f32 bfloat_to_float(u16 b) { return __builtin_bit_cast(f32, static_cast<u32>(b) << 16); }
inline u16 bfloat_from_float(f32 v) {
    if (v != v) return 0x7FFF;
    const u32 bits = __builtin_bit_cast(u32, v);
    return static_cast<u16>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// Through float, rounded to odd there, so that the second rounding is the only one that matters.
inline u16 bfloat_from_double(f64 v) {
    f32 f = static_cast<f32>(v);
    u32 bits = __builtin_bit_cast(u32, f);
    if (v == v && static_cast<f64>(f) != v && (bits & 1) == 0 && (bits & 0x7F800000u) != 0x7F800000u) {
        const bool is_beyond = (f < 0 ? -static_cast<f64>(f) : static_cast<f64>(f)) > (v < 0 ? -v : v);
        bits += is_beyond ? ~0u : 1u;
        f = __builtin_bit_cast(f32, bits);
    }
    return bfloat_from_float(f);
}

// The two formats: a value as float, a number rounded to it, and what 1.0 is.
struct F16 {
    static constexpr u16 one = 0x3C00;
    static f32 load(u16 v) { return to_float(v); }
    static u16 store(f64 v) { return from_double(v); }
};
struct BF16 {
    static constexpr u16 one = 0x3F80;
    static f32 load(u16 v) { return bfloat_to_float(v); }
    static u16 store(f64 v) { return bfloat_from_double(v); }
};

// As f64; an integer of more bits is cut, and its last bit is set where that lost something, so that no half takes it
// for another number than it is.
template <class A>
f64 to_double(A a) {
    if constexpr (std::is_floating_point_v<A>) {
        return static_cast<f64>(a);
    } else {
        const bool is_negative = a < 0;
        u64 magnitude = is_negative ? u64{0} - static_cast<u64>(a) : static_cast<u64>(a);
        constexpr u64 dropped = (u64{1} << 11) - 1;
        if (magnitude >> 53 != 0 && (magnitude & dropped) != 0) magnitude = (magnitude & ~dropped) | (dropped + 1);
        const f64 v = static_cast<f64>(magnitude);
        return is_negative ? -v : v;
    }
}

enum class Towards { zero, down, up };
// The nearest value, and from there one step where that lies on the wrong side.
template <Towards T, class H>
struct FromDirected {
    template <class A>
    static u16 apply(A a) {
        const f64 v = to_double(a);
        const u16 h = H::store(v);
        if (v != v) return h;
        const f64 near = static_cast<f64>(H::load(h));
        const bool is_negative = (h & 0x8000) != 0;
        const bool goes_down = T == Towards::down || (T == Towards::zero && v > 0);
        if (goes_down && near > v) return static_cast<u16>(is_negative ? h + 1 : h - 1);
        if (!goes_down && near < v) return static_cast<u16>(is_negative ? h - 1 : h + 1);
        return h;
    }
};
template <class H>
struct FromInteger {
    template <class A>
    static u16 apply(A a) {
        return H::store(to_double(a));
    }
};

}  // namespace warpgrade::vgpu::WARPGRADE_ISA::half
