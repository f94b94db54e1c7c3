// Which shared array an address is made from. An access that leaves its array and meets another one is told of the
// array that it left.
#include <algorithm>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;

namespace {

constexpr int unknown = -1, several = -2;

int merged(int a, int b) { return a == unknown ? b : b == unknown || a == b ? a : several; }

// The result is the address that one of the operands is, some bytes further on.
bool keeps_array(const Instruction& in) {
    static constexpr std::string_view opcodes[] = {"mov", "add", "sub", "mad", "cvt", "cvta", "or", "selp", "shfl"};
    return std::ranges::find(opcodes, in.opcode) != std::end(opcodes) && in.operands.size() > 1 &&
           in.operands[0].kind == Operand::Kind::reg;
}

}  // namespace

int FunctionLowering::array_of(const Operand& operand) const {
    switch (operand.kind) {
        case Operand::Kind::reg: return arrays_[static_cast<std::size_t>(operand.index)];
        case Operand::Kind::address: return operand.elements.empty() ? unknown : array_of(operand.elements[0]);
        case Operand::Kind::symbol: {
            const auto& all = code_.shared;
            const auto at = std::ranges::find(all, operand.name, &Code::SharedVariable::name);
            return at == all.end() ? unknown : static_cast<int>(at - all.begin());
        }
        default: return unknown;
    }
}

void FunctionLowering::find_arrays() {
    arrays_.assign(function_.registers.size(), unknown);
    if (code_.shared.empty()) return;
    // A register may be set from one that is set further down, in a loop: what is found only grows, to `several`.
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (const Instruction& in : function_.body) {
            if (!keeps_array(in)) continue;
            int& known = arrays_[static_cast<std::size_t>(in.operands[0].index)];
            int made = known;
            for (std::size_t i = 1; i < in.operands.size(); ++i) made = merged(made, array_of(in.operands[i]));
            is_changed = is_changed || made != known;
            known = made;
        }
    }
}

void FunctionLowering::note_array(const Instruction& in, std::uint32_t site) {
    program_.array_of_site.resize(program_.sites.size());
    for (const Operand& operand : in.operands)
        if (const int array = operand.kind == Operand::Kind::address ? array_of(operand) : unknown; array >= 0) {
            const Code::SharedVariable& v = code_.shared[static_cast<std::size_t>(array)];
            program_.array_of_site[site] = {v.offset, v.bytes};
        }
}

}  // namespace warpgrade::vgpu
