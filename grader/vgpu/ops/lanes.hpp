// The few 32-lane idioms the handlers are written with. Included only by files compiled once for each instruction set;
// everything is in that set's own inline namespace, so no two sets ever share a symbol.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "vgpu/exec.hpp"

#ifndef WARPGRADE_ISA
#error "compile with -DWARPGRADE_ISA=<name of the instruction set>"
#endif

namespace warpgrade::vgpu::WARPGRADE_ISA {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

// f(i) for i = 0..31. Lane i may read what lane i wrote before, and nothing of another lane.
template <class F>
inline __attribute__((always_inline)) void each_lane(F&& f) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int i = 0; i < 32; ++i) f(i);
}

// `first` or `second`. Between two elements of arrays, ?: chooses an address, and clang leaves such a loop as it is.
template <class T>
inline __attribute__((always_inline)) T choose(bool is_first, T first, T second) {
    return is_first ? first : second;
}

// d[i] = f(i) for the active lanes. D: element type of the destination.
template <bool Masked, class D, class F>
inline __attribute__((always_inline)) void write_lanes(const Warp& w, u32 ref, F&& f) {
    D* __restrict__ d = reg<D>(w, ref);
    if constexpr (Masked) {
        alignas(64) D value[32];
        each_lane([&](int i) { value[i] = f(i); });
        const u32 mask = w.mask;
        each_lane([&](int i) { d[i] = choose(((mask >> i) & 1) != 0, value[i], d[i]); });
    } else {
        each_lane([&](int i) { d[i] = f(i); });
    }
}

// While it lives, the processor rounds that way. Registers are in memory, and nothing moves across the ends of its
// life.
class RoundingMode {
public:
    explicit RoundingMode(int mode) : before_(std::fegetround()) {
        std::fesetround(mode);
        __asm__ volatile("" ::: "memory");
    }
    ~RoundingMode() {
        __asm__ volatile("" ::: "memory");
        std::fesetround(before_);
    }
    RoundingMode(const RoundingMode&) = delete;

private:
    int before_;
};

// Bit i set where flags[i] != 0. flags holds 0 or all ones.
inline u32 to_mask(const u32* flags) {
#if defined(__AVX2__)
    u32 mask = 0;
    for (int k = 0; k < 4; ++k) {
        const __m256 part = _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags + 8 * k)));
        mask |= static_cast<u32>(_mm256_movemask_ps(part)) << (8 * k);
    }
    return mask;
#else
    u32 mask = 0;
    for (int i = 0; i < 32; ++i) mask |= (flags[i] & 1u) << i;
    return mask;
#endif
}

// Mask of lanes where f(i) holds, all 32 computed.
template <class F>
inline __attribute__((always_inline)) u32 lanes_where(F&& f) {
    alignas(64) u32 flags[32];
    each_lane([&](int i) { flags[i] = f(i) ? ~0u : 0u; });
    return to_mask(flags);
}

template <bool Masked>
inline void write_pred(const Warp& w, u32 ref, u32 value) {
    u32& p = pred(w, ref);
    p = Masked ? (p & ~w.mask) | (value & w.mask) : value;
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
