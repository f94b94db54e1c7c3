#include <cxxabi.h>

#include <cstdlib>

#include "device/device.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

Result<std::vector<FunctionName>> function_names(std::string_view ptx_text) {
    Result<ptx::Module> module = ptx::parse(ptx_text);
    if (!module) return std::move(module).error();
    std::vector<FunctionName> names;
    for (const ptx::Function& f : module->functions) {
        if (f.is_declaration) continue;
        int status = 0;
        char* text = abi::__cxa_demangle(f.name.c_str(), nullptr, nullptr, &status);
        names.push_back({f.name, text == nullptr ? f.name : text, f.is_entry});
        std::free(text);
    }
    return names;
}

}  // namespace warpgrade
