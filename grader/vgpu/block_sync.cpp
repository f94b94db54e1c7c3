// Waiting inside a warp: its barriers, lanes that a shuffle names, strands that part and meet.
#include <algorithm>

#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

std::uint32_t same_as_first(const std::uint32_t* named, std::uint32_t lanes) {
    const std::uint32_t member = named[__builtin_ctz(lanes)];
    std::uint32_t same = 0;
    for (std::uint32_t m = lanes; m != 0; m &= m - 1)
        if (named[__builtin_ctz(m)] == member) same |= m & -m;
    return same;
}

// Lanes may name different masks in one instruction (tiles of half a warp): each mask's lanes take their own turn.
bool BlockRunner::split_by_mask(WarpState& ws, Strand& strand, const Segment& segment) {
    const SimtEntry top = strand.stack.back();
    const std::uint32_t same = same_as_first(reg<std::uint32_t>(ws.warp, segment.member_mask), top.mask);
    if (same == top.mask) return false;
    SimtEntry side = top;
    side.is_call = false;
    side.reconverge = segment.terminator.reconverge;
    strand.stack.back().pc = side.reconverge;
    side.mask = top.mask & ~same;
    strand.stack.push_back(side);
    side.mask = same;
    strand.stack.push_back(side);
    return true;
}

void BlockRunner::report_left_out(Warp& w, const Site& site, int lane, std::uint32_t member) {
    bool is_new = false;
    Finding& f = add_finding(worker_, w.block, FindingKind::inactive_lane, line_of(w, site), AccessKind::none,
                             FindingReason::not_in_mask, is_new);
    launch_.is_stopped = true;  // nobody that it names waits for it, nor it for itself: what follows has no meaning
    if (!is_new) return;
    f.place = place_of(w, lane, site);
    f.mask = member;
    f.lane = lane;
}

void BlockRunner::report_at(Warp& w, const Terminator& t, int lane, Misuse misuse, std::uint64_t value,
                            std::uint64_t limit) {
    Inst in;
    in.site = t.site;
    report_misuse(w, in, lane, misuse, value, limit);
}

// A warp-synchronous instruction may start when every lane its mask names (and that still runs) is in this strand.
bool BlockRunner::start_segment(WarpState& ws, std::size_t index, const Segment& segment) {
    Warp& w = ws.warp;
    Strand& strand = ws.strands[index];
    const SimtEntry top = strand.stack.back();
    const std::uint32_t* named = reg<std::uint32_t>(w, segment.member_mask);
    const std::uint32_t member = named[__builtin_ctz(top.mask)];
    if ((top.mask & ~member) != 0) {
        report_left_out(w, w.sites[segment.site], __builtin_ctz(top.mask & ~member), member);
        return false;
    }
    const std::uint32_t missing = member & w.alive & ~top.mask;
    if (missing == 0) return true;
    if (strand.stack.size() > 1) split_top(ws, index);
    Strand& waiting = ws.strands[index];
    waiting.state = StrandState::waiting_for_lanes;
    waiting.wait_mask = member;
    return false;
}

std::size_t BlockRunner::split_off(WarpState& ws, std::size_t index, std::uint32_t lanes) {
    Strand apart;
    for (SimtEntry& e : ws.strands[index].stack) {
        SimtEntry part = e;
        part.mask &= lanes;
        part.call_mask &= lanes;
        e.mask &= ~lanes;
        e.call_mask &= ~lanes;
        if (part.mask != 0) apart.stack.push_back(part);
    }
    apart.state = StrandState::ready;
    ws.strands.push_back(std::move(apart));
    return ws.strands.size() - 1;
}

// The top entry's lanes leave the others of their strand behind, in a strand of their own.
void BlockRunner::split_top(WarpState& ws, std::size_t index) {
    const std::uint32_t mine = ws.strands[index].stack.back().mask;
    const auto& stack = ws.strands[index].stack;
    if (std::any_of(stack.begin(), stack.end(), [&](const SimtEntry& e) { return (e.mask & ~mine) != 0; }))
        split_off(ws, index, ~mine);
}

// The lanes met. Stamps of shared memory know one floor for the warp: only a meeting of all lanes moves it.
void BlockRunner::pass_warp_barrier(BlockContext& block, Warp& w, std::uint32_t lanes) {
    if (block.races != nullptr) block.races->lanes_met(w, lanes);
    advance_sequence(block);
    w.sequence = block.sequence;
    if ((w.alive & ~lanes) == 0) w.sync_floor = block.sequence;
}

// Strands that came to the same place by the same way go on together.
void BlockRunner::merge_strands(WarpState& ws) {
    auto& strands = ws.strands;
    strands.erase(
        std::remove_if(strands.begin(), strands.end(), [](const Strand& s) { return s.state == StrandState::done; }),
        strands.end());
    if (strands.empty()) {
        strands.resize(1);
        strands[0].state = StrandState::done;
        return;
    }
    const auto is_same_way = [](const Strand& a, const Strand& b) {
        if (a.state != StrandState::ready || b.state != StrandState::ready || a.stack.size() != b.stack.size())
            return false;
        for (std::size_t i = 0; i < a.stack.size(); ++i) {
            const SimtEntry &x = a.stack[i], &y = b.stack[i];
            if (x.function != y.function || x.pc != y.pc || x.reconverge != y.reconverge || x.frame != y.frame)
                return false;
        }
        return true;
    };
    for (std::size_t i = 0; i < strands.size(); ++i) {
        for (std::size_t j = i + 1; j < strands.size();) {
            if (!is_same_way(strands[i], strands[j])) {
                ++j;
                continue;
            }
            for (std::size_t k = 0; k < strands[i].stack.size(); ++k) {
                strands[i].stack[k].mask |= strands[j].stack[k].mask;
                strands[i].stack[k].call_mask |= strands[j].stack[k].call_mask;
            }
            strands.erase(strands.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

// Lets strands go on that wait for lanes. `force`: nobody can come any more; say so, and go on with who is there.
bool BlockRunner::release_waiting(WarpState& ws, bool force) {
    Warp& w = ws.warp;
    bool progress = false;
    const auto lanes_that_wait = [&] {
        std::uint32_t lanes = 0;
        for (const Strand& s : ws.strands)
            if (s.state == StrandState::waiting_for_lanes) lanes |= s.stack.back().mask;
        return lanes;
    };
    std::uint32_t waiting = lanes_that_wait();
    for (std::size_t i = 0; i < ws.strands.size(); ++i) {
        if (ws.strands[i].state != StrandState::waiting_for_lanes) continue;
        if ((ws.strands[i].wait_mask & w.alive & ~waiting) != 0 && !force) continue;  // asked at each turn of a loop
        const SimtEntry& top = ws.strands[i].stack.back();
        const Segment& here = code_of(top).segments[static_cast<std::size_t>(top.pc)];
        // Waiting before a shuffle (the segment needs its mask), or after a bar.warp.sync (pc is past it).
        const bool is_shuffle = here.needs_mask && !ws.strands[i].is_past_barrier;
        std::uint32_t present = 0;
        std::vector<std::size_t> together;
        for (std::size_t j = 0; j < ws.strands.size(); ++j) {
            const Strand& s = ws.strands[j];
            if (s.state != StrandState::waiting_for_lanes) continue;
            const SimtEntry& e = s.stack.back();
            if (is_shuffle ? (s.is_past_barrier || e.pc != top.pc || e.function != top.function || e.frame != top.frame)
                           : !s.is_past_barrier)
                continue;
            if ((e.mask & ws.strands[i].wait_mask) == 0) continue;
            present |= e.mask;
            together.push_back(j);
        }
        const std::uint32_t missing = ws.strands[i].wait_mask & w.alive & ~present;
        if (missing != 0 && !force) continue;
        if (missing != 0) {
            const Site& site = w.sites[is_shuffle ? here.site : ws.strands[i].wait_site];
            bool is_new = false;
            Finding& f = add_finding(worker_, w.block, FindingKind::inactive_lane, line_of(w, site), AccessKind::none,
                                     FindingReason::never_arrives, is_new);
            if (is_new) {
                f.place = place_of(w, __builtin_ctz(top.mask), site);
                f.mask = ws.strands[i].wait_mask;
                f.lane = __builtin_ctz(missing);
            }
        }
        progress = true;
        if (!is_shuffle) {
            pass_warp_barrier(*w.block, w, ws.strands[i].wait_mask);
            for (const std::size_t j : together) {
                ws.strands[j].state = StrandState::ready;
                ws.strands[j].is_past_barrier = false;
            }
            waiting = lanes_that_wait();
            continue;
        }
        // One run of the segment for all of them, then each goes its own way.
        enter_frame(ws, top);
        execute(ws, top, here, present);
        for (const std::size_t j : together) {
            ws.strands[j].state = StrandState::ready;
            enter_frame(ws, ws.strands[j].stack.back());
            w.mask = ws.strands[j].stack.back().mask;
            finish_segment(*w.block, ws, j, here);
        }
        waiting = lanes_that_wait();
    }
    return progress;
}

bool BlockRunner::meet_warp(BlockContext& block, WarpState& ws, std::size_t index, const Terminator& t) {
    Warp& w = ws.warp;
    SimtEntry& top = ws.strands[index].stack.back();
    const std::uint32_t* named = reg<std::uint32_t>(w, t.operand);
    const std::uint32_t here = top.mask;
    top.pc = t.next;
    for (std::uint32_t m = here; m != 0; m &= m - 1) {
        if (const int lane = __builtin_ctz(m); ((named[lane] >> lane) & 1) == 0) {
            report_left_out(w, w.sites[t.site], lane, named[lane]);
            return false;
        }
    }
    // Halves of a warp may each name themselves: they meet, but not each other, and each waits for its own.
    for (std::uint32_t rest = here; rest != 0;) {
        const std::uint32_t met = named[__builtin_ctz(rest)], same = same_as_first(named, rest);
        rest &= ~same;
        if ((met & w.alive & ~here) == 0) {
            if (same == here || (met & w.alive & ~same) == 0) pass_warp_barrier(block, w, met);
            continue;
        }
        Strand& waiting = ws.strands[split_off(ws, index, same)];
        waiting.state = StrandState::waiting_for_lanes;
        waiting.wait_mask = met;
        waiting.wait_site = t.site;
        waiting.is_past_barrier = true;
    }
    return true;
}

}  // namespace warpgrade::vgpu
