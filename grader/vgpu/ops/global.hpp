// Global memory accesses of a warp: bounds, alignment, written state, block tags, sectors, data.
#pragma once

#include "vgpu/ops/access.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

template <class T, int V>
inline constexpr u32 kWidth = sizeof(T) * V;

// Takes the lanes that may not go on out of l (out of bounds, misaligned, read-only), each reported. Cold.
template <class T, int V>
__attribute__((noinline)) bool drop_faulty_global(Warp& w, const Inst& in, Lanes& l, bool is_full, bool is_store) {
    constexpr u32 width = kWidth<T, V>;
    int n = 0;
    u32 mask = 0;
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        const u64 at = l.at[k];
        if ((at & (width - 1)) != 0) {
            report_misaligned(w, in, i, at, width, 1);
        } else if (!find_buffer(w, in.site, at, width)) {
            report_global(w, in, i, at, width);
        } else {
            if (is_store && w.caches[in.site].is_read_only) report_read_only(w, in, i, at, width);
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

// Word by word, for every lane. Cold.
template <class T, int V>
__attribute__((noinline)) void check_loaded_words(Warp& w, const Inst& in, const Lanes& l, bool is_full) {
    constexpr u32 width = kWidth<T, V>;
    const bool atomic = w.sites[in.site].is_atomic;
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        if (!find_buffer(w, in.site, l.at[k], width)) continue;
        const SiteCache& c = w.caches[in.site];
        if (c.shadow_bias == nullptr) continue;
        for (u64 at = l.at[k] & ~u64{3}; at < l.at[k] + width; at += 4) {
            const u32 shadow = c.shadow_bias[at / 4];
            const u32 need = sizeof(T) >= 4 ? 0xF : ((1u << width) - 1) << (l.at[k] & 3);
            if (c.checks_written && (shadow & need & 0xF) != (need & 0xF)) {
                report_unwritten(w, in, i, l.at[k], width, 1);
                break;
            }
            const u32 tag = shadow >> kTagShift;
            if (!atomic && tag >= w.first_tag && tag != w.tag) {
                check_global_race(w, in, i, at, shadow, false);
                break;
            }
        }
    }
}

template <class T, int V, bool Full>
inline void check_loaded(Warp& w, const Inst& in, const Lanes& l, const SiteCache& c, bool is_contiguous) {
    const u32 first = w.first_tag << kTagShift, mine = w.tag;
    const u32 need = c.checks_written ? 0xF : 0;
    u32 bad = 0;
    if (is_contiguous && kWidth<T, V> >= 4) {
        const u32* shadow = c.shadow_bias + l.low / 4;
        const int words = (Full ? 32 : l.count) * static_cast<int>(kWidth<T, V> / 4);
        for (int k = 0; k < words; ++k) {
            const u32 s = shadow[k];
            bad |= static_cast<u32>((s & need) != need) | static_cast<u32>(s >= first && (s >> kTagShift) != mine);
        }
    } else {
        const int n = Full ? 32 : l.count;
        for (int k = 0; k < n && bad == 0; ++k) {
            for (u64 at = l.at[k] & ~u64{3}; at < l.at[k] + kWidth<T, V>; at += 4) {
                const u32 s = c.shadow_bias[at / 4];
                bad |= static_cast<u32>((s & need) != need) | static_cast<u32>(s >= first && (s >> kTagShift) != mine);
            }
        }
    }
    if (bad != 0) check_loaded_words<T, V>(w, in, l, Full);
}

// True if any of `words` shadow words from `shadow` on is not written, or was written by another block of this launch.
inline bool row_is_odd(const Warp& w, const u32* shadow, int words, u32 need) {
    const u32 first = w.first_tag << kTagShift, mine = w.tag;
    u32 bad = 0;
    for (int k = 0; k < words; ++k) {
        const u32 s = shadow[k];
        bad |= static_cast<u32>((s & need) != need) |
               (static_cast<u32>(s >= first) & static_cast<u32>((s >> kTagShift) != mine));
    }
    return bad != 0;
}

template <class T, int V>
inline void move_row_in(const Warp& w, const Inst& in, const char* from) {
    if constexpr (V == 1) {
        std::memcpy(reg<T>(w, in.d[0]), from, 32 * sizeof(T));
    } else {
        const T* values = reinterpret_cast<const T*>(from);
        for (int v = 0; v < V; ++v) {
            T* d = reg<T>(w, in.d[v]);
            each_lane([&](int i) { d[i] = values[i * V + v]; });
        }
    }
}
template <class T, int V>
inline void move_row_out(const Warp& w, const Inst& in, char* to) {
    if constexpr (V == 1) {
        std::memcpy(to, reg<T>(w, in.d[0]), 32 * sizeof(T));
    } else {
        T* values = reinterpret_cast<T*>(to);
        for (int v = 0; v < V; ++v) {
            const T* d = reg<T>(w, in.d[v]);
            each_lane([&](int i) { values[i * V + v] = d[i]; });
        }
    }
}

inline void count_row(Warp& w, const Inst& in, u64 low, u32 width) {
    SiteCount& count = w.counts[in.site];
    const u64 sectors = ((low + 32 * width - 1) >> 5) - (low >> 5) + 1;
    ++count.requests;
    count.units += sectors;
    count.ideal += width;
    if (w.traces) record_row(w, in, low, width, static_cast<u32>(sectors), width);
}

// The quick way for a whole warp reading a row. False: nothing done, take the long way.
template <class T, int V>
inline bool load_global_row(Warp& w, const Inst& in) {
    constexpr u32 width = kWidth<T, V>;
    const u64* a = reg<u64>(w, in.a);
    if (!is_row<width>(a)) return false;
    const SiteCache& c = w.caches[in.site];
    const u64 low = a[0] + static_cast<u64>(in.imm);
    if (!inside(low, 32 * width, c.low, c.high) || (low & (width - 1)) != 0 || w.is_traced()) return false;
    if (c.is_there != nullptr) return false;
    if (c.shadow_bias != nullptr) {
        if (width < 4 ||
            row_is_odd(w, c.shadow_bias + low / 4, 8 * static_cast<int>(width), c.checks_written ? 0xF : 0))
            return false;
    }
    count_row(w, in, low, width);
    move_row_in<T, V>(w, in, c.bias + low);
    return true;
}

template <class T, int V>
inline bool store_global_row(Warp& w, const Inst& in) {
    constexpr u32 width = kWidth<T, V>;
    const u64* a = reg<u64>(w, in.a);
    if (width < 4 || !is_row<width>(a)) return false;
    const SiteCache& c = w.caches[in.site];
    const u64 low = a[0] + static_cast<u64>(in.imm);
    if (!inside(low, 32 * width, c.low, c.high) || (low & (width - 1)) != 0 || c.is_read_only || w.is_traced())
        return false;
    if (c.is_there != nullptr) return false;
    if (c.shadow_bias != nullptr) {
        u32* shadow = c.shadow_bias + low / 4;
        constexpr int words = 8 * static_cast<int>(width);
        if (row_is_odd(w, shadow, words, 0)) return false;
        const u32 stamp = w.tag << kTagShift | 0xF;
        for (int k = 0; k < words; ++k) shadow[k] = stamp;
    }
    count_row(w, in, low, width);
    move_row_out<T, V>(w, in, c.bias + low);
    return true;
}

// True if the buffer the site knows holds the access of every lane.
inline bool holds_all(const SiteCache& c, const Lanes& l, u32 width) {
    return l.low >= c.low && inside(l.high, width, c.low, c.high);
}

template <bool Full>
inline void count_global(Warp& w, const Inst& in, const Lanes& l, u32 width) {
    SiteCount& count = w.counts[in.site];
    const u32 sectors = count_sectors<Full>(l), ideal = ideal_sectors(l.count, width);
    ++count.requests;
    count.units += sectors;
    count.ideal += ideal;
    if (w.traces) record_access(w, in, l.at, l.mask, width, sectors, ideal);
}

template <class T, int V, bool Full>
[[gnu::noinline]] void load_global_lanes(Warp& w, const Inst& in, Lanes& l) {
    constexpr u32 width = kWidth<T, V>;
    SiteCache& c = w.caches[in.site];
    count_global<Full>(w, in, l, width);
    const bool bad_bits = (l.bits & (width - 1)) != 0;
    if (bad_bits || !holds_all(c, l, width)) {
        if (bad_bits || !find_buffer(w, in.site, l.low, width) || !holds_all(c, l, width)) {
            // Values of lanes that fault are all ones: nothing that could pass for data.
            for (int v = 0; v < V; ++v) {
                for (int k = 0; k < l.count; ++k) {
                    std::memset(&reg<T>(w, in.d[v])[lane_of<Full>(l, k)], 0xFF, sizeof(T));
                }
            }
            if (!drop_faulty_global<T, V>(w, in, l, Full, false)) return;
            for (int k = 0; k < l.count; ++k) {
                find_buffer(w, in.site, l.at[k], width);
                for (int v = 0; v < V; ++v) {
                    std::memcpy(&reg<T>(w, in.d[v])[l.lane[k]], c.bias + l.at[k] + static_cast<u64>(v) * sizeof(T),
                                sizeof(T));
                }
            }
            check_loaded_words<T, V>(w, in, l, false);
            return;
        }
    }
    if (c.is_there != nullptr) provide_lanes(w, in.site, l.at, l.count, width);
    const bool is_contiguous = l.is_affine && l.stride == static_cast<s64>(width);
    if (c.shadow_bias != nullptr) check_loaded<T, V, Full>(w, in, l, c, is_contiguous);
    if (Full && is_contiguous) {
        move_row_in<T, V>(w, in, c.bias + l.low);
        return;
    }
    const int n = Full ? 32 : l.count;
    for (int v = 0; v < V; ++v) {
        T* d = reg<T>(w, in.d[v]);
        for (int k = 0; k < n; ++k) {
            d[lane_of<Full>(l, k)] = *reinterpret_cast<const T*>(c.bias + l.at[k] + static_cast<u64>(v) * sizeof(T));
        }
    }
}

template <class T, bool Full>
inline bool are_alike(const Lanes& l, const T* values) {
    const int n = Full ? 32 : l.count;
    const T first = values[lane_of<Full>(l, 0)];
    static_assert(std::is_unsigned_v<T>);
    T differs = 0;
    for (int k = 0; k < n; ++k) differs |= values[lane_of<Full>(l, k)] ^ first;
    return differs == 0;
}

// This is what the lane is about to store.
template <class T, int V>
bool holds(Warp& w, const Inst& in, int lane, const char* at) {
    for (int v = 0; v < V; ++v)
        if (std::memcmp(at + static_cast<u64>(v) * sizeof(T), &reg<T>(w, in.d[v])[lane], sizeof(T)) != 0) return false;
    return true;
}

// Marks words as written by this block; reports words another block of this launch wrote.
template <class T, int V, bool Full>
inline void mark_stored(Warp& w, const Inst& in, const Lanes& l, const SiteCache& c, bool is_contiguous) {
    const u32 first = w.first_tag << kTagShift, mine = w.tag, stamp = mine << kTagShift | 0xF;
    const int n = Full ? 32 : l.count;
    if constexpr (kWidth<T, V> >= 4) {
        constexpr int words = static_cast<int>(kWidth<T, V> / 4);
        if (is_contiguous) {
            u32* shadow = c.shadow_bias + l.low / 4;
            const int all = n * words;
            if (!row_is_odd(w, shadow, all, 0)) {
                for (int k = 0; k < all; ++k) shadow[k] = stamp;
                return;
            }
        }
        const int last = is_one_place(l) ? 1 : n;  // the others find this one's stamp
        for (int k = 0; k < last; ++k) {
            u32* shadow = c.shadow_bias + l.at[k] / 4;
            for (int j = 0; j < words; ++j) {
                const u32 s = shadow[j];
                if (s >= first && (s >> kTagShift) != mine)
                    check_global_race(w, in, lane_of<Full>(l, k), l.at[k], s, true,
                                      holds<T, V>(w, in, lane_of<Full>(l, k), c.bias + l.at[k]));
                shadow[j] = stamp;
            }
        }
    } else {
        // Bytes of one word may belong to several blocks: no block tag for such words (tag 0), bytes set atomically,
        // at once for the lanes in a row that store to one word.
        w.extra_work += price::narrow_row;
        for (int k = 0; k < n;) {
            const u64 word = l.at[k] / 4;
            u32 bytes = 0, again = 0;
            if (is_one_place(l)) k = std::max(n - 2, 0);  // two tell as much as all
            for (; k < n && l.at[k] / 4 == word; ++k) {
                const u32 own = ((1u << kWidth<T, V>)-1) << (l.at[k] & 3);
                again |= bytes & own;
                bytes |= own;
            }
            u32* const shadow = c.shadow_bias + word;
            const u32 known = __atomic_load_n(shadow, __ATOMIC_RELAXED) & bytes;
            if ((again | known) != 0) note_stored_again(w);
            // Where many threads store the same byte, the bus would be locked for each of them.
            if (known != bytes) __atomic_fetch_or(shadow, bytes, __ATOMIC_RELAXED);
        }
    }
}

template <class T, int V, bool Full>
[[gnu::noinline]] void store_global_lanes(Warp& w, const Inst& in, Lanes& l) {
    constexpr u32 width = kWidth<T, V>;
    SiteCache& c = w.caches[in.site];
    count_global<Full>(w, in, l, width);
    const bool bad_bits = (l.bits & (width - 1)) != 0;
    bool is_full = Full;
    if (bad_bits || !holds_all(c, l, width) || c.is_read_only) {
        if (bad_bits || !find_buffer(w, in.site, l.low, width) || !holds_all(c, l, width) || c.is_read_only) {
            if (!drop_faulty_global<T, V>(w, in, l, Full, true)) return;
            is_full = false;
            for (int k = 0; k < l.count; ++k) {
                if (!find_buffer(w, in.site, l.at[k], width)) continue;
                for (int v = 0; v < V; ++v) {
                    std::memcpy(c.bias + l.at[k] + static_cast<u64>(v) * sizeof(T), &reg<T>(w, in.d[v])[l.lane[k]],
                                sizeof(T));
                }
                if (c.shadow_bias != nullptr) {
                    for (u64 at = l.at[k]; at < l.at[k] + width; ++at) c.shadow_bias[at / 4] |= 1u << (at & 3);
                }
            }
            return;
        }
    }
    if (c.is_there != nullptr) provide_lanes(w, in.site, l.at, l.count, width);
    const bool is_contiguous = l.is_affine && l.stride == static_cast<s64>(width);
    if (c.shadow_bias != nullptr) {
        if (is_full)
            mark_stored<T, V, true>(w, in, l, c, is_contiguous);
        else
            mark_stored<T, V, false>(w, in, l, c, is_contiguous);
    }
    if (Full && is_contiguous) {
        move_row_out<T, V>(w, in, c.bias + l.low);
        return;
    }
    const int n = Full ? 32 : l.count;
    for (int v = 0; v < V; ++v) {
        const T* d = reg<T>(w, in.d[v]);
        for (int k = is_one_place(l) ? n - 1 : 0; k < n; ++k) {
            *reinterpret_cast<T*>(c.bias + l.at[k] + static_cast<u64>(v) * sizeof(T)) = d[lane_of<Full>(l, k)];
        }
    }
    // Two lanes, one address, different values: read back what is left.
    if (is_one_place(l) && are_alike<T, Full>(l, reg<T>(w, in.d[0]))) return;
    if (n > 1 && (!l.is_affine || is_one_place(l))) {
        for (int k = 0; k < n; ++k) {
            const T left = *reinterpret_cast<const T*>(c.bias + l.at[k]);
            if (left != reg<T>(w, in.d[0])[lane_of<Full>(l, k)])
                check_global_race(w, in, lane_of<Full>(l, k), l.at[k], w.tag << kTagShift, true);
        }
    }
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
