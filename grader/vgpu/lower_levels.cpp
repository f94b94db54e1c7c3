// Which registers hold the same all through a launch, a block or a thread's life (code.hpp): found by a fixed point.
#include <algorithm>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;

bool FunctionLowering::is_pure(const Instruction& in) const {
    static const std::vector<std::string_view> impure{
        "ld",       "st",    "atom",      "red",        "cp",        "bar",       "barrier",      "shfl",
        "vote",     "match", "redux",     "activemask", "ldmatrix",  "movmatrix", "createpolicy", "isspacep",
        "bra",      "brx",   "call",      "ret",        "exit",      "trap",      "membar",       "fence",
        "mbarrier", "elect", "nanosleep", "prefetch",   "getctarank"};
    if (in.opcode == "ld")
        return code_.is_kernel && has_word(in, "param") && in.operands.size() == 2 &&
               in.operands[1].elements.size() == 1 && in.operands[1].elements[0].kind == Operand::Kind::symbol &&
               !code_.areas.contains(in.operands[1].elements[0].name);
    if (uses_carry(in)) return false;
    return std::find(impure.begin(), impure.end(), in.opcode) == impure.end();
}

Level FunctionLowering::level_of_sources(const Instruction& in, std::size_t first) const {
    Level level = kPerLaunch;
    for (std::size_t i = first; i < in.operands.size(); ++i) level |= level_of(in.operands[i]);
    return level;
}

void FunctionLowering::find_levels() {
    const std::size_t count = function_.registers.size();
    definitions_.assign(count, 0);
    mentions_.assign(count, 0);
    levels_.assign(count, kDynamic);
    refs_.assign(count, 0);
    // Destinations: operand 0 (and what it is made of), for everything that is not a store or a branch.
    const auto for_each_destination = [](const Instruction& in, auto&& visit) {
        if (in.operands.empty() || in.opcode == "st" || in.opcode == "bra" || in.opcode == "bar" ||
            in.opcode == "red") {
            if (in.opcode != "bar" || in.operands.size() < 2) return;
        }
        const Operand& first = in.operands[0];
        if (first.kind == Operand::Kind::reg) visit(first.index);
        for (const Operand& e : first.elements) {
            if (e.kind == Operand::Kind::reg && first.kind != Operand::Kind::address) visit(e.index);
        }
    };
    for (const Instruction& in : function_.body) {
        for_each_destination(in, [&](int r) { definitions_[static_cast<std::size_t>(r)] += in.guard >= 0 ? 2 : 1; });
    }
    for (const Instruction& in : function_.body)
        for (const Operand& operand : in.operands) {
            if (operand.kind == Operand::Kind::reg) ++mentions_[static_cast<std::size_t>(operand.index)];
            for (const Operand& e : operand.elements)
                if (e.kind == Operand::Kind::reg) ++mentions_[static_cast<std::size_t>(e.index)];
        }
    if (!code_.is_kernel) return;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction& in : function_.body) {
            if (!is_pure(in) || in.guard >= 0) continue;
            const Level level = in.opcode == "ld" ? kPerLaunch : level_of_sources(in, 1);
            if (level == kDynamic) continue;
            for_each_destination(in, [&](int r) {
                if (definitions_[static_cast<std::size_t>(r)] == 1 &&
                    levels_[static_cast<std::size_t>(r)] == kDynamic) {
                    levels_[static_cast<std::size_t>(r)] = level;
                    changed = true;
                }
            });
        }
    }
    // An instruction with several destinations is hoisted as a whole or not at all.
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction& in : function_.body) {
            Level level = kPerLaunch;
            bool any = false;
            for_each_destination(in, [&](int r) {
                level |= levels_[static_cast<std::size_t>(r)];
                any = true;
            });
            if (!any) continue;
            if (is_pure(in) && in.opcode != "ld" && level_of_sources(in, 1) == kDynamic) level = kDynamic;
            if (level != kDynamic) continue;
            for_each_destination(in, [&](int r) {
                if (levels_[static_cast<std::size_t>(r)] != kDynamic) {
                    levels_[static_cast<std::size_t>(r)] = kDynamic;
                    changed = true;
                }
            });
        }
    }
}

}  // namespace warpgrade::vgpu
