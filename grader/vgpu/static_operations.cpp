// PTX instructions by what they ask of a multiprocessor.
#include "vgpu/trace.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "vgpu/code.hpp"

namespace warpgrade::vgpu {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

void collect(const Operand& operand, std::vector<int>& registers) {
    if (operand.kind == Operand::Kind::reg) registers.push_back(operand.index);
    for (const Operand& e : operand.elements) collect(e, registers);
}

ptx::Space space_of(const Instruction& in) {
    for (const std::string& m : in.modifiers) {
        const std::string_view word = std::string_view(m).substr(0, m.find(':'));
        if (word == "global") return ptx::Space::global;
        if (word == "shared") return ptx::Space::shared;
        if (word == "local") return ptx::Space::local;
        if (word == "param") return ptx::Space::param;
        if (word == "const") return ptx::Space::constant;
    }
    return ptx::Space::generic;
}

OpClass arithmetic_class(const Instruction& in) {
    constexpr std::array<std::string_view, 10> slow{"div", "rem", "sqrt", "rsqrt", "rcp",
                                                    "sin", "cos", "ex2",  "lg2",   "tanh"};
    const Type type = last_type(in);
    const bool is_float =
        type == Type::f32 || type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
    if (is_one_of(in.opcode, slow)) return OpClass::special;
    if (in.opcode == "cvt") return OpClass::convert;
    if (type == Type::f64) return OpClass::float64;
    if (is_float) return OpClass::floating;
    if (in.opcode == "mul" || in.opcode == "mad" || in.opcode == "mul24" || in.opcode == "mad24")
        return OpClass::multiply;
    return ptx::size_bytes(type) == 8 ? OpClass::wide : OpClass::integer;
}

OpClass class_of(const Instruction& in) {
    constexpr std::array<std::string_view, 4> free{"mov", "cvta", "isspacep", "createpolicy"};
    constexpr std::array<std::string_view, 7> among_lanes{"shfl",       "vote",  "match",    "redux",
                                                          "activemask", "elect", "movmatrix"};
    const std::string_view op = in.opcode;
    if (op == "mov" && in.operands.size() == 2 && in.operands[1].kind == Operand::Kind::special &&
        in.operands[1].name.starts_with("%tid"))
        return OpClass::special_register;
    if (is_one_of(op, free)) return OpClass::free;
    if (is_one_of(op, among_lanes)) return OpClass::shuffle;
    if (op == "ld" || op == "ldu" || op == "ldmatrix")
        return space_of(in) == ptx::Space::param ? OpClass::free : OpClass::load;
    if (op == "st" || op == "stmatrix") return space_of(in) == ptx::Space::param ? OpClass::free : OpClass::store;
    if (op == "atom" || op == "red") return OpClass::atomic;
    if (op == "cp") return OpClass::async_copy;
    if (op == "bra" || op == "brx" || op == "ret" || op == "exit" || op == "trap") return OpClass::branch;
    if (op == "call") return OpClass::call;
    if (op == "bar" || op == "barrier") return has_word(in, "warp") ? OpClass::warp_barrier : OpClass::barrier;
    if (op == "membar" || op == "fence") return has_word(in, "cta") ? OpClass::free : OpClass::fence;
    return arithmetic_class(in);
}

// Machine instructions that ptxas makes of one of PTX, read off the machine code of a score of kernels (sm_90).
double instructions_of(const Instruction& in, OpClass kind) {
    const Type type = last_type(in);
    const bool is_predicate = type == Type::pred;
    switch (kind) {
        case OpClass::free: return 0;
        case OpClass::integer: return is_predicate ? 0.5 : 1;
        case OpClass::wide: return 2;
        case OpClass::multiply: return ptx::size_bytes(type) == 8 ? 4 : 1;
        case OpClass::convert: {
            const std::string name = full_name(in);
            const bool is_renaming =
                name.ends_with("u64.u32") || name.ends_with("u32.u64") || name.ends_with("s32.s64");
            return is_renaming ? 0 : 1;
        }
        case OpClass::special: return in.opcode == "div" || in.opcode == "rem" ? 20 : 8;
        default: return 1;
    }
}

// What ptxas makes ATOMS.POPC.INC of for compute capability 8.0 and later, if nothing reads the result: seen in the
// machine code of shared atomics of each kind; no other constant, no register, no other type.
bool adds_one(const Instruction& in) {
    return has_word(in, "add") && last_type(in) == Type::u32 && !in.operands.empty() &&
           in.operands.back().kind == Operand::Kind::integer && in.operands.back().bits == 1;
}

NeedClass access_need(const Instruction& in, const StaticOp& op) {
    const bool is_load = op.kind == OpClass::load || in.opcode == "ld";
    if (op.space == ptx::Space::param) return is_load ? NeedClass::parameter_load : NeedClass::parameter_store;
    if (op.space == ptx::Space::local) return is_load ? NeedClass::local_load : NeedClass::local_store;
    return is_load ? NeedClass::load : NeedClass::store;
}

NeedClass need_of(const Instruction& in, const StaticOp& op) {
    if (in.opcode == "ldmatrix") return NeedClass::matrix_load;
    if (in.opcode == "stmatrix") return NeedClass::matrix_store;
    if (in.opcode == "ld" || in.opcode == "ldu" || in.opcode == "st") return access_need(in, op);
    if (in.opcode == "mma" || in.opcode == "wmma") return NeedClass::among_lanes;
    if (in.opcode == "mbarrier") return has_word(in, "arrive") ? NeedClass::arrival : NeedClass::ignored;
    if (in.opcode == "cp") {
        const bool copies = !has_word(in, "commit_group") && !has_word(in, "wait_group") && !has_word(in, "wait_all") &&
                            !has_word(in, "mbarrier") && !has_word(in, "prefetch");
        return copies ? NeedClass::copy : has_word(in, "mbarrier") ? NeedClass::arrival : NeedClass::ignored;
    }
    switch (op.kind) {
        case OpClass::atomic:
            return has_word(in, "exch")                                               ? NeedClass::exchange
                   : has_word(in, "add") || has_word(in, "or") || has_word(in, "xor") ? NeedClass::sum
                                                                                      : NeedClass::atomic;
        case OpClass::shuffle: return in.opcode == "shfl" ? NeedClass::shuffle : NeedClass::among_lanes;
        case OpClass::barrier: return has_word(in, "red") ? NeedClass::vote_of_block : NeedClass::ignored;
        case OpClass::warp_barrier:
        case OpClass::fence:
        case OpClass::branch:
        case OpClass::call: return NeedClass::ignored;
        default: return op.writes.empty() ? NeedClass::ignored : NeedClass::value;
    }
}

}  // namespace

StaticOp describe(const Instruction& in) {
    StaticOp op;
    op.kind = class_of(in);
    op.space = op.kind == OpClass::async_copy ? ptx::Space::global : space_of(in);  // what is traced of a copy
    op.instructions = instructions_of(in, op.kind);
    op.is_ordered = has_word(in, "volatile") || has_word(in, "relaxed") || has_word(in, "acquire") ||
                    has_word(in, "release") ||
                    (op.kind == OpClass::async_copy &&
                     (has_word(in, "wait_group") || has_word(in, "wait_all") || has_word(in, "commit_group")));
    if (op.kind == OpClass::async_copy && has_word(in, "wait_all")) op.pending = 0;
    if (op.kind == OpClass::async_copy && has_word(in, "wait_group") && !in.operands.empty())
        op.pending = static_cast<int>(in.operands[0].bits);
    op.is_read_only = op.kind == OpClass::load && has_word(in, "nc");
    const Type type = last_type(in);
    op.is_float = op.kind == OpClass::atomic && (type == Type::f16 || type == Type::f16x2 || type == Type::bf16 ||
                                                 type == Type::bf16x2 || type == Type::f32 || type == Type::f64);
    op.is_match = in.opcode == "match" && has_word(in, "any");
    op.counts = op.kind == OpClass::atomic && op.space == ptx::Space::shared && adds_one(in);
    op.may_leave = op.kind == OpClass::branch && in.guard >= 0;
    const bool is_memory = op.kind == OpClass::load || op.kind == OpClass::store || op.kind == OpClass::atomic;
    if (is_memory) {
        const int vector = has_word(in, "v4") ? 4 : has_word(in, "v2") ? 2 : 1;
        op.width_bytes = ptx::size_bytes(last_type(in)) * vector;
    }
    // The first operand is written, but where there is none to write: stores, branches, barriers.
    const bool first_is_read = op.kind == OpClass::store || op.kind == OpClass::branch || op.kind == OpClass::barrier ||
                               op.kind == OpClass::warp_barrier || op.kind == OpClass::async_copy || in.opcode == "red";
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
        const bool is_written = i == 0 && !first_is_read && in.operands[i].kind != Operand::Kind::address;
        collect(in.operands[i], is_written ? op.writes : op.reads);
    }
    if (op.kind == OpClass::special_register) op.special = in.operands[1].name.back();
    if (in.guard >= 0) op.reads.push_back(in.guard);
    op.is_guarded = in.guard >= 0;
    op.need = need_of(in, op);
    return op;
}

void narrow_shared_addresses(std::span<SegmentOps> segments) {
    std::unordered_set<int> wide;  // registers that something else needs in full
    const auto is_arithmetic = [](const StaticOp& op) {
        return op.kind == OpClass::wide || op.kind == OpClass::multiply || op.kind == OpClass::convert ||
               op.kind == OpClass::free;
    };
    const auto is_narrow = [&](int reg) { return !wide.contains(reg); };
    for (bool changed = true; changed;) {
        changed = false;
        // Backwards, as most needs are.
        for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
            for (auto at = segment->ops.rbegin(); at != segment->ops.rend(); ++at) {
                const StaticOp& op = *at;
                const bool is_shared =
                    op.space == ptx::Space::shared && (op.kind == OpClass::load || op.kind == OpClass::store);
                if (is_arithmetic(op) && !op.writes.empty() &&
                    std::all_of(op.writes.begin(), op.writes.end(), is_narrow))
                    continue;
                for (std::size_t i = is_shared ? 1 : 0; i < op.reads.size(); ++i)
                    changed = wide.insert(op.reads[i]).second || changed;
            }
        }
    }
    for (SegmentOps& segment : segments)
        for (StaticOp& op : segment.ops)
            if ((op.kind == OpClass::wide || op.kind == OpClass::multiply) && !op.writes.empty() &&
                std::all_of(op.writes.begin(), op.writes.end(), is_narrow))
                op.instructions = std::min(op.instructions, 1.0);
}

void check_counts(std::span<SegmentOps> segments) {
    std::unordered_set<int> read;
    for (const SegmentOps& segment : segments)
        for (const StaticOp& op : segment.ops) read.insert(op.reads.begin(), op.reads.end());
    for (SegmentOps& segment : segments)
        for (StaticOp& op : segment.ops)
            op.counts = op.counts && std::none_of(op.writes.begin(), op.writes.end(),
                                                  [&](int written) { return read.contains(written); });
}

const std::vector<SegmentOps>& segment_ops(const Program& program) { return program.segment_ops; }

}  // namespace warpgrade::vgpu
