// Generic addresses: which space each lane means (PTX manual, "Generic Addressing").
#pragma once

#include "vgpu/ops/shared.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

enum class Where { global, shared, local, param, generic };

// Which window a generic address means.
inline Where window_of(u64 address) {
    if (is_near(address, kSharedWindow)) return Where::shared;
    if (is_near(address, kLocalWindow)) return Where::local;
    if (is_near(address, kParamWindow)) return Where::param;
    return Where::global;
}
inline u64 window_base(Where where) {
    return where == Where::shared  ? kSharedWindow
           : where == Where::local ? kLocalWindow
           : where == Where::param ? kParamWindow
                                   : 0;
}

// A generic access has three sites in a row: global, shared, local.
inline Inst at_site(const Inst& in, u32 offset) {
    Inst other = in;
    other.site += offset;
    return other;
}

// The window that the addresses of all lanes are in, and the addresses as they are within it; false if there are
// several.
template <bool Full>
[[gnu::noinline]] bool are_in_one_window(Lanes& l, Where& where) {
    where = window_of(l.low);
    // Global addresses may have windows between them.
    if (where != window_of(l.high) || (where == Where::global && l.high >= kParamWindow)) return false;
    const u64 base = window_base(where);
    if (base != 0) {
        for (int k = 0; k < l.count; ++k) l.at[k] -= base;
        survey<Full>(l);
    }
    return true;
}

// The lanes of l that are in one window; false if none is.
template <bool Full>
[[gnu::noinline]] bool take_window(const Lanes& l, Where where, Lanes& part) {
    int n = 0;
    part.mask = 0;
    for (int k = 0; k < l.count; ++k) {
        if (window_of(l.at[k]) != where) continue;
        part.at[n] = l.at[k] - window_base(where);
        part.lane[n++] = static_cast<u8>(lane_of<Full>(l, k));
        part.mask |= 1u << lane_of<Full>(l, k);
    }
    part.count = n;
    if (n > 0) survey<false>(part);
    return n > 0;
}

// Calls access(where, lanes, full) for each window some lane is in.
template <bool Full, class F>
inline void by_window(Lanes& l, F&& access) {
    Where only;
    if (are_in_one_window<Full>(l, only)) {
        access(only, l, std::bool_constant<Full>{});
        return;
    }
    Lanes part;
    for (const Where where : {Where::global, Where::shared, Where::local, Where::param}) {
        if (take_window<Full>(l, where, part)) access(where, part, std::false_type{});
    }
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
