#include "explain/sum_text.hpp"

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/source_names.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

// Accesses to shared arrays that store, by the assignment that each is the left side of.
std::vector<NodeId> assignments_to_shared(const Facts& facts) {
    std::vector<NodeId> all;
    const auto shared = shared_names(facts);
    for (const source::Access& access : facts.accesses) {
        const NodeId parent = facts.tree->nodes[access.node].parent;
        const source::Node& made = facts.tree->nodes[parent];
        if (shared.contains(access.array) && made.kind == NodeKind::assignment && made.child == access.node)
            all.push_back(parent);
    }
    return all;
}

}  // namespace

int first_line_like(const Facts& facts, std::string_view pattern) {
    const auto all = matches(*source::pattern_of(pattern), *facts.tree);
    return all.empty() ? 0 : all.front().at.line;
}

std::optional<std::pair<std::string, int>> brought_by_idle(const Facts& facts) {
    const Tree& tree = *facts.tree;
    for (const source::Match& match : matches(*source::pattern_of("$test ? $array[$index] : $brought"), tree)) {
        const std::string brought = in_one_line(tree, match.binding("brought")->first);
        const bool is_number = brought.find_first_not_of("-0123456789.f") == brought.npos;
        if (is_number && brought.find_first_of("123456789") != brought.npos) return std::pair{brought, match.at.line};
    }
    return std::nullopt;
}

bool adds_in_place(const Facts& facts) {
    const auto all = assignments_to_shared(facts);
    return std::any_of(all.begin(), all.end(), [&](NodeId node) { return facts.tree->nodes[node].word == "+="; });
}

int line_of_same_twice(const Facts& facts) {
    for (const source::Match& match : matches(*source::pattern_of("$a + $a"), *facts.tree))
        if (!plain_name(*facts.tree, match.binding("a")->first).empty()) return match.at.line;
    return 0;
}

int line_of_product(const Facts& facts) {
    const Tree& tree = *facts.tree;
    for (const NodeId node : assignments_to_shared(facts)) {
        if (tree[node].word == "*=" || binary(tree, child_of(tree, node, 1), "*") != no_node)
            return line_of(tree, node);
    }
    return 0;
}

}  // namespace warpgrade
