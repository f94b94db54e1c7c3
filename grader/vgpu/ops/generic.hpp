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

// Calls access(where, lanes, full) for each window some lane is in.
template <bool Full, class F>
inline void by_window(Lanes& l, F&& access) {
    const Where first = window_of(l.low);
    // Global addresses may have windows between them.
    if (first == window_of(l.high) && (first != Where::global || l.high < kParamWindow)) {
        const u64 base = window_base(first);
        if (base != 0) {
            for (int k = 0; k < l.count; ++k) l.at[k] -= base;
            survey<Full>(l);
        }
        access(first, l, std::bool_constant<Full>{});
        return;
    }
    for (const Where where : {Where::global, Where::shared, Where::local, Where::param}) {
        Lanes part;
        int n = 0;
        for (int k = 0; k < l.count; ++k) {
            if (window_of(l.at[k]) != where) continue;
            part.at[n] = l.at[k] - window_base(where);
            part.lane[n++] = static_cast<u8>(lane_of<Full>(l, k));
            part.mask |= 1u << lane_of<Full>(l, k);
        }
        part.count = n;
        if (n == 0) continue;
        survey<false>(part);
        access(where, part, std::false_type{});
    }
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
