// ldmatrix, stmatrix and movmatrix: vectors of four words in shared memory, and words that go from lane to lane.
#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

bool FunctionLowering::moves_matrix(const Instruction& in) {
    return in.opcode == "ldmatrix" || in.opcode == "stmatrix" || in.opcode == "movmatrix";
}

bool FunctionLowering::emit_matrix(const Instruction& in) {
    if (!moves_matrix(in)) return false;
    if (!has_word(in, "m8n8") || !has_word(in, "b16") || in.guard >= 0) not_supported();
    const std::string turned = has_word(in, "trans") ? ".trans" : "";
    if (in.opcode == "movmatrix") {
        Inst inst;
        inst.site = new_site(in, Space::generic, AccessKind::none, 0);
        inst.a = source(in.operands.at(1), Type::b32);
        const Destination d = destination(in.operands.at(0), Type::b32);
        inst.d[0] = d.ref;
        push("movmatrix.sync.aligned.m8n8.trans.b16", inst);
        finish(d);
        return true;
    }
    const bool is_load = in.opcode == "ldmatrix";
    const Operand& place = in.operands.at(is_load ? 1 : 0);
    const Operand& value = in.operands.at(is_load ? 0 : 1);
    const std::vector<Operand> matrices =
        value.kind == Operand::Kind::vector ? value.elements : std::vector<Operand>{value};
    bool is_shared = false;
    for (const std::string& word : in.modifiers) is_shared = is_shared || word.starts_with("shared");
    const Space space = is_shared ? Space::shared : Space::generic;
    const std::string rows = std::string(is_shared ? ".shared" : ".generic") + ".v4.b32";

    Inst memory;
    memory.a = address(place, memory.imm, space);
    memory.site = new_site(in, space, is_load ? AccessKind::read : AccessKind::write, 16);
    for (std::uint32_t& word : memory.d) word = allocate(kDynamic, 4);
    Inst move;
    move.site = new_site(in, Space::generic, AccessKind::none, 0);  // moves within the warp are no accesses
    // Eight lanes have the addresses of a matrix; those of the others are not looked at.
    const auto touch_rows = [&] {
        Inst guard;
        guard.a = constant((std::uint64_t{1} << (8 * matrices.size())) - 1, 4);
        push("guard.begin", guard);
        is_guarded_ = true;
        push(((is_load ? "ld" : "st") + rows).c_str(), memory);
        push("guard.end", Inst{});
        is_guarded_ = false;
    };
    if (is_load) {
        touch_rows();
        move.a = memory.d[0];
        move.b = memory.d[1];
        move.c = memory.d[2];
        move.d[1] = memory.d[3];
        std::vector<Destination> results;
        for (std::size_t m = 0; m < matrices.size(); ++m) {
            results.push_back(destination(matrices[m], Type::b32));
            move.d[0] = results.back().ref;
            move.imm = static_cast<std::int64_t>(8 * m);
            push(("ldmatrix.m8n8" + turned).c_str(), move);
        }
        for (const Destination& d : results) finish(d);
        return true;
    }
    std::uint32_t* const fragments[] = {&move.a, &move.b, &move.c, &move.d[1]};
    for (std::size_t m = 0; m < 4; ++m) *fragments[m] = source(matrices[m < matrices.size() ? m : 0], Type::b32);
    for (std::size_t word = 0; word < 4; ++word) {
        move.d[0] = memory.d[word];
        move.imm = static_cast<std::int64_t>(word);
        push(("stmatrix.m8n8" + turned).c_str(), move);
    }
    touch_rows();
    return true;
}

}  // namespace warpgrade::vgpu
