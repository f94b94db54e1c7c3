// What is written down of accesses, where a launch is traced or a slice of it is asked for.
#include <algorithm>
#include <utility>

#include "vgpu/access_findings.hpp"

namespace warpgrade::vgpu {

void note_segment(Warp& w, std::uint32_t segment, std::uint32_t instructions) {
    BlockTrace* block = w.block->trace;
    if (block == nullptr) return;
    WarpTrace& warp = block->warps[w.index];
    warp.instructions += instructions;
    if (warp.steps.size() >= w.worker->launch->options->sample->most_steps_a_warp) {
        warp.is_cut = true;
        return;
    }
    warp.traced_instructions += instructions;
    warp.steps.push_back({segment, w.mask, 0, 0});
}

void note_values(Warp& w, std::uint32_t values) {
    BlockTrace* block = w.block->trace;
    if (block == nullptr || block->warps[w.index].is_cut) return;
    block->warps[w.index].steps.back().values += values;
}

void record_row(Warp& w, const Inst& in, std::uint64_t low, std::uint32_t width, std::uint32_t units,
                std::uint32_t ideal) {
    if (NeedLog* log = w.worker->need.get()) log->add_row(in.site, low, width, units, ideal);
}

void record_needed(Warp& w, std::uint32_t site, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal) {
    if (NeedLog* log = w.worker->need.get()) log->add_access(site, addresses, mask, width, units, ideal);
}

void record_access(Warp& w, const Inst& in, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal) {
    record_needed(w, in.site, addresses, mask, width, units, ideal);
    if (!w.is_traced()) return;
    if (BlockTrace* block = w.block->trace) {
        WarpTrace& warp = block->warps[w.index];
        if (warp.is_cut) return;
        ++warp.steps.back().accesses;
        warp.accesses.push_back({in.site, mask, width, units, static_cast<std::uint32_t>(block->addresses.size())});
        block->addresses.insert(block->addresses.end(), addresses, addresses + __builtin_popcount(mask));
        return;
    }
    w.worker->recorded = nullptr;
    const RunOptions& options = *w.worker->launch->options;
    constexpr std::uint32_t most = 4096;  // of a block
    const bool is_full = options.trace_whole_blocks ? w.block->warps[w.index].traced++ >=
                                                          most / std::max<std::size_t>(1, w.block->warps.size())
                                                    : w.worker->trace.size() >= most;
    if (is_full) {
        w.worker->trace_is_cut = true;
        return;
    }
    const Site& site = w.sites[in.site];
    Access a;
    a.block = w.block->index;
    a.warp = w.index;
    a.line = site.outer_line;
    a.kind = site.access;
    a.space = static_cast<ptx::Space>(site.space);
    a.width_bytes = static_cast<int>(width);
    a.mask = mask;
    a.units = units;
    a.units_ideal = ideal;
    const bool is_global = a.space != ptx::Space::shared && a.space != ptx::Space::local;
    std::uint64_t base = 0;
    int k = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1, ++k) {
        if (is_global && k == 0) {
            const int buffer = w.worker->launch->memory->find_nearest(addresses[0]);
            if (buffer >= 0) {
                base = w.worker->launch->memory->buffer(buffer).address;
                a.buffer = w.worker->launch->memory->buffer(buffer).spec.name;
                a.buffer_bytes = w.worker->launch->memory->buffer(buffer).spec.bytes;
            }
        }
        std::uint64_t at = addresses[k];
        if (!is_global) owner_of_shared(w, at);
        a.addresses[static_cast<std::size_t>(__builtin_ctz(m))] = at - base;
    }
    if (!is_global) {
        Finding place;
        std::uint64_t first = addresses[0];
        owner_of_shared(w, first);
        describe_shared(place, *w.worker, first, width);
        a.buffer = place.buffer;
        a.buffer_bytes = place.buffer_bytes;
        a.buffer_start = first - static_cast<std::uint64_t>(place.offset_bytes);
    }
    w.worker->trace.push_back(std::move(a));
    w.worker->recorded = &w.worker->trace.back();
}

void record_values(Warp& w, const Inst& in, std::uint32_t element_bytes, int vector) {
    Access* const access = std::exchange(w.worker->recorded, nullptr);
    if (access == nullptr) return;
    for (std::uint32_t m = access->mask; m != 0; m &= m - 1) {
        for (int v = 0; v < vector; ++v) {
            const auto* from = reg<std::uint8_t>(w, in.d[v]) + __builtin_ctz(m) * element_bytes;
            access->values.insert(access->values.end(), from, from + element_bytes);
        }
    }
}

}  // namespace warpgrade::vgpu
