// One name in an expression for another one of the same kind.
#include <algorithm>
#include <map>
#include <set>

#include "explain/generators.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

std::string with_tokens(const Tree& tree, const Range& at, Replacements tokens) {
    std::ranges::sort(tokens, [](const auto& a, const auto& b) { return a.first.offset < b.first.offset; });
    const std::string& whole = *tree.tokens.text;
    std::string out;
    std::size_t from = at.offset;
    for (const auto& [range, text] : tokens) {
        out += whole.substr(from, range.offset - from) + text;
        from = range.end();
    }
    return out + whole.substr(from, at.end() - from);
}

namespace {

// The expressions in which a name is likely to be the wrong one: indices, comparisons, values of whole numbers.
struct Unit {
    NodeId node = no_node;
    bool is_whole =
        false;  // a test of several comparisons, all subscripts of an access: names are exchanged, not replaced
    NodeId shown = no_node;  // what a message quotes: of a value its definition
};

Edit edit_of(const Tree& tree, const Unit& unit, const Replacements& tokens, std::string_view what,
             std::string_view other) {
    const Range at = range_of(tree, unit.shown == no_node ? unit.node : unit.shown);
    return {at, with_tokens(tree, at, tokens), at.line, std::string(what), std::string(other), unit.node};
}

std::vector<Unit> units(const Facts& facts) {
    std::vector<Unit> found;
    const Tree& tree = *facts.tree;
    for (const Access& access : facts.accesses) {
        for (const NodeId index : access.indices) found.push_back({index});
        if (access.indices.size() > 1) found.push_back({access.node, true});
    }
    for (const Guard& guard : facts.guards) {
        for (const Comparison& comparison : guard.comparisons) found.push_back({comparison.node});
        if (guard.comparisons.size() > 1) found.push_back({guard.condition, true});
    }
    for (const Loop& loop : facts.loops) {
        if (loop.bound != no_node) found.push_back({loop.bound, false, loop.condition});
        if (loop.step != no_node) found.push_back({loop.step, false, tree[loop.step].parent});
    }
    for (const Definition& definition : facts.definitions) {
        if (definition.value == no_node || definition.kind == DefinitionKind::parameter) continue;
        if (definition.around.function < 0) continue;
        if (is_whole_number(facts, definition.name, definition.at.line))
            found.push_back({definition.value, false, definition.node});
    }
    for (const Definition& definition : facts.definitions)
        if (definition.type == "dim3" && definition.kind == DefinitionKind::declared)
            found.push_back({definition.node});
    for (const Call& call : facts.calls)
        if (call.name == "dim3") found.push_back({call.node});
    for (const Call& call : facts.calls)
        if (facts.function_named(call.name) && call.arguments.size() > 1) found.push_back({call.node, true});
    // One expression is in two lists where the definition is a loop's start.
    std::vector<Unit> unique;
    for (const Unit& unit : found) {
        const auto is_known = [&](const Unit& other) { return other.node == unit.node; };
        if (unit.node != no_node && !is_missing(tree, unit.node) && std::ranges::none_of(unique, is_known))
            unique.push_back(unit);
    }
    return unique;
}

std::vector<NodeId> uses_of(const Tree& tree, NodeId unit, std::string_view name) {
    std::vector<NodeId> uses;
    for (const NodeId node : nodes_in(tree, unit))
        if (tree[node].kind == NodeKind::name && tree[node].child == no_node && tree[node].word == name)
            uses.push_back(node);
    return uses;
}

Replacements renamed(const Tree& tree, NodeId unit, std::string_view a, std::string_view b) {
    Replacements tokens;
    for (const NodeId node : uses_of(tree, unit, a)) tokens.emplace_back(range_of(tree, node), b);
    for (const NodeId node : uses_of(tree, unit, b)) tokens.emplace_back(range_of(tree, node), a);
    return tokens;
}

// All pairs of `names` that the unit has both of, exchanged.
void exchange(const Facts& facts, const Unit& unit, const std::vector<std::string_view>& names,
              std::vector<Edit>& edits) {
    const Tree& tree = *facts.tree;
    const std::string_view sign = tree[inside(tree, unit.node)].word;
    if (sign == "==" || sign == "!=") return;  // its sides can be exchanged: that is no mistake
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = i + 1; j < names.size(); ++j)
            if (!uses_of(tree, unit.node, names[i]).empty() && !uses_of(tree, unit.node, names[j]).empty())
                edits.push_back(edit_of(tree, unit, renamed(tree, unit.node, names[i], names[j]), names[i], names[j]));
}

// Each use of one of `names`, one at a time, by each other one.
void replace(const Facts& facts, const Unit& unit, const std::vector<std::string_view>& names,
             std::vector<Edit>& edits) {
    const Tree& tree = *facts.tree;
    for (const std::string_view name : names)
        for (const NodeId use : uses_of(tree, unit.node, name))
            for (const std::string_view other : names)
                if (other != name)
                    edits.push_back(edit_of(tree, unit, {{range_of(tree, use), std::string(other)}}, name, other));
}

std::vector<std::string_view> parameters_around(const Facts& facts, NodeId unit) {
    const Function* const function = function_around(facts, unit);
    return function ? whole_number_parameters(*function) : std::vector<std::string_view>();
}

// `threadIdx.x`: the member nodes of the built-in variables below a node.
std::vector<NodeId> axes_in(const Tree& tree, NodeId unit) {
    std::vector<NodeId> found;
    for (const NodeId node : nodes_in(tree, unit)) {
        if (tree[node].kind != NodeKind::member || (tree[node].word != "x" && tree[node].word != "y")) continue;
        const std::string_view object = plain_name(tree, tree[node].child);
        if (object == "threadIdx" || object == "blockIdx" || object == "blockDim" || object == "gridDim")
            found.push_back(node);
    }
    return found;
}

Range axis_token(const Tree& tree, NodeId member) {
    Range at = range_of(tree, member);
    at.offset = at.end() - 1;
    at.length = 1;
    return at;
}
// Whether the text has a second dimension at all.
bool has_two_axes(const Tree& tree) {
    return std::ranges::any_of(tree.nodes, [](const Node& node) {
        return (node.kind == NodeKind::member && node.word == "y") || node.word == "dim3";
    });
}
std::string other_axis(const Tree& tree, NodeId member) { return tree[member].word == "x" ? "y" : "x"; }

}  // namespace

std::vector<Edit> exchange_parameters(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Unit& unit : units(scene.facts))
        exchange(scene.facts, unit, parameters_around(scene.facts, unit.node), edits);
    return edits;
}

std::vector<Edit> replace_parameter(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Unit& unit : units(scene.facts))
        if (!unit.is_whole || scene.tree()[unit.node].kind == NodeKind::call)
            replace(scene.facts, unit, parameters_around(scene.facts, unit.node), edits);
    return edits;
}

namespace {

// `y * p + x` of an x that counts the threads of a warp: its row length may be wrong, its order is not.
bool is_along_warp(const Facts& facts, NodeId unit) {
    const Tree& tree = *facts.tree;
    const auto nodes = nodes_in(tree, unit);
    return std::ranges::any_of(nodes, [&](NodeId node) {
        const bool is_sum = tree[node].kind == NodeKind::binary && tree[node].word == "+";
        const NodeId left = is_sum ? child_of(tree, node, 0) : no_node;
        if (left == no_node || tree[left].kind != NodeKind::binary || tree[left].word != "*") return false;
        const Definition* const last =
            facts.declaration_of(plain_name(tree, child_of(tree, node, 1)), line_of(tree, node));
        return last != nullptr && last->value != no_node &&
               text_of(tree, last->value).find("threadIdx.x") != std::string_view::npos;
    });
}

}  // namespace

std::vector<Edit> replace_row_length(const Scene& scene) {
    std::vector<Edit> edits = replace_parameter(scene);
    std::erase_if(edits, [&](const Edit& edit) { return !is_along_warp(scene.facts, edit.node); });
    return edits;
}

std::vector<Edit> exchange_variables(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Unit& unit : units(scene.facts)) {
        const int line = line_of(scene.tree(), unit.node);
        const std::vector<std::string_view> parameters = parameters_around(scene.facts, unit.node);
        std::vector<std::string_view> names;
        for (const std::string_view name : names_in(scene.tree(), unit.node)) {
            const bool is_parameter = std::ranges::find(parameters, name) != parameters.end();
            const Definition* const definition = scene.facts.declaration_of(name, line);
            const bool is_local = definition && definition->around.function >= 0 && !scene.facts.numbers.contains(name);
            if (is_local && !is_parameter && is_whole_number(scene.facts, name, line)) names.push_back(name);
        }
        exchange(scene.facts, unit, names, edits);
    }
    return edits;
}

std::vector<Edit> exchange_axes(const Scene& scene) {
    std::vector<Edit> edits;
    if (!has_two_axes(scene.tree())) return edits;
    for (const Unit& unit : units(scene.facts)) {
        Replacements tokens;
        for (const NodeId member : axes_in(scene.tree(), unit.node))
            tokens.emplace_back(axis_token(scene.tree(), member), other_axis(scene.tree(), member));
        // One alone is replaced.
        if (tokens.size() > 1) edits.push_back(edit_of(scene.tree(), unit, tokens, "x", "y"));
    }
    return edits;
}

std::vector<Edit> exchange_axes_of_kernel(const Scene& scene) {
    const Tree& tree = scene.tree();
    std::vector<Edit> edits;
    for (const Function& function : scene.facts.functions) {
        if (function.side != Side::kernel || function.body == no_node) continue;
        for (const std::string_view name : {"threadIdx", "blockIdx"}) {
            Replacements tokens;
            std::set<std::string> axes;
            Range at{};
            NodeId first = no_node;
            for (const NodeId member : axes_in(tree, function.body)) {
                if (plain_name(tree, tree[member].child) != name) continue;
                const Range token = axis_token(tree, member);
                if (first == no_node) first = member, at = range_of(tree, member);
                at.length = token.end() - at.offset;
                axes.insert(other_axis(tree, member));
                tokens.emplace_back(token, other_axis(tree, member));
            }
            if (axes.size() < 2) continue;
            edits.push_back(
                {at, with_tokens(tree, at, tokens), at.line, std::string(name), std::string(function.name), first});
        }
    }
    return edits;
}

std::vector<Edit> replace_axis(const Scene& scene) {
    std::vector<Edit> edits;
    if (!has_two_axes(scene.tree())) return edits;
    for (const Unit& unit : units(scene.facts)) {
        const std::vector<NodeId> members = axes_in(scene.tree(), unit.node);
        for (const NodeId member : members) {
            const std::string other = other_axis(scene.tree(), member);
            const std::string before(text_of(scene.tree(), member));
            edits.push_back(edit_of(scene.tree(), unit, {{axis_token(scene.tree(), member), other}}, before,
                                    before.substr(0, before.size() - 1) + other));
        }
    }
    return edits;
}

std::vector<Edit> index_in_block(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Access& access : scene.facts.accesses) {
        if (memory_of(scene.facts, access.array, access.line) != Memory::shared) continue;
        Replacements tokens;
        for (const NodeId index : access.indices)
            for (const NodeId node : nodes_in(tree, index)) {
                if (tree[node].kind != NodeKind::name) continue;
                const Definition* definition = scene.facts.definition_before(tree[node].word, access.line);
                if (!definition) definition = scene.facts.declaration_of(tree[node].word, access.line);
                if (!definition || definition->value == no_node || !differs_by_block(scene.facts, definition->value))
                    continue;
                for (const NodeId member : nodes_in(tree, definition->value))
                    if (tree[member].kind == NodeKind::member && plain_name(tree, tree[member].child) == "threadIdx") {
                        tokens.emplace_back(range_of(tree, node), text_of(tree, member));
                        break;
                    }
            }
        if (!tokens.empty()) edits.push_back(edit_of(tree, Unit{access.node}, tokens, access.array, {}));
    }
    return edits;
}

std::vector<Edit> replace_constant(const Scene& scene) {
    constexpr std::int64_t most_size = 65536;  // a mask is none
    std::vector<Edit> edits;
    std::vector<std::string_view> names;
    for (const Constant& constant : scene.facts.constants)
        if (constant.number && *constant.number > 1 && *constant.number <= most_size && constant.around.function < 0)
            names.push_back(constant.name);
    for (const Unit& unit : units(scene.facts))
        if (!unit.is_whole && function_around(scene.facts, unit.node)) replace(scene.facts, unit, names, edits);
    for (const Launch& launch : scene.facts.launches)
        for (const NodeId argument : launch.arguments)
            replace(scene.facts, {argument, false, launch.node}, names, edits);
    return edits;
}

namespace {

// What a variable is a part of: of `tid / 32` and `tid % 32` tid.
std::string_view whole_of(const Tree& tree, const Definition& definition) {
    const NodeId value = definition.value == no_node ? no_node : inside(tree, definition.value);
    if (value == no_node || tree[value].kind != NodeKind::binary) return {};
    if (tree[value].word != "/" && tree[value].word != "%") return {};
    return text_of(tree, inside(tree, child_of(tree, value)));
}

}  // namespace

std::vector<Edit> replace_part(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    const auto function_of = [&](NodeId node) { return function_around(scene.facts, node); };
    std::map<std::pair<const Function*, std::string_view>, std::vector<const Definition*>> groups;  // by their whole
    for (const Definition& definition : scene.facts.definitions) {
        const std::string_view whole = whole_of(tree, definition);
        if (definition.kind == DefinitionKind::declared && !whole.empty() && function_of(definition.node) &&
            differs_by_thread(scene.facts, definition.value))
            groups[{function_of(definition.node), whole}].push_back(&definition);
    }
    for (auto& [of, parts] : groups)
        for (const Definition& definition : scene.facts.definitions)
            if (definition.kind == DefinitionKind::declared && function_of(definition.node) == of.first &&
                definition.value != no_node &&
                (definition.name == of.second || text_of(tree, inside(tree, definition.value)) == of.second))
                parts.push_back(&definition);
    if (groups.empty()) return edits;
    for (const Unit& unit : units(scene.facts))
        for (const auto& [of, parts] : groups) {
            if (unit.is_whole || function_of(unit.node) != of.first || !of.first->is_on_device()) continue;
            std::vector<std::string_view> names;
            for (const Definition* part : parts)
                if (part->at.offset < range_of(tree, unit.node).offset) names.push_back(part->name);
            replace(scene.facts, unit, names, edits);
        }
    return edits;
}

std::vector<Edit> shuffle_by_loop(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Call& call : scene.facts.calls) {
        if (!call.name.starts_with("__shfl_") || call.arguments.size() < 3) continue;
        const NodeId lanes = call.arguments[2];
        for (const Loop& loop : scene.facts.loops)
            if (!loop.variable.empty() && tree[lanes].kind == NodeKind::number && is_within(tree, call.node, loop.body))
                edits.push_back(edit_of(tree, Unit{call.node}, {{range_of(tree, lanes), std::string(loop.variable)}},
                                        text_of(tree, lanes), loop.variable));
    }
    return edits;
}

std::vector<Edit> exchange_arguments(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    const auto add = [&](std::string_view name, const std::vector<NodeId>& arguments, NodeId node) {
        const Function* const function = scene.facts.function_named(name);
        if (!function || function->parameters.size() != arguments.size()) return;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            for (std::size_t j = i + 1; j < arguments.size(); ++j) {
                const Parameter &a = function->parameters[i], &b = function->parameters[j];
                if (a.type != b.type || a.pointers != b.pointers) continue;
                const std::string first(text_of(tree, arguments[i])), second(text_of(tree, arguments[j]));
                edits.push_back(edit_of(tree, Unit{node},
                                        {{range_of(tree, arguments[i]), second}, {range_of(tree, arguments[j]), first}},
                                        first, second));
            }
    };
    for (const Launch& launch : scene.facts.launches) add(launch.kernel, launch.arguments, launch.node);
    for (const Call& call : scene.facts.calls) add(call.name, call.arguments, call.node);
    return edits;
}

}  // namespace warpgrade::explain
