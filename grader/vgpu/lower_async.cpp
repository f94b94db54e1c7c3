// cp.async, cp.async.bulk and mbarrier: many forms, few handlers.
#include "vgpu/lowering.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

bool FunctionLowering::emit_mbarrier(const Instruction& in) {
    if (in.opcode != "mbarrier") return false;
    program_.orders_by_more_than_barriers = true;
    Inst inst;
    inst.site = new_site(in, Space::shared, AccessKind::none, 8);
    const auto value = [&](std::size_t i, Type type) {
        return i < in.operands.size() ? source(in.operands[i], type) : 0;
    };
    if (has_word(in, "init")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.b = value(1, Type::u32);
        push("mbarrier.init", inst);
    } else if (has_word(in, "inval")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        push("mbarrier.inval", inst);
    } else if (has_word(in, "expect_tx") && !has_word(in, "arrive")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.c = value(1, Type::u32);
        push("mbarrier.expect_tx", inst);
    } else if (has_word(in, "complete_tx")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.c = value(1, Type::u32);
        push("mbarrier.complete_tx", inst);
    } else if (has_word(in, "arrive") || has_word(in, "arrive_drop")) {
        inst.a = address(in.operands.at(1), inst.imm, Space::shared);
        (has_word(in, "expect_tx") ? inst.c : inst.b) = value(2, Type::u32);
        if (in.operands[0].kind == Operand::Kind::reg) inst.d[0] = register_ref(in.operands[0].index);
        inst.d[1] = has_word(in, "arrive_drop") ? 1 : 0;
        push("mbarrier.arrive", inst);
    } else if (has_word(in, "test_wait") || has_word(in, "try_wait")) {
        inst.d[0] = register_ref(in.operands.at(0).index);
        inst.a = address(in.operands.at(1), inst.imm, Space::shared);
        inst.b = value(2, has_word(in, "parity") ? Type::u32 : Type::u64);
        inst.c = has_word(in, "parity") ? 1 : 0;
        push("mbarrier.wait", inst);
    } else {
        return false;
    }
    return true;
}

// st.async and red.async tell an mbarrier of their bytes; they are done at once, as bulk copies are.
void FunctionLowering::emit_completion(const Instruction& in, int bytes) {
    if (!has_word(in, "async")) return;
    if (in.operands.size() != 3) not_supported();
    program_.orders_by_more_than_barriers = true;
    Inst inst;
    inst.site = new_site(in, Space::shared, AccessKind::none, 8);
    inst.a = address(in.operands.back(), inst.imm, Space::shared);
    inst.c = constant(static_cast<std::uint64_t>(bytes), 4);
    push("mbarrier.complete_tx", inst);
}

// Bulk copies are done at once; but what a bulk store reads is its own until it was waited for.
bool FunctionLowering::emit_bulk_copy(const Instruction& in) {
    Inst inst;
    if (has_word(in, "commit_group")) {
        push("cp.async.bulk.commit_group", inst);
        return true;
    }
    if (has_word(in, "wait_group")) {
        inst.imm = static_cast<std::int64_t>(in.operands.at(0).bits);
        push("cp.async.bulk.wait_group", inst);
        return true;
    }
    if (has_word(in, "prefetch")) {
        inst.a = whole_address(in.operands.at(0), Space::global);
        inst.c = source(in.operands.at(1), Type::u32);
        inst.site = new_site(in, Space::global, AccessKind::none, 16);
        push("cp.async.bulk.prefetch.global", inst);
        return true;
    }
    if (has_word(in, "reduce") || has_word(in, "multicast::cluster")) return false;
    const bool to_shared = in.modifiers.size() > 2 && in.modifiers[2].starts_with("shared");
    if (in.operands.size() != (to_shared ? 4u : 3u)) return false;
    if (!to_shared) program_.orders_by_more_than_barriers = true;
    inst.a = whole_address(in.operands[0], to_shared ? Space::shared : Space::global);
    inst.b = whole_address(in.operands[1], to_shared ? Space::global : Space::shared);
    inst.c = source(in.operands[2], Type::u32);
    if (to_shared) inst.d[0] = whole_address(in.operands[3], Space::shared);
    inst.site = new_site(in, Space::global, to_shared ? AccessKind::read : AccessKind::write, 16);
    const std::uint32_t other = new_site(in, Space::shared, to_shared ? AccessKind::write : AccessKind::read, 16);
    program_.sites[inst.site].is_copy = program_.sites[other].is_copy = true;
    program_.sites[inst.site].is_bulk = program_.sites[other].is_bulk = true;
    push(to_shared ? "cp.async.bulk.shared.global" : "cp.async.bulk.global.shared", inst);
    return true;
}

// One of 4, 8 or 16 bytes, by each lane.
bool FunctionLowering::emit_lane_copy(const Instruction& in) {
    Inst inst;
    const std::uint64_t bytes = in.operands.at(2).bits;
    if (bytes != 4 && bytes != 8 && bytes != 16) malformed("cp.async copies 4, 8 or 16 bytes");
    if (has_word(in, "cg") && bytes != 16) malformed("cp.async.cg copies 16 bytes");
    inst.a = address(in.operands.at(0), inst.imm, Space::shared);
    std::int64_t from_offset = 0;
    inst.b = address(in.operands.at(1), from_offset, Space::global);
    inst.d[3] = static_cast<std::uint32_t>(from_offset);
    if (static_cast<std::int32_t>(inst.d[3]) != from_offset) {
        inst.b = whole_address(in.operands[1], Space::global);
        inst.d[3] = 0;
    }
    const std::size_t operands = in.operands.size() - (has_word(in, "L2::cache_hint") ? 1 : 0);
    if (operands > 4) return false;
    if (operands > 3 && in.operands[3].kind != Operand::Kind::sink) {
        const std::string wanted = operand_problem(
            function_, in, has_word(in, "L2::cache_hint") ? "=addr,addr,imm,u32,u64" : "=addr,addr,imm,u32");
        if (!wanted.empty()) return false;  // a predicate
        inst.c = source(in.operands[3], Type::u32);
    }
    const int width = static_cast<int>(bytes);
    inst.site = new_site(in, Space::global, AccessKind::read, width);
    const std::uint32_t write = new_site(in, Space::shared, AccessKind::write, width);
    program_.sites[inst.site].is_copy = program_.sites[write].is_copy = true;
    push(("cp.async." + std::to_string(bytes)).c_str(), inst);
    return true;
}

bool FunctionLowering::emit_async_copy(const Instruction& in) {
    if (!has_word(in, "async") || has_word(in, "tensor")) return false;
    Inst inst;
    if (has_word(in, "bulk")) return emit_bulk_copy(in);
    if (has_word(in, "mbarrier")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.c = has_word(in, "noinc") ? 1 : 0;
        inst.site = new_site(in, Space::shared, AccessKind::none, 8);
        push("cp.async.mbarrier.arrive", inst);
        return true;
    }
    if (has_word(in, "commit_group")) {
        push("cp.async.commit_group", inst);
        return true;
    }
    if (has_word(in, "wait_all")) {
        push("cp.async.wait_all", inst);
        return true;
    }
    if (has_word(in, "wait_group")) {
        inst.imm = static_cast<std::int64_t>(in.operands.at(0).bits);
        push("cp.async.wait_group", inst);
        return true;
    }
    return emit_lane_copy(in);
}

}  // namespace warpgrade::vgpu
