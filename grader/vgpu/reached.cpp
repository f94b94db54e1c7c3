#include "vgpu/reached.hpp"

#include <algorithm>
#include <utility>

namespace warpgrade::vgpu {

using ptx::Function;
using ptx::Operand;
using ptx::Variable;

namespace {

void add_symbols(const std::vector<Operand>& operands, std::unordered_set<std::string_view>& names) {
    for (const Operand& operand : operands) {
        if (operand.kind == Operand::Kind::symbol) names.insert(operand.name);
        add_symbols(operand.elements, names);
    }
}

bool calls_through_register(const Function& function) {
    return std::ranges::any_of(function.body, [](const ptx::Instruction& in) {
        return in.opcode == "call" &&
               std::ranges::any_of(in.operands, [](const Operand& o) { return o.kind == Operand::Kind::reg; });
    });
}

// In the module, and in its functions.
template <class Visit>
void for_each_variable(const ptx::Module& module, Visit visit) {
    for (const Variable& v : module.variables) visit(v);
    for (const Function& f : module.functions)
        for (const Variable& v : f.variables) visit(v);
}

// Of a function: variables of the module that it names, and its own.
std::vector<const Variable*> shared_of(const ptx::Module& module, const Function& function) {
    std::vector<const Variable*> found;
    const std::unordered_set<std::string_view> names = names_in(function);
    for (const Variable& v : module.variables)
        if (v.space == ptx::Space::shared && names.contains(v.name)) found.push_back(&v);
    for (const Variable& v : function.variables)
        if (v.space == ptx::Space::shared) found.push_back(&v);
    return found;
}

void add_once(std::vector<const Variable*>& all, const Variable* one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

// Functions whose address is in a register or in a variable somewhere.
std::vector<const Function*> with_address_taken(const ptx::Module& module) {
    std::unordered_set<std::string_view> names;
    for (const Function& f : module.functions)
        for (const ptx::Instruction& in : f.body)
            if (in.opcode != "call") add_symbols(in.operands, names);
    for_each_variable(module, [&](const Variable& v) {
        for (const ptx::InitialAddress& a : v.initial_addresses) names.insert(a.symbol);
    });
    std::vector<const Function*> found;
    for (const std::string_view name : names)
        if (const Function* f = module.find(name); f != nullptr && !f->is_entry) found.push_back(f);
    std::ranges::sort(found);  // in the order of the module
    return found;
}

}  // namespace

std::unordered_set<std::string_view> names_in(const Function& function) {
    std::unordered_set<std::string_view> names;
    for (const ptx::Instruction& in : function.body) add_symbols(in.operands, names);
    return names;
}

Named named_from(const ptx::Module& module, const std::vector<const Function*>& first) {
    std::unordered_map<std::string_view, const Variable*> with_addresses;
    for_each_variable(module, [&](const Variable& v) {
        if (!v.initial_addresses.empty()) with_addresses.emplace(v.name, &v);
    });
    Named result;
    std::unordered_set<const Function*> seen;
    std::vector<std::string_view> left;
    const auto add = [&](const Function* f) {
        if (f == nullptr || !seen.insert(f).second) return;
        result.functions.push_back(f);
        result.calls_through_register = result.calls_through_register || calls_through_register(*f);
        for (const std::string_view name : names_in(*f)) left.push_back(name);
    };
    for (const Function* f : first) add(f);
    while (!left.empty()) {
        const std::string_view name = left.back();
        left.pop_back();
        if (!result.names.insert(name).second) continue;
        add(module.find(name));
        if (const auto v = with_addresses.find(name); v != with_addresses.end())
            for (const ptx::InitialAddress& a : v->second->initial_addresses) left.push_back(a.symbol);
    }
    return result;
}

Reached::Reached(const ptx::Module& module) {
    std::vector<const Variable*> wanted;
    // By function, as several kernels may come to run the same one.
    std::unordered_map<const Function*, std::vector<const Variable*>> shared;
    for (const Function& f : module.functions) shared[&f] = shared_of(module, f);
    for (const Function& kernel : module.functions) {
        if (!kernel.is_entry) continue;
        Kernel& its = kernels_[&kernel];
        Named named = named_from(module, {&kernel});
        if (named.calls_through_register) {
            std::vector<const Function*> first = with_address_taken(module);
            first.insert(first.begin(), &kernel);
            named = named_from(module, first);
        }
        its.functions = std::move(named.functions);
        for (const Function* f : its.functions)
            for (const Variable* v : shared[f]) {
                if (is_dynamic(*v)) {
                    add_once(its.dynamic, v);
                } else if (f != &kernel) {
                    add_once(its.shared, v);
                    add_once(wanted, v);
                }
            }
    }
    lay_out(wanted);
    for (auto& [kernel, its] : kernels_)
        std::ranges::sort(its.shared, {}, [&](const Variable* v) { return offset(*v); });
}

// Those of the most kernels first, each at the first place that is free in all of its kernels.
void Reached::lay_out(const std::vector<const Variable*>& variables) {
    struct Taken {
        std::uint64_t begin, end;
    };
    std::unordered_map<const Function*, std::vector<Taken>> taken;
    std::vector<std::pair<const Variable*, std::vector<const Function*>>> order;
    for (const Variable* v : variables) {
        order.emplace_back(v, std::vector<const Function*>{});
        for (const auto& [kernel, its] : kernels_)
            if (std::ranges::find(its.shared, v) != its.shared.end()) order.back().second.push_back(kernel);
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& one) { return one.second.size(); });
    constexpr std::uint64_t too_much = std::uint64_t{1}
                                       << 32;  // who places them refuses what is larger than a block's memory
    for (const auto& [v, kernels] : order) {
        const std::uint64_t bytes = std::min(v->bytes, too_much), align = std::min(v->align_bytes, too_much);
        std::uint64_t at = 0;
        for (bool is_free = false; !is_free;) {
            is_free = true;
            for (const Function* kernel : kernels)
                for (const Taken& one : taken[kernel])
                    if (at < one.end && one.begin < at + bytes) {
                        at = (one.end + align - 1) / align * align;
                        is_free = false;
                    }
        }
        for (const Function* kernel : kernels) taken[kernel].push_back({at, at + bytes});
        offsets_[v] = at;
    }
}

std::uint64_t Reached::offset(const Variable& variable) const {
    const auto known = offsets_.find(&variable);
    return known == offsets_.end() ? 0 : known->second;
}

}  // namespace warpgrade::vgpu
