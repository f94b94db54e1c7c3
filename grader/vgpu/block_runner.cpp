// Runs the warps of a block, segment by segment. What a block starts with is in block_setup.cpp, divergence in
// block_branches.cpp, calls in block_calls.cpp, waiting in block_barriers.cpp and block_sync.cpp.
#include <algorithm>
#include <utility>

#include "vgpu/clusters.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// A strand whose lanes wait for each other further down its stack may run this many segments before they are split off.
constexpr std::uint64_t kPatience = 4096;
constexpr std::int64_t kSliceInstructions = std::int64_t{1} << 22;
constexpr std::int64_t kBudgetStep = std::int64_t{1} << 18;

// A standard library draws its own shuffle as it likes; a schedule must be the same in every build.
void shuffle(std::vector<std::uint32_t>& order, std::minstd_rand& random) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
}

}  // namespace

BlockRunner::BlockRunner(Worker& worker) : worker_(worker), launch_(*worker.launch) {}

void advance_sequence(BlockContext& block) {
    if (++block.sequence >= kMaxSequence) {
        std::fill(block.written.begin(), block.written.end(), 1u << kStampShift);
        std::fill(block.read.begin(), block.read.end(), 0u);
        block.sequence = 2;
        for (WarpState& ws : block.warps) ws.warp.first_sequence = 1;
    }
}

// Nothing of the block is asked for any more.
bool BlockRunner::is_traced_to_end(const BlockContext& block) const {
    if (!ends_early_) return false;
    return std::all_of(block.warps.begin(), block.warps.end(),
                       [&](const WarpState& ws) { return ws.is_done() || block.trace->warps[ws.warp.index].is_cut; });
}

bool BlockRunner::run(BlockContext& block) {
    // Where others of its cluster wait for it, a block runs on.
    ends_early_ = block.trace != nullptr && launch_.options->sample->ends_with_trace && launch_.cluster.count() == 1;
    slice_left_ = kSliceInstructions;
    block.watched.clear();
    if (block.seat != nullptr) block.seat->waits = false;
    std::vector<std::uint32_t> order(block.warps.size());
    const std::uint64_t schedule = launch_.options->schedule;
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    if (schedule == 1) std::reverse(order.begin(), order.end());
    for (;;) {
        bool is_done = true, polls = false, works = release_from_cluster(block);
        if (!may_take_round(block)) return true;
        if (schedule > 1) shuffle(order, block.random);
        for (const std::uint32_t i : order) {
            WarpState& ws = block.warps[i];
            for (std::size_t s = 0; s < ws.strands.size(); ++s) {
                if (ws.strands[s].state != StrandState::ready) continue;
                has_polled_ = false;
                run_strand(block, ws, s);
                (has_polled_ ? polls : works) = true;
                if (launch_.is_stopped.load(std::memory_order_relaxed)) return true;
            }
            if (ws.strands.size() > 1) {
                works = release_waiting(ws, false) || works;
                merge_strands(ws);
            } else if (ws.strands[0].state == StrandState::waiting_for_lanes) {
                works = release_waiting(ws, false) || works;
            }
            is_done = is_done && ws.is_done();
        }
        if (is_done && block.apart != nullptr) report_meetings_apart(block);
        if (is_done || is_traced_to_end(block)) return true;
        release_barriers(block, works);
        if (!works && give_turn_away(block)) return false;
        if (!works && !polls) {
            bool forced = false;
            for (WarpState& ws : block.warps) forced = release_waiting(ws, true) || forced;
            if (!forced) {
                report_stuck(block);
                return true;
            }
        }
        if (!works && block.watched.empty() && waits_in_vain(block)) return true;
        // Who waits for others gives its turn away; an mbarrier is waited for within the block.
        if (works || slice_left_ < 0) block.watched.clear();
        if (!block.watched.empty() || slice_left_ < 0) return false;
    }
}

void BlockRunner::execute(WarpState& ws, const SimtEntry& entry, const Segment& segment, std::uint32_t mask) {
    Warp& w = ws.warp;
    SegmentCount& count = worker_.segments[segment.id];
    ++count.runs;
    count.lanes += lanes_in(mask);
    slice_left_ -= segment.instructions;
    worker_.budget -= segment.work;
    w.block->clock += segment.instructions;
    w.mask = mask;
    if (w.is_traced()) note_segment(w, segment.id, segment.instructions);
    if (worker_.need != nullptr) {
        execute_for_slice(w, code_of(entry), segment);
        worker_.spend(std::exchange(w.extra_work, 0));
        return;
    }
    const Inst* instructions = code_of(entry).instructions.data();
    const Inst* in = instructions + segment.begin;
    const Inst* end = instructions + segment.end;
    if (w.block->races != nullptr) {
        execute_tracked(ws, code_of(entry), segment.begin, segment, mask);
    } else if (mask == kFullMask) {
        for (; in != end; ++in) in->full(w, *in);
    } else {
        for (; in != end; ++in) in->masked(w, *in);
    }
    worker_.spend(std::exchange(w.extra_work, 0));
}

// Instruction by instruction where there is something to be learnt of one.
void BlockRunner::execute_for_slice(Warp& w, const Code& code, const Segment& segment) {
    NeedLog& log = *worker_.need;
    log.begin_step(segment.id, w.mask, w.index);
    RaceTracker* const races = w.block->races;
    const auto run_up_to = [&](std::uint32_t from, std::uint32_t end) {
        for (std::uint32_t i = from; i != end; ++i) {
            const Inst& in = code.instructions[i];
            if (races != nullptr) races->before(w, in);
            (w.mask == kFullMask ? in.full : in.masked)(w, in);
            if (races != nullptr) races->after(w);
        }
    };
    std::vector<NeedWatch>& watches = log.watches[segment.id];
    std::uint32_t at = segment.begin;
    std::size_t left = 0;
    for (const NeedWatch watch : watches) {
        run_up_to(at, watch.inst);
        log.look_before(w, code.instructions[watch.inst], watch);
        run_up_to(watch.inst, watch.inst + 1);
        at = watch.inst + 1;
        if (!log.look_at(w, code.instructions[watch.inst], watch)) watches[left++] = watch;
    }
    watches.resize(left);
    run_up_to(at, segment.end);
}

void BlockRunner::execute_tracked(WarpState& ws, const Code& code, std::uint32_t from, const Segment& segment,
                                  std::uint32_t mask) {
    Warp& w = ws.warp;
    RaceTracker& races = *w.block->races;
    for (std::uint32_t i = from; i != segment.end; ++i) {
        const Inst& in = code.instructions[i];
        races.before(w, in);
        (mask == kFullMask ? in.full : in.masked)(w, in);
        if (!races.after(w)) continue;
        Strand& strand = ws.strands.front();
        strand.held_before = i + 1;
        strand.held_mask = w.mask;
        strand.held_saved_mask = w.saved_mask;
        slice_left_ = -1;
        return;
    }
}

void BlockRunner::go_on_where_held(WarpState& ws, Strand& strand, const Segment& segment) {
    const SimtEntry& top = strand.stack.back();
    ws.warp.mask = strand.held_mask;
    ws.warp.saved_mask = strand.held_saved_mask;
    execute_tracked(ws, code_of(top), std::exchange(strand.held_before, 0), segment, top.mask);
    worker_.spend(std::exchange(ws.warp.extra_work, 0));
}

void BlockRunner::run_strand(BlockContext& block, WarpState& ws, std::size_t index) {
    Warp& w = ws.warp;
    enter_frame(ws, ws.strands[index].stack.back());
    for (;;) {
        Strand& strand = ws.strands[index];
        if (strand.stack.empty()) {
            strand.state = StrandState::done;
            return;
        }
        SimtEntry& top = strand.stack.back();
        if (top.mask == 0 || top.pc == top.reconverge) {
            if (top.is_call) return_from(ws, top);
            strand.stack.pop_back();
            strand.patience = 0;  // lanes met again: not a spin
            if (!strand.stack.empty()) enter_frame(ws, strand.stack.back());
            continue;
        }
        const Segment& segment = code_of(top).segments[static_cast<std::size_t>(top.pc)];
        if (strand.held_before != 0) {
            go_on_where_held(ws, strand, segment);
        } else {
            if (worker_.watch.is_on() && worker_.watch.has_come_round(ws, strand)) {
                w.mask = top.mask;
                stop_for_good(block, w, segment, true);
                return;
            }
            if (segment.needs_mask) {
                if (split_by_mask(ws, strand, segment)) continue;
                if (!start_segment(ws, index, segment)) return;
            }
            execute(ws, top, segment, top.mask);
        }
        if (strand.held_before != 0) return;
        if (w.stop != 0) {
            launch_.is_stopped = true;
            return;
        }
        if (!finish_segment(block, ws, index, segment)) return;
        if (worker_.budget < 0 && !may_go_on(block, ws, ws.strands[index], segment)) return;
        if (w.yields && block.has_drawn) {  // a ticket: the next is another warp's, once these lanes are together
            if (ws.strands[index].stack.size() > 1) continue;
            w.yields = block.has_drawn = false;
            return;
        }
        if (w.yields) {
            w.yields = false;
            if (ws.strands[index].stack.size() > 1) split_top(ws, index);
            has_polled_ = !std::exchange(w.waits_within, false);
            return;
        }
        if (slice_left_ < 0 || (ends_early_ && block.trace->warps[w.index].is_cut)) return;
        if (++ws.strands[index].patience > kPatience) {
            ws.strands[index].patience = 0;
            if (ws.strands[index].stack.size() > 1) split_top(ws, index);
            // Others may be what these lanes wait for.
            if (ws.strands.size() > 1 || block.warps.size() > 1) return;
        }
    }
}

bool BlockRunner::may_go_on(BlockContext& block, const WarpState& ws, const Strand& strand, const Segment& segment) {
    launch_.work += static_cast<std::uint64_t>(worker_.budget_given - worker_.budget);
    worker_.budget = worker_.budget_given = kBudgetStep;
    const std::atomic<bool>* const is_time_over = launch_.options->limits.is_time_over;
    const bool is_late = is_time_over != nullptr && is_time_over->load();
    if (launch_.work.load() <= launch_.work_limit && !is_late) return true;
    if (is_late) launch_.is_out_of_time = true;
    if (!worker_.watch.is_on() && worker_.watch.begin(*launch_.program, ws, strand)) return true;
    stop_for_good(block, ws.warp, segment, false);
    return false;
}

// A round costs something even where no warp runs an instruction in it: no round is outside of the budget.
bool BlockRunner::may_take_round(BlockContext& block) {
    worker_.spend(block.warps.size());
    if (worker_.budget >= 0) return true;
    for (const WarpState& ws : block.warps) {
        for (const Strand& strand : ws.strands) {
            if (strand.stack.empty() || strand.stack.back().pc < 0) continue;
            const SimtEntry& top = strand.stack.back();
            return may_go_on(block, ws, strand, code_of(top).segments[static_cast<std::size_t>(top.pc)]);
        }
    }
    return true;
}

void BlockRunner::stop_for_good(BlockContext& block, const Warp& w, const Segment& segment, bool is_endless) {
    bool is_new = false;
    const Site& site = w.sites[segment.terminator.site];
    Finding& f = add_finding(worker_, &block, FindingKind::timeout, line_of(w, site), AccessKind::none,
                             FindingReason::none, is_new);
    if (is_new) f.place = place_of(w, __builtin_ctz(w.mask == 0 ? 1 : w.mask), site);
    f.is_endless = is_endless;
    launch_.is_out_of_work = true;
    launch_.is_stopped = true;
}

}  // namespace warpgrade::vgpu
