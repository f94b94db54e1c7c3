// The end of a segment: where the lanes go from there.
#include "vgpu/clusters.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

void BlockRunner::diverge(Strand& strand, const Terminator& t, std::uint32_t taken, int other) {
    SimtEntry top = strand.stack.back();
    const std::uint32_t rest = top.mask & ~taken;
    const SimtEntry base = top;
    if (top.reconverge == t.reconverge && !top.is_call) {
        strand.stack.pop_back();
    } else {
        strand.stack.back().pc = t.reconverge;
    }
    SimtEntry side = base;
    side.is_call = false;
    side.reconverge = t.reconverge;
    side.pc = other;
    side.mask = rest;
    if (side.pc != side.reconverge) strand.stack.push_back(side);
    side.pc = t.target;
    side.mask = taken;
    if (side.pc != side.reconverge) strand.stack.push_back(side);
    // Popped entirely (both sides meet at once): the lanes go on below, at the reconvergence point.
}

void BlockRunner::retire(WarpState& ws, Strand& strand, std::uint32_t lanes) {
    if (ws.warp.block->seat != nullptr) retire_from_cluster(ws.warp, lanes);
    ws.warp.alive &= ~lanes;
    for (SimtEntry& e : strand.stack) e.mask &= ~lanes;
}

namespace {

// Of the lanes at a segment's end, those of which its guard is true.
std::uint32_t guarded(const Warp& w, const Terminator& t, std::uint32_t lanes) {
    return t.has_guard ? lanes & (t.negated ? ~pred(w, t.predicate) : pred(w, t.predicate)) : lanes;
}

}  // namespace

// One target at a time: the lanes that share the first lane's, the others wait on the stack.
bool BlockRunner::branch_by_table(Warp& w, Strand& strand, const Terminator& t) {
    SimtEntry& top = strand.stack.back();
    const std::uint32_t* choice = reg<std::uint32_t>(w, t.operand);
    std::uint32_t rest = top.mask;
    const SimtEntry base = top;
    top.pc = t.reconverge;
    while (rest != 0) {
        const std::uint32_t c = choice[__builtin_ctz(rest)];
        std::uint32_t same = 0;
        for (std::uint32_t m = rest; m != 0; m &= m - 1) {
            if (choice[__builtin_ctz(m)] == c) same |= 1u << __builtin_ctz(m);
        }
        rest &= ~same;
        if (c >= t.table.size()) {
            report_at(w, t, __builtin_ctz(same), Misuse::branch_index, c, t.table.size());
            launch_.is_stopped = true;
            return false;
        }
        SimtEntry side = base;
        side.is_call = false;
        side.mask = same;
        side.reconverge = t.reconverge;
        side.pc = t.table[c];
        if (side.pc != side.reconverge) strand.stack.push_back(side);
    }
    return true;
}

void BlockRunner::leave_function(WarpState& ws, Strand& strand, const Segment& segment) {
    const Terminator& t = segment.terminator;
    SimtEntry& top = strand.stack.back();
    const std::uint32_t lanes = guarded(ws.warp, t, top.mask);
    if (worker_.need != nullptr && t.has_guard) worker_.need->note_branch(segment.id, lanes, top.mask);
    const bool ends_thread = t.kind == TerminatorKind::exit || code_of(top).is_kernel;
    top.pc = t.has_guard ? t.next : top.pc;
    if (ends_thread) {
        retire(ws, strand, lanes);
        if (!t.has_guard) top.mask = 0;
    } else if (lanes == top.mask) {
        top.pc = -1;
    } else if (lanes != 0) {
        Terminator split = t;
        split.target = -1;
        diverge(strand, split, lanes, t.next);
    }
}

bool BlockRunner::finish_segment(BlockContext& block, WarpState& ws, std::size_t index, const Segment& segment) {
    Strand& strand = ws.strands[index];
    SimtEntry& top = strand.stack.back();
    Warp& w = ws.warp;
    const Terminator& t = segment.terminator;
    switch (t.kind) {
        case TerminatorKind::next: top.pc = t.next; return true;
        case TerminatorKind::jump: top.pc = t.target; return true;
        case TerminatorKind::branch: {
            const std::uint32_t p = pred(w, t.predicate);
            const std::uint32_t taken = (t.negated ? ~p : p) & top.mask;
            if (worker_.need != nullptr) worker_.need->note_branch(segment.id, taken, top.mask);
            if (taken == top.mask)
                top.pc = t.target;
            else if (taken == 0)
                top.pc = t.next;
            else {
                ++worker_.segments[segment.id].diverged;
                diverge(strand, t, taken, t.next);
            }
            return true;
        }
        case TerminatorKind::branch_table: return branch_by_table(w, strand, t);
        case TerminatorKind::ret:
        case TerminatorKind::exit: leave_function(ws, strand, segment); return true;
        case TerminatorKind::trap: {
            const std::uint32_t lanes = guarded(w, t, top.mask);
            top.pc = t.next;
            if (lanes == 0) return true;
            Inst in;
            in.site = t.site;
            w.mask = lanes;
            report_trap(w, in);
            launch_.is_stopped = true;
            return false;
        }
        case TerminatorKind::call:
            top.pc = t.next;
            call(block, ws, strand, code_of(top).calls[static_cast<std::size_t>(t.call)], t, top.mask);
            return !launch_.is_stopped;
        case TerminatorKind::call_external:
            top.pc = t.next;
            call_external(block, ws, code_of(top).calls[static_cast<std::size_t>(t.call)], t, top.mask);
            return !launch_.is_stopped;
        case TerminatorKind::barrier: return arrive(block, ws, index, segment);
        case TerminatorKind::cluster_wait: return wait_for_cluster(block, ws, index, t);
        case TerminatorKind::warp_barrier: return meet_warp(block, ws, index, t);
    }
    return true;
}

}  // namespace warpgrade::vgpu
