// PTX manual: "Asynchronous Data Copies", cp.async. The copy happens when its lane waits for it, not before: who reads
// early reads what was there, and is told so.
#include <array>

#include "vgpu/ops/generic.hpp"
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {
namespace {

// True if the bytes of all lanes are side by side, and each reads Bytes, or none: most copies, and one in the queue.
template <u32 Bytes>
bool is_one_copy(Warp& w, const Inst& in, const Lanes& from, const Lanes& to, AsyncCopy& copy) {
    const auto is_row = [](const Lanes& l) { return l.is_affine && l.stride == Bytes && (l.bits & (Bytes - 1)) == 0; };
    if (!is_row(to) || !inside(to.low, 32 * Bytes, 0, w.shared_bytes)) return false;
    const u32 wanted = in.c != 0 ? reg<u32>(w, in.c)[0] : Bytes;
    u32 differs = 0;
    for (int i = 0; in.c != 0 && i < 32; ++i) differs |= reg<u32>(w, in.c)[i] ^ wanted;
    if (differs != 0) return false;
    copy = {.to = static_cast<u32>(to.low), .bytes = Bytes, .source_bytes = wanted, .site = in.site + 1, .lanes = 32};
    if (wanted == 0) return (from.bits & (Bytes - 1)) == 0;
    if (wanted != Bytes || !is_row(from) || !find_buffer(w, in.site, from.low, 32 * Bytes)) return false;
    copy.from = w.caches[in.site].bias + from.low;
    return true;
}

// a = shared address, b = global address, c = bytes to read where fewer than Bytes (0 = none given); the rest is zero.
// Two sites in a row: the read of global memory, the write of shared memory.
template <u32 Bytes, bool Masked>
void copy_async(Warp& w, const Inst& in) {
    Lanes to;
    if (!collect<Masked>(w, in, to)) return;
    Lanes from = to;
    for (int k = 0; k < to.count; ++k) {
        const int i = lane_of<!Masked>(to, k);
        from.lane[k] = static_cast<u8>(i);
        from.at[k] = reg<u64>(w, in.b)[i] + static_cast<u64>(static_cast<s64>(static_cast<s32>(in.d[3])));
        // Shared addresses come as 32-bit or as generic ones.
        to.at[k] = shared_offset(to.at[k]);
    }
    survey<false>(from);
    survey<!Masked>(to);
    const Inst at_shared = at_site(in, 1);
    SiteCount& read = w.counts[in.site];
    ++read.requests;
    const u32 sectors = count_sectors<false>(from);
    read.units += sectors;
    read.ideal += ideal_sectors(from.count, Bytes);
    SiteCount& written = w.counts[at_shared.site];
    ++written.requests;
    u32 wavefronts = 0;
    if constexpr (Bytes == 4) {
        u64 words[32];
        for (int k = 0; k < to.count; ++k) words[k] = to.at[k] >> 2;
        wavefronts = bank_degree(words, to.count, true);
    } else {
        wavefronts = count_wavefronts<!Masked>(to, Bytes, false);
    }
    written.units += wavefronts;
    written.ideal += ideal_wavefronts(Bytes);
    if (w.traces) {
        record_access(w, in, from.at, from.mask, Bytes, sectors, ideal_sectors(from.count, Bytes));
        record_needed(w, at_shared.site, to.at, from.mask, Bytes, wavefronts, ideal_wavefronts(Bytes));
    }
    std::array<AsyncCopy, 32> copies;
    if (!Masked && is_one_copy<Bytes>(w, in, from, to, copies[0])) return queue_copies(w, {copies.data(), 1});
    std::size_t count = 0;
    for (int k = 0; k < to.count; ++k) {
        const int i = lane_of<!Masked>(to, k);
        const u32 wanted = in.c != 0 ? reg<u32>(w, in.c)[i] : Bytes;
        const u32 bytes = wanted < Bytes ? wanted : Bytes;
        if (wanted > Bytes) report_misuse(w, in, i, Misuse::copied_bytes, wanted, Bytes);
        if ((from.at[k] & (Bytes - 1)) != 0) {
            report_misaligned(w, in, i, from.at[k], Bytes, 1);
            continue;
        }
        if ((to.at[k] & (Bytes - 1)) != 0) {
            report_misaligned(w, at_shared, i, to.at[k], Bytes, 7);
            continue;
        }
        if (!inside(to.at[k], Bytes, 0, w.shared_bytes)) {
            report_shared_bounds(w, at_shared, i, to.at[k], Bytes);
            continue;
        }
        const char* source = nullptr;
        if (bytes > 0) {
            if (!find_buffer(w, in.site, from.at[k], bytes)) {
                report_global(w, in, i, from.at[k], bytes);
                continue;
            }
            source = w.caches[in.site].bias + from.at[k];
        }
        const AsyncCopy copy{static_cast<u32>(to.at[k]), Bytes, bytes, at_shared.site, source, i};
        if (count == 0 || !copies[count - 1].take(copy)) copies[count++] = copy;
    }
    queue_copies(w, {copies.data(), count});
}

void commit(Warp& w, const Inst&) { commit_copies(w); }
void wait_group(Warp& w, const Inst& in) { wait_copies(w, static_cast<u32>(in.imm)); }
void wait_all(Warp& w, const Inst&) { wait_all_copies(w); }

}  // namespace

void asynchronous_copies(OpTable& t) {
    t.add("cp.async.4", "", copy_async<4, false>, copy_async<4, true>);
    t.add("cp.async.8", "", copy_async<8, false>, copy_async<8, true>);
    t.add("cp.async.16", "", copy_async<16, false>, copy_async<16, true>);
    t.add("cp.async.commit_group", "", commit, commit);
    t.add("cp.async.wait_group", "", wait_group, wait_group);
    t.add("cp.async.wait_all", "", wait_all, wait_all);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
