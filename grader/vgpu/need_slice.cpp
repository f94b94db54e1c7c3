#include "vgpu/need_slice.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "vgpu/code.hpp"
#include "vgpu/need_counts.hpp"
#include "vgpu/need_memory.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

class Slice {
public:
    Slice(const NeedTrace& trace, const Memory& memory, const std::vector<int>& outputs)
        : trace_(trace), plan_(*trace.plan), program_(plan_.program), global_(memory, outputs), counts_(program_) {
        filled_from_.resize(plan_.areas.size());
        for (const auto& [needed, from] : plan_.handed_over)
            filled_from_[static_cast<std::size_t>(needed)].push_back(from);
    }

    Needed run() {
        std::size_t launches = 0;
        for (auto step = trace_.steps.rbegin(); step != trace_.steps.rend(); ++step) {
            if (step->logs.empty()) {
                for (std::uint64_t at = 0; at < step->bytes; at += 1 << 20)
                    global_.store(step->address + at,
                                  static_cast<std::uint32_t>(std::min<std::uint64_t>(step->bytes - at, 1 << 20)), true);
                continue;
            }
            run_launch(*step);
            ++launches;
        }
        needed_.input_bytes = global_.all_input_bytes();
        std::reverse(needed_.launches.begin(), needed_.launches.end());
        counts_.summarise(is_shared_by_threads_, needed_);
        return std::move(needed_);
    }

private:
    void run_launch(const NeedTrace::Step& launch) {
        launch_ = &launch;
        own_ = {};
        dynamic_loads_ = other_loads_ = 0;
        global_.begin_launch();
        for (const auto& log : launch.logs) {
            log_ = log.get();
            next_access_ = log->accesses.size();
            block_ = nullptr;
            for (auto step = log->steps.rbegin(); step != log->steps.rend(); ++step) run_step(*step);
            blocks_.clear();
        }
        own_.input_bytes = global_.input_bytes();
        if (dynamic_loads_ < other_loads_) own_.dynamic_shared_bytes = 0;
        needed_.launches.push_back(own_);
    }

    void enter_block(std::uint32_t linear) {
        auto& block = blocks_[linear];
        block_linear_ = linear;
        if (block != nullptr) {
            block_ = block.get();
            return;
        }
        block = free_ != nullptr ? std::move(free_) : std::make_unique<BlockNeed>();
        block_ = block.get();
        block_->warps.resize((launch_->threads_per_block + 31) / 32);
        for (WarpNeed& warp : block_->warps) {
            warp.registers.assign(plan_.register_count, 0);
            warp.branches.assign(plan_.branch_count, 0);
            warp.works.assign(plan_.branch_count, 0);
            warp.areas.assign(plan_.areas.size(), 0);
            warp.called.assign(program_.functions.size(), 0);
            warp.local = warp.lanes = 0;
            warp.barriers = 0;
        }
        block_->shared.begin(launch_->own_shared_bytes + program_.reserved_shared_bytes + 128);
        block_->counted = 0;
        block_->arrived.clear();
        block_->needed_barriers = block_->at_last = 0;
    }

    void leave_block() {
        count_barrier();
        own_.needed_barriers += block_->needed_barriers + (block_->needed_barriers != 0 ? block_->at_last : 0);
        for (std::size_t i = 0; i < block_->warps.size(); ++i) {
            const WarpNeed& warp = block_->warps[i];
            if (warp.lanes == 0) continue;
            ++own_.warps;
            own_.threads += std::min<std::uint64_t>(32, launch_->threads_per_block - 32 * i);
            own_.barriers += warp.barriers;
        }
        free_ = std::move(blocks_[block_linear_]);
        blocks_.erase(block_linear_);
        block_ = nullptr;
    }

    // The one that was passed last, backwards: its number is that of barriers passed.
    void count_barrier() {
        const bool is_last = block_->counted == 1;
        const bool is_needed = block_->counted != 0 && block_->shared.last_needed == block_->counted;
        for (const auto& [site, warps] : block_->arrived) {
            counts_.add_barrier(site, warps, is_needed);
            if (is_last && !is_needed)
                block_->at_last += warps;
            else if (is_needed)
                block_->needed_barriers += warps;
        }
        block_->arrived.clear();
        block_->counted = block_->shared.passed;
    }

    void run_step(const NeedStep& step) {
        switch (step.segment) {
            case NeedStep::block_leaves: enter_block(step.mask); return;
            case NeedStep::block_starts:
                if (block_ != nullptr) leave_block();
                return;
            case NeedStep::barrier_passed:
                ++block_->shared.passed;
                count_barrier();
                return;
            default: break;
        }
        if (block_ == nullptr) return;
        const NeedSegment& segment = plan_.segments[step.segment];
        warp_number_ = step.warp & 31u;
        warp_ = &block_->warps[warp_number_];
        is_in_kernel_ = program_.functions[static_cast<std::size_t>(segment.function)].is_kernel;
        mask_ = step.mask;
        first_access_ = next_access_ - step.accesses;
        std::uint32_t working = end_of(segment, step), copying = 0;
        for (std::uint32_t i = 0; i < segment.ops; ++i) {
            const NeedOp& op = plan_.ops[segment.first_op + i];
            (op.is_move || is_copy(op) ? copying : working) |= run_op(op);
        }
        const std::uint32_t lanes = working | copying;
        next_access_ = first_access_;
        if (lanes == 0) return;
        warp_->lanes |= lanes;
        warp_->called[static_cast<std::size_t>(segment.function)] |= lanes;
        for (std::uint32_t i = 0; i < segment.parents; ++i) {
            const auto branch = static_cast<std::size_t>(plan_.parents[segment.first_parent + i]);
            warp_->branches[branch] |= lanes;
            warp_->works[branch] |= working;
        }
    }

    // Its branch, barrier or call: lanes of which something later depends on that.
    std::uint32_t end_of(const NeedSegment& segment, const NeedStep& step) {
        std::uint32_t lanes = 0;
        if (segment.branch >= 0) {
            std::uint32_t& decided = warp_->branches[static_cast<std::size_t>(segment.branch)];
            lanes = decided & mask_;
            decided &= ~mask_;
            std::uint32_t& works = warp_->works[static_cast<std::size_t>(segment.branch)];
            const bool is_work = (works & mask_) != 0;
            works &= ~mask_;
            const std::uint8_t ways = trace_.facts.branches[step.segment];
            if (lanes != 0 && segment.condition >= 0 && ways != 1 && ways != 2) need(segment.condition, lanes);
            if (is_work && (step.warp & NeedStep::diverged) != 0) ++needed_.exact.divergent_branches;
        }
        if (segment.barriers != 0) {
            warp_->barriers += segment.barriers;
            if (segment.barrier_site >= 0) block_->arrived.emplace_back(segment.barrier_site, segment.barriers);
        }
        if (segment.call >= 0) {
            const Code& code = program_.functions[static_cast<std::size_t>(segment.function)];
            const CallSite& call = code.calls[static_cast<std::size_t>(segment.call)];
            for (std::size_t f = 0; f < warp_->called.size(); ++f)
                if (!program_.functions[f].is_kernel && (call.is_indirect || static_cast<int>(f) == call.function))
                    lanes |= warp_->called[f] & mask_;
        }
        return lanes;
    }

    void need(int reg, std::uint32_t lanes) { warp_->registers[static_cast<std::size_t>(reg)] |= lanes; }
    void need_all(std::span<const int> registers, std::uint32_t lanes) {
        for (const int r : registers) need(r, lanes);
    }
    void need_area(int area, std::uint32_t lanes) {
        std::uint32_t& own = warp_->areas[static_cast<std::size_t>(area)];
        if ((lanes & ~own) == 0) return;
        own |= lanes;
        for (const int from : filled_from_[static_cast<std::size_t>(area)]) need_area(from, lanes);
    }
    std::uint8_t seen(const NeedOp& op) const {
        return op.watch < 0 ? 0 : trace_.facts.seen[static_cast<std::size_t>(op.watch)];
    }

    // Lanes for which the instruction is needed.
    std::uint32_t run_op(const NeedOp& op) {
        const std::span<const int> writes(plan_.registers.data() + op.first, op.writes);
        const std::span<const int> reads(plan_.registers.data() + op.first + op.writes, op.reads);
        std::uint32_t lanes = 0;
        for (const int r : writes) {
            std::uint32_t& own = warp_->registers[static_cast<std::size_t>(r)];
            lanes |= own & mask_;
            // A function's registers stand for those of all of its calls.
            if (!op.is_guarded && is_in_kernel_) own &= ~mask_;
        }
        switch (op.kind) {
            case NeedClass::value: return lanes == 0 ? 0 : need_operands(op, reads, lanes);
            case NeedClass::shuffle:
                if (lanes == 0) return 0;
                if (is_copy(op)) return need_operands(op, reads, lanes);  // each lane gets its own value
                ++needed_.exact.shuffles;
                [[fallthrough]];
            case NeedClass::among_lanes:
                if (lanes != 0) lanes = mask_;
                break;
            case NeedClass::vote_of_block:
                if (lanes != 0) lanes = mask_;
                break;
            case NeedClass::matrix_load: lanes = lanes != 0 ? kFullMask : 0; [[fallthrough]];
            case NeedClass::load: return load(op, reads, lanes);
            case NeedClass::matrix_store:
            case NeedClass::store:
            case NeedClass::exchange:
            case NeedClass::sum:
            case NeedClass::atomic: return store(op, reads, lanes);
            case NeedClass::copy: return copy(op, reads);
            case NeedClass::local_load: warp_->local |= lanes; break;
            case NeedClass::local_store: lanes = warp_->local & mask_; break;
            case NeedClass::parameter_load: need_area(op.area, lanes); return lanes;
            case NeedClass::parameter_store: lanes = warp_->areas[static_cast<std::size_t>(op.area)] & mask_; break;
            default: return 0;
        }
        need_all(reads, lanes);
        return lanes;
    }

    std::uint32_t need_operands(const NeedOp& op, std::span<const int> reads, std::uint32_t lanes) {
        const std::uint8_t facts = seen(op);
        if ((facts & NeedFacts::has_run) == 0) {
            need_all(reads, lanes);
            return lanes;
        }
        const auto fact = static_cast<std::size_t>(op.watch);
        const std::vector<int>& operands = plan_.operands[fact];
        if (operands.empty()) {  // a comparison
            if ((facts & 3) == 3) need_all(reads, lanes);
            return lanes;
        }
        const std::uint8_t equal = static_cast<std::uint8_t>(slots_of(op) & ~facts);
        if (equal == 0) {
            need_all(reads, lanes);
            return lanes;
        }
        int copied = -1;  // of equal operands one that needs nothing, if there is one
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (((equal >> k) & 1) == 0) continue;
            copied = operands[k];
            if (copied < 0) break;
        }
        if (copied >= 0) need(copied, lanes);
        return lanes;
    }
    bool is_copy(const NeedOp& op) const {
        return (seen(op) & NeedFacts::has_run) != 0 && (slots_of(op) & ~seen(op)) != 0;
    }
    std::uint8_t slots_of(const NeedOp& op) const { return plan_.slots[static_cast<std::size_t>(op.watch)]; }

    // The next access of the step, backwards, if it is the instruction's.
    const NeedAccess* take(const NeedOp& op, std::uint32_t span) {
        if (next_access_ == first_access_) return nullptr;
        const NeedAccess& access = log_->accesses[next_access_ - 1];
        if (access.site - op.site >= span) return nullptr;
        --next_access_;
        return &access;
    }
    ptx::Space space_of(const NeedAccess& access) const {
        return static_cast<ptx::Space>(program_.sites[access.site].space);
    }
    static constexpr std::uint32_t generic_sites = 3;

    void load_lanes(const NeedAccess& access, const NeedLanes& at, std::uint32_t lanes) {
        const bool is_shared = space_of(access) == ptx::Space::shared;
        for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            const std::uint64_t address = at.at[lane];
            if (!is_shared) {
                global_.load(address, access.bytes);
                continue;
            }
            block_->shared.load(address, access.bytes, warp_number_, lane);
            const std::uint32_t fixed =
                program_.functions[static_cast<std::size_t>(launch_->function)].static_shared_bytes;
            (address >= fixed ? dynamic_loads_ : other_loads_) += 1;
            if (address >= fixed)
                own_.dynamic_shared_bytes = std::max(own_.dynamic_shared_bytes, address + access.bytes - fixed);
        }
    }
    std::uint32_t stored_lanes(const NeedAccess& access, const NeedLanes& at, bool overwrites) {
        const bool is_shared = space_of(access) == ptx::Space::shared;
        std::uint32_t lanes = 0;
        for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            bool is_needed = false;
            if (is_shared) {
                const auto stored = block_->shared.store(at.at[lane], access.bytes, warp_number_, lane, overwrites);
                is_needed = stored.is_needed;
                is_shared_by_threads_ = is_shared_by_threads_ || stored.is_from_another;
            } else {
                is_needed = global_.store(at.at[lane], access.bytes, overwrites);
            }
            lanes |= static_cast<std::uint32_t>(is_needed) << lane;
        }
        return lanes;
    }

    std::uint32_t load(const NeedOp& op, std::span<const int> reads, std::uint32_t lanes) {
        const std::uint8_t facts = seen(op);
        if ((facts & NeedFacts::has_run) != 0 && (facts & 1) == 0) lanes = 0;  // always 0
        bool is_traced = false;
        while (const NeedAccess* access = take(op, generic_sites)) {
            is_traced = true;
            const NeedLanes at(*log_, *access);
            counts_.add(*access, at, lanes & access->mask);
            load_lanes(*access, at, lanes & access->mask);
        }
        lanes &= mask_;
        if (!is_traced) warp_->local |= lanes;
        need_all(reads, lanes);
        return lanes;
    }

    // Atomic operations too: `results`, the lanes that use what comes back.
    std::uint32_t store(const NeedOp& op, std::span<const int> reads, std::uint32_t results) {
        const bool only_stores = op.kind == NeedClass::store || op.kind == NeedClass::matrix_store;
        const bool overwrites = only_stores || op.kind == NeedClass::exchange;
        std::uint32_t lanes = 0;
        bool is_traced = false;
        while (const NeedAccess* access = take(op, generic_sites)) {
            is_traced = true;
            const NeedLanes at(*log_, *access);
            std::uint32_t needed = stored_lanes(*access, at, overwrites) & ~access->idle;
            needed |= results & access->mask;
            counts_.add(*access, at, needed);
            if (!only_stores) load_lanes(*access, at, op.kind == NeedClass::exchange ? results & access->mask : needed);
            lanes |= needed;
        }
        if (!is_traced && op.kind == NeedClass::store) lanes = warp_->local & mask_;
        if (lanes != 0 && op.kind == NeedClass::matrix_store) lanes = mask_;
        need_all(reads, lanes);
        return lanes;
    }

    // Pairs of accesses: the source, then where it goes.
    std::uint32_t copy(const NeedOp& op, std::span<const int> reads) {
        std::uint32_t lanes = 0;
        while (const NeedAccess* to = take(op, 2)) {
            const NeedAccess* from = take(op, 2);
            if (from == nullptr) break;
            const NeedLanes to_at(*log_, *to), from_at(*log_, *from);
            const std::uint32_t needed = stored_lanes(*to, to_at, true);
            counts_.add(*to, to_at, needed);
            counts_.add(*from, from_at, needed & from->mask);
            load_lanes(*from, from_at, needed & from->mask);
            lanes |= needed;
        }
        need_all(reads, lanes);
        return lanes;
    }

    const NeedTrace& trace_;
    const NeedPlan& plan_;
    const Program& program_;
    NeedGlobal global_;
    NeedCounts counts_;
    std::vector<std::vector<int>> filled_from_;
    std::uint64_t dynamic_loads_ = 0, other_loads_ = 0;
    bool is_shared_by_threads_ = false;
    Needed needed_;
    // Where the pass is.
    const NeedTrace::Step* launch_ = nullptr;
    const NeedLog* log_ = nullptr;
    NeededLaunch own_;
    std::unordered_map<std::uint32_t, std::unique_ptr<BlockNeed>> blocks_;
    std::unique_ptr<BlockNeed> free_;
    BlockNeed* block_ = nullptr;
    std::uint32_t block_linear_ = 0, warp_number_ = 0, mask_ = 0;
    WarpNeed* warp_ = nullptr;
    bool is_in_kernel_ = true;
    std::size_t next_access_ = 0, first_access_ = 0;
};

}  // namespace

Needed find_needed(const NeedTrace& trace, const Memory& memory, const std::vector<int>& outputs) {
    if (!trace.is_cut) return Slice(trace, memory, outputs).run();
    Needed nothing;
    nothing.is_whole = false;
    return nothing;
}

}  // namespace warpgrade::vgpu
