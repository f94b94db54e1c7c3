// PTX manual: "Warp Level Matrix Multiply-Accumulate Instructions", those that only move 8 x 8 elements of two bytes:
// ldmatrix, stmatrix, movmatrix. A matrix in registers is a fragment: lane l has elements (l / 4, 2 * (l % 4)) and the
// one to its right. In memory it is eight rows of 16 bytes, each with the address of a lane of its own; lowering loads
// and stores those as vectors of four words, and what is here hands words from lane to lane.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu {
// access_reports.cpp: of instructions that all lanes of a warp have to reach, those that have ended too.
void report_lane_of_whole_warp(Warp& w, const Inst& in, int lane);
}  // namespace warpgrade::vgpu

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

struct Words {
    const u32* of[4];  // registers, 32 lanes each
};
Words words(const Warp& w, const Inst& in) {
    return {{reg<u32>(w, in.a), reg<u32>(w, in.b), reg<u32>(w, in.c), reg<u32>(w, in.d[1])}};
}
u32 half(u32 word, int which) { return which != 0 ? word >> 16 : word & 0xFFFF; }

// A lane that has nothing to give: all have to be there (".aligned").
u32 from(Warp& w, const Inst& in, const u32* words, int lane) {
    if (((w.mask >> lane) & 1) == 0) report_lane_of_whole_warp(w, in, lane);
    return words[lane];
}

// f(l) for the active lanes; a destination may be a source.
template <class F>
void write_moved(Warp& w, const Inst& in, F&& f) {
    u32 moved[32] = {};
    for (u32 rest = w.mask; rest != 0; rest &= rest - 1) moved[__builtin_ctz(rest)] = f(__builtin_ctz(rest));
    u32* d = reg<u32>(w, in.d[0]);
    for (u32 rest = w.mask; rest != 0; rest &= rest - 1) d[__builtin_ctz(rest)] = moved[__builtin_ctz(rest)];
}

// The fragment of the matrix whose rows the lanes from imm on hold, four words each.
template <bool Turned>
void rows_to_fragment(Warp& w, const Inst& in) {
    const Words row = words(w, in);
    const int first = static_cast<int>(in.imm);
    write_moved(w, in, [&](int l) {
        const int r = l / 4, c = l % 4;
        if constexpr (!Turned) return from(w, in, row.of[c], first + r);
        return half(from(w, in, row.of[r / 2], first + 2 * c), r % 2) |
               half(from(w, in, row.of[r / 2], first + 2 * c + 1), r % 2) << 16;
    });
}

// Word imm of the rows of four matrices: lane 8 * m + r has row r of matrix m.
template <bool Turned>
void fragment_to_rows(Warp& w, const Inst& in) {
    const Words matrix = words(w, in);
    const int c = static_cast<int>(in.imm);
    write_moved(w, in, [&](int l) {
        const u32* const fragment = matrix.of[l / 8];
        const int r = l % 8;
        if constexpr (!Turned) return from(w, in, fragment, 4 * r + c);
        return half(from(w, in, fragment, 8 * c + r / 2), r % 2) | half(from(w, in, fragment, 8 * c + 4 + r / 2), r % 2)
                                                                       << 16;
    });
}

void turn_fragment(Warp& w, const Inst& in) {
    const u32* const fragment = reg<u32>(w, in.a);
    write_moved(w, in, [&](int l) {
        const int r = l / 4, c = l % 4;
        return half(from(w, in, fragment, 8 * c + r / 2), r % 2) | half(from(w, in, fragment, 8 * c + 4 + r / 2), r % 2)
                                                                       << 16;
    });
}

}  // namespace

void matrix_movement(OpTable& t) {
    t.add("ldmatrix.m8n8", "", rows_to_fragment<false>, rows_to_fragment<false>);
    t.add("ldmatrix.m8n8.trans", "", rows_to_fragment<true>, rows_to_fragment<true>);
    t.add("stmatrix.m8n8", "", fragment_to_rows<false>, fragment_to_rows<false>);
    t.add("stmatrix.m8n8.trans", "", fragment_to_rows<true>, fragment_to_rows<true>);
    t.add("movmatrix.sync.aligned.m8n8.trans.b16", "", turn_fragment, turn_fragment);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
