// Programs, from PTX, and what is asked of them without a launch.
#include "vgpu/code.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::vgpu {

Result<std::shared_ptr<const Program>> load(const ptx::Module& module, std::string_view source_file) {
    Result<std::shared_ptr<Program>> lowered = lower(module, source_file);
    if (!lowered) return std::move(lowered).error();
    return std::shared_ptr<const Program>(std::move(lowered).value());
}

std::vector<KernelInfo> kernels(const Program& program) {
    std::vector<KernelInfo> all;
    for (const Code& code : program.functions) {
        if (code.is_kernel) all.push_back(code.info);
    }
    return all;
}

std::set<int> lines_that_draw(const Program& program) {
    std::set<int> lines;
    for (const Site& site : program.sites)
        if (site.access == AccessKind::atomic && site.is_used) lines.insert(site.line);
    return lines;
}

std::vector<std::string> functions(const Program& program) {
    std::vector<std::string> all;
    for (const Code& code : program.functions) {
        if (!code.is_kernel) all.push_back(code.name);
    }
    return all;
}

}  // namespace warpgrade::vgpu
