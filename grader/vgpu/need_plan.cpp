#include "vgpu/need_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "vgpu/code.hpp"
#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

NeedFacts::NeedFacts(const NeedPlan& plan)
    : seen(static_cast<std::size_t>(plan.fact_count), 0), branches(plan.segments.size(), 0) {}

void NeedFacts::add(const NeedFacts& others) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= others.seen[i];
    for (std::size_t i = 0; i < branches.size(); ++i) branches[i] |= others.branches[i];
}

namespace {

std::vector<int> successors_of(const Segment& segment) {
    const Terminator& t = segment.terminator;
    switch (t.kind) {
        case TerminatorKind::jump: return {t.target};
        case TerminatorKind::branch: return {t.target, t.next};
        case TerminatorKind::branch_table: return t.table;
        case TerminatorKind::ret:
        case TerminatorKind::exit:
        case TerminatorKind::trap: return t.has_guard ? std::vector<int>{-1, t.next} : std::vector<int>{-1};
        default: return {t.next};
    }
}

// For each segment of a function, those on whose branch it depends (Ferrante, Ottenstein, Warren 1987): on the way from
// one side of a branch up the tree of post-dominators to where both sides meet.
std::vector<std::vector<int>> control_parents(const Code& code) {
    std::vector<std::vector<int>> successors;
    for (const Segment& segment : code.segments) successors.push_back(successors_of(segment));
    const std::vector<int> meets = immediate_post_dominators(successors);
    std::vector<std::vector<int>> parents(successors.size());
    for (int branch = 0; branch < static_cast<int>(successors.size()); ++branch) {
        const auto& sides = successors[static_cast<std::size_t>(branch)];
        if (sides.size() < 2) continue;
        for (int at : sides) {
            for (std::size_t steps = 0; at >= 0 && at != meets[static_cast<std::size_t>(branch)]; ++steps) {
                if (steps > successors.size()) break;  // a loop without an end
                auto& own = parents[static_cast<std::size_t>(at)];
                if (std::find(own.begin(), own.end(), branch) == own.end()) own.push_back(branch);
                at = meets[static_cast<std::size_t>(at)];
            }
        }
    }
    return parents;
}

int condition_of(const StaticOp& last) {
    return last.kind == OpClass::branch && !last.reads.empty() ? last.reads.back() : -1;
}

bool brings_data(NeedClass need) {
    switch (need) {
        case NeedClass::ignored:
        case NeedClass::value:
        case NeedClass::store:
        case NeedClass::copy:
        case NeedClass::local_store:
        case NeedClass::parameter_store:
        case NeedClass::matrix_store:
        case NeedClass::arrival: return false;
        default: return true;
    }
}

// Registers of a function that hold what comes of memory, or is decided by it.
class Taint {
public:
    Taint(const Program& program, const Code& code, std::vector<std::vector<int>> parents)
        : program_(program), code_(code), parents_(std::move(parents)) {
        is_tainted.assign(code.registers.size(), false);
        decided_.assign(code.segments.size(), false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t s = 0; s < code.segments.size(); ++s) changed = spread(s) || changed;
        }
    }
    std::vector<bool> is_tainted;

private:
    const std::vector<StaticOp>& ops_of(std::size_t s) const { return program_.segment_ops[code_.segments[s].id].ops; }
    bool is_decided_by_data(int branch) const {
        const auto b = static_cast<std::size_t>(branch);
        const int condition = ops_of(b).empty() ? -1 : condition_of(ops_of(b).back());
        return decided_[b] || (condition >= 0 && is_tainted[static_cast<std::size_t>(condition)]);
    }
    bool spread(std::size_t s) {
        bool changed = false;
        if (!decided_[s] &&
            std::any_of(parents_[s].begin(), parents_[s].end(), [&](int branch) { return is_decided_by_data(branch); }))
            changed = decided_[s] = true;
        for (const StaticOp& op : ops_of(s)) {
            const bool is_kernels = op.need == NeedClass::parameter_load && op.area < 0;
            const bool brings = (brings_data(op.need) && !is_kernels) || decided_[s] ||
                                std::any_of(op.reads.begin(), op.reads.end(),
                                            [&](int r) { return is_tainted[static_cast<std::size_t>(r)]; });
            if (!brings || op.need == NeedClass::ignored) continue;
            for (const int written : op.writes) {
                changed = changed || !is_tainted[static_cast<std::size_t>(written)];
                is_tainted[static_cast<std::size_t>(written)] = true;
            }
            if (op.need == NeedClass::vote_of_block && !op.reads.empty()) {
                changed = changed || !is_tainted[static_cast<std::size_t>(op.reads.front())];
                is_tainted[static_cast<std::size_t>(op.reads.front())] = true;
            }
        }
        return changed;
    }
    const Program& program_;
    const Code& code_;
    std::vector<std::vector<int>> parents_;
    std::vector<bool> decided_;  // by segment: whether it runs
};

// Fills the plan, function by function.
class Planner {
public:
    Planner(NeedPlan& plan, const Program& program) : plan_(plan), program_(program) {}

    void run() {
        plan_.segments.resize(program_.segment_count);
        plan_.watches.resize(program_.segment_count);
        plan_.first_segment.assign(program_.functions.size(), 0);
        for (const bool of_kernels : {true, false}) {
            first_register_ = plan_.register_count;
            first_branch_ = plan_.branch_count;
            for (std::size_t f = 0; f < program_.functions.size(); ++f)
                if (program_.functions[f].is_kernel == of_kernels) add_function(static_cast<int>(f));
        }
        for (std::size_t f = 0; f < program_.functions.size(); ++f) add_calls(static_cast<int>(f));
    }

private:
    int area_number(int function, int offset) {
        return plan_.areas.try_emplace({function, offset}, static_cast<int>(plan_.areas.size())).first->second;
    }

    // Kernels share their numbers: only one runs at a time. Functions have their own.
    void add_function(int f) {
        const Code& code = program_.functions[static_cast<std::size_t>(f)];
        const auto parents = control_parents(code);
        const Taint taint(program_, code, parents);
        std::uint32_t next_register = code.is_kernel ? first_register_ : plan_.register_count;
        std::uint32_t next_branch = code.is_kernel ? first_branch_ : plan_.branch_count;
        number_.assign(code.registers.size(), -1);
        for (std::size_t r = 0; r < number_.size(); ++r)
            if (taint.is_tainted[r]) number_[r] = static_cast<int>(next_register++);
        std::vector<int> branch(code.segments.size(), -1);
        for (const auto& own : parents)
            for (const int b : own)
                if (branch[static_cast<std::size_t>(b)] < 0)
                    branch[static_cast<std::size_t>(b)] = static_cast<int>(next_branch++);
        plan_.register_count = std::max(plan_.register_count, next_register);
        plan_.branch_count = std::max(plan_.branch_count, next_branch);
        for (std::size_t s = 0; s < code.segments.size(); ++s) {
            NeedSegment& segment = plan_.segments[code.segments[s].id];
            segment.function = f;
            segment.branch = branch[s];
            segment.first_parent = static_cast<std::uint32_t>(plan_.parents.size());
            for (const int b : parents[s]) plan_.parents.push_back(branch[static_cast<std::size_t>(b)]);
            segment.parents = static_cast<std::uint32_t>(parents[s].size());
            add_segment(code, code.segments[s], segment);
        }
    }

    void add_segment(const Code& code, const Segment& from, NeedSegment& segment) {
        const std::vector<StaticOp>& ops = program_.segment_ops[from.id].ops;
        const Terminator& t = from.terminator;
        if (!ops.empty()) {
            const int condition = condition_of(ops.back());
            segment.condition = condition < 0 ? -1 : number_[static_cast<std::size_t>(condition)];
        }
        if (t.kind == TerminatorKind::barrier) {
            segment.barriers = 1;
            segment.barrier_site = static_cast<int>(t.site);
        }
        if (t.kind == TerminatorKind::call) segment.call = t.call;
        for (const StaticOp& op : ops) {
            if (op.need != NeedClass::arrival) continue;
            ++segment.barriers;
            segment.barrier_site = static_cast<int>(op.site);
        }
        segment.first_op = static_cast<std::uint32_t>(plan_.ops.size());
        for (auto op = ops.rbegin(); op != ops.rend(); ++op) add_op(code, from, *op);
        segment.ops = static_cast<std::uint32_t>(plan_.ops.size()) - segment.first_op;
        std::reverse(plan_.watches[from.id].begin(), plan_.watches[from.id].end());
    }

    void add_op(const Code& code, const Segment& segment, const StaticOp& op) {
        if (op.need == NeedClass::ignored || op.need == NeedClass::arrival) return;
        if ((op.need == NeedClass::parameter_load || op.need == NeedClass::parameter_store) && op.area < 0) return;
        NeedOp planned;
        planned.kind = op.need;
        planned.is_guarded = op.is_guarded;
        planned.is_move = op.need == NeedClass::value && op.kind == OpClass::free;
        planned.site = op.site;
        planned.first = static_cast<std::uint32_t>(plan_.registers.size());
        const auto add_all = [&](const std::vector<int>& registers) {
            for (const int r : registers)
                if (const int n = number_[static_cast<std::size_t>(r)]; n >= 0) plan_.registers.push_back(n);
            return static_cast<std::uint16_t>(plan_.registers.size() - planned.first);
        };
        std::vector<int> writes = op.writes, reads = op.reads;
        if (op.need == NeedClass::vote_of_block && !reads.empty()) {  // its result stands first among what it names
            writes.push_back(reads.front());
            reads.erase(reads.begin());
        }
        planned.writes = add_all(writes);
        if (op.need == NeedClass::value && planned.writes == 0) return;
        planned.reads = static_cast<std::uint16_t>(add_all(reads) - planned.writes);
        const int function = plan_.segments[segment.id].function;
        if (op.area >= 0) planned.area = area_number(function, op.area);
        planned.watch = add_watch(code, segment, op);
        plan_.ops.push_back(planned);
    }

    // -1: it is not watched.
    int add_watch(const Code& code, const Segment& segment, const StaticOp& op) {
        const bool is_memory = op.need == NeedClass::load || op.need == NeedClass::sum;
        if (op.is_guarded || op.insts == 0 || (op.insts != 1 && !is_memory)) return -1;
        const bool is_shuffle = op.need == NeedClass::shuffle;
        if (!is_memory && !is_shuffle && op.need != NeedClass::value) return -1;
        const Inst& in = code.instructions[op.first_inst];
        NeedWatch watch;
        watch.inst = op.first_inst;
        watch.fact = plan_.fact_count;
        std::vector<int> operands;
        if (is_memory) {
            watch.kind = op.need == NeedClass::load ? NeedWatch::Kind::load : NeedWatch::Kind::sum;
            watch.results = static_cast<std::uint8_t>(op.writes.size());
            if (op.need == NeedClass::load) {
                if (op.writes.empty() || op.writes.size() > 4) return -1;
                const RegisterPlace to = place_of(code, op.writes.front());
                const int bytes = to.bytes;
                if (bytes != 4 && bytes != 8) return -1;
                watch.inst = op.first_inst + op.insts - 1;  // those before it make the address
                if (code.instructions[watch.inst].d[0] != to.ref) return -1;
                watch.bytes = static_cast<std::uint8_t>(bytes);
            } else {
                watch.bytes = static_cast<std::uint8_t>(std::min(op.width_bytes, 255));
                if (in.b == 0 || in.c != 0 || (watch.bytes != 4 && watch.bytes != 8)) return -1;
            }
        } else {
            if (op.writes.size() != 1 && !is_shuffle) return -1;  // that of a shuffle may have a predicate beside it
            const RegisterPlace to = place_of(code, op.writes.front());
            if (to.ref != in.d[0]) return -1;
            if (to.bytes == 0) {
                watch.kind = NeedWatch::Kind::predicate;
            } else {
                if (to.bytes != 4 && to.bytes != 8) return -1;
                watch.bytes = static_cast<std::uint8_t>(to.bytes);
                watch.slots = comparable(code, op, in, to, operands);
                if (is_shuffle) watch.slots &= 1;  // its value, and not its lane
                if (watch.slots == 0) return -1;
            }
        }
        ++plan_.fact_count;
        plan_.operands.push_back(std::move(operands));
        plan_.slots.push_back(watch.slots);
        plan_.watches[segment.id].push_back(watch);
        return watch.fact;
    }

    // Which operands are as wide as the result, and the registers that they are.
    std::uint8_t comparable(const Code& code, const StaticOp& op, const Inst& in, const RegisterPlace& to,
                            std::vector<int>& operands) const {
        std::uint8_t slots = 0;
        int given = 0;
        for (const std::uint32_t ref : {in.a, in.b, in.c}) {
            given += ref != 0;
            int number = -1;
            bool is_as_wide = ref != 0;
            for (const int r : op.reads) {
                const RegisterPlace place = place_of(code, r);
                if (place.ref != ref) continue;
                number = number_[static_cast<std::size_t>(r)];
                is_as_wide = is_as_wide && place.bytes == to.bytes;
            }
            if (is_as_wide) slots |= static_cast<std::uint8_t>(1u << operands.size());
            operands.push_back(number);
        }
        return given < 2 ? 0 : slots;
    }

    static RegisterPlace place_of(const Code& code, int reg) { return code.registers[static_cast<std::size_t>(reg)]; }

    // What a call hands over: parameters of the function are the caller's arguments, its result is the caller's.
    void add_calls(int f) {
        const Code& code = program_.functions[static_cast<std::size_t>(f)];
        plan_.first_segment[static_cast<std::size_t>(f)] = code.segments.empty() ? 0 : code.segments.front().id;
        for (const CallSite& call : code.calls) {
            if (!call.external.empty()) continue;
            for (std::size_t g = 0; g < program_.functions.size(); ++g) {
                const Code& callee = program_.functions[g];
                if (callee.is_kernel || (!call.is_indirect && static_cast<int>(g) != call.function)) continue;
                for (std::size_t i = 0; i < std::min(call.arguments.size(), callee.parameters.size()); ++i)
                    plan_.handed_over.emplace_back(
                        area_number(static_cast<int>(g), static_cast<int>(callee.parameters[i].offset)),
                        area_number(f, static_cast<int>(call.arguments[i].offset)));
                if (call.result.bytes != 0 && callee.returned.bytes != 0)
                    plan_.handed_over.emplace_back(
                        area_number(f, static_cast<int>(call.result.offset)),
                        area_number(static_cast<int>(g), static_cast<int>(callee.returned.offset)));
            }
        }
    }

    NeedPlan& plan_;
    const Program& program_;
    std::uint32_t first_register_ = 0, first_branch_ = 0;
    std::vector<int> number_;  // of the function's registers; -1: not tainted
};

}  // namespace

NeedPlan::NeedPlan(const Program& of) : program(of) { Planner(*this, of).run(); }

}  // namespace warpgrade::vgpu
