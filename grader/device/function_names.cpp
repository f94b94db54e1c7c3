#include "device/device.hpp"
#include "device/guarded.hpp"
#include "ptx/module.hpp"
#include "vgpu/code.hpp"

namespace warpgrade {

Result<std::vector<FunctionName>> function_names(std::string_view ptx_text) {
    return guarded("reading the PTX", [&]() -> Result<std::vector<FunctionName>> {
        Result<ptx::Module> module = ptx::parse(ptx_text);
        if (!module) return std::move(module).error();
        std::vector<FunctionName> names;
        for (const ptx::Function& f : module->functions)
            if (!f.is_declaration) names.push_back({f.name, vgpu::demangled(f.name), f.is_entry});
        return names;
    });
}

}  // namespace warpgrade
