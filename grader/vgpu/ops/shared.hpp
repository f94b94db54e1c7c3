// Shared memory accesses of a warp: bounds, written state, race stamps, wavefronts, data.
#pragma once

#include "vgpu/ops/global.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

inline u32 own_stamp(const Warp& w, int lane) {
    return w.sequence << kStampShift | w.index << 5 | static_cast<u32>(lane);
}

template <class T, int V>
__attribute__((noinline)) bool drop_faulty_shared(Warp& w, const Inst& in, Lanes& l, bool is_full) {
    constexpr u32 width = kWidth<T, V>;
    int n = 0;
    u32 mask = 0;
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        u64 at = l.at[k];
        if (names_block(at) && move_shared(w, in, i, at, sizeof(T), V)) continue;
        if ((at & (width - 1)) != 0) {
            report_misaligned(w, in, i, at, width, 7);
        } else if (!inside(at, width, 0, w.shared_bytes)) {
            report_shared_bounds(w, in, i, at, width);
        } else {
            l.at[n] = at;
            l.lane[n++] = static_cast<u8>(i);
            mask |= 1u << i;
        }
    }
    l.count = n;
    l.mask = mask;
    if (n > 0) survey<false>(l);
    return n > 0;
}

// One unit read by one lane: written before? by whom, since the last barrier? Leaves the read stamp.
inline void note_read(Warp& w, const Inst& in, int lane, u32 unit, bool stamps_reads) {
    const u32 written = w.written[unit], mine = own_stamp(w, lane);
    const u32 sequence = written >> kStampShift;
    if (sequence < w.first_sequence) {
        report_unwritten(w, in, lane, static_cast<u64>(unit) << w.unit_shift, 1u << w.unit_shift, 7);
    } else if (sequence >= w.barrier_floor && ((written ^ mine) & kStampThread) != 0) {
        check_shared_race(w, in, lane, unit, written, true, false, false);
    }
    if (!stamps_reads) return;
    if (w.read_site != nullptr) w.read_site[unit] = in.site;
    u32& read = w.read[unit];
    if ((read >> kStampShift) >= w.barrier_floor && ((read ^ mine) & kStampThread) != 0) {
        const bool other_warp = ((read ^ mine) & (31u << 5)) != 0 || (read & kStampKind) == kManyWarps;
        if (other_warp)
            read = mine | kManyWarps;
        else
            read = mine | ((read >> kStampShift) >= w.sync_floor ? kManyLanes : 0);
    } else {
        read = mine | ((read >> kStampShift) >= w.barrier_floor ? read & kStampKind : 0);
    }
}

template <class T, int V, bool Full>
[[gnu::noinline]] void note_reads(Warp& w, const Inst& in, const Lanes& l, bool is_contiguous) {
    constexpr u32 width = kWidth<T, V>;
    const Site& site = w.sites[in.site];
    const bool stamps = site.stamps_reads && w.read != nullptr;
    const int n = Full ? 32 : l.count;
    const int units = static_cast<int>(width >> w.unit_shift);
    // Quick look: everything written in this block and before the last barrier; then only read stamps are left to do.
    const u32 low = w.first_sequence << kStampShift, floor = w.barrier_floor << kStampShift;
    u32 odd = 0;
    const bool is_same = is_one_place(l);
    if (is_contiguous || is_same) {
        const u32* stamp = w.written + (l.low >> w.unit_shift);
        const int all = is_same ? units : n * units;
        for (int k = 0; k < all; ++k) odd |= static_cast<u32>(stamp[k] - low >= floor - low);
    } else {
        for (int k = 0; k < n; ++k) {
            for (int j = 0; j < units; ++j) {
                odd |=
                    static_cast<u32>(w.written[(l.at[k] >> w.unit_shift) + static_cast<u32>(j)] - low >= floor - low);
            }
        }
    }
    if (odd == 0 && !stamps) return;
    if (odd == 0 && is_contiguous && units == 1 && w.read_site == nullptr) {
        u32* read = w.read + (l.low >> w.unit_shift);
        const u32 mine = own_stamp(w, 0);
        u32 recent = 0;
        for (int k = 0; k < n; ++k) recent |= static_cast<u32>(read[k] >= floor);
        if (recent == 0) {
            for (int k = 0; k < n; ++k) read[k] = mine | static_cast<u32>(lane_of<Full>(l, k));
            return;
        }
    }
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < units; ++j) {
            note_read(w, in, lane_of<Full>(l, k), static_cast<u32>(l.at[k] >> w.unit_shift) + static_cast<u32>(j),
                      stamps);
        }
    }
}

inline void note_write(Warp& w, const Inst& in, int lane, u32 unit, bool checks, bool same_value) {
    const u32 mine = own_stamp(w, lane);
    if (checks) {
        const u32 written = w.written[unit];
        if ((written >> kStampShift) >= w.barrier_floor && ((written ^ mine) & kStampThread) != 0) {
            check_shared_race(w, in, lane, unit, written, true, true, same_value);
        }
        if (w.read != nullptr) {
            const u32 read = w.read[unit];
            if ((read >> kStampShift) >= w.barrier_floor &&
                (((read ^ mine) & kStampThread) != 0 || (read & kStampKind) != 0)) {
                check_shared_race(w, in, lane, unit, read, false, true, false);
            }
        }
    }
    w.written[unit] = mine;
    if (w.written_site != nullptr) w.written_site[unit] = in.site;
}

template <class T, int V, bool Full>
[[gnu::noinline]] void note_writes(Warp& w, const Inst& in, const Lanes& l, bool is_contiguous) {
    constexpr u32 width = kWidth<T, V>;
    const int n = Full ? 32 : l.count;
    const int units = static_cast<int>(width >> w.unit_shift);
    const bool checks = w.sites[in.site].checks_races;
    const u32 floor = w.barrier_floor << kStampShift, mine = own_stamp(w, 0);
    if (is_contiguous && units == 1 && w.written_site == nullptr) {
        u32* written = w.written + (l.low >> w.unit_shift);
        u32 recent = 0;
        if (checks) {
            for (int k = 0; k < n; ++k) recent |= static_cast<u32>(written[k] >= floor);
            if (w.read != nullptr) {
                const u32* read = w.read + (l.low >> w.unit_shift);
                for (int k = 0; k < n; ++k) recent |= static_cast<u32>(read[k] >= floor);
            }
        }
        if (recent == 0) {
            for (int k = 0; k < n; ++k) written[k] = mine | static_cast<u32>(lane_of<Full>(l, k));
            return;
        }
    }
    for (int k = 0; k < n; ++k) {
        const int i = lane_of<Full>(l, k);
        bool same_value = V == 1;
        if constexpr (V == 1) {
            same_value = std::memcmp(w.shared + l.at[k], &reg<T>(w, in.d[0])[i], sizeof(T)) == 0;
        }
        for (int j = 0; j < units; ++j) {
            note_write(w, in, i, static_cast<u32>(l.at[k] >> w.unit_shift) + static_cast<u32>(j), checks, same_value);
        }
        // The next lane may write here too; then what it is compared with is this lane's value.
        if constexpr (V == 1) std::memcpy(w.shared + l.at[k], &reg<T>(w, in.d[0])[i], sizeof(T));
    }
}

// The quick ways for a whole warp and 4-byte elements one after the other: no bank conflict. False: take the long way.
template <class T, int V>
inline bool load_shared_row(Warp& w, const Inst& in) {
    if constexpr (sizeof(T) * V != 4) return false;
    const u64* a = reg<u64>(w, in.a);
    if (!is_row<4>(a)) return false;
    const u64 low = a[0] + static_cast<u64>(in.imm);
    if (!inside(low, 128, 0, w.shared_bytes) || (low & 3) != 0 || w.unit_shift != 2 || w.is_traced() ||
        w.read != nullptr)
        return false;
    const u32* stamp = w.written + (low >> 2);
    const u32 first = w.first_sequence << kStampShift, span = (w.barrier_floor - w.first_sequence) << kStampShift;
    u32 odd = 0;
    for (int k = 0; k < 32; ++k) odd |= static_cast<u32>(stamp[k] - first >= span);
    if (odd != 0) return false;
    SiteCount& count = w.counts[in.site];
    ++count.requests;
    ++count.units;
    ++count.ideal;
    if (w.traces) record_row(w, in, low, 4, 1, 1);
    std::memcpy(reg<T>(w, in.d[0]), w.shared + low, 128);
    return true;
}
template <class T, int V>
inline bool store_shared_row(Warp& w, const Inst& in) {
    if constexpr (sizeof(T) * V != 4) return false;
    const u64* a = reg<u64>(w, in.a);
    if (!is_row<4>(a)) return false;
    const u64 low = a[0] + static_cast<u64>(in.imm);
    if (!inside(low, 128, 0, w.shared_bytes) || (low & 3) != 0 || w.unit_shift != 2 || w.is_traced() ||
        w.written_site != nullptr)
        return false;
    u32* written = w.written + (low >> 2);
    const u32 floor = w.barrier_floor << kStampShift, mine = own_stamp(w, 0);
    u32 recent = 0;
    for (int k = 0; k < 32; ++k) recent |= static_cast<u32>(written[k] >= floor);
    if (w.read != nullptr) {
        const u32* read = w.read + (low >> 2);
        for (int k = 0; k < 32; ++k) recent |= static_cast<u32>(read[k] >= floor);
    }
    if (recent != 0) return false;
    for (u32 k = 0; k < 32; ++k) written[k] = mine | k;
    SiteCount& count = w.counts[in.site];
    ++count.requests;
    ++count.units;
    ++count.ideal;
    if (w.traces) record_row(w, in, low, 4, 1, 1);
    std::memcpy(w.shared + low, reg<T>(w, in.d[0]), 128);
    return true;
}

template <class T, int V, bool Full>
[[gnu::noinline]] void load_shared_lanes(Warp& w, const Inst& in, Lanes& l) {
    constexpr u32 width = kWidth<T, V>;
    SiteCount& count = w.counts[in.site];
    const u32 wavefronts = count_wavefronts<Full>(l, width, true);
    ++count.requests;
    count.units += wavefronts;
    count.ideal += ideal_wavefronts(width);
    if (w.traces) record_access(w, in, l.at, l.mask, width, wavefronts, ideal_wavefronts(width));
    if ((l.bits & (width - 1)) != 0 || !inside(l.high, width, 0, w.shared_bytes)) {
        for (int v = 0; v < V; ++v) {
            for (int k = 0; k < l.count; ++k) std::memset(&reg<T>(w, in.d[v])[lane_of<Full>(l, k)], 0xFF, sizeof(T));
        }
        if (!drop_faulty_shared<T, V>(w, in, l, Full)) return;
        note_reads<T, V, false>(w, in, l, false);
        for (int v = 0; v < V; ++v) {
            for (int k = 0; k < l.count; ++k) {
                std::memcpy(&reg<T>(w, in.d[v])[l.lane[k]], w.shared + l.at[k] + static_cast<u64>(v) * sizeof(T),
                            sizeof(T));
            }
        }
        return;
    }
    const bool is_contiguous = l.is_affine && l.stride == static_cast<s64>(width);
    note_reads<T, V, Full>(w, in, l, is_contiguous);
    if (Full && V == 1 && is_contiguous) {
        std::memcpy(reg<T>(w, in.d[0]), w.shared + l.low, 32 * sizeof(T));
        return;
    }
    const int n = Full ? 32 : l.count;
    for (int v = 0; v < V; ++v) {
        T* d = reg<T>(w, in.d[v]);
        const char* from = w.shared + static_cast<u64>(v) * sizeof(T);
        for (int k = 0; k < n; ++k) d[lane_of<Full>(l, k)] = *reinterpret_cast<const T*>(from + l.at[k]);
    }
}

template <class T, int V, bool Full>
[[gnu::noinline]] void store_shared_lanes(Warp& w, const Inst& in, Lanes& l) {
    constexpr u32 width = kWidth<T, V>;
    SiteCount& count = w.counts[in.site];
    const u32 wavefronts = count_wavefronts<Full>(l, width, false);
    ++count.requests;
    count.units += wavefronts;
    count.ideal += ideal_wavefronts(width);
    if (w.traces) record_access(w, in, l.at, l.mask, width, wavefronts, ideal_wavefronts(width));
    if ((l.bits & (width - 1)) != 0 || !inside(l.high, width, 0, w.shared_bytes)) {
        if (!drop_faulty_shared<T, V>(w, in, l, Full)) return;
        note_writes<T, V, false>(w, in, l, false);
        for (int v = 0; v < V; ++v) {
            for (int k = 0; k < l.count; ++k) {
                std::memcpy(w.shared + l.at[k] + static_cast<u64>(v) * sizeof(T), &reg<T>(w, in.d[v])[l.lane[k]],
                            sizeof(T));
            }
        }
        return;
    }
    const bool is_contiguous = l.is_affine && l.stride == static_cast<s64>(width);
    note_writes<T, V, Full>(w, in, l, is_contiguous);
    if (Full && V == 1 && is_contiguous) {
        std::memcpy(w.shared + l.low, reg<T>(w, in.d[0]), 32 * sizeof(T));
        return;
    }
    const int n = Full ? 32 : l.count;
    for (int v = 0; v < V; ++v) {
        const T* d = reg<T>(w, in.d[v]);
        char* to = w.shared + static_cast<u64>(v) * sizeof(T);
        for (int k = 0; k < n; ++k) *reinterpret_cast<T*>(to + l.at[k]) = d[lane_of<Full>(l, k)];
    }
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
