#include "build/shared_arrays.hpp"

#include "vgpu/reached.hpp"

namespace warpgrade {

namespace {

SharedTotal total_of(const ptx::Module& module, const ptx::Function& kernel) {
    const vgpu::Named named = vgpu::named_from(module, {&kernel});
    std::vector<const std::vector<ptx::Variable>*> places{&module.variables};
    for (const ptx::Function* function : named.functions) places.push_back(&function->variables);
    SharedTotal total{&kernel, 0, {}};
    std::uint64_t largest = 0;
    for (const std::vector<ptx::Variable>* variables : places)
        for (const ptx::Variable& variable : *variables) {
            if (variable.space != ptx::Space::shared || !named.names.contains(variable.name)) continue;
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
