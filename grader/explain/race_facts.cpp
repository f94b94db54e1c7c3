#include "explain/race_facts.hpp"

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/line_context.hpp"
#include "explain/race_cause.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

bool is_one_line(const vgpu::Finding& finding) { return finding.has_other && finding.other.line == finding.place.line; }

bool has_two_lines(const vgpu::Finding& finding) {
    return finding.has_other && finding.place.line != 0 && finding.other.line != 0 &&
           finding.other.line != finding.place.line;
}

bool stores_often(const Scene& scene) {
    if (scene.launches == nullptr) return false;
    std::uint64_t threads = 0;
    for (const LaunchInfo& launch : *scene.launches)
        if (launch.kernel == scene.finding.kernel) threads += launch.grid.count() * launch.block.count();
    return threads != 0 && scene.finding.occurrences > threads;
}

bool is_for_one(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && (layout->elements() == 1 || layout->role == BufferRole::scratch);
}

bool changes_shared_variable(const Scene& scene, const std::string& name) {
    const auto known = scene.facts.definitions_by_name.find(name);
    if (!is_one_line(scene.finding) || known == scene.facts.definitions_by_name.end()) return false;
    return std::ranges::any_of(known->second, [&](std::uint32_t index) {
        const source::Definition& definition = scene.facts.definitions[index];
        const bool is_sum =
            definition.kind == source::DefinitionKind::assigned && mentions(scene.tree(), definition.value, name);
        return definition.at.line == scene.line() && (definition.kind == source::DefinitionKind::updated || is_sum);
    });
}

bool is_of_all_blocks(const Scene& scene, const std::string& name) {
    const Tree& tree = scene.tree();
    const source::Definition* const declared =
        scene.layout() == nullptr ? scene.facts.declaration_of(name, scene.line()) : nullptr;
    if (declared == nullptr || declared->around.function >= 0) return false;
    const NodeId extent = tree[declared->node].child;
    return extent != no_node && tree[extent].kind == NodeKind::extent &&
           text_of(tree, tree[tree[declared->node].parent].child).find("__device__") != std::string_view::npos;
}

bool clears_beside_atomics(const vgpu::Finding& finding) {
    using vgpu::AccessKind;
    return has_two_lines(finding) && finding.place.block != finding.other.block &&
           ((finding.access == AccessKind::atomic && finding.other_access == AccessKind::write) ||
            (finding.access == AccessKind::write && finding.other_access == AccessKind::atomic));
}

bool is_for_many(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && layout->role == BufferRole::out &&
           layout->elements() < scene.run.layout.front().elements();
}

bool reads_results(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && layout->role == BufferRole::out && scene.launches != nullptr &&
           scene.launches->size() == 1 && layout->elements() >= scene.run.layout.front().elements();
}

std::string places_of_ring(const Scene& scene) {
    const Tree& tree = scene.tree();
    for (const int line : {scene.line(), scene.finding.other.line})
        for (const source::Access* access : accesses_to(scene.facts, line, shared_name(scene)))
            if (const NodeId index = binary(tree, access->indices.front(), "%"); index != no_node)
                return in_one_line(tree, child_of(tree, index, 1));
    return "";
}

int line_of_call_between(const Facts& facts, int first, int last, std::string_view name) {
    for (const source::Call& call : facts.calls)
        if (call.line > first && call.line < last && call.name.starts_with(name)) return call.line;
    return 0;
}

bool reads_and_stores(const Facts& facts, int line, const std::string& name) {
    const auto all = accesses_to(facts, line, name);
    return all.size() > 1 || (all.size() == 1 && all.front()->kind == source::AccessKind::update);
}

}  // namespace warpgrade
