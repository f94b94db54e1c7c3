// What the functions of a module can come to run and to name, and where the shared variables of functions lie.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/module.hpp"

namespace warpgrade::vgpu {

// Every name in the body of `function`.
std::unordered_set<std::string_view> names_in(const ptx::Function& function);

// By name: what `function` names, what those functions name, and what the variables that they name hold addresses of.
struct Named {
    std::vector<const ptx::Function*> functions;  // itself first
    std::unordered_set<std::string_view> names;
    bool calls_through_register = false;
};
Named named_from(const ptx::Module& module, const std::vector<const ptx::Function*>& first);

// Shared variables that functions other than kernels name. A function is the same for all kernels, so its variables lie
// at one place for all of those that can come to run it; two that no kernel has together may lie at the same place.
class Reached {
public:
    explicit Reached(const ptx::Module& module);

    // What a kernel can come to run, itself first. A call through a register may come to any function whose address is
    // taken.
    const std::vector<const ptx::Function*>& functions(const ptx::Function& kernel) const {
        return kernels_.at(&kernel).functions;
    }
    // In the shared memory of a kernel because of such functions: by offset; those of unknown size (extern) are not
    // among them.
    const std::vector<const ptx::Variable*>& shared(const ptx::Function& kernel) const {
        return kernels_.at(&kernel).shared;
    }
    // extern __shared__, that the kernel or one of its functions names.
    const std::vector<const ptx::Variable*>& dynamic(const ptx::Function& kernel) const {
        return kernels_.at(&kernel).dynamic;
    }
    // Bytes; 0 of one that no kernel comes to.
    std::uint64_t offset(const ptx::Variable& variable) const;

private:
    struct Kernel {
        std::vector<const ptx::Function*> functions;
        std::vector<const ptx::Variable*> shared, dynamic;
    };
    void lay_out(const std::vector<const ptx::Variable*>& variables);

    std::unordered_map<const ptx::Function*, Kernel> kernels_;
    std::unordered_map<const ptx::Variable*, std::uint64_t> offsets_;
};

inline bool is_dynamic(const ptx::Variable& v) { return v.is_external || v.bytes == 0; }

}  // namespace warpgrade::vgpu
