#include "explain/questions.hpp"

#include <algorithm>
#include <array>

#include "source/numbers.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr int most_definitions = 6;  // that one name leads through

template <class T>
const T* at(const std::vector<T>& all, int index) {
    return index < 0 ? nullptr : &all[static_cast<std::size_t>(index)];
}

bool leads_to(const Facts& facts, NodeId node, std::string_view wanted, int depth) {
    const Tree& tree = *facts.tree;
    const Function* const function = function_around(facts, node);
    for (const std::string_view name : names_in(tree, node)) {
        if (name == wanted) return true;
        const auto known = facts.definitions_by_name.find(name);
        if (depth == 0 || known == facts.definitions_by_name.end()) continue;
        for (const std::uint32_t index : known->second) {
            const Definition& definition = facts.definitions[index];
            if (definition.value == no_node || definition.value == node || is_missing(tree, definition.value)) continue;
            if (function_around(facts, definition.node) != function) continue;
            if (leads_to(facts, definition.value, wanted, depth - 1)) return true;
        }
    }
    return false;
}

bool has_part(const Tree& tree, NodeId declarator, NodeKind kind) {
    for (NodeId part = tree[declarator].child; part != no_node; part = tree[part].next)
        if (tree[part].kind == kind) return true;
    return false;
}

}  // namespace

bool leads_to_name(const Facts& facts, NodeId node, std::string_view name) {
    return node != no_node && leads_to(facts, node, name, most_definitions);
}
bool differs_by_thread(const Facts& facts, NodeId node) { return leads_to_name(facts, node, "threadIdx"); }
bool differs_by_block(const Facts& facts, NodeId node) { return leads_to_name(facts, node, "blockIdx"); }

bool is_argument_of_launch(const Facts& facts, NodeId node) {
    const auto holds = [&](NodeId argument) { return is_within(*facts.tree, node, argument); };
    return std::ranges::any_of(facts.launches,
                               [&](const Launch& launch) { return std::ranges::any_of(launch.arguments, holds); });
}

bool is_whole_number_type(std::string_view type) {
    static constexpr std::array<std::string_view, 14> words{
        "int",     "unsigned",     "size_t",    "std::size_t",   "long",
        "short",   "unsigned int", "long long", "unsigned long", "unsigned long long",
        "int64_t", "uint32_t",     "uint64_t",  "auto"};
    return std::ranges::find(words, type) != words.end();
}

bool is_number_type(std::string_view type) { return is_whole_number_type(type) || type == "float" || type == "double"; }

bool is_whole_value(const Facts& facts, NodeId node) {
    const Tree& tree = *facts.tree;
    for (const NodeId part : nodes_in(tree, node)) {
        const NodeKind kind = tree[part].kind;
        const bool is_operator = kind == NodeKind::binary || kind == NodeKind::parenthesised || kind == NodeKind::unary;
        const bool is_known =
            (kind == NodeKind::number && number_of(tree, part, {})) ||
            (kind == NodeKind::name &&
             (facts.numbers.contains(tree[part].word) || is_whole_number(facts, tree[part].word, line_of(tree, part))));
        if (!is_operator && !is_known) return false;
    }
    return true;
}

bool has_effects(const Tree& tree, NodeId node) {
    for (const NodeId part : nodes_in(tree, node)) {
        const NodeKind kind = tree[part].kind;
        const bool counts = tree[part].word == "++" || tree[part].word == "--";
        if (counts || kind == NodeKind::assignment || kind == NodeKind::call) return true;
    }
    return false;
}

bool is_whole_number(const Facts& facts, std::string_view name, int line) {
    const Definition* const definition = name.empty() ? nullptr : facts.declaration_of(name, line);
    if (!definition || !is_whole_number_type(definition->type)) return false;
    return !has_part(*facts.tree, definition->node, NodeKind::pointer) &&
           !has_part(*facts.tree, definition->node, NodeKind::extent);
}

std::vector<std::string_view> whole_number_parameters(const Function& function) {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : function.parameters)
        if (parameter.pointers == 0 && !parameter.name.empty() && is_whole_number_type(parameter.type))
            names.push_back(parameter.name);
    return names;
}

const SharedArray* shared_array(const Facts& facts, std::string_view name, int line) {
    const Function* const function = facts.function_at(line);
    for (const SharedArray& shared : facts.shared_arrays) {
        const bool is_seen = shared.around.function < 0 || at(facts.functions, shared.around.function) == function;
        if (shared.name == name && is_seen) return &shared;
    }
    return nullptr;
}

Memory memory_of(const Facts& facts, std::string_view array, int line) {
    if (array.empty()) return Memory::unknown;
    if (shared_array(facts, array, line)) return Memory::shared;
    const Definition* const definition = facts.declaration_of(array, line);
    if (!definition) return Memory::unknown;
    if (has_part(*facts.tree, definition->node, NodeKind::extent))
        return definition->around.function < 0 ? Memory::global : Memory::local;
    if (!has_part(*facts.tree, definition->node, NodeKind::pointer)) return Memory::unknown;
    if (definition->value == no_node || is_missing(*facts.tree, definition->value)) return Memory::global;
    for (const std::string_view name : names_in(*facts.tree, definition->value))
        if (name != array && shared_array(facts, name, line)) return Memory::shared;
    return Memory::global;
}

NodeId statement_of(const Tree& tree, NodeId node) {
    for (; node != no_node; node = tree[node].parent) {
        const NodeKind kind = tree[node].kind;
        const bool is_statement = kind == NodeKind::declaration ||
                                  (kind >= NodeKind::expression_statement && kind <= NodeKind::continue_statement);
        const NodeId parent = tree[node].parent;
        if (!is_statement || parent == no_node) continue;
        // The head of a `for` is not a statement.
        const NodeKind above = tree[parent].kind;
        const bool is_head =
            (above == NodeKind::for_statement || above == NodeKind::range_for || above == NodeKind::if_statement) &&
            tree[parent].child == node;
        if (!is_head) return node;
    }
    return no_node;
}

bool splits_threads(const Facts& facts, NodeId statement) {
    const Tree& tree = *facts.tree;
    switch (tree[statement].kind) {
        case NodeKind::if_statement:
        case NodeKind::while_statement:
        case NodeKind::switch_statement: return differs_by_thread(facts, child_of(tree, statement, 0));
        case NodeKind::do_statement: return differs_by_thread(facts, child_of(tree, statement, 1));
        case NodeKind::for_statement:
            for (std::size_t i = 0; i < 3; ++i)
                if (differs_by_thread(facts, child_of(tree, statement, i))) return true;
            return false;
        default: return false;
    }
}

}  // namespace warpgrade::explain
