#include "grade/for_show.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpgrade {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

bool has_space(const Instruction& in, std::string_view space) {
    return std::any_of(in.modifiers.begin(), in.modifiers.end(), [&](const std::string& word) {
        return word == space || word.starts_with(std::string(space) + "::");
    });
}

void become(Instruction& in, std::string opcode, std::string modifier, std::vector<Operand> operands) {
    in.opcode = std::move(opcode);
    in.modifiers = {std::move(modifier)};
    in.operands = std::move(operands);
}

Operand zero() {
    Operand operand;
    operand.kind = Operand::Kind::integer;
    return operand;
}

// An instruction, since others are numbered by their places.
void become_nothing(Instruction& in) { become(in, "nanosleep", "u32", {zero()}); }

void become_value(Instruction& in, Operand to, Operand value, const char* type) {
    if (to.kind == Operand::Kind::reg)
        become(in, "mov", type, {std::move(to), std::move(value)});
    else
        become_nothing(in);
}

bool keep_own_value(Instruction& in) {
    if (in.opcode != "shfl") return true;
    const Operand to = in.operands.at(0);
    become_value(in, to.kind == Operand::Kind::pair ? to.elements.at(0) : to, in.operands.at(1), "b32");
    return true;
}

bool drop_atomic(Instruction& in) {
    if (in.opcode != "atom" && in.opcode != "red") return true;
    if (!has_space(in, "shared")) return has_space(in, "global");
    const int bytes = ptx::size_bytes(ptx::last_type(in));
    if (in.opcode == "red")
        become_nothing(in);
    else if (bytes == 4 || bytes == 8)
        become_value(in, in.operands.at(0), zero(), bytes == 4 ? "b32" : "b64");
    else
        return false;
    return true;
}

Operand zero_like(const Operand& value, Type type) {
    Operand none = zero();
    if (type == Type::f32) none.kind = Operand::Kind::f32;
    if (type == Type::f64) none.kind = Operand::Kind::f64;
    if (value.kind != Operand::Kind::vector) return none;
    Operand all = value;
    std::fill(all.elements.begin(), all.elements.end(), none);
    return all;
}

bool store_zero(Instruction& in) {
    if (in.opcode == "cp" || in.opcode == "stmatrix") return false;
    if (in.opcode != "st") return drop_atomic(in);
    if (!has_space(in, "shared")) return has_space(in, "global") || has_space(in, "local") || has_space(in, "param");
    in.operands.at(1) = zero_like(in.operands.at(1), ptx::last_type(in));
    return true;
}

using ByName = std::unordered_map<std::string_view, ptx::Function*>;

// Moves those that operands name from `left` to `found`.
void take_named(const std::vector<Operand>& operands, ByName& left, std::vector<ptx::Function*>& found) {
    for (const Operand& operand : operands) {
        if (const auto named = left.find(operand.name); operand.kind == Operand::Kind::symbol && named != left.end()) {
            found.push_back(named->second);
            left.erase(named);
        }
        take_named(operand.elements, left, found);
    }
}

// The kernels, and what they call or may: the launcher stores to what it hands on through generic addresses.
std::vector<ptx::Function*> run_by_kernels(ptx::Module& module) {
    std::vector<ptx::Function*> found;
    ByName left;
    for (ptx::Function& function : module.functions) {
        if (function.is_entry)
            found.push_back(&function);
        else
            left.emplace(function.name, &function);
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const Instruction& in : found[i]->body) take_named(in.operands, left, found);
    return found;
}

}  // namespace

std::string_view plural_of(Operation operation) {
    switch (operation) {
        case Operation::shuffle: return "shuffles";
        case Operation::shared_store: return "stores to shared memory";
        case Operation::shared_atomic: return "atomic operations on shared memory";
    }
    return "";
}

std::optional<Operation> operation_asked_for(const TechniqueRule& rule) {
    if (rule.op.front() != '>') return std::nullopt;
    if (rule.left == "shuffles") return Operation::shuffle;
    if (rule.left == "shared_load_requests") return Operation::shared_store;
    if (rule.left == "shared_atomic_requests" || rule.left == "shared_atomic_operations")
        return Operation::shared_atomic;
    return std::nullopt;
}

bool leave_out(ptx::Module& module, Operation operation) {
    const auto change = operation == Operation::shuffle        ? keep_own_value
                        : operation == Operation::shared_store ? store_zero
                                                               : drop_atomic;
    bool is_all = true;
    for (ptx::Function* function : run_by_kernels(module))
        for (Instruction& in : function->body) is_all = change(in) && is_all;
    return is_all;
}

}  // namespace warpgrade
