#include "vgpu/loop_watch.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>

#include "vgpu/warp_state.hpp"

namespace warpgrade::vgpu {

namespace {

std::vector<int> successors(const Segment& segment) {
    const Terminator& t = segment.terminator;
    switch (t.kind) {
        case TerminatorKind::jump: return {t.target};
        case TerminatorKind::branch: return {t.target, t.next};
        case TerminatorKind::branch_table: return t.table;
        case TerminatorKind::ret:
        case TerminatorKind::exit:
        case TerminatorKind::trap: return t.has_guard ? std::vector<int>{t.next} : std::vector<int>{};
        default: return {t.next};
    }
}

// By segment of a function: the number of the loop that it is in; no_loop where no way leads back to it. Kosaraju's
// algorithm: segments behind one another in the order of a first search that are reached against the edges are of one
// loop.
constexpr std::size_t no_loop = ~std::size_t{0};
std::vector<std::size_t> loops_of(const Code& code) {
    const std::size_t count = code.segments.size();
    std::vector<std::vector<std::size_t>> forth(count), back(count);
    for (std::size_t s = 0; s < count; ++s)
        for (const int to : successors(code.segments[s]))
            if (const auto t = static_cast<std::size_t>(to); to >= 0 && t < count) {
                forth[s].push_back(t);
                back[t].push_back(s);
            }
    std::vector<bool> seen(count, false);
    std::vector<std::size_t> loops(count, no_loop);
    std::vector<std::size_t> order;  // of leaving them
    std::vector<std::pair<std::size_t, std::size_t>> way;
    for (std::size_t first = 0; first < count; ++first) {
        if (!seen[first]) way.emplace_back(first, 0);
        seen[first] = true;
        while (!way.empty()) {
            auto& [at, edge] = way.back();
            if (edge == forth[at].size()) {
                order.push_back(at);
                way.pop_back();
            } else if (const std::size_t next = forth[at][edge++]; !seen[next]) {
                seen[next] = true;
                way.emplace_back(next, 0);
            }
        }
    }
    seen.assign(count, false);
    for (auto first = order.rbegin(); first != order.rend(); ++first) {
        if (seen[*first]) continue;
        std::vector<std::size_t> together{*first};
        seen[*first] = true;
        for (std::size_t i = 0; i < together.size(); ++i)
            for (const std::size_t from : back[together[i]])
                if (!seen[from]) {
                    seen[from] = true;
                    together.push_back(from);
                }
        const bool is_loop = together.size() > 1 || std::ranges::find(forth[*first], *first) != forth[*first].end();
        for (const std::size_t s : together) loops[s] = is_loop ? *first : no_loop;
    }
    return loops;
}

bool can_be_one(ptx::Space a, ptx::Space b) { return a == b || a == ptx::Space::generic || b == ptx::Space::generic; }

// Registers written in the loop on which its branches depend, through whatever is computed in it. None, where they also
// depend on what the loop itself stores.
std::optional<std::set<int>> deciding_registers(const Program& program, const Code& code,
                                                const std::vector<std::size_t>& loop) {
    std::set<int> needed, written;
    std::vector<const StaticOp*> ops;
    for (const std::size_t s : loop)
        for (const StaticOp& op : program.segment_ops[code.segments[s].id].ops) {
            ops.push_back(&op);
            if (op.kind == OpClass::branch) needed.insert(op.reads.begin(), op.reads.end());
            written.insert(op.writes.begin(), op.writes.end());
        }
    for (std::size_t before = 0; before != needed.size();) {
        before = needed.size();
        for (auto op = ops.rbegin(); op != ops.rend(); ++op)
            if (std::any_of((*op)->writes.begin(), (*op)->writes.end(), [&](int r) { return needed.contains(r); }))
                needed.insert((*op)->reads.begin(), (*op)->reads.end());
    }
    const auto stores = [](const StaticOp* op) {
        return op->kind == OpClass::store || op->kind == OpClass::atomic || op->kind == OpClass::async_copy ||
               op->kind == OpClass::call;
    };
    for (const StaticOp* read : ops) {
        const bool reads = read->kind == OpClass::load || read->kind == OpClass::atomic || read->kind == OpClass::call;
        if (!reads || std::none_of(read->writes.begin(), read->writes.end(), [&](int r) { return needed.contains(r); }))
            continue;
        if (std::any_of(ops.begin(), ops.end(), [&](const StaticOp* store) {
                return stores(store) && (store->kind == OpClass::call || can_be_one(read->space, store->space));
            }))
            return std::nullopt;
    }
    std::set<int> deciding;
    std::set_intersection(needed.begin(), needed.end(), written.begin(), written.end(),
                          std::inserter(deciding, deciding.begin()));
    return deciding;
}

}  // namespace

Repeated repeated_code(const Program& program) {
    Repeated repeated{std::vector<bool>(program.segment_count, false), std::vector<bool>(program.sites.size(), false)};
    for (const Code& code : program.functions) {
        const std::vector<std::size_t> loops = loops_of(code);
        for (std::size_t s = 0; s < code.segments.size(); ++s) {
            const std::uint32_t id = code.segments[s].id;
            repeated.segments[id] = !code.is_kernel || loops[s] != no_loop;
            // The last operation that names a site is the one that it is of.
            for (const StaticOp& op : program.segment_ops[id].ops)
                if (op.site < repeated.sites.size()) repeated.sites[op.site] = repeated.segments[id];
        }
    }
    return repeated;
}

bool LoopWatch::begin(const Program& program, const WarpState& warp, const Strand& strand) {
    for (auto entry = strand.stack.rbegin(); entry != strand.stack.rend(); ++entry) {
        if (entry->pc < 0) continue;
        const Code& code = program.functions[static_cast<std::size_t>(entry->function)];
        const std::vector<std::size_t> loops = loops_of(code);
        const std::size_t own = loops.at(static_cast<std::size_t>(entry->pc));
        if (own == no_loop) continue;
        std::vector<std::size_t> loop;
        for (std::size_t s = 0; s < loops.size(); ++s)
            if (loops[s] == own) loop.push_back(s);
        const auto registers = deciding_registers(program, code, loop);
        if (!registers) return false;
        deciding_.clear();
        for (const int r : *registers)
            if (const RegisterPlace& place = code.registers.at(static_cast<std::size_t>(r));
                place.ref != 0 && !place.is_shared)
                deciding_.push_back(place);
        warp_ = &warp;
        function_ = entry->function;
        segment_ = entry->pc;
        frame_ = entry->frame;
        loop_ = loop;
        forget();
        return true;
    }
    return false;
}

void LoopWatch::forget() {
    known_.clear();
    lanes_ = 0;
    rounds_ = 0;
    next_note_ = 1;
}

std::string LoopWatch::state(std::uint32_t mask) const {
    const auto* here = reinterpret_cast<const char*>(&mask);
    std::string bytes(here, here + sizeof mask);
    for (const RegisterPlace& r : deciding_) {
        const char* at = warp_->warp.base[r.ref & 1] + (r.ref >> 1);
        if (r.bytes == 0) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, at, 4);
            bits &= mask;
            bytes.append(reinterpret_cast<const char*>(&bits), 4);
            continue;
        }
        for (std::uint32_t m = mask; m != 0; m &= m - 1)
            bytes.append(at + __builtin_ctz(m) * r.bytes, static_cast<std::size_t>(r.bytes));
    }
    return bytes;
}

bool LoopWatch::has_come_round(const WarpState& warp, const Strand& strand) {
    if (&warp != warp_ || strand.stack.empty()) return false;
    const SimtEntry& top = strand.stack.back();
    if (top.frame > frame_) return false;  // in what the loop calls
    const bool is_inside = top.function == function_ && top.frame == frame_ &&
                           std::binary_search(loop_.begin(), loop_.end(), static_cast<std::size_t>(top.pc));
    if (!is_inside) {
        if ((top.mask & lanes_) != 0) forget();
        return false;
    }
    lanes_ |= top.mask;
    if (top.pc != segment_) return false;
    std::string now = state(top.mask);
    if (now == known_) return true;
    if (++rounds_ == next_note_) {
        known_ = std::move(now);
        next_note_ *= 2;
    }
    return false;
}

}  // namespace warpgrade::vgpu
