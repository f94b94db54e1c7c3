// Barriers of a block: who meets there, who is missing, and blocks that wait in vain.
#include <algorithm>

#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

constexpr std::size_t kMostMeetingsApart = 1 << 10;  // that are looked at, of a block

// True if a kernel's thread at this segment has nothing before it but its end.
bool only_returns(const Code& code, int pc) {
    for (int steps = 0; steps < 8 && pc >= 0 && code.is_kernel; ++steps) {
        const Segment& segment = code.segments[static_cast<std::size_t>(pc)];
        if (segment.begin != segment.end) return false;
        const Terminator& t = segment.terminator;
        if ((t.kind == TerminatorKind::ret || t.kind == TerminatorKind::exit) && !t.has_guard) return true;
        if (t.kind == TerminatorKind::jump)
            pc = t.target;
        else if (t.kind == TerminatorKind::next)
            pc = t.next;
        else
            return false;
    }
    return pc < 0 && code.is_kernel;
}

std::uint64_t lanes_alive(const BlockContext& block) {
    std::uint64_t alive = 0;
    for (const WarpState& ws : block.warps) alive += lanes_in(ws.warp.alive);
    return alive;
}

}  // namespace

// What the lanes of a warp name at a barrier, and how many threads they count there, is one for all of them, and one
// that blocks have.
void BlockRunner::check_barrier(Warp& w, const Terminator& t, std::uint32_t mask, const BarrierState& barrier) {
    const int first = __builtin_ctz(mask);
    const auto apart = [&](std::uint32_t operand) {
        if ((operand & 1) != 0) return -1;  // a constant
        const std::uint32_t* values = reg<std::uint32_t>(w, operand);
        for (std::uint32_t m = mask; m != 0; m &= m - 1)
            if (const int lane = __builtin_ctz(m); values[lane] != values[first]) return lane;
        return -1;
    };
    const std::uint32_t* numbers = reg<std::uint32_t>(w, t.operand);
    if (numbers[first] >= barriers_of_block)
        report_at(w, t, first, Misuse::barrier_number, numbers[first], barriers_of_block);
    else if (const int lane = apart(t.operand); lane >= 0)
        report_at(w, t, lane, Misuse::barrier_numbers_apart, numbers[lane], numbers[first]);
    if (!t.has_operand2) return;
    const std::uint32_t* counts = reg<std::uint32_t>(w, t.operand2);
    const std::uint32_t count = counts[first];
    if (count == 0 || count % 32 != 0)
        report_at(w, t, first, Misuse::barrier_threads, count, 32);
    else if (const int lane = apart(t.operand2); lane >= 0)
        report_at(w, t, lane, Misuse::barrier_counts_apart, counts[lane], count);
    else if (barrier.expected != 0 && barrier.expected != count)
        report_at(w, t, first, Misuse::barrier_counts_apart, count, barrier.expected);
}

// A warp comes to a barrier where others wait at another place: of the same warp, a fault; of others, one if need be.
void BlockRunner::meet_apart(BlockContext& block, WarpState& ws, std::uint32_t id, const Site& site, int lane) {
    Warp& w = ws.warp;
    const Site& first_site = w.sites[block.barriers[id].site];
    const auto is_here = [&](const Strand& s) {
        return s.state == StrandState::at_barrier && s.barrier == static_cast<int>(id);
    };
    const bool is_one_warp = std::any_of(ws.strands.begin(), ws.strands.end(), [&](const Strand& s) {
        return is_here(s) && w.sites[s.arrival->site].outer_line != site.outer_line;
    });
    if (!is_one_warp && block.apart != nullptr) return;
    Finding seen;
    seen.place = place_of(w, lane, site);
    seen.has_other = true;
    seen.other.line = first_site.line;
    seen.other.column = first_site.column;
    seen.other.called_from = first_site.outer_line == first_site.line ? 0 : first_site.outer_line;
    seen.other.block = block.index;
    if (is_one_warp) {
        report_apart(block, seen);
        return;
    }
    block.apart = std::make_unique<MeetingsApart>();
    block.apart->barrier = id;
    block.apart->first = seen;
    for (const WarpState& other : block.warps) {
        std::vector<int>& lines = block.apart->lines.emplace_back();
        for (const Strand& s : other.strands)
            if (is_here(s) && lines.empty()) lines.push_back(w.sites[s.arrival->site].outer_line);
    }
}

void BlockRunner::report_apart(BlockContext& block, const Finding& seen) {
    bool is_new = false;
    Finding& f = add_finding(worker_, &block, FindingKind::barrier_divergence, seen.place.line, AccessKind::none,
                             FindingReason::two_places, is_new);
    if (!is_new) return;
    f.place = seen.place;
    f.has_other = true;
    f.other = seen.other;
}

// The block has ended. Who returned before the others, as he may, was in step with them until then: he had met them at
// each place that they share as often as they had been there.
void BlockRunner::report_meetings_apart(BlockContext& block) {
    const auto& lines = block.apart->lines;
    const auto& most =
        *std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const auto is_out_of_step = [&](const std::vector<int>& own) {
        if (own.size() == most.size()) return false;
        const auto then = most.begin() + static_cast<std::ptrdiff_t>(own.size());
        return std::any_of(own.begin(), own.end(), [&](int line) {
            return std::find(most.begin(), most.end(), line) != most.end() &&
                   std::count(own.begin(), own.end(), line) != std::count(most.begin(), then, line);
        });
    };
    if (std::any_of(lines.begin(), lines.end(), is_out_of_step)) report_apart(block, block.apart->first);
}

bool BlockRunner::arrive(BlockContext& block, WarpState& ws, std::size_t index, const Segment& segment) {
    Warp& w = ws.warp;
    const Terminator& t = segment.terminator;
    const std::uint32_t mask = ws.strands[index].stack.back().mask;
    const std::uint32_t first = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint32_t id = reg<std::uint32_t>(w, t.operand)[first] % barriers_of_block;
    BarrierState& barrier = block.barriers[id];
    const Site& site = w.sites[t.site];
    check_barrier(w, t, mask, barrier);
    // Lanes that wait further down this strand's stack can only come here once these have gone on: that is divergence.
    // Lanes in strands of their own (split off because they spun or waited) are still on their way. Lanes that only
    // have a return before them leave, and are not waited for.
    std::uint32_t behind = 0, seen = mask;
    for (auto e = ws.strands[index].stack.rbegin(); e != ws.strands[index].stack.rend(); ++e) {
        if (!only_returns(code_of(*e), e->pc)) behind |= e->mask & ~seen;
        seen |= e->mask;
    }
    if (t.is_aligned && (behind & w.alive) != 0) {
        bool is_new = false;
        Finding& f = add_finding(worker_, &block, FindingKind::barrier_divergence, line_of(w, site), AccessKind::none,
                                 FindingReason::part_of_warp, is_new);
        if (is_new) {
            f.place = place_of(w, static_cast<int>(first), site);
            f.mask = mask;
            f.lane = __builtin_ctz(behind & w.alive);
        }
    } else if (barrier.site >= 0 && t.is_aligned && !t.has_operand2 && t.reduction != 4 &&
               w.sites[barrier.site].outer_line != site.outer_line) {
        meet_apart(block, ws, id, site, static_cast<int>(first));
    }
    if (barrier.site < 0) barrier.site = static_cast<int>(t.site);
    if (block.apart != nullptr && block.apart->barrier == id) {
        std::vector<int>& lines = block.apart->lines[w.index];
        if (lines.size() == block.apart->meetings && lines.size() < kMostMeetingsApart)
            lines.push_back(site.outer_line);
    }
    barrier.arrived += lanes_in(mask);
    if (t.has_operand2) barrier.expected = reg<std::uint32_t>(w, t.operand2)[first];
    if (t.reduction >= 1 && t.reduction <= 3) {
        barrier.votes += lanes_in(pred(w, t.source) & mask);
        barrier.voters += lanes_in(mask);
    }
    worker_.counts[t.site].requests += 1;
    if (block.races != nullptr) {
        if (barrier.knowledge == nullptr) barrier.knowledge = std::make_shared<BarrierKnowledge>();
        block.races->arrive(w, *barrier.knowledge);
    }
    ws.strands[index].stack.back().pc = t.next;
    // Who comes when all that are counted are there belongs to the next meeting.
    const bool is_met = barrier.expected != 0 && barrier.arrived >= barrier.expected;
    if (t.reduction == 4) {  // bar.arrive does not wait
        if (is_met) complete(block, id, &ws);
        enter_frame(ws, ws.strands[index].stack.back());
        return true;
    }
    if (ws.strands[index].stack.size() > 1) split_top(ws, index);
    Strand& strand = ws.strands[index];
    strand.state = StrandState::at_barrier;
    strand.barrier = static_cast<int>(id);
    strand.arrival = &t;
    if (is_met) complete(block, id, &ws);
    return false;
}

void BlockRunner::release_barriers(BlockContext& block, bool& progress) {
    const auto has_arrived = [](const BarrierState& barrier) { return barrier.arrived != 0; };
    if (std::none_of(block.barriers.begin(), block.barriers.end(), has_arrived)) return;
    const std::uint64_t alive = lanes_alive(block);
    for (std::uint32_t id = 0; id < block.barriers.size(); ++id) {
        const BarrierState& barrier = block.barriers[id];
        if (barrier.arrived == 0 || barrier.arrived < (barrier.expected == 0 ? alive : barrier.expected)) continue;
        progress = true;
        complete(block, id, nullptr);
    }
}

// Cards do not wait for threads that have ended; what was meant to order them with the others orders nothing.
void BlockRunner::report_ended(BlockContext& block, const BarrierState& barrier, std::uint32_t id) {
    const std::uint64_t all = launch_.launch->block.count(), ended = all - lanes_alive(block);
    if (ended == 0 || barrier.site < 0) return;
    for (const WarpState& ws : block.warps) {
        for (const Strand& strand : ws.strands) {
            if (strand.state != StrandState::at_barrier || strand.barrier != static_cast<int>(id)) continue;
            const Site& site = ws.warp.sites[static_cast<std::size_t>(barrier.site)];
            bool is_new = false;
            Finding& f = add_finding(worker_, &block, FindingKind::barrier_divergence, line_of(ws.warp, site),
                                     AccessKind::none, FindingReason::ended, is_new);
            if (!is_new) return;
            f.place = place_of(ws.warp, __builtin_ctz(strand.stack.back().mask), site);
            f.value = ended;
            f.limit = all;
            return;
        }
    }
}

// Those who wait go on. `running`: the warp that is in the middle of a strand, whose strands stay as they are; or null.
void BlockRunner::complete(BlockContext& block, std::uint32_t id, const WarpState* running) {
    BarrierState& barrier = block.barriers[id];
    const bool is_whole_block = barrier.expected == 0;
    const std::uint64_t alive = lanes_alive(block);
    std::uint64_t waiting = 0;
    for (const WarpState& ws : block.warps) {
        for (const Strand& strand : ws.strands) {
            if (strand.state == StrandState::at_barrier && strand.barrier == static_cast<int>(id))
                waiting += lanes_in(strand.stack.back().mask);
        }
    }
    advance_sequence(block);
    if (is_whole_block) report_ended(block, barrier, id);
    if (worker_.need != nullptr) worker_.need->mark(NeedStep::barrier_passed);
    // Who has ended is waited for no more; what it did came before.
    if (block.races != nullptr && is_whole_block) {
        for (WarpState& ws : block.warps)
            if (ws.warp.alive == 0) block.races->arrive(ws.warp, *barrier.knowledge);
    }
    for (WarpState& ws : block.warps) {
        Warp& w = ws.warp;
        bool waited = false;
        std::uint32_t lanes = 0;
        for (Strand& strand : ws.strands) {
            if (strand.state != StrandState::at_barrier || strand.barrier != static_cast<int>(id)) continue;
            strand.state = StrandState::ready;
            waited = true;
            lanes |= strand.stack.back().mask;
            const Terminator& t = *strand.arrival;
            if (t.reduction >= 1 && t.reduction <= 3) {
                const std::uint32_t mask = strand.stack.back().mask;
                enter_frame(ws, strand.stack.back());
                if (t.reduction == 1) {
                    std::uint32_t* d = reg<std::uint32_t>(w, t.result);
                    for (int i = 0; i < 32; ++i) {
                        if (((mask >> i) & 1) != 0) d[i] = static_cast<std::uint32_t>(barrier.votes);
                    }
                } else {
                    const bool holds = t.reduction == 2 ? barrier.votes == barrier.voters : barrier.votes > 0;
                    std::uint32_t& p = pred(w, t.result);
                    p = (p & ~mask) | (holds ? mask : 0);
                }
            }
        }
        if (waited && block.races != nullptr) block.races->leave(w, *barrier.knowledge, lanes);
        if (is_whole_block || waited) w.sequence = block.sequence;
        if (is_whole_block || (waited && (w.alive & ~lanes) == 0)) w.sync_floor = block.sequence;
        // A barrier of part of the block orders those warps only. Stamps know one floor: it stays, and what they
        // find is looked at by the race tracker.
        if ((is_whole_block || waiting >= alive) && launch_.finds_races_by_stamps) w.barrier_floor = block.sequence;
        if (&ws != running) merge_strands(ws);
    }
    barrier = {};
    if (block.apart != nullptr && block.apart->barrier == id) ++block.apart->meetings;
}

// All that run have long been waiting at mbarriers that nothing changes any more.
bool BlockRunner::waits_in_vain(BlockContext& block) const {
    constexpr std::uint64_t most_idle_rounds = 1 << 14;
    const bool is_idle = block.changes_seen == block.mbarrier_changes;
    block.changes_seen = block.mbarrier_changes;
    block.idle_rounds = is_idle ? block.idle_rounds + 1 : 0;
    if (block.idle_rounds < most_idle_rounds) return false;
    const MbarrierWait& wait = block.vain_wait;
    const Warp& w = block.warps[wait.warp].warp;
    const Site& site = w.sites[wait.site];
    bool is_new = false;
    Finding& f = add_finding(worker_, &block, FindingKind::deadlock, line_of(w, site), AccessKind::none,
                             FindingReason::none, is_new);
    if (is_new) {
        f.place = place_of(w, wait.lane, site);
        f.reason = FindingReason::mbarrier;
        f.value = arrivals_left(block.mbarriers[wait.offset]);
    }
    launch_.is_stopped = true;
    return true;
}

void BlockRunner::report_stuck(BlockContext& block) {
    for (WarpState& ws : block.warps) {
        for (const Strand& strand : ws.strands) {
            if (strand.state != StrandState::at_barrier) continue;
            const Site& site = ws.warp.sites[strand.arrival->site];
            bool is_new = false;
            Finding& f = add_finding(worker_, &block, FindingKind::deadlock, line_of(ws.warp, site), AccessKind::none,
                                     FindingReason::none, is_new);
            if (is_new) f.place = place_of(ws.warp, __builtin_ctz(strand.stack.back().mask), site);
            launch_.is_stopped = true;
            return;
        }
    }
}

}  // namespace warpgrade::vgpu
