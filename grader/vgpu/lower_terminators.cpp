// What ends a segment: branches, calls, returns, barriers.
#include <fmt/format.h>

#include "vgpu/lowering.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

// call (result), function, (arguments); or through a register, with the name of a .callprototype behind.
CallSite FunctionLowering::call_site(const Instruction& in) {
    CallSite call;
    std::size_t next = 0;
    const auto tuple = [&]() -> const std::vector<Operand>& {
        static const std::vector<Operand> none;
        const bool is_there = next < in.operands.size() && in.operands[next].kind == Operand::Kind::tuple;
        return is_there ? in.operands[next++].elements : none;
    };
    const auto area_of = [&](const Operand& o) {
        if (o.kind == Operand::Kind::reg || o.kind == Operand::Kind::integer)
            not_supported("call with register arguments");
        const auto area = code_.areas.find(o.kind == Operand::Kind::symbol ? o.name : std::string());
        if (area == code_.areas.end()) malformed("a call takes and gives .param variables of this function");
        return area->second;
    };
    const std::vector<Operand>& results = tuple();
    if (next >= in.operands.size()) malformed("`call` names no function");
    const Operand& callee = in.operands[next++];
    for (const Operand& argument : tuple()) call.arguments.push_back(area_of(argument));
    if (results.size() > 1) malformed("a function has one result at most");
    if (!results.empty()) call.result = area_of(results[0]);

    if (callee.kind == Operand::Kind::reg) {
        if (register_bytes(function_.registers.at(static_cast<std::size_t>(callee.index)).type) != 8)
            malformed("a call takes a function's name, or a register of 64 bits");
        call.is_indirect = true;
        call.pointer = source(callee, Type::u64);
        return call;
    }
    const ptx::Function* function = callee.kind == Operand::Kind::symbol ? module_.find(callee.name) : nullptr;
    if (function == nullptr || space_of_symbol(callee.name) != ptx::Space::generic)
        malformed("a call takes a function's name, or a register of 64 bits");
    if (function->is_entry) malformed("a kernel is launched, not called");
    check_defined(*function);
    if (function->parameters.size() != call.arguments.size() || function->returns.size() != results.size())
        malformed(fmt::format("`{}` takes {} arguments and gives {} results", shown(display_name(function->name)),
                              function->parameters.size(), function->returns.size()));
    const auto known = program_.by_name.find(function->name);
    if (known == program_.by_name.end())
        call.external = function->name;
    else
        call.function = known->second;
    return call;
}

void FunctionLowering::emit_terminator(const Instruction& in, Segment& segment) {
    Terminator& t = segment.terminator;
    t.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
    const auto segment_at = [&](int instruction) { return segment_of_[static_cast<std::size_t>(instruction)]; };
    if (in.guard >= 0 && in.opcode != "bra") {
        if (in.opcode != "ret" && in.opcode != "exit" && in.opcode != "trap") not_supported("@p " + ptx::full_name(in));
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
        for (const int target : function_.branch_tables.at(in.operands.at(1).name))
            t.table.push_back(segment_at(target));
    } else if (in.opcode == "ret") {
        t.kind = TerminatorKind::ret;
    } else if (in.opcode == "exit") {
        t.kind = TerminatorKind::exit;
    } else if (in.opcode == "trap") {
        t.kind = TerminatorKind::trap;
    } else if (has_word(in, "warp")) {
        t.kind = TerminatorKind::warp_barrier;
        t.operand = source(in.operands.at(0), Type::b32);
        const bool is_of_all = in.operands[0].kind == Operand::Kind::integer &&
                               static_cast<std::uint32_t>(in.operands[0].bits) == kFullMask;
        if (!is_of_all) program_.orders_by_more_than_barriers = true;
    } else if (in.opcode == "call") {
        CallSite call = call_site(in);
        t.kind = call.external.empty() ? TerminatorKind::call : TerminatorKind::call_external;
        t.call = static_cast<int>(code_.calls.size());
        code_.calls_external = code_.calls_external || !call.external.empty();
        code_.calls.push_back(std::move(call));
        code_.calls_functions = code_.calls_functions || t.kind == TerminatorKind::call;
    } else if (has_word(in, "cluster")) {  // barrier.cluster.wait
        t.kind = TerminatorKind::cluster_wait;
        use_clusters();
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
        const auto is_number = [&](std::size_t i) { return in.operands.at(i).kind == Operand::Kind::integer; };
        if (is_number(next) && in.operands[next].bits >= barriers_of_block)
            malformed(fmt::format("the barriers of a block are 0 to {}", barriers_of_block - 1));
        t.operand = source(in.operands.at(next), Type::u32);
        if (next + 1 < last) {
            if (is_number(next + 1) && in.operands[next + 1].bits % 32 != 0)
                malformed("the threads at a barrier are counted in whole warps, as a multiple of 32");
            t.operand2 = source(in.operands[next + 1], Type::u32);
            t.has_operand2 = true;
            program_.orders_by_more_than_barriers = true;
        }
    }
}

}  // namespace warpgrade::vgpu
