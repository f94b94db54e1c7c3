// Registers that hold something within one run of a segment only: they take turns in the same places of the frame. A
// frame is some kilobytes, and a block has one for each of its warps: smaller ones stay in the processor's cache.
#include <algorithm>
#include <vector>

#include "vgpu/live_registers.hpp"
#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;

// The first instruction that names a temporary defines it, and does not read it; all others are of the same segment.
void FunctionLowering::find_temporaries() {
    constexpr int nowhere = -1, several = -2;
    std::vector<int> segment_of(function_.registers.size(), nowhere);
    last_use_.assign(function_.registers.size(), -1);
    for (std::size_t s = 0; s < ranges_.size(); ++s) {
        const int here = static_cast<int>(s);
        for (int i = ranges_[s].first; i < ranges_[s].second; ++i) {
            const Instruction& in = function_.body[static_cast<std::size_t>(i)];
            const bool has_result = !in.operands.empty() && in.operands.front().kind != Operand::Kind::address &&
                                    in.opcode != "st" && in.opcode != "red" && !ends_segment(in);
            const auto read = [&](std::size_t r) {
                if (segment_of[r] != here) segment_of[r] = several;
                last_use_[r] = i;
            };
            if (in.guard >= 0) read(static_cast<std::size_t>(in.guard));
            for (std::size_t o = has_result ? 1 : 0; o < in.operands.size(); ++o) each_register(in.operands[o], read);
            if (!has_result) continue;
            each_register(in.operands.front(), [&](std::size_t r) {
                segment_of[r] = segment_of[r] == nowhere && definitions_[r] == 1 ? here : several;
                last_use_[r] = i;
            });
        }
    }
    for (std::size_t r = 0; r < segment_of.size(); ++r)
        if (segment_of[r] < 0 || levels_[r] != kDynamic) last_use_[r] = -1;
}

// What it names last gives its place back.
void FunctionLowering::release_after(int instruction) {
    const auto release = [&](std::size_t r) {
        if (last_use_[r] != instruction || refs_[r] == 0) return;
        std::vector<std::uint32_t>& free = free_places_[register_bytes(function_.registers[r].type)];
        if (std::ranges::find(free, refs_[r]) == free.end()) free.push_back(refs_[r]);
    };
    const Instruction& in = function_.body[static_cast<std::size_t>(instruction)];
    if (in.guard >= 0) release(static_cast<std::size_t>(in.guard));
    for (const Operand& operand : in.operands) each_register(operand, release);
}

}  // namespace warpgrade::vgpu
