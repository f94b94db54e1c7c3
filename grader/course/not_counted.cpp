#include "course/not_counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpgrade {

namespace {

std::string_view plural_of(vgpu::NeedKind kind) {
    switch (kind) {
        case vgpu::NeedKind::load: return "loads";
        case vgpu::NeedKind::store: return "stores";
        case vgpu::NeedKind::atomic: return "atomic operations on global memory";
        case vgpu::NeedKind::shared_load: return "loads from shared memory";
        case vgpu::NeedKind::shared_store: return "stores to shared memory";
        case vgpu::NeedKind::shared_atomic: return "atomic operations on shared memory";
        case vgpu::NeedKind::barrier: return "barriers";
    }
    return "";
}

// What the number would be over, if everything counted.
bool is_about(std::string_view name, vgpu::NeedKind kind) {
    switch (kind) {
        case vgpu::NeedKind::load: return name.starts_with("global_load") || name.starts_with("elements");
        case vgpu::NeedKind::store: return name.starts_with("global_store");
        case vgpu::NeedKind::atomic: return name.starts_with("global_atomic");
        case vgpu::NeedKind::shared_load: return name.starts_with("shared_load") || name.starts_with("dynamic");
        case vgpu::NeedKind::shared_store: return name.starts_with("shared_store");
        case vgpu::NeedKind::shared_atomic: return name.starts_with("shared_atomic");
        case vgpu::NeedKind::barrier: return name.starts_with("barriers");
    }
    return false;
}

}  // namespace

std::string what_does_not_count(const TechniqueRule& rule, const Measured& m) {
    if (m.needed->is_shared_private && rule.left.starts_with("shared_"))
        return "every thread reads from shared memory only what it has stored there itself, as it could in a register, "
               "so these accesses do not count.";
    std::vector<std::string> parts;
    for (const vgpu::UnneededLine& line : m.needed->unneeded)
        if (is_about(rule.left, line.kind))
            parts.push_back(
                fmt::format("{} of {} {} in line {}", line.requests, line.of, plural_of(line.kind), line.line));
    const auto idle =
        std::ranges::count_if(m.needed->launches, [](const vgpu::NeededLaunch& launch) { return !launch.is_needed(); });
    if (idle > 0) parts.push_back(fmt::format("{} of {} launches", idle, m.launches.size()));
    if (parts.empty()) return "";
    return fmt::format("the output does not need {}, so they do not count.", fmt::join(parts, ", "));
}

}  // namespace warpgrade
