// Instructions that are rows of the opcode table, and the few whose operands need a hand.
#include <algorithm>

#include "base/text.hpp"
#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

namespace {

// Modifiers that change nothing the virtual GPU computes: the default rounding, approximations that are computed
// exactly, hints. What is not here and not in a row's key is not supported.
bool is_ignored(std::string_view word) {
    static constexpr std::string_view words[] = {"rn", "approx", "full", "uni", "noftz", "aligned"};
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

Type type_of_word(std::string_view word) { return word == "p" ? Type::pred : ptx::type_named(word); }

}  // namespace

const OpEntry* FunctionLowering::find_row(const Instruction& in) const {
    if (const OpEntry* row = op_table().find(ptx::full_name(in))) return row;
    std::string key = in.opcode;
    for (const std::string& word : in.modifiers) {
        if (!is_ignored(word)) key += "." + word;
    }
    return op_table().find(key);
}

bool FunctionLowering::uses_carry(const Instruction& in) {
    return in.opcode == "addc" || in.opcode == "subc" || in.opcode == "madc" || has_word(in, "cc");
}

// Sums and products that leave a carry, or take one.
bool FunctionLowering::emit_extended(const Instruction& in) {
    if (!uses_carry(in)) return false;
    const OpEntry* row = op_table().find(ptx::full_name(in));
    const std::size_t sources = in.opcode.starts_with("mad") ? 3 : 2;
    if (row == nullptr || in.operands.size() != 1 + sources) not_supported();
    if (carry_ == 0) carry_ = allocate(kDynamic, 0);
    const Type type = ptx::type_named(in.modifiers.back());
    Inst inst;
    std::uint32_t* slots[] = {&inst.a, &inst.b, &inst.c};
    for (std::size_t i = 0; i < sources; ++i) *slots[i] = source(in.operands[i + 1], type);
    const Destination d = destination(in.operands[0], type);
    inst.d[0] = d.ref;
    inst.d[1] = carry_;
    push(*row, inst);
    finish(d);
    return true;
}

void FunctionLowering::emit_table(const Instruction& in) {
    if (emit_move(in) || emit_extended(in)) return;
    if (in.opcode == "mapa") use_clusters();
    const OpEntry* row = find_row(in);
    const std::size_t equals = row == nullptr ? std::string::npos : row->signature.find('=');
    if (equals == std::string::npos) not_supported();
    const auto outs = split(std::string_view(row->signature).substr(0, equals), ',');
    const auto ins = split(std::string_view(row->signature).substr(equals + 1), ',');
    // Hoisted if the destination's register was found to be computable early.
    const Operand& first = in.operands[0];
    const Operand& main = first.kind == Operand::Kind::pair ? first.elements.at(0) : first;
    emit_level_ =
        main.kind == Operand::Kind::reg && !is_guarded_ ? levels_[static_cast<std::size_t>(main.index)] : kDynamic;
    Inst inst;
    std::uint32_t* slots[] = {&inst.a, &inst.b, &inst.c, &inst.d[1]};
    for (std::size_t i = 0; i < ins.size(); ++i) *slots[i] = source(in.operands[i + 1], type_of_word(ins[i]));
    const Type out = type_of_word(outs.at(0));
    // A launcher may come here.
    if (!code_.is_kernel && (in.opcode == "div" || in.opcode == "rem") && outs[0].front() != 'f') {
        Inst check;
        check.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
        check.a = inst.b;
        push(("divisor.b" + std::to_string(8 * register_bytes(out))).c_str(), check);
    }
    if (out == Type::pred) {
        inst.d[0] = main.kind == Operand::Kind::sink ? allocate(kDynamic, 0) : register_ref(main.index);
        if (first.kind == Operand::Kind::pair && first.elements.at(1).kind == Operand::Kind::reg)
            inst.d[1] = register_ref(first.elements[1].index);
        push(*row, inst);
    } else {
        const Destination d = destination(main, out);
        inst.d[0] = d.ref;
        push(*row, inst);
        finish(d);
    }
    emit_level_ = kDynamic;
}

// mov in all its shapes. A hoisted copy of a value is that value: no instruction at all.
bool FunctionLowering::emit_move(const Instruction& in) {
    if (in.opcode == "cvta") {
        emit_address_conversion(in);
        return true;
    }
    if (in.opcode != "mov") return false;
    const Type type = ptx::last_type(in);
    const Operand& to = in.operands.at(0);
    const Operand& from = in.operands.at(1);
    const int bytes = register_bytes(type);
    if (to.kind == Operand::Kind::vector || from.kind == Operand::Kind::vector) {
        const bool packs = from.kind == Operand::Kind::vector;
        if (packs && to.kind == Operand::Kind::vector) not_supported();
        const auto& parts = packs ? from.elements : to.elements;
        const int part = bytes / static_cast<int>(parts.size());
        const Type part_type = part == 1 ? Type::b8 : part == 2 ? Type::b16 : part == 4 ? Type::b32 : Type::b64;
        if (bytes > 8) not_supported();
        const std::string key =
            std::string(packs ? "pack.b" : "unpack.b") + std::to_string(8 * bytes) + ".b" + std::to_string(8 * part);
        emit_level_ = kDynamic;
        if (packs) {
            emit_level_ =
                to.kind == Operand::Kind::reg && !is_guarded_ ? levels_[static_cast<std::size_t>(to.index)] : kDynamic;
            Inst inst;
            std::uint32_t* slots[] = {&inst.a, &inst.b, &inst.c, &inst.d[1]};
            for (std::size_t i = 0; i < parts.size(); ++i) *slots[i] = source(parts[i], part_type);
            const Destination d = destination(to, type);
            inst.d[0] = d.ref;
            push(key.c_str(), inst);
            finish(d);
        } else {
            for (const Operand& p : parts) {
                if (p.kind == Operand::Kind::reg && !is_guarded_)
                    emit_level_ = levels_[static_cast<std::size_t>(p.index)];
            }
            Inst inst;
            inst.a = source(from, type);
            std::vector<Destination> results;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                results.push_back(destination(parts[i], part_type));
                inst.d[i] = results.back().ref;
            }
            push(key.c_str(), inst);
            for (const Destination& d : results) finish(d);
        }
        emit_level_ = kDynamic;
        return true;
    }
    if (bytes > 8) not_supported();
    if (type == Type::pred) {
        emit_level_ = is_guarded_ ? kDynamic : levels_[static_cast<std::size_t>(to.index)];
        Inst inst;
        inst.a = predicate(from);
        inst.d[0] = register_ref(to.index);
        push("mov.pred", inst);
        emit_level_ = kDynamic;
        return true;
    }
    const Level level = is_guarded_ ? kDynamic : levels_[static_cast<std::size_t>(to.index)];
    emit_level_ = level;
    const std::uint32_t value = source(from, type);
    const int actual = register_bytes(function_.registers[static_cast<std::size_t>(to.index)].type);
    if (level != kDynamic && actual == bytes && refs_[static_cast<std::size_t>(to.index)] == 0) {
        refs_[static_cast<std::size_t>(to.index)] = value;
    } else {
        const Destination d = destination(to, type);
        Inst inst;
        inst.a = value;
        inst.d[0] = d.ref;
        push(bytes == 2 ? "mov.b16" : bytes == 4 ? "mov.b32" : "mov.b64", inst);
        finish(d);
    }
    emit_level_ = kDynamic;
    return true;
}

// cvta.space: an address of that space to a generic one; cvta.to.space: back. Global addresses are generic already.
void FunctionLowering::emit_address_conversion(const Instruction& in) {
    const Operand& to = in.operands.at(0);
    const Level level = is_guarded_ ? kDynamic : levels_[static_cast<std::size_t>(to.index)];
    emit_level_ = level;
    const std::uint32_t value = source(in.operands.at(1), Type::u64);
    std::uint64_t window = 0;
    for (const std::string& word : in.modifiers) {
        if (word.starts_with("shared")) window = kSharedWindow;
        if (word.starts_with("local")) window = kLocalWindow;
        if (word.starts_with("param")) window = kParamWindow;
    }
    if (window == 0 && level != kDynamic && refs_[static_cast<std::size_t>(to.index)] == 0 &&
        register_bytes(function_.registers[static_cast<std::size_t>(to.index)].type) == 8) {
        refs_[static_cast<std::size_t>(to.index)] = value;
    } else {
        const Destination d = destination(to, Type::u64);
        Inst inst;
        inst.d[0] = d.ref;
        inst.a = value;
        if (window == 0) {
            push("mov.b64", inst);
        } else {
            inst.b = constant(window, 8);
            push(has_word(in, "to") ? "sub.u64" : "add.u64", inst);
        }
        finish(d);
    }
    emit_level_ = kDynamic;
}

void FunctionLowering::emit_warp_instruction(const Instruction& in) {
    Inst inst;
    inst.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
    const Operand& first = in.operands.at(0);
    const auto result = [&](Type type) {
        const Operand& value = first.kind == Operand::Kind::pair ? first.elements.at(0) : first;
        Destination d;
        if (type == Type::pred) {
            inst.d[0] = register_ref(value.index);
        } else {
            d = destination(value, type);
            inst.d[0] = d.ref;
        }
        if (first.kind == Operand::Kind::pair && first.elements.at(1).kind == Operand::Kind::reg)
            inst.d[1] = register_ref(first.elements[1].index);
        return d;
    };
    if (in.opcode == "elect") {
        inst.d[0] = first.elements.at(0).kind == Operand::Kind::reg ? register_ref(first.elements[0].index) : 0;
        inst.d[1] = register_ref(first.elements.at(1).index);
        push("elect.sync", inst);
        return;
    }
    const OpEntry* row = find_row(in);
    if (row == nullptr) not_supported();
    if (in.opcode == "shfl") {
        const Destination d = result(Type::b32);
        inst.a = source(in.operands.at(1), Type::b32);
        inst.b = source(in.operands.at(2), Type::b32);
        inst.c = source(in.operands.at(3), Type::b32);
        inst.d[2] = source(in.operands.at(4), Type::b32);
        push(*row, inst);
        finish(d);
    } else if (in.opcode == "vote") {
        const Destination d = result(has_word(in, "ballot") ? Type::b32 : Type::pred);
        Operand p = in.operands.at(1);
        inst.imm = p.negated ? 1 : 0;
        p.negated = false;
        inst.a = predicate(p);
        push(*row, inst);
        finish(d);
    } else {  // match, redux
        const Destination d = result(Type::b32);
        inst.a = source(in.operands.at(1), ptx::last_type(in));
        push(*row, inst);
        finish(d);
    }
}

// Instructions that do little here. False if `in` is none of them.
bool FunctionLowering::emit_small(const Instruction& in) {
    if (starts_segment(in)) {
        emit_warp_instruction(in);
        return true;
    }
    const bool is_fence = in.opcode == "membar" || (in.opcode == "fence" && !has_word(in, "proxy"));
    if (is_fence) {
        Inst inst;
        inst.imm = has_word(in, "cta") ? 1 : 0;
        program_.orders_by_more_than_barriers = true;
        inst.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
        push("fence", inst);
        return true;
    }
    if (in.opcode == "fence" || in.opcode == "nanosleep" || in.opcode == "prefetch" || in.opcode == "prefetchu" ||
        in.opcode == "discard" || in.opcode == "griddepcontrol" || in.opcode == "brkpt" || in.opcode == "pmevent")
        return true;
    if (in.opcode == "barrier") {  // .cluster.arrive
        use_clusters();
        Inst inst;
        inst.imm = has_word(in, "relaxed") ? 1 : 0;
        inst.site = new_site(in, ptx::Space::generic, AccessKind::none, 0);
        push("cluster.arrive", inst);
        return true;
    }
    if (in.opcode == "createpolicy") {  // how L2 is to keep what it is given with
        const Destination d = destination(in.operands.at(0), Type::u64);
        Inst inst;
        inst.a = constant(0, 8);
        inst.d[0] = d.ref;
        push("mov.b64", inst);
        finish(d);
        return true;
    }
    if (in.opcode == "isspacep") {
        Inst inst;
        inst.d[0] = register_ref(in.operands.at(0).index);
        inst.a = source(in.operands.at(1), Type::u64);
        const std::string& space = in.modifiers.front();
        const std::uint64_t window = space.starts_with("shared")  ? kSharedWindow
                                     : space == "local"           ? kLocalWindow
                                     : space.starts_with("param") ? kParamWindow
                                                                  : 0;
        inst.imm = static_cast<std::int64_t>(window);
        push(window == kSharedWindow && space != "shared::cluster" ? "isspacep.shared" : "isspacep", inst);
        return true;
    }
    return false;
}

}  // namespace warpgrade::vgpu
