#include "explain/line_context.hpp"

#include <algorithm>

#include "explain/source_names.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

// In the head of a `for`.
bool is_in_head(const Tree& tree, NodeId node) {
    for (NodeId up = tree[node].parent; up != no_node && tree[up].kind != NodeKind::block;
         node = up, up = tree[up].parent)
        if (tree[up].kind == NodeKind::for_statement || tree[up].kind == NodeKind::range_for)
            return tree[node].next != no_node;
    return false;
}

// The nodes of the indices of `array` on the line, in their order.
std::vector<NodeId> parts_of_index(const Facts& facts, int line, std::string_view array) {
    std::vector<NodeId> parts;
    for (const source::Access* access : accesses_to(facts, line, array))
        for (const NodeId index : access->indices)
            for (const NodeId part : nodes_in(*facts.tree, index)) parts.push_back(part);
    return parts;
}

}  // namespace

std::optional<IndexSource> variable_of_index(const Facts& facts, int line, std::string_view array, bool is_any) {
    constexpr std::size_t longest_shown = 80;
    const Tree& tree = *facts.tree;
    for (const NodeId part : parts_of_index(facts, line, array)) {
        const source::Definition* const set =
            tree[part].kind == NodeKind::name ? set_before(facts, tree[part].word, line) : nullptr;
        if (set == nullptr || is_in_head(tree, set->node)) continue;
        const std::string expression = in_one_line(tree, set->value);
        if ((is_any || expression.find_first_of("+-*/%?&|") != expression.npos) && expression.size() <= longest_shown)
            return IndexSource{std::string(set->name), expression, set->at.line};
    }
    return std::nullopt;
}

std::optional<IndexSource> function_of_index(const Facts& facts, int line, std::string_view array) {
    const Tree& tree = *facts.tree;
    for (const NodeId part : parts_of_index(facts, line, array)) {
        if (tree[part].kind != NodeKind::call) continue;
        const std::string_view name = tree[tree[part].child].word;
        if (const source::Function* function = facts.function_named(name))
            return IndexSource{std::string(name), "", function->line};
    }
    return std::nullopt;
}

std::optional<TreeStep> tree_step(const Facts& facts, int line) {
    const Tree& tree = *facts.tree;
    if (line < 1 || line > tree.tokens.line_count) return std::nullopt;
    const NodeId statement = facts.statement_line[static_cast<std::size_t>(line)];
    for (const char* text : {"$a[$t] += $a[$p]", "$a[$t] = $a[$t] + $a[$p]"}) {
        const auto all = matches(*source::pattern_of(text), tree, statement);
        if (statement == no_node || all.empty()) continue;
        const auto part = [&](std::string_view name) { return in_one_line(tree, all.front().binding(name)->first); };
        TreeStep step{part("a"), part("t"), part("p"), "", ""};
        if (const NodeId partner = binary(tree, all.front().binding("p")->first, "-"); partner != no_node) {
            step.less = in_one_line(tree, tree[partner].child);
            step.by = in_one_line(tree, child_of(tree, partner, 1));
        }
        return step;
    }
    return std::nullopt;
}

int line_of_test(const Facts& facts, int line) {
    const source::Guard* const guard = facts.guard_at(line);
    return guard ? guard->line : 0;
}

bool differs_by_thread(const Facts& facts, int line, NodeId expression, std::string_view what) {
    constexpr std::size_t most_names = 64;
    std::set<std::pair<std::string_view, int>> seen;
    std::vector<std::pair<int, NodeId>> open{{line, expression}};
    while (!open.empty() && seen.size() < most_names) {
        const auto [at, node] = open.back();
        open.pop_back();
        if (mentions(*facts.tree, node, what)) return true;
        for (const std::string_view name : names_in(*facts.tree, node))
            if (const source::Definition* set = set_before(facts, name, at);
                set != nullptr && seen.emplace(name, set->at.line).second)
                open.emplace_back(set->at.line, set->value);
    }
    return false;
}

std::vector<int> lines_that_call(const Facts& facts, int line) {
    std::vector<int> lines;
    if (const source::Function* function = facts.function_at(line))
        for (const source::Call& call : facts.calls)
            if (call.name == function->name && (lines.empty() || lines.back() != call.line)) lines.push_back(call.line);
    return lines;
}

std::string unchanged_in(const Facts& facts, const source::Loop* loop) {
    if (loop == nullptr) return {};
    const Tree& tree = *facts.tree;
    for (const NodeId part : nodes_in(tree, loop->node))
        if (tree[part].kind == NodeKind::break_statement || tree[part].kind == NodeKind::return_statement) return {};
    std::string found;
    for (const NodeId part : nodes_in(tree, loop->condition)) {
        if (tree[part].kind == NodeKind::call || tree[part].kind == NodeKind::subscript) return {};
        if (tree[part].kind != NodeKind::name) continue;
        const std::string_view name = tree[part].word;
        const bool is_for = tree[loop->node].kind == NodeKind::for_statement;
        if (changes(facts, loop->body, name) || changes(facts, loop->condition, name) ||
            (is_for && changes(facts, child_of(tree, loop->node, 2), name)))
            return {};
        // What is in capitals is a constant, mostly.
        const bool may_change = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
        if (may_change && found.empty()) found = name;
    }
    return found;
}

int line_of_exit(const Facts& facts, const source::Loop* loop, int line) {
    if (loop == nullptr) return 0;
    const Tree& tree = *facts.tree;
    for (const NodeId part : nodes_in(tree, loop->node)) {
        const NodeKind kind = tree[part].kind;
        const bool is_own = loop_around(facts, part) == loop;
        const bool is_exit = kind == NodeKind::return_statement ||
                             (is_own && (kind == NodeKind::break_statement || kind == NodeKind::continue_statement));
        if (is_exit && line_of(tree, part) <= line) return line_of(tree, part);
    }
    return 0;
}

LoopTurns turns_of(const Facts& facts, const source::Loop* loop, std::int64_t block_x) {
    if (loop == nullptr) return {};
    source::Numbers numbers = facts.numbers;
    if (block_x > 0) numbers["blockDim.x"] = block_x;
    return {std::string(loop->variable), source::values_of(*facts.tree, *loop, numbers)};
}

bool sets_bit_field(const Facts& facts, int line) {
    const Tree& tree = *facts.tree;
    std::set<std::string_view> fields;  // int first : 3;
    for (const source::Node& node : tree.nodes)
        if (node.kind == NodeKind::declarator && node.last - node.first > 2 &&
            tree.tokens.code[node.last - 2].text == ":")
            fields.insert(node.word);
    for (NodeId node = 0; node < tree.nodes.size() && !fields.empty(); ++node) {
        if (tree[node].kind != NodeKind::assignment || line_of(tree, node) != line) continue;
        const source::Node& left = tree[tree[node].child];
        if ((left.kind == NodeKind::member || left.kind == NodeKind::arrow) && fields.contains(left.word)) return true;
    }
    return false;
}

}  // namespace warpgrade
