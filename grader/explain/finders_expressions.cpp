// Expressions that C++ reads in another way than they look, and what the preprocessor puts into them.
#include <algorithm>
#include <map>
#include <set>

#include "explain/finders.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

std::string quoted(const Tree& tree, NodeId node) { return in_one_line(text_of(tree, node)); }
bool is_binary(const Tree& tree, NodeId node, std::string_view signs) {
    return node != no_node && tree[node].kind == NodeKind::binary &&
           (" " + std::string(signs) + " ").find(" " + std::string(tree[node].word) + " ") != std::string::npos;
}

// #define NAME(a, b) BODY, and a place where it is put in: the name, or the call.
struct MacroUse {
    const Macro* macro = nullptr;
    NodeId node = no_node, body = no_node;
};
std::vector<MacroUse> macro_uses(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::map<std::string_view, MacroUse> macros;
    for (std::size_t i = 0; i < tree.macro_bodies.size(); ++i)
        macros.insert_or_assign(tree.tokens.macros[i].name,
                                MacroUse{&tree.tokens.macros[i], no_node, tree.macro_bodies[i]});
    std::vector<MacroUse> uses;
    for (NodeId node = 0; node < tree.nodes.size() && !macros.empty() && uses.size() < 100; ++node) {
        const auto known = tree[node].kind == NodeKind::name ? macros.find(tree[node].word) : macros.end();
        if (known == macros.end() || known->second.body == no_node || function_around(facts, node) == nullptr) continue;
        const NodeId parent = tree[node].parent;
        const bool is_call = tree[parent].kind == NodeKind::call && tree[parent].child == node;
        if (is_call != known->second.macro->has_parameters) continue;
        uses.push_back(known->second);
        uses.back().node = is_call ? parent : node;
    }
    return uses;
}

// Whether a sum is in it outside of all brackets.
bool has_bare_sum(const Tree& tree, NodeId node) {
    return is_binary(tree, node, "+ -") ||
           (tree[node].kind == NodeKind::binary &&
            (has_bare_sum(tree, tree[node].child) || has_bare_sum(tree, child_of(tree, node, 1))));
}

Finding finding_of_macro(const Tree& tree, const MacroUse& use, NodeId at, std::string_view more,
                         std::string_view instead = {}) {
    return {use.node,
            range_of(tree, at),
            {{"what", std::string(use.macro->name)},
             {"other", quoted(tree, use.body)},
             {"line", std::to_string(use.macro->at.line)},
             {"more", in_one_line(more)},
             {"instead", std::string(instead)}}};
}

// n / SIDE where SIDE is put in as 16 + 16
std::vector<Finding> macro_sum(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::vector<Finding> found;
    std::set<std::string_view> told;
    for (const MacroUse& use : macro_uses(facts)) {
        const NodeId parent = tree[use.node].parent;
        const bool is_second = child_of(tree, parent, 1) == use.node;
        if (has_bare_sum(tree, use.body) && is_binary(tree, parent, is_second ? "* / % -" : "* / %") &&
            told.insert(use.macro->name).second)
            found.push_back(finding_of_macro(tree, use, use.node, tree[parent].word));
    }
    return found;
}
// IDX(y + 1, x) where IDX(r, c) is r * cols + c
std::vector<Finding> macro_argument(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::vector<Finding> found;
    for (const MacroUse& use : macro_uses(facts))
        for (std::size_t i = 0; i < use.macro->parameters.size(); ++i) {
            const NodeId argument = child_of(tree, use.node, i + 1);
            if (argument == no_node || !has_bare_sum(tree, argument)) continue;
            const std::vector<NodeId> parts = nodes_in(tree, use.body);
            if (std::ranges::any_of(parts, [&](NodeId part) {
                    return tree[part].kind == NodeKind::name && tree[part].word == use.macro->parameters[i] &&
                           is_binary(tree, tree[part].parent, "* / %");
                }))
                found.push_back(
                    finding_of_macro(tree, use, argument, text_of(tree, argument), use.macro->parameters[i]));
        }
    return found;
}

// i / rows and i % cols, of one number by two parameters, and nothing else of it.
std::vector<Finding> quotient_and_remainder(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::map<std::pair<const Function*, std::string_view>, std::vector<NodeId>> by_number;
    for (NodeId node = 0; node < facts.around_node.size(); ++node) {
        const Function* const function = function_around(facts, node);
        const std::string_view number = plain_name(tree, child_of(tree, node));
        if (function && !function->has_directives && is_binary(tree, node, "/ %") && !number.empty())
            by_number[{function, number}].push_back(node);
    }
    std::vector<Finding> found;
    for (const auto& [key, nodes] : by_number) {
        if (nodes.size() != 2 || tree[nodes[0]].word == tree[nodes[1]].word) continue;
        const bool is_first = tree[nodes[0]].word == "/";
        const NodeId quotient = nodes[is_first ? 0 : 1], remainder = nodes[is_first ? 1 : 0];
        const std::string_view by = plain_name(tree, child_of(tree, quotient, 1)),
                               other = plain_name(tree, child_of(tree, remainder, 1));
        const std::vector<std::string_view> names = whole_number_parameters(*key.first);
        const auto is_parameter_name = [&](std::string_view name) {
            return std::ranges::find(names, name) != names.end();
        };
        if (by != other && is_parameter_name(by) && is_parameter_name(other))
            found.push_back({remainder,
                             range_of(tree, child_of(tree, remainder, 1)),
                             {{"what", quoted(tree, quotient)}, {"other", quoted(tree, remainder)}}});
    }
    return found;
}

}  // namespace

const std::vector<FinderRow> finders_of_expressions{
    {"macro_sum", macro_sum}, {"macro_argument", macro_argument}, {"quotient_and_remainder", quotient_and_remainder}};

}  // namespace warpgrade::explain
