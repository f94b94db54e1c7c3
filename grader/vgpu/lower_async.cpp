// cp.async, cp.async.bulk and mbarrier: many forms, few handlers.
#include <algorithm>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

bool has(const Instruction& in, std::string_view word) {
    return std::find(in.modifiers.begin(), in.modifiers.end(), word) != in.modifiers.end();
}

}  // namespace

bool FunctionLowering::emit_mbarrier(const Instruction& in) {
    if (in.opcode != "mbarrier") return false;
    Inst inst;
    inst.site = new_site(in, Space::shared, AccessKind::none, 8);
    const auto value = [&](std::size_t i, Type type) { return i < in.operands.size() ? source(in.operands[i], type) : 0; };
    if (has(in, "init")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.b = value(1, Type::u32);
        push("mbarrier.init", inst);
    } else if (has(in, "inval")) {
        return true;
    } else if (has(in, "expect_tx") && !has(in, "arrive")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.c = value(1, Type::u32);
        push("mbarrier.expect_tx", inst);
    } else if (has(in, "arrive") || has(in, "arrive_drop")) {
        if (has(in, "arrive_drop")) return false;
        const bool has_state = in.operands.at(0).kind != Operand::Kind::address;
        const std::size_t place = has_state ? 1 : 0;
        inst.a = address(in.operands.at(place), inst.imm, Space::shared);
        (has(in, "expect_tx") ? inst.c : inst.b) = value(place + 1, Type::u32);
        if (has_state && in.operands[0].kind == Operand::Kind::reg) inst.d[0] = register_ref(in.operands[0].index);
        push("mbarrier.arrive", inst);
    } else if (has(in, "test_wait") || has(in, "try_wait")) {
        inst.d[0] = register_ref(in.operands.at(0).index);
        inst.a = address(in.operands.at(1), inst.imm, Space::shared);
        inst.b = value(2, has(in, "parity") ? Type::u32 : Type::u64);
        inst.c = has(in, "parity") ? 1 : 0;
        push("mbarrier.wait", inst);
    } else {
        return false;
    }
    return true;
}

bool FunctionLowering::emit_async_copy(const Instruction& in) {
    if (!has(in, "async") || has(in, "tensor")) return false;
    Inst inst;
    if (has(in, "bulk")) {
        if (has(in, "commit_group") || has(in, "wait_group")) return true;  // bulk copies are done at once
        if (has(in, "reduce") || has(in, "prefetch") || has(in, "multicast::cluster")) return false;
        std::int64_t to_offset = 0, from_offset = 0;
        const bool to_shared = !in.modifiers.empty() && in.modifiers.size() > 2 && in.modifiers[2].starts_with("shared");
        inst.a = address(in.operands.at(0), to_offset, Space::generic);
        inst.b = address(in.operands.at(1), from_offset, Space::generic);
        if (to_offset != 0 || from_offset != 0) return false;
        inst.c = source(in.operands.at(2), Type::u32);
        if (to_shared) {
            std::int64_t offset = 0;
            inst.d[0] = address(in.operands.at(3), offset, Space::shared);
            if (offset != 0) return false;
        }
        inst.site = new_site(in, Space::global, to_shared ? AccessKind::read : AccessKind::write, 16);
        const std::uint32_t other = new_site(in, Space::shared, to_shared ? AccessKind::write : AccessKind::read, 16);
        program_.sites[inst.site].is_copy = program_.sites[other].is_copy = true;
        program_.sites[inst.site].is_bulk = program_.sites[other].is_bulk = true;
        push(to_shared ? "cp.async.bulk.shared.global" : "cp.async.bulk.global.shared", inst);
        return true;
    }
    if (has(in, "mbarrier")) {
        inst.a = address(in.operands.at(0), inst.imm, Space::shared);
        inst.c = has(in, "noinc") ? 1 : 0;
        inst.site = new_site(in, Space::shared, AccessKind::none, 8);
        push("cp.async.mbarrier.arrive", inst);
        return true;
    }
    if (has(in, "commit_group")) {
        push("cp.async.commit_group", inst);
        return true;
    }
    if (has(in, "wait_all")) {
        push("cp.async.wait_all", inst);
        return true;
    }
    if (has(in, "wait_group")) {
        inst.imm = static_cast<std::int64_t>(in.operands.at(0).bits);
        push("cp.async.wait_group", inst);
        return true;
    }
    const int bytes = static_cast<int>(in.operands.at(2).bits);
    if (in.operands[2].kind != Operand::Kind::integer || (bytes != 4 && bytes != 8 && bytes != 16)) return false;
    inst.a = address(in.operands.at(0), inst.imm, Space::shared);
    std::int64_t from_offset = 0;
    inst.b = address(in.operands.at(1), from_offset, Space::global);
    inst.d[3] = static_cast<std::uint32_t>(from_offset);
    if (in.operands.size() > 3 && in.operands[3].kind != Operand::Kind::sink) inst.c = source(in.operands[3], Type::u32);
    inst.site = new_site(in, Space::global, AccessKind::read, bytes);
    const std::uint32_t write = new_site(in, Space::shared, AccessKind::write, bytes);
    program_.sites[inst.site].is_copy = program_.sites[write].is_copy = true;
    push(("cp.async." + std::to_string(bytes)).c_str(), inst);
    return true;
}

}  // namespace warpgrade::vgpu
