// Two pointers that a loop exchanges: which of them has the result after the last iteration. Sizes of what has a border
// on both sides.
#include <algorithm>
#include <set>

#include "explain/generators.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

bool is_pointer(const Facts& facts, std::string_view name, int line) {
    const Definition* const known = facts.declaration_of(name, line);
    if (known == nullptr) return false;
    const std::vector<NodeId> parts = children_of(*facts.tree, known->node);
    return std::ranges::any_of(parts, [&](NodeId part) { return (*facts.tree)[part].kind == NodeKind::pointer; });
}

// Pointers from before the loop that its body sets.
std::set<std::string_view> pointers_set_in(const Facts& facts, const Loop& loop) {
    std::set<std::string_view> names;
    for (const Definition& one : facts.definitions)
        if (one.kind == DefinitionKind::assigned && is_within(*facts.tree, one.node, loop.body) &&
            is_pointer(facts, one.name, loop.line))
            names.insert(one.name);
    for (const Call& call : facts.calls)
        if (call.name.ends_with("swap") && is_within(*facts.tree, call.node, loop.body))
            for (const NodeId argument : call.arguments)
                if (const auto name = plain_name(*facts.tree, argument); is_pointer(facts, name, loop.line))
                    names.insert(name);
    return names;
}

// In the text that follows the loop, up to the end of the block that it is in.
std::vector<NodeId> uses_after(const Tree& tree, const Loop& loop, std::string_view name) {
    std::vector<NodeId> uses;
    for (NodeId other = tree[loop.node].next; other != no_node; other = tree[other].next)
        for (const NodeId node : nodes_in(tree, other))
            if (tree[node].kind == NodeKind::name && tree[node].word == name) uses.push_back(node);
    std::ranges::sort(uses, {}, [&](NodeId node) { return range_of(tree, node).offset; });
    return uses;
}

}  // namespace

std::vector<Edit> other_buffer_after_loop(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop& loop : scene.facts.loops) {
        if (loop.body == no_node) continue;
        const std::set<std::string_view> names = pointers_set_in(scene.facts, loop);
        if (names.size() != 2) continue;
        std::string_view used = *names.begin(), other = *names.rbegin();
        if (uses_after(tree, loop, used).empty()) std::swap(used, other);
        const std::vector<NodeId> uses = uses_after(tree, loop, used);
        if (uses.empty() || !uses_after(tree, loop, other).empty()) continue;
        const Range first = range_of(tree, uses.front());
        std::string after;
        std::size_t from = first.offset;
        for (const NodeId use : uses) {
            const Range at = range_of(tree, use);
            after.append(tree.tokens.text->substr(from, at.offset - from)).append(other);
            from = at.end();
        }
        edits.push_back({{first.offset, from - first.offset, first.line, first.column},
                         std::move(after),
                         first.line,
                         std::string(used),
                         std::string(other),
                         uses.front()});
    }
    return edits;
}

namespace {

// `(n + T - 1) / T` rounds up: T is no border there.
bool is_divided_by(const Tree& tree, NodeId node, std::string_view name) {
    for (; tree[node].parent != no_node; node = tree[node].parent) {
        const NodeId above = tree[node].parent;
        if (tree[above].kind == NodeKind::binary && tree[above].word == "/" &&
            plain_name(tree, child_of(tree, above, 1)) == name)
            return true;
    }
    return false;
}

}  // namespace

std::vector<Edit> second_side(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    std::vector<NodeId> sizes;
    for (const Constant& constant : scene.facts.constants) sizes.push_back(constant.value);
    for (const SharedArray& array : scene.facts.shared_arrays)
        sizes.insert(sizes.end(), array.extents.begin(), array.extents.end());
    for (const Loop& loop : scene.facts.loops) sizes.push_back(loop.bound);
    for (const NodeId size : sizes) {
        if (size == no_node) continue;
        for (const NodeId node : nodes_in(tree, size)) {
            const NodeId halo =
                tree[node].kind == NodeKind::binary && tree[node].word == "+" ? child_of(tree, node, 1) : no_node;
            const std::string_view name = halo == no_node ? "" : plain_name(tree, halo);
            if (name.empty() || !scene.facts.numbers.contains(name) || is_divided_by(tree, node, name)) continue;
            const Range at = range_of(tree, size);
            edits.push_back({at,
                             with_tokens(tree, at, {{range_of(tree, halo), "2 * " + std::string(name)}}),
                             at.line,
                             std::string(name),
                             {},
                             size});
        }
    }
    return edits;
}

}  // namespace warpgrade::explain
