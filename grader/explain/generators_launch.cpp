// What the launcher passes: one number or one size of a region for another one that it knows.
#include <algorithm>

#include "explain/generators.hpp"
#include "explain/questions.hpp"
#include "source/numbers.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

// Whole numbers that a host function knows before `line`: its own variables and parameters.
std::vector<std::string_view> numbers_known(const Facts& facts, const Function& function, int line) {
    std::vector<std::string_view> names;
    for (const Definition& definition : facts.definitions)
        if (definition.kind <= DefinitionKind::declared && function_around(facts, definition.node) == &function &&
            facts.declaration_of(definition.name, line) == &definition && is_whole_number(facts, definition.name, line))
            names.push_back(definition.name);
    return names;
}

std::vector<std::string_view> constants_known(const Facts& facts) {
    std::vector<std::string_view> names;
    for (const Constant& constant : facts.constants)
        if (constant.around.function < 0 && facts.numbers.contains(constant.name)) names.push_back(constant.name);
    return names;
}

// Each whole number by name in `value`, by each other one that is known there; `shown`: what a message quotes.
enum class Others { computed, own, all };  // by the launcher; its parameters, too; and constants
void replace_numbers(const Scene& scene, NodeId value, NodeId shown, Others others, std::vector<Edit>& edits) {
    const Facts& facts = scene.facts;
    const Tree& tree = scene.tree();
    const Function* const function = function_around(facts, value);
    if (!function || function->is_on_device()) return;
    const Range at = range_of(tree, shown);
    const std::string& whole = *tree.tokens.text;
    const std::vector<std::string_view> constants = constants_known(facts);
    std::vector<std::string_view> names = numbers_known(facts, *function, line_of(tree, value));
    if (others == Others::all) names.insert(names.end(), constants.begin(), constants.end());
    const std::vector<std::string_view> parameters = whole_number_parameters(*function);
    const auto has = [](const auto& all, std::string_view name) { return std::ranges::find(all, name) != all.end(); };
    for (const NodeId node : nodes_in(tree, value)) {
        if (tree[node].kind != NodeKind::name || tree[node].child != no_node) continue;
        if (!has(names, tree[node].word) && !has(constants, tree[node].word)) continue;
        const Range use = range_of(tree, node);
        for (const std::string_view other : names)
            if (other != tree[node].word && !(others == Others::computed && has(parameters, other)))
                edits.push_back({at,
                                 whole.substr(at.offset, use.offset - at.offset) + std::string(other) +
                                     whole.substr(use.end(), at.end() - use.end()),
                                 use.line, std::string(tree[node].word), std::string(other), value});
    }
}

bool is_pointer_declaration(const Tree& tree, const Definition& definition) {
    const std::vector<NodeId> parts = children_of(tree, definition.node);
    return definition.kind == DefinitionKind::declared && definition.value != no_node &&
           std::ranges::any_of(parts, [&](NodeId part) { return tree[part].kind == NodeKind::pointer; });
}

}  // namespace

std::vector<Edit> replace_byte_count(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Call& call : scene.facts.calls)
        if ((call.name.starts_with("cudaMemset") || call.name.starts_with("cudaMemcpy")) && call.arguments.size() >= 3)
            replace_numbers(scene, call.arguments[2], call.node, Others::all, edits);
    return edits;
}

namespace {

// A launch before this one passes the same to the kernel: the second pass is likely to need another number.
bool is_passed_before(const Scene& scene, const Launch& launch, std::size_t argument) {
    const Tree& tree = scene.tree();
    return std::ranges::any_of(scene.facts.launches, [&](const Launch& other) {
        return other.kernel == launch.kernel &&
               range_of(tree, other.node).offset < range_of(tree, launch.node).offset &&
               argument < other.arguments.size() &&
               is_same(tree, other.arguments[argument], tree, launch.arguments[argument]);
    });
}

}  // namespace

// The launcher's own number of elements would let one launch do the work of all of them.
std::vector<Edit> replace_launch_number(const Scene& scene) {
    std::vector<Edit> edits;
    for (const bool is_again : {true, false})
        for (const Launch& launch : scene.facts.launches)
            for (std::size_t i = 0; i < launch.arguments.size(); ++i)
                if (!plain_name(scene.tree(), launch.arguments[i]).empty() &&
                    is_passed_before(scene, launch, i) == is_again)
                    replace_numbers(scene, launch.arguments[i], launch.node, Others::computed, edits);
    return edits;
}

// `sums + blocks`, in the declaration of a pointer or as an argument of a launch.
std::vector<Edit> replace_region_size(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    const auto add = [&](NodeId value, NodeId shown) {
        if (tree[inside(tree, value)].word == "+") replace_numbers(scene, value, shown, Others::own, edits);
    };
    for (const Definition& definition : scene.facts.definitions)
        if (is_pointer_declaration(tree, definition)) add(definition.value, definition.node);
    for (const Launch& launch : scene.facts.launches)
        for (const NodeId argument : launch.arguments) add(argument, argument);
    return edits;
}

namespace {

// Of `sum<128>`: the argument, where it is the only one.
NodeId template_argument(const Tree& tree, const Launch& launch) {
    const std::vector<NodeId> arguments = children_of(tree, child_of(tree, launch.node, 0));
    return arguments.size() == 1 ? arguments.front() : no_node;
}

}  // namespace

// In all launches with this argument and this block.
std::vector<Edit> template_size_of_block(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    std::vector<std::string_view> seen;
    for (const Launch& launch : scene.facts.launches) {
        const NodeId argument = template_argument(tree, launch);
        const auto block = number_of(tree, launch.block, scene.facts.numbers);
        if (argument == no_node || !block || text_of(tree, argument) == text_of(tree, launch.block)) continue;
        const std::string_view callee = text_of(tree, child_of(tree, launch.node, 0));
        if (std::ranges::find(seen, callee) != seen.end()) continue;
        seen.push_back(callee);
        Edit edit{range_of(tree, argument),
                  std::string(text_of(tree, launch.block)),
                  launch.line,
                  std::string(callee),
                  std::to_string(*block),
                  launch.node};
        for (const Launch& other : scene.facts.launches) {
            if (other.node == launch.node || text_of(tree, child_of(tree, other.node, 0)) != callee ||
                text_of(tree, other.block) != text_of(tree, launch.block))
                continue;
            const Range next = range_of(tree, template_argument(tree, other));
            edit.after += tree.tokens.text->substr(edit.at.end(), next.offset - edit.at.end()) +
                          std::string(text_of(tree, launch.block));
            edit.at.length = next.end() - edit.at.offset;
        }
        edits.push_back(std::move(edit));
    }
    return edits;
}

}  // namespace warpgrade::explain
