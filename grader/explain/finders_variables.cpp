// Variables that hide one another, or begin with no value.

#include "explain/finders.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

NodeId scope_of(const Tree& tree, NodeId node) {
    for (; tree[node].parent != no_node; node = tree[node].parent) {
        const NodeKind kind = tree[node].kind;
        if (kind == NodeKind::block || kind == NodeKind::function || kind == NodeKind::record ||
            (kind >= NodeKind::if_statement && kind <= NodeKind::switch_statement))
            break;
    }
    return node;
}

// A variable that a function on the device declares.
struct Variable {
    const Definition* definition = nullptr;
    NodeId scope = no_node;
};
std::vector<Variable> variables_of(const Facts& facts) {
    constexpr std::size_t most = 500;
    std::vector<Variable> all;
    for (const Definition& definition : facts.definitions) {
        const Function* const function = function_around(facts, definition.node);
        if (definition.kind != DefinitionKind::declared || all.size() > most || function == nullptr ||
            !function->is_on_device() || function->has_directives)
            continue;
        const NodeId scope = scope_of(*facts.tree, definition.node);
        if ((*facts.tree)[scope].kind != NodeKind::record) all.push_back({&definition, scope});
    }
    return all;
}

// The tokens of its name after its declaration in its scope, without those in `but`, and those in macros.
std::vector<TokenId> mentions_of(const Tree& tree, const Variable& variable, NodeId but = no_node) {
    const auto& code = tree.tokens.code;
    std::vector<TokenId> found;
    const auto look = [&](TokenId begin, TokenId end) {
        for (TokenId i = begin; i < end; ++i) {
            const bool is_left_out = but != no_node && tree[but].first <= i && i < tree[but].last;
            const bool is_member = i > 0 && (code[i - 1].text == "." || code[i - 1].text == "->");
            if (code[i].text == variable.definition->name && !is_member && !is_left_out) found.push_back(i);
        }
    };
    look(tree[variable.definition->node].first + 1, tree[variable.scope].last);
    look(tree.tokens.file_end, static_cast<TokenId>(code.size()));
    return found;
}

// The inner one of two of a name, whose other one is used nowhere.
std::vector<Finding> hidden(const Facts& facts, bool is_inner_unused) {
    const Tree& tree = *facts.tree;
    const std::vector<Variable> variables = variables_of(facts);
    std::vector<Finding> found;
    for (const Variable& inner : variables)
        for (const Variable& outer : variables) {
            const Definition &made = *inner.definition, &other = *outer.definition;
            if (&outer >= &inner || other.name != made.name || outer.scope == inner.scope ||
                !is_within(tree, inner.scope, outer.scope))
                continue;
            const bool is_used = !mentions_of(tree, inner).empty();
            const bool is_this = is_inner_unused ? !is_used : is_used && mentions_of(tree, outer, inner.scope).empty();
            if (is_this)
                found.push_back(
                    {made.node, made.at, {{"what", std::string(made.name)}, {"line", std::to_string(other.at.line)}}});
        }
    return found;
}
std::vector<Finding> unused_hides(const Facts& facts) { return hidden(facts, true); }
std::vector<Finding> hides_unused(const Facts& facts) { return hidden(facts, false); }

// Not of a class, which can begin with a value.
bool is_plain_number(const Facts& facts, const Definition& definition) {
    const Tree& tree = *facts.tree;
    const std::string_view type = text_of(tree, tree[tree[definition.node].parent].child);
    return tree[definition.node].child == no_node && type.find("static") == std::string_view::npos &&
           type.find("__shared__") == std::string_view::npos &&
           (is_number_type(definition.type) || function_around(facts, definition.node)->is_template);
}

// float sum; and the first that is done with it is sum += ..., or in a loop sum = sum + ...
std::vector<Finding> unset_sum(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::vector<Finding> found;
    for (const Variable& variable : variables_of(facts)) {
        const Definition& made = *variable.definition;
        if (!is_plain_number(facts, made)) continue;
        const std::vector<TokenId> mentions = mentions_of(tree, variable);
        for (const std::uint32_t index : facts.definitions_by_name.at(made.name)) {
            const Definition& set = facts.definitions[index];
            if (mentions.empty() || set.at != tree.tokens.code[mentions.front()].at) continue;
            const bool is_of_itself = loop_around(facts, set.node) != loop_around(facts, made.node) &&
                                      set.kind == DefinitionKind::assigned &&
                                      names_in(tree, set.value).contains(made.name);
            if (set.kind == DefinitionKind::updated || is_of_itself)
                found.push_back({made.node,
                                 made.at,
                                 {{"what", std::string(made.name)},
                                  {"other", std::string(made.type)},
                                  {"line", std::to_string(set.at.line)}}});
        }
    }
    return found;
}

}  // namespace

const std::vector<FinderRow> finders_of_variables{
    {"unused_hides", unused_hides}, {"hides_unused", hides_unused}, {"unset_sum", unset_sum}};

}  // namespace warpgrade::explain
