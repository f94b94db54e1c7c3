#include "build/shared_arrays.hpp"

#include <set>

namespace warpgrade {

namespace {

void add_names(const std::vector<ptx::Operand>& operands, std::set<std::string>& names) {
    for (const ptx::Operand& operand : operands) {
        if (!operand.name.empty()) names.insert(operand.name);
        add_names(operand.elements, names);
    }
}

// What a function and those that it calls speak of.
void add_names(const ptx::Module& module, const ptx::Function& function, std::set<std::string>& names) {
    std::set<std::string> own;
    for (const ptx::Instruction& instruction : function.body) add_names(instruction.operands, own);
    for (const std::string& name : own) {
        if (!names.insert(name).second) continue;
        if (const ptx::Function* callee = module.find(name)) add_names(module, *callee, names);
    }
}

SharedTotal total_of(const ptx::Module& module, const ptx::Function& kernel) {
    std::set<std::string> names;
    add_names(module, kernel, names);
    std::vector<const std::vector<ptx::Variable>*> places{&module.variables, &kernel.variables};
    for (const ptx::Function& function : module.functions)
        if (!function.is_entry && names.contains(function.name)) places.push_back(&function.variables);
    SharedTotal total{&kernel, 0, {}};
    std::uint64_t largest = 0;
    for (const std::vector<ptx::Variable>* variables : places)
        for (const ptx::Variable& variable : *variables) {
            if (variable.space != ptx::Space::shared || !names.contains(variable.name)) continue;
            total.bytes += variable.bytes;
            if (!total.largest.empty() && variable.bytes <= largest) continue;
            total.largest = variable.name;
            largest = variable.bytes;
        }
    return total;
}

}  // namespace

std::vector<SharedTotal> too_large_shared_arrays(const ptx::Module& module) {
    std::vector<SharedTotal> found;
    for (const ptx::Function& kernel : module.functions)
        if (kernel.is_entry)
            if (SharedTotal total = total_of(module, kernel); total.bytes > most_shared_bytes)
                found.push_back(std::move(total));
    return found;
}

}  // namespace warpgrade
