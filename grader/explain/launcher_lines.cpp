#include "explain/launcher_lines.hpp"

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

// `n == 0 || rows <= 0`
bool asks_for_nothing(const Tree& tree, const source::Guard& guard) {
    return guard.connector != "&&" && std::ranges::all_of(guard.comparisons, [&](const source::Comparison& one) {
               return (one.sign == "==" || one.sign == "<=") && text_of(tree, one.right) == "0";
           });
}

bool is_on_device(const Tree& tree, const source::Definition& definition) {
    const std::string_view type = text_of(tree, tree[tree[definition.node].parent].child);
    const bool is_one = is_missing(tree, tree[definition.node].child) ||
                        tree[tree[definition.node].child].kind == NodeKind::initialiser;
    return type.find("__device__") != type.npos && type.find("const") == type.npos && is_one;
}

}  // namespace

int line_never_reached(const Facts& facts, const std::vector<vgpu::LineCounters>& by_line) {
    const auto shared = shared_names(facts);
    const auto any_line = [&](int first, int last, std::uint64_t vgpu::Counters::*made_of) {
        return std::ranges::any_of(by_line, [&](const vgpu::LineCounters& one) {
            return one.line >= first && one.line <= last && one.counters.*made_of != 0;
        });
    };
    int found = 0;
    for (const source::Access& store : facts.accesses) {
        const source::Guard* const guard = facts.guard_at(store.line);
        const source::Function* const function = function_around(facts, store.node);
        const bool is_store = store.kind == source::AccessKind::store || store.kind == source::AccessKind::update;
        if (!is_store || !function || !guard || guard->line != store.line || store.array.empty() ||
            shared.contains(store.array))
            continue;
        if (store.line == found || any_line(store.line, store.line, &vgpu::Counters::global_store_requests) ||
            !any_line(function->line, store.line - 1, &vgpu::Counters::warp_instructions))
            continue;
        if (found != 0) return 0;
        found = store.line;
    }
    return found;
}

int line_of_return(const Facts& facts, int launch) {
    const source::Function* const function = facts.function_at(launch);
    for (const NodeId node : nodes_in(*facts.tree, function ? function->body : no_node))
        if ((*facts.tree)[node].kind == NodeKind::return_statement && line_of(*facts.tree, node) > launch)
            return line_of(*facts.tree, node);
    return 0;
}

int line_of_next_count(const Facts& facts, int launch) {
    int found = 0;
    for (const source::Definition& definition : facts.definitions) {
        if (definition.name != "n" || definition.kind != source::DefinitionKind::assigned) continue;
        const bool is_behind = definition.at.line > launch && facts.function_at(launch) != nullptr &&
                               function_around(facts, definition.node) == facts.function_at(launch);
        if (is_behind && found != 0) return 0;
        if (is_behind) found = definition.at.line;
    }
    return found;
}

LauncherTest test_before_launch(const Facts& facts, int launch, bool has_elements) {
    constexpr std::size_t longest_shown = 60;
    const source::Launch* const at = launch_at(facts, launch);
    for (const source::Test& test : tests_before(facts, at ? at->node : no_node)) {
        const NodeId condition = test.guard ? test.guard->condition : test.loop->condition;
        const std::string text = in_one_line(*facts.tree, condition);
        const bool returns = !test.exits || test.guard->exit == source::Exit::returns;
        if (!returns || text.empty() || text == "true" || text == "1" || text.size() > longest_shown) continue;
        if (has_elements && test.guard && asks_for_nothing(*facts.tree, *test.guard)) continue;
        return {line_of(*facts.tree, condition), text};
    }
    return {};
}

KeptVariable variable_kept(const Facts& facts) {
    KeptVariable kept;
    for (const source::Definition& variable : facts.definitions) {
        if (variable.kind != source::DefinitionKind::declared || variable.around.function >= 0 ||
            !is_on_device(*facts.tree, variable))
            continue;
        bool is_set = false;
        int line = 0;
        const auto note = [&](int changed) { line = line == 0 ? changed : std::min(line, changed); };
        for (const std::uint32_t other : facts.definitions_by_name.at(variable.name)) {
            is_set = is_set || facts.definitions[other].kind == source::DefinitionKind::assigned;
            if (facts.definitions[other].kind == source::DefinitionKind::updated)
                note(facts.definitions[other].at.line);
        }
        for (const source::Access& access : facts.accesses)
            if (access.array == variable.name && access.kind == source::AccessKind::atomic) note(access.line);
        if (line == 0 || is_set) continue;
        if (kept.line != 0) return {};
        kept = {variable.at.line, line, std::string(variable.name)};
    }
    return kept;
}

}  // namespace warpgrade
