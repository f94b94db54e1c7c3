// What a block starts with: the constant bank, special registers, parameters, shared memory as garbage, fresh warps.
#include <algorithm>
#include <cstring>

#include "vgpu/clusters.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

std::uint32_t lanes_below(int n) { return n >= 32 ? kFullMask : n <= 0 ? 0u : (1u << n) - 1; }

void fill_lanes(char* base, std::uint32_t ref, int bytes, std::uint64_t bits) {
    char* at = base + (ref >> 1);
    if (bytes == 0) {
        const std::uint32_t value = static_cast<std::uint32_t>(bits);
        std::memcpy(at, &value, 4);
        return;
    }
    for (int i = 0; i < 32; ++i) std::memcpy(at + i * bytes, &bits, static_cast<std::size_t>(bytes));
}

// %smid: blocks are dealt out in turn. Which one a block gets depends on its place in the grid alone, as a block that
// is run by itself has to find what it finds among all.
std::uint64_t multiprocessor_of(std::uint64_t block, const RunOptions& options) {
    return block % std::max<std::uint32_t>(options.multiprocessors, 1);
}

}  // namespace

std::unique_ptr<BlockContext> BlockRunner::make_context() {
    auto block = std::make_unique<BlockContext>();
    const Code& code = *launch_.code;
    const Dim3 size = launch_.launch->block;
    const int threads = static_cast<int>(size.count());
    block->constants.resize(launch_.program->constant_bytes + 64);
    char* constants = block->constants.data();
    std::size_t symbol = 0;
    for (const ConstantFill& c : launch_.program->constants) {
        const std::uint64_t bits = c.symbol.empty() ? c.bits : launch_.symbol_addresses[symbol++] + c.bits;
        fill_lanes(constants, c.ref, c.bytes, bits);
    }
    for (const ParamFill& p : code.params) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, launch_.launch->parameters.data() + p.offset, static_cast<std::size_t>(p.bytes));
        if (p.is_signed && p.bytes < 8 && ((bits >> (8 * p.bytes - 1)) & 1) != 0)
            bits |= ~std::uint64_t{0} << (8 * p.bytes);
        fill_lanes(constants, p.ref, p.lane_bytes, bits);
    }
    const std::uint32_t units = (launch_.shared_bytes >> code.unit_shift) + 16;
    block->shared.assign(launch_.shared_bytes + 16, 0);
    block->written.assign(units, 0);
    const bool stamps_reads = code.stamps_reads && launch_.finds_races_by_stamps;
    if (stamps_reads) block->read.assign(units, 0);
    if (launch_.options->explains_races) {
        block->written_site.assign(units, 0);
        block->read_site.assign(units, 0);
    }
    block->warps.resize(static_cast<std::size_t>((threads + 31) / 32));
    for (std::size_t i = 0; i < block->warps.size(); ++i) {
        WarpState& ws = block->warps[i];
        ws.frames.assign(code.frame_bytes + 64, 0);
        Warp& w = ws.warp;
        w.base[0] = ws.frames.data();
        w.base[1] = constants;
        w.index = static_cast<std::uint32_t>(i);
        w.shared = block->shared.data();
        w.written = block->written.data();
        w.read = stamps_reads ? block->read.data() : nullptr;
        w.written_site = block->written_site.empty() ? nullptr : block->written_site.data();
        w.read_site = block->read_site.empty() ? nullptr : block->read_site.data();
        w.shared_bytes = launch_.shared_bytes;
        w.unit_shift = code.unit_shift;
        w.caches = worker_.caches.data();
        w.counts = worker_.counts.data();
        w.sites = launch_.program->sites.data();
        w.params = reinterpret_cast<const char*>(launch_.launch->parameters.data());
        w.param_bytes = static_cast<std::uint32_t>(launch_.launch->parameters.size());
        w.first_tag = launch_.first_tag;
        w.is_host = launch_.is_host;
        w.block = block.get();
        w.worker = &worker_;
        w.mask = kFullMask;
        if (code.local_bytes > 0) {
            ws.local.assign(std::size_t{code.local_bytes} * local_lanes(launch_), 0);
            ws.local_written.assign(local_words(code.local_bytes) * local_lanes(launch_), 0);
        }
        w.local = ws.local.data();
        w.local_written = ws.local_written.data();
        w.local_bytes = code.local_bytes;
    }
    if (code.is_kernel) {
        Warp& first = block->warps.front().warp;
        for (const SpecialFill& s : code.launch_specials)
            fill_lanes(constants, s.ref, s.bytes, launch_value(s.source, block->warps.size()));
        for (const Inst& in : code.launch_code) in.full(first, in);
        for (WarpState& ws : block->warps) {
            fill_specials(*block, ws, code, 0);
            for (const Inst& in : code.slot_code) in.full(ws.warp, in);
        }
    }
    return block;
}

// Of a special register that is the same for all threads of a launch; 0 of any other.
std::uint64_t BlockRunner::launch_value(SpecialRegister which, std::size_t warps) const {
    const Launch& launch = *launch_.launch;
    switch (which) {
        case SpecialRegister::ntid_x: return launch.block.x;
        case SpecialRegister::ntid_y: return launch.block.y;
        case SpecialRegister::ntid_z: return launch.block.z;
        case SpecialRegister::nctaid_x: return launch.grid.x;
        case SpecialRegister::nctaid_y: return launch.grid.y;
        case SpecialRegister::nctaid_z: return launch.grid.z;
        case SpecialRegister::nwarpid: return warps;
        case SpecialRegister::nsmid: return launch_.options->multiprocessors;
        case SpecialRegister::grid_barrier_low: return launch.grid_barrier & 0xffffffff;
        case SpecialRegister::grid_barrier_high: return launch.grid_barrier >> 32;
        case SpecialRegister::cluster_size_x: return launch_.cluster.x;
        case SpecialRegister::cluster_size_y: return launch_.cluster.y;
        case SpecialRegister::cluster_size_z: return launch_.cluster.z;
        case SpecialRegister::cluster_size: return launch_.cluster.count();
        case SpecialRegister::nclusterid_x: return launch.grid.x / launch_.cluster.x;
        case SpecialRegister::nclusterid_y: return launch.grid.y / launch_.cluster.y;
        case SpecialRegister::nclusterid_z: return launch.grid.z / launch_.cluster.z;
        case SpecialRegister::is_explicit_cluster:
            return launch.cluster.x != 0 || launch_.code->cluster.x != 0 ? kFullMask : 0;
        case SpecialRegister::dynamic_smem_offset: return launch_.code->static_shared_bytes;
        case SpecialRegister::dynamic_smem_size: return launch.dynamic_shared_bytes;
        case SpecialRegister::total_smem_size: return launch_.own_shared_bytes;
        case SpecialRegister::reserved_smem_offset: return launch_.reserved_shared_offset;
        case SpecialRegister::reserved_smem_end: return launch_.shared_bytes;
        case SpecialRegister::reserved_smem_size: return launch_.program->reserved_shared_bytes;
        default: return 0;
    }
}

// Of one that is the same for all threads of a block; none of any other.
std::optional<std::uint64_t> BlockRunner::block_value(SpecialRegister which, const BlockContext& block) const {
    const Dim3 &at = block.index, &size = launch_.cluster;
    switch (which) {
        case SpecialRegister::ctaid_x: return at.x;
        case SpecialRegister::ctaid_y: return at.y;
        case SpecialRegister::ctaid_z: return at.z;
        case SpecialRegister::smid: return multiprocessor_of(block.linear, *launch_.options);
        case SpecialRegister::clusterid_x: return at.x / size.x;
        case SpecialRegister::clusterid_y: return at.y / size.y;
        case SpecialRegister::clusterid_z: return at.z / size.z;
        case SpecialRegister::cluster_x: return at.x % size.x;
        case SpecialRegister::cluster_y: return at.y % size.y;
        case SpecialRegister::cluster_z: return at.z % size.z;
        case SpecialRegister::cluster_rank: return rank_in_cluster(launch_, at);
        default: return std::nullopt;
    }
}

// Thread-dependent special registers; for a function, all of them, in its frame.
void BlockRunner::fill_specials(BlockContext& block, WarpState& ws, const Code& code, std::uint32_t frame) {
    const Dim3 size = launch_.launch->block;
    for (const SpecialFill& s : code.slot_specials) {
        char* at = ws.frames.data() + frame + (s.ref >> 1);
        const std::uint64_t of_all = block_value(s.source, block).value_or(launch_value(s.source, block.warps.size()));
        if (s.bytes == 0) std::memcpy(at, &of_all, 4);  // a predicate
        for (std::uint32_t i = 0; i < 32; ++i) {
            const std::uint32_t thread = ws.warp.index * 32 + i;
            std::uint64_t v = 0;
            switch (s.source) {
                case SpecialRegister::tid_x: v = thread % size.x; break;
                case SpecialRegister::tid_y: v = thread / size.x % size.y; break;
                case SpecialRegister::tid_z: v = thread / size.x / size.y; break;
                case SpecialRegister::laneid: v = i; break;
                case SpecialRegister::warpid: v = ws.warp.index; break;
                case SpecialRegister::lanemask_eq: v = 1u << i; break;
                case SpecialRegister::lanemask_lt: v = lanes_below(static_cast<int>(i)); break;
                case SpecialRegister::lanemask_le: v = lanes_below(static_cast<int>(i) + 1); break;
                case SpecialRegister::lanemask_gt: v = ~lanes_below(static_cast<int>(i) + 1); break;
                case SpecialRegister::lanemask_ge: v = ~lanes_below(static_cast<int>(i)); break;
                default: v = of_all; break;
            }
            std::memcpy(at + i * static_cast<std::uint32_t>(s.bytes), &v, static_cast<std::size_t>(s.bytes));
        }
    }
}

// Its lanes at the beginning of the kernel, with what an earlier block left behind gone.
void BlockRunner::start_warp(WarpState& ws) const {
    const Code& code = *launch_.code;
    Warp& w = ws.warp;
    if (w.local_bytes > code.local_bytes) {  // by a call in an earlier block; each block pays for its own
        w.local_bytes = code.local_bytes;
        ws.local.assign(std::size_t{code.local_bytes} * local_lanes(launch_), 0);
        ws.local_written.assign(code.local_bytes > 0 ? local_words(code.local_bytes) * local_lanes(launch_) : 0, 0);
        w.local = ws.local.data();
        w.local_written = ws.local_written.data();
    } else if (w.local_bytes > 0) {
        std::memset(w.local_written, 0, local_words(w.local_bytes) * local_lanes(launch_));
    }
    ws.traced = 0;
    ws.copies.clear();
    ws.groups.clear();
    ws.uncommitted = 0;
    for (Poll& poll : ws.polls)
        if (poll.place != nullptr) poll = {};
    ws.waited = {};
    if (ws.strands.size() != 1) ws.strands.resize(1);
    Strand& strand = ws.strands[0];
    strand.state = StrandState::ready;
    strand.patience = 0;
    strand.held_before = 0;
    SimtEntry entry;
    entry.function = launch_.function;
    entry.mask = w.alive;
    strand.stack.clear();
    strand.stack.push_back(entry);
}

void BlockRunner::start(BlockContext& block, std::uint64_t linear) {
    const Code& code = *launch_.code;
    const Dim3 grid = launch_.launch->grid;
    block.linear = linear;
    block.index = {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
                   static_cast<std::uint32_t>(linear / grid.x / grid.y)};
    block.tag = launch_.first_tag + static_cast<std::uint32_t>(linear);
    block.has_seen_atomic = false;
    block.clock = 0;
    block.mbarriers.clear();
    block.idle_rounds = 0;
    for (BarrierState& barrier : block.barriers)  // what a block that got stuck left behind
        if (barrier.arrived != 0) barrier = {};
    block.apart = nullptr;
    block.races = launch_.races == nullptr || launch_.races->is_part_done() ? nullptr : launch_.races.get();
    if (block.races != nullptr) block.races->start(block.clocks);
    if (++block.sequence >= kMaxSequence / 2) {  // room for a block's own barriers
        std::fill(block.written.begin(), block.written.end(), 0u);
        std::fill(block.read.begin(), block.read.end(), 0u);
        block.sequence = 1;
    }
    if (launch_.shared_bytes > 0) {
        const std::uint32_t poison = launch_.options->shared_poison;
        for (std::uint32_t i = 0; i + 4 <= block.shared.size(); i += 4)
            std::memcpy(block.shared.data() + i, &poison, 4);
    }
    const std::uint32_t first_sequence = block.sequence;
    if (const std::uint32_t bytes = launch_.program->reserved_shared_bytes; bytes != 0) {  // starts as zeros
        const std::uint32_t offset = launch_.reserved_shared_offset;
        std::memset(block.shared.data() + offset, 0, bytes);
        std::fill_n(block.written.begin() + (offset >> code.unit_shift), bytes >> code.unit_shift,
                    first_sequence << kStampShift);
        ++block.sequence;
    }
    for (const SpecialFill& s : code.block_specials) {
        fill_lanes(block.constants.data(), s.ref, s.bytes, block_value(s.source, block).value_or(0));
    }
    for (const Inst& in : code.block_code) in.full(block.warps.front().warp, in);
    if (worker_.need != nullptr) worker_.need->mark(NeedStep::block_starts, linear);
    block.work_counters.clear();
    block.has_drawn = false;
    block.draws.clear();
    const int threads = static_cast<int>(launch_.launch->block.count());
    const bool is_whole_block_traced =
        launch_.options->trace_whole_blocks &&
        (linear == 0 || linear + 1 == launch_.launch->grid.count() || launch_.options->traced_block == block.index);
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
        Warp& w = block.warps[i].warp;
        w.alive = lanes_below(threads - static_cast<int>(i) * 32);
        w.first_sequence = first_sequence;
        w.sequence = w.barrier_floor = w.sync_floor = block.sequence;
        if (!launch_.finds_races_by_stamps) w.barrier_floor = kMaxSequence;  // what no access comes behind
        w.tag = block.tag;
        w.stop = 0;
        const bool is_traced = block.trace != nullptr || (launch_.options->trace_first_warp && linear == 0 && i == 0) ||
                               is_whole_block_traced;
        w.traces = static_cast<std::uint8_t>((is_traced ? Warp::to_trace : 0) |
                                             (worker_.need != nullptr ? Warp::to_slice : 0));
        start_warp(block.warps[i]);
    }
    if (launch_.options->schedule != 0)
        block.random.seed(static_cast<unsigned>(launch_.options->schedule * 7919 + linear));
}

void BlockRunner::start_function(BlockContext& block, int function, std::span<const std::vector<std::byte>> arguments) {
    start(block, 0);
    WarpState& ws = block.warps.front();
    SimtEntry& entry = ws.strands[0].stack[0];
    entry.function = function;
    entry.is_call = true;
    entry.call_mask = entry.mask;
    const Code& code = launch_.program->functions[static_cast<std::size_t>(function)];
    enter_frame(ws, entry);
    fill_specials(block, ws, code, 0);
    const auto& sizes = code.info.parameter_bytes;
    for (std::size_t p = 0; p < arguments.size() && p < sizes.size(); ++p) {
        // Parameter areas carry the parameter's name; offsets in `areas` are by name, order by parameter index.
        const auto area = code.areas.find(code.parameter_names[p]);
        if (area == code.areas.end()) continue;
        const std::size_t bytes = std::min<std::size_t>(arguments[p].size(), area->second.bytes);
        std::copy_n(reinterpret_cast<const char*>(arguments[p].data()), bytes, ws.frames.data() + area->second.offset);
    }
}

}  // namespace warpgrade::vgpu
