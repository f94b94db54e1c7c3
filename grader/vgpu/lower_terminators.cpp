// What ends a segment: branches, calls, returns, barriers.
#include <algorithm>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

namespace {

bool has_word(const Instruction& in, std::string_view word) {
    return std::find(in.modifiers.begin(), in.modifiers.end(), word) != in.modifiers.end();
}

}  // namespace

void FunctionLowering::emit_terminator(const Instruction& in, Segment& segment) {
    Terminator& t = segment.terminator;
    t.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
    const auto segment_at = [&](int instruction) { return segment_of_[static_cast<std::size_t>(instruction)]; };
    if (in.guard >= 0 && in.opcode != "bra") {
        if (in.opcode != "ret" && in.opcode != "exit" && in.opcode != "trap") not_supported(in, "@p " + ptx::full_name(in));
        t.has_guard = true;
        t.predicate = register_ref(in.guard);
        t.negated = in.guard_negated;
    }
    if (in.opcode == "bra") {
        t.target = segment_at(in.operands.at(0).index);
        t.kind = in.guard >= 0 ? TerminatorKind::branch : TerminatorKind::jump;
        if (in.guard >= 0) {
            t.predicate = register_ref(in.guard);
            t.negated = in.guard_negated;
        }
    } else if (in.opcode == "brx") {
        t.kind = TerminatorKind::branch_table;
        t.operand = source(in.operands.at(0), Type::u32);
        const auto table = function_.branch_tables.find(in.operands.at(1).name);
        if (table == function_.branch_tables.end()) not_supported(in);
        for (const int target : table->second) t.table.push_back(segment_at(target));
    } else if (in.opcode == "ret") {
        t.kind = TerminatorKind::ret;
    } else if (in.opcode == "exit") {
        t.kind = TerminatorKind::exit;
    } else if (in.opcode == "trap") {
        t.kind = TerminatorKind::trap;
    } else if (has_word(in, "warp")) {
        t.kind = TerminatorKind::warp_barrier;
        t.operand = source(in.operands.at(0), Type::b32);
    } else if (in.opcode == "call") {
        CallSite call;
        std::size_t next = 0;
        const Operand* returns = nullptr;
        const Operand* arguments = nullptr;
        if (in.operands.at(0).kind == Operand::Kind::tuple) returns = &in.operands[next++];
        const Operand& callee = in.operands.at(next++);
        if (next < in.operands.size() && in.operands[next].kind == Operand::Kind::tuple) arguments = &in.operands[next++];
        const auto area_of = [&](const Operand& o) {
            const auto area = code_.areas.find(o.name);
            if (area == code_.areas.end()) not_supported(in, "call with register arguments");
            return area->second;
        };
        if (callee.kind == Operand::Kind::reg) {
            call.is_indirect = true;
            call.pointer = source(callee, Type::u64);
        } else {
            const auto known = program_.by_name.find(callee.name);
            if (known == program_.by_name.end()) call.external = callee.name;
            else call.function = known->second;
        }
        if (arguments != nullptr) {
            for (const Operand& a : arguments->elements) call.argument_areas.push_back(area_of(a));
        }
        if (returns != nullptr && !returns->elements.empty()) {
            const auto area = area_of(returns->elements[0]);
            call.return_area = area.first;
            call.return_bytes = area.second;
        }
        t.kind = call.external.empty() ? TerminatorKind::call : TerminatorKind::call_external;
        t.call = static_cast<int>(code_.calls.size());
        code_.calls_external = code_.calls_external || !call.external.empty();
        code_.calls.push_back(std::move(call));
        code_.calls_functions = code_.calls_functions || t.kind == TerminatorKind::call;
    } else {  // bar.sync, bar.red, bar.arrive, barrier.*
        t.kind = TerminatorKind::barrier;
        t.is_aligned = in.opcode == "bar" || has_word(in, "aligned");
        std::size_t next = 0;
        if (has_word(in, "red")) {
            t.reduction = has_word(in, "popc") ? 1 : has_word(in, "and") ? 2 : 3;
            next = 1;
            t.result = register_ref(in.operands.at(0).index);
            t.source = predicate(in.operands.back());
        } else if (has_word(in, "arrive")) {
            t.reduction = 4;
        }
        const std::size_t last = in.operands.size() - (t.reduction >= 1 && t.reduction <= 3 ? 1 : 0);
        t.operand = source(in.operands.at(next), Type::u32);
        if (next + 1 < last) {
            t.operand2 = source(in.operands[next + 1], Type::u32);
            t.has_operand2 = true;
        }
    }
}

}  // namespace warpgrade::vgpu
