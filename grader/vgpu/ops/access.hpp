// How a warp's addresses become sectors and wavefronts. The rules were checked against an H200's counters access by
// access (grader/tests/data/one_warp_accesses.csv, tests/vgpu/one_warp_test.cpp).
#pragma once

#include "vgpu/budget.hpp"
#include "vgpu/ops/lanes.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

// The active lanes of one access, in lane order. Full: all 32, and lane[] is not filled.
struct Lanes {
    alignas(64) u64 at[32];  // addresses
    u8 lane[32];
    u32 mask = 0;
    int count = 0;
    u64 low = 0, high = 0;   // least and greatest address: low <= at[k] <= high
    u64 bits = 0;            // or of all addresses
    s64 stride = 0;          // between neighbouring active lanes
    bool is_affine = false;  // at[k] == at[0] + k * stride, without wrapping
};

inline bool is_one_place(const Lanes& l) { return l.is_affine && l.stride == 0; }

// No buffer is this large; 32 strides below it cannot wrap unseen.
inline constexpr u64 kLongestStride = u64{1} << 40;

template <bool Full>
inline int lane_of(const Lanes& l, int k) {
    return Full ? k : l.lane[k];
}

template <bool Full>
inline void survey(Lanes& l) {
    const int n = Full ? 32 : l.count;
    l.stride = n > 1 ? static_cast<s64>(l.at[1] - l.at[0]) : 0;
    u64 differs = 0;
    const u64 stride = static_cast<u64>(l.stride);
    // Not each with the next one: a load across two stores that were just done waits for both.
    u64 expected = l.at[0];
    for (int k = 0; k < n; ++k, expected += stride) differs |= l.at[k] ^ expected;
    const u64 last = l.at[n - 1];
    l.low = l.stride < 0 ? last : l.at[0];
    l.high = l.stride < 0 ? l.at[0] : last;
    l.is_affine = differs == 0 && l.low <= l.high && stride + kLongestStride < 2 * kLongestStride;
    if (l.is_affine) {
        l.bits = l.at[0] | stride;
        return;
    }
    u64 low = l.at[0], high = l.at[0], bits = 0;
    for (int k = 0; k < n; ++k) {
        low = l.at[k] < low ? l.at[k] : low;
        high = l.at[k] > high ? l.at[k] : high;
        bits |= l.at[k];
    }
    l.low = low;
    l.high = high;
    l.bits = bits;
}

// Addresses of the active lanes of an instruction. False if there is none.
template <bool Masked>
[[gnu::noinline]] bool collect(Warp& w, const Inst& in, Lanes& l) {
    const u64* a = reg<u64>(w, in.a);
    const u64 offset = static_cast<u64>(in.imm);
    if constexpr (!Masked) {
        each_lane([&](int i) { l.at[i] = a[i] + offset; });
        l.mask = kFullMask;
        l.count = 32;
        survey<true>(l);
        w.extra_work += l.is_affine ? price::spread_row : price::scattered_row;
        return true;
    } else {
        l.mask = w.mask;
        int n = 0;
        for (u32 rest = w.mask; rest != 0; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            l.lane[n] = static_cast<u8>(i);
            l.at[n++] = a[i] + offset;
        }
        l.count = n;
        if (n == 0) return false;
        survey<false>(l);
        w.extra_work += l.is_affine ? price::spread_row : price::scattered_row;
        return true;
    }
}

// True if the 32 lanes want `Width` bytes each, one after the other; that is most accesses, and needs no copy of
// addresses.
template <u32 Width>
inline bool is_row(const u64* a) {
    const u64 first = a[0];
    u64 differs = 0;
    for (int i = 0; i < 32; ++i) differs |= (a[i] - first) ^ static_cast<u64>(static_cast<u32>(i) * Width);
    return differs == 0;
}

// Number of different values; values in any order.
inline u32 count_distinct(const u64* values, int n) {
    u64 table[64];
    u64 used = 0;
    u32 distinct = 0;
    for (int k = 0; k < n; ++k) {
        u32 slot = static_cast<u32>((values[k] * 0x9E3779B97F4A7C15ull) >> 58);
        while (((used >> slot) & 1) != 0 && table[slot] != values[k]) slot = (slot + 1) & 63;
        if (((used >> slot) & 1) == 0) {
            used |= u64{1} << slot;
            table[slot] = values[k];
            ++distinct;
        }
    }
    return distinct;
}

// Distinct aligned 32-byte sectors. Accesses are naturally aligned and at most 32 bytes wide, so a lane touches one.
template <bool Full>
inline u32 count_sectors(const Lanes& l) {
    const int n = Full ? 32 : l.count;
    if (l.is_affine) {
        const s64 step = l.stride < 0 ? -l.stride : l.stride;
        if (step >= 32) return static_cast<u32>(n);
        return static_cast<u32>((l.high >> 5) - (l.low >> 5)) + 1;
    }
    // Neighbouring lanes mostly rise: then a new sector is one that differs from the lane's before.
    u32 changes = 1;
    bool rises = true;
    for (int k = 0; k + 1 < n; ++k) {
        const u64 here = l.at[k] >> 5, next = l.at[k + 1] >> 5;
        rises = rises && next >= here;
        changes += next != here ? 1u : 0u;
    }
    if (rises) return changes;
    u64 sectors[32];
    for (int k = 0; k < n; ++k) sectors[k] = l.at[k] >> 5;
    return count_distinct(sectors, n);
}

// Largest number of different 4-byte words in one of the 32 banks. same_word_counts: a word asked for by several lanes
// counts for each of them (atomics). At most 64 words.
inline u32 bank_degree(const u64* words, int n, bool same_word_counts) {
    u32 seen = 0;
    for (int k = 0; k < n; ++k) seen |= 1u << (words[k] & 31);
    if (__builtin_popcount(seen) == n) return n == 0 ? 0 : 1;
    u8 head[32], next[64], degree[32];
    for (int b = 0; b < 32; ++b) {
        head[b] = 0xFF;
        degree[b] = 0;
    }
    u32 worst = 0;
    for (int k = 0; k < n; ++k) {
        const u32 bank = words[k] & 31;
        bool is_new = true;
        if (!same_word_counts) {
            for (u8 j = head[bank]; j != 0xFF && is_new; j = next[j]) is_new = words[j] != words[k];
        }
        if (!is_new) continue;
        next[k] = head[bank];
        head[bank] = static_cast<u8>(k);
        if (++degree[bank] > worst) worst = degree[bank];
    }
    return worst;
}

// The words of the lanes of one part (half, quarter) of a warp: each lane has `per_lane` consecutive words.
template <bool Full>
inline u32 part_degree(const Lanes& l, int first_lane, int last_lane, int per_lane) {
    u64 words[64];
    int n = 0;
    const int count = Full ? 32 : l.count;
    for (int k = 0; k < count; ++k) {
        const int i = lane_of<Full>(l, k);
        if (i < first_lane || i >= last_lane) continue;
        for (int j = 0; j < per_lane; ++j) words[n++] = (l.at[k] >> 2) + static_cast<u64>(j);
    }
    return bank_degree(words, n, false);
}

// True if every active lane has the address of its partner lane i ^ distance, or that lane is off.
template <bool Full>
inline bool pairs_agree(const Lanes& l, int distance) {
    u64 by_lane[32] = {};
    const int count = Full ? 32 : l.count;
    for (int k = 0; k < count; ++k) by_lane[lane_of<Full>(l, k)] = l.at[k];
    for (int k = 0; k < count; ++k) {
        const int i = lane_of<Full>(l, k), other = i ^ distance;
        if (((l.mask >> other) & 1) != 0 && by_lane[other] != l.at[k]) return false;
    }
    return true;
}

// Wavefronts of a shared load or store of `width` bytes a lane. Loads of 8 and 16 bytes may merge parts, stores never.
template <bool Full>
[[gnu::noinline]] u32 count_wavefronts(const Lanes& l, u32 width, bool is_load) {
    const int n = Full ? 32 : l.count;
    if (width <= 4) {
        if (l.is_affine && (l.stride & 3) == 0) {
            const u32 step = static_cast<u32>((l.stride < 0 ? -l.stride : l.stride) >> 2);
            if (step == 0) return 1;
            // Lanes k and k + period share a bank; the period is 32 over the greatest common divisor of step and 32.
            const u32 log2_period = 5u - static_cast<u32>(__builtin_ctz(step | 32u));
            return (static_cast<u32>(n) + (1u << log2_period) - 1) >> log2_period;
        }
        u64 words[32];
        for (int k = 0; k < n; ++k) words[k] = l.at[k] >> 2;
        return bank_degree(words, n, false);
    }
    const int per_lane = static_cast<int>(width / 4);
    const int parts = static_cast<int>(width / 4);  // 2 halves of 16 lanes, 4 quarters of 8
    const int lanes_per_part = 32 / parts;
    if (l.is_affine && Full && l.stride == static_cast<s64>(width)) return static_cast<u32>(parts);
    const bool merges = is_load && (pairs_agree<Full>(l, 1) || pairs_agree<Full>(l, 2));
    u32 total = 0;
    const int step = merges ? 2 : 1;
    for (int p = 0; p < parts; p += step) {
        total += part_degree<Full>(l, p * lanes_per_part, (p + step) * lanes_per_part, per_lane);
    }
    return total;
}

inline u32 ideal_wavefronts(u32 width) { return width <= 4 ? 1 : width / 4; }
inline u32 ideal_sectors(int lanes, u32 width) { return (static_cast<u32>(lanes) * width + 31) / 32; }

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
