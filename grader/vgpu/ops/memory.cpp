// PTX manual: "Data Movement and Conversion Instructions", the part on memory: ld and st. Lowering reduces the many
// forms to space, vector and element width ("ld.shared.v2.b32"); sign extension and wider registers are `resize`
// instructions.
#include "vgpu/ops/generic.hpp"
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

// The bytes of a word of local memory that an access of at most four touches.
template <u32 Width>
char bytes_of_word(u64 address) {
    return static_cast<char>(Width >= 4 ? 0xF : ((1u << Width) - 1) << (address & 3));
}

// Garbage in the place of what a lane reads and has not stored.
template <class T, int V>
void spoil_unwritten(Warp& w, const Inst& in, int lane, u64 address) {
    constexpr u32 width = kWidth<T, V>;
    const char* written = local_written_at(w, lane, address);
    bool is_whole = true;
    for (u32 word = 0; word < (width + 3) / 4; ++word)
        is_whole = is_whole && (~written[word] & bytes_of_word<width>(address)) == 0;
    if (is_whole || w.is_host) return;
    const u32 garbage = report_unwritten_local(w, in, lane, address, width);
    for (u32 byte = 0; byte < width; ++byte) {
        if ((written[((address & 3) + byte) / 4] >> ((address + byte) & 3) & 1) != 0) continue;
        char* to = reinterpret_cast<char*>(&reg<T>(w, in.d[byte / sizeof(T)])[lane]) + byte % sizeof(T);
        *to = static_cast<char>(garbage >> 8 * (byte & 3));
    }
}

template <class T, int V>
void load_local_lanes(Warp& w, const Inst& in, const Lanes& l, bool is_full) {
    constexpr u32 width = kWidth<T, V>;
    ++w.counts[in.site].requests;
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        if (!inside(l.at[k], width, 0, w.local_bytes)) {
            report_local_bounds(w, in, i, l.at[k], width);
            continue;
        }
        if ((l.at[k] & (width - 1)) != 0) {
            report_misaligned(w, in, i, l.at[k], width, 5);
            continue;
        }
        const char* from = w.local + static_cast<u64>(i) * w.local_bytes + l.at[k];
        for (int v = 0; v < V; ++v)
            std::memcpy(&reg<T>(w, in.d[v])[i], from + static_cast<u64>(v) * sizeof(T), sizeof(T));
        spoil_unwritten<T, V>(w, in, i, l.at[k]);
    }
}
template <class T, int V>
void store_local_lanes(Warp& w, const Inst& in, const Lanes& l, bool is_full) {
    constexpr u32 width = kWidth<T, V>;
    ++w.counts[in.site].requests;
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        if (!inside(l.at[k], width, 0, w.local_bytes)) {
            report_local_bounds(w, in, i, l.at[k], width);
            continue;
        }
        if ((l.at[k] & (width - 1)) != 0) {
            report_misaligned(w, in, i, l.at[k], width, 5);
            continue;
        }
        char* to = w.local + static_cast<u64>(i) * w.local_bytes + l.at[k];
        for (int v = 0; v < V; ++v)
            std::memcpy(to + static_cast<u64>(v) * sizeof(T), &reg<T>(w, in.d[v])[i], sizeof(T));
        char* written = local_written_at(w, i, l.at[k]);
        for (u32 word = 0; word < (width + 3) / 4; ++word) written[word] |= bytes_of_word<width>(l.at[k]);
    }
}
// Parameters of the kernel, read through an address.
template <class T, int V>
void load_param_lanes(Warp& w, const Inst& in, const Lanes& l, bool is_full) {
    for (int k = 0; k < l.count; ++k) {
        const int i = is_full ? k : l.lane[k];
        if (!inside(l.at[k], kWidth<T, V>, 0, w.param_bytes)) {
            report_global(w, in, i, kParamWindow + l.at[k], kWidth<T, V>);
            continue;
        }
        for (int v = 0; v < V; ++v) {
            std::memcpy(&reg<T>(w, in.d[v])[i], w.params + l.at[k] + static_cast<u64>(v) * sizeof(T), sizeof(T));
        }
    }
}

template <class T, int V>
void note_moved(Warp& w, const Inst& in) {
    if (w.is_traced()) record_values(w, in, sizeof(T), V);
}

template <class T, int V, Where W, bool Masked>
void load(Warp& w, const Inst& in) {
    if constexpr (!Masked && W == Where::global) {
        if (load_global_row<T, V>(w, in)) return;
    }
    if constexpr (!Masked && W == Where::shared) {
        if (load_shared_row<T, V>(w, in)) return;
    }
    Lanes l;
    if (!collect<Masked>(w, in, l)) return;
    if constexpr (W == Where::global) load_global_lanes<T, V, !Masked>(w, in, l);
    if constexpr (W == Where::shared) load_shared_lanes<T, V, !Masked>(w, in, l);
    if constexpr (W == Where::global || W == Where::shared) note_moved<T, V>(w, in);
    if constexpr (W == Where::local) load_local_lanes<T, V>(w, in, l, !Masked);
    if constexpr (W == Where::param) load_param_lanes<T, V>(w, in, l, !Masked);
    if constexpr (W == Where::generic) {
        by_window<!Masked>(l, [&](Where where, Lanes& part, auto full) {
            constexpr bool is_full = decltype(full)::value;
            if (where == Where::global) load_global_lanes<T, V, is_full>(w, in, part);
            if (where == Where::shared) load_shared_lanes<T, V, is_full>(w, at_site(in, 1), part);
            if (where == Where::global || where == Where::shared) note_moved<T, V>(w, in);
            if (where == Where::local) load_local_lanes<T, V>(w, at_site(in, 2), part, is_full);
            if (where == Where::param) load_param_lanes<T, V>(w, in, part, is_full);
        });
    }
}
template <class T, int V, Where W, bool Masked>
void store(Warp& w, const Inst& in) {
    if constexpr (!Masked && W == Where::global) {
        if (store_global_row<T, V>(w, in)) return;
    }
    if constexpr (!Masked && W == Where::shared) {
        if (store_shared_row<T, V>(w, in)) return;
    }
    Lanes l;
    if (!collect<Masked>(w, in, l)) return;
    if constexpr (W == Where::global) store_global_lanes<T, V, !Masked>(w, in, l);
    if constexpr (W == Where::shared) store_shared_lanes<T, V, !Masked>(w, in, l);
    if constexpr (W == Where::global || W == Where::shared) note_moved<T, V>(w, in);
    if constexpr (W == Where::local) store_local_lanes<T, V>(w, in, l, !Masked);
    if constexpr (W == Where::generic) {
        by_window<!Masked>(l, [&](Where where, Lanes& part, auto full) {
            constexpr bool is_full = decltype(full)::value;
            if (where == Where::global) store_global_lanes<T, V, is_full>(w, in, part);
            if (where == Where::shared) store_shared_lanes<T, V, is_full>(w, at_site(in, 1), part);
            if (where == Where::global || where == Where::shared) note_moved<T, V>(w, in);
            if (where == Where::local) store_local_lanes<T, V>(w, at_site(in, 2), part, is_full);
            if (where == Where::param) report_global(w, in, lane_of<is_full>(part, 0), kParamWindow, kWidth<T, V>);
        });
    }
}

// Parameters round calls: lane-major areas of the frame; imm = offset in the frame, b = bytes a lane.
template <class T, bool Masked>
void load_frame(Warp& w, const Inst& in) {
    const char* area = w.base[0] + in.imm;
    const u32 mask = Masked ? w.mask : kFullMask;
    T* d = reg<T>(w, in.d[0]);
    for (int i = 0; i < 32; ++i) {
        if (((mask >> i) & 1) != 0) std::memcpy(&d[i], area + static_cast<u64>(i) * in.b, sizeof(T));
    }
}
template <class T, bool Masked>
void store_frame(Warp& w, const Inst& in) {
    char* area = w.base[0] + in.imm;
    const u32 mask = Masked ? w.mask : kFullMask;
    const T* d = reg<T>(w, in.d[0]);
    for (int i = 0; i < 32; ++i) {
        if (((mask >> i) & 1) != 0) std::memcpy(area + static_cast<u64>(i) * in.b, &d[i], sizeof(T));
    }
}
template <class T>
void frame_rows(OpTable& t, const char* loads, const char* stores) {
    t.add(loads, "", load_frame<T, false>, load_frame<T, true>);
    t.add(stores, "", store_frame<T, false>, store_frame<T, true>);
}

// isspacep: imm = the window's base, 0 for global.
template <bool Masked>
void is_in_space(Warp& w, const Inst& in) {
    const u64* a = reg<u64>(w, in.a);
    const u64 base = static_cast<u64>(in.imm);
    write_pred<Masked>(
        w, in.d[0], lanes_where([=](int i) { return base == 0 ? a[i] < kParamWindow : a[i] - base < kWindowBytes; }));
}

// A predicated instruction that is not a branch: the mask is narrowed round it.
void guard_begin(Warp& w, const Inst& in) {
    w.saved_mask = w.mask;
    w.mask &= in.imm != 0 ? ~pred(w, in.a) : pred(w, in.a);
}
void guard_end(Warp& w, const Inst&) { w.mask = w.saved_mask; }

template <class T, int V>
void rows(OpTable& t, const char* const (&keys)[9]) {
    t.add(keys[0], "", load<T, V, Where::global, false>, load<T, V, Where::global, true>);
    t.add(keys[1], "", load<T, V, Where::shared, false>, load<T, V, Where::shared, true>);
    t.add(keys[2], "", load<T, V, Where::local, false>, load<T, V, Where::local, true>);
    t.add(keys[3], "", load<T, V, Where::param, false>, load<T, V, Where::param, true>);
    t.add(keys[4], "", load<T, V, Where::generic, false>, load<T, V, Where::generic, true>);
    t.add(keys[5], "", store<T, V, Where::global, false>, store<T, V, Where::global, true>);
    t.add(keys[6], "", store<T, V, Where::shared, false>, store<T, V, Where::shared, true>);
    t.add(keys[7], "", store<T, V, Where::local, false>, store<T, V, Where::local, true>);
    t.add(keys[8], "", store<T, V, Where::generic, false>, store<T, V, Where::generic, true>);
}

}  // namespace

void loads_and_stores(OpTable& t) {
    frame_rows<u8>(t, "ld.frame.b8", "st.frame.b8");
    frame_rows<u16>(t, "ld.frame.b16", "st.frame.b16");
    frame_rows<u32>(t, "ld.frame.b32", "st.frame.b32");
    frame_rows<u64>(t, "ld.frame.b64", "st.frame.b64");
    t.add("isspacep", "", is_in_space<false>, is_in_space<true>);
    t.add("guard.begin", "", guard_begin, guard_begin);
    t.add("guard.end", "", guard_end, guard_end);
    rows<u8, 1>(t, {"ld.global.b8", "ld.shared.b8", "ld.local.b8", "ld.param.b8", "ld.generic.b8", "st.global.b8",
                    "st.shared.b8", "st.local.b8", "st.generic.b8"});
    rows<u16, 1>(t, {"ld.global.b16", "ld.shared.b16", "ld.local.b16", "ld.param.b16", "ld.generic.b16",
                     "st.global.b16", "st.shared.b16", "st.local.b16", "st.generic.b16"});
    rows<u32, 1>(t, {"ld.global.b32", "ld.shared.b32", "ld.local.b32", "ld.param.b32", "ld.generic.b32",
                     "st.global.b32", "st.shared.b32", "st.local.b32", "st.generic.b32"});
    rows<u64, 1>(t, {"ld.global.b64", "ld.shared.b64", "ld.local.b64", "ld.param.b64", "ld.generic.b64",
                     "st.global.b64", "st.shared.b64", "st.local.b64", "st.generic.b64"});
    rows<u8, 2>(t, {"ld.global.v2.b8", "ld.shared.v2.b8", "ld.local.v2.b8", "ld.param.v2.b8", "ld.generic.v2.b8",
                    "st.global.v2.b8", "st.shared.v2.b8", "st.local.v2.b8", "st.generic.v2.b8"});
    rows<u16, 2>(t, {"ld.global.v2.b16", "ld.shared.v2.b16", "ld.local.v2.b16", "ld.param.v2.b16", "ld.generic.v2.b16",
                     "st.global.v2.b16", "st.shared.v2.b16", "st.local.v2.b16", "st.generic.v2.b16"});
    rows<u32, 2>(t, {"ld.global.v2.b32", "ld.shared.v2.b32", "ld.local.v2.b32", "ld.param.v2.b32", "ld.generic.v2.b32",
                     "st.global.v2.b32", "st.shared.v2.b32", "st.local.v2.b32", "st.generic.v2.b32"});
    rows<u64, 2>(t, {"ld.global.v2.b64", "ld.shared.v2.b64", "ld.local.v2.b64", "ld.param.v2.b64", "ld.generic.v2.b64",
                     "st.global.v2.b64", "st.shared.v2.b64", "st.local.v2.b64", "st.generic.v2.b64"});
    rows<u8, 4>(t, {"ld.global.v4.b8", "ld.shared.v4.b8", "ld.local.v4.b8", "ld.param.v4.b8", "ld.generic.v4.b8",
                    "st.global.v4.b8", "st.shared.v4.b8", "st.local.v4.b8", "st.generic.v4.b8"});
    rows<u16, 4>(t, {"ld.global.v4.b16", "ld.shared.v4.b16", "ld.local.v4.b16", "ld.param.v4.b16", "ld.generic.v4.b16",
                     "st.global.v4.b16", "st.shared.v4.b16", "st.local.v4.b16", "st.generic.v4.b16"});
    rows<u32, 4>(t, {"ld.global.v4.b32", "ld.shared.v4.b32", "ld.local.v4.b32", "ld.param.v4.b32", "ld.generic.v4.b32",
                     "st.global.v4.b32", "st.shared.v4.b32", "st.local.v4.b32", "st.generic.v4.b32"});
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
