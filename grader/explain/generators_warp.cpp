// Loops of a warp over the distinct values of its lanes, and elements that each thread should have for itself.
#include <algorithm>

#include "explain/generators.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

bool is_vote(std::string_view name) { return name == "__ballot_sync" || name == "__match_any_sync"; }

// Declared in the loop, as the lanes for which a vote is true.
std::vector<std::string_view> lanes_found_in(const Facts& facts, const Loop& loop) {
    std::vector<std::string_view> names;
    for (const Definition& definition : facts.definitions) {
        if (definition.kind != DefinitionKind::declared || definition.value == no_node ||
            !is_within(*facts.tree, definition.node, loop.body))
            continue;
        const NodeId value = inside(*facts.tree, definition.value);
        if (std::ranges::any_of(facts.calls,
                                [&](const Call& call) { return call.node == value && is_vote(call.name); }))
            names.push_back(definition.name);
    }
    return names;
}

}  // namespace

std::vector<Edit> remove_found_lanes(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop& loop : scene.facts.loops) {
        if (loop.condition == no_node || loop.body == no_node) continue;
        const auto names = names_in(tree, loop.condition);
        for (const Definition& change : scene.facts.definitions) {
            if (change.kind < DefinitionKind::assigned || !names.contains(change.name) ||
                !is_within(tree, change.node, loop.node))
                continue;
            for (const std::string_view lanes : lanes_found_in(scene.facts, loop))
                edits.push_back({range_of(tree, change.node), std::string(change.name) + " &= ~" + std::string(lanes),
                                 change.at.line, std::string(change.name), std::string(lanes), change.node});
        }
    }
    return edits;
}

namespace {

// `part[0]`, `*part`
bool is_first_element(const Tree& tree, const Access& access) {
    if (access.indices.empty()) return access.is_dereference;
    return access.indices.size() == 1 && tree[access.indices.front()].word == "0";
}

}  // namespace

std::vector<Edit> store_own_element(const Scene& scene) {
    std::vector<Edit> edits;
    const Facts& facts = scene.facts;
    const Tree& tree = scene.tree();
    for (const Access& first : facts.accesses) {
        if (first.kind != source::AccessKind::store || !is_first_element(tree, first) ||
            memory_of(facts, first.array, first.line) != Memory::shared)
            continue;
        std::vector<std::string> seen;
        for (const Access& other : facts.accesses) {
            if (other.kind != source::AccessKind::store || other.array != first.array || other.indices.size() != 1 ||
                other.around.function != first.around.function || !differs_by_thread(facts, other.indices.front()))
                continue;
            const std::string own(text_of(tree, other.node));
            if (std::ranges::find(seen, own) != seen.end()) continue;
            seen.push_back(own);
            edits.push_back({range_of(tree, first.node), own, first.line, std::string(first.array), own, first.node});
        }
    }
    return edits;
}

}  // namespace warpgrade::explain
