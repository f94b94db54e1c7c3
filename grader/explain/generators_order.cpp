// Statements in the wrong order, values that are set in the wrong loop, and the variable of a loop that is left out.
#include <algorithm>
#include <span>

#include "explain/generators.hpp"
#include "explain/questions.hpp"
#include "explain/say.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr std::size_t most_statements = 12;  // of a block whose launches are moved

bool has_call(const Facts& facts, NodeId statement, std::string_view begin) {
    return std::ranges::any_of(facts.calls, [&](const Call& call) {
        return call.name.starts_with(begin) && is_within(*facts.tree, call.node, statement);
    });
}
bool has_launch(const Facts& facts, NodeId statement) {
    return std::ranges::any_of(facts.launches,
                               [&](const Launch& launch) { return is_within(*facts.tree, launch.node, statement); });
}
bool has_kind(const Tree& tree, NodeId statement, NodeKind first, NodeKind last) {
    const std::vector<NodeId> nodes = nodes_in(tree, statement);
    return std::ranges::any_of(nodes, [&](NodeId node) { return first <= tree[node].kind && tree[node].kind <= last; });
}

// Whether others can pass it: it neither leaves what it is in nor waits.
bool is_movable(const Facts& facts, NodeId statement) {
    const Tree& tree = *facts.tree;
    const NodeKind kind = tree[statement].kind;
    if (kind != NodeKind::expression_statement && kind != NodeKind::declaration && kind != NodeKind::if_statement)
        return false;
    const bool waits = std::ranges::any_of(
        facts.barriers, [&](const Barrier& barrier) { return is_within(tree, barrier.node, statement); });
    return !waits && !has_kind(tree, statement, NodeKind::return_statement, NodeKind::continue_statement);
}

std::string_view name_of_target(const Tree& tree, NodeId target) {
    for (; target != no_node && tree[target].kind != NodeKind::name; target = tree[target].child) {
    }
    return target == no_node ? "" : tree[target].word;
}

// Names that a statement gives a value to, or whose elements it stores.
std::set<std::string_view> stored_by(const Facts& facts, NodeId statement) {
    const Tree& tree = *facts.tree;
    std::set<std::string_view> names;
    for (const NodeId node : nodes_in(tree, statement)) {
        const bool is_step = (tree[node].kind == NodeKind::unary || tree[node].kind == NodeKind::postfix) &&
                             (tree[node].word == "++" || tree[node].word == "--");
        if (tree[node].kind == NodeKind::declarator) names.insert(tree[node].word);
        if (is_step || tree[node].kind == NodeKind::assignment) names.insert(name_of_target(tree, tree[node].child));
    }
    const auto add_outputs = [&](std::string_view called, const std::vector<NodeId>& arguments) {
        const Function* const function = facts.function_named(called);
        for (std::size_t i = 0; function && i < std::min(arguments.size(), function->parameters.size()); ++i)
            if (function->parameters[i].pointers > 0 && !function->parameters[i].is_const)
                names.merge(names_in(tree, arguments[i]));
    };
    for (const Launch& launch : facts.launches)
        if (is_within(tree, launch.node, statement)) add_outputs(launch.kernel, launch.arguments);
    for (const Call& call : facts.calls) {
        if (!is_within(tree, call.node, statement)) continue;
        add_outputs(call.name, call.arguments);
        const bool stores = call.name.starts_with("cudaMem") || call.name.starts_with("atomic");
        if (stores && !call.arguments.empty()) names.merge(names_in(tree, call.arguments[0]));
    }
    return names;
}

bool have_one_of(const std::set<std::string_view>& all, const std::set<std::string_view>& names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return all.contains(name); });
}

// One of them gives a value to what the other has; a name that one declares stays before its uses.
bool depend(const Facts& facts, NodeId first, NodeId second) {
    const Tree& tree = *facts.tree;
    const auto by_first = stored_by(facts, first), by_second = stored_by(facts, second);
    const auto in_first = names_in(tree, first), in_second = names_in(tree, second);
    if (tree[first].kind == NodeKind::declaration && have_one_of(in_second, by_first)) return false;
    return have_one_of(in_second, by_first) || have_one_of(in_first, by_second);
}

std::string number(int line) { return std::to_string(line); }

// The text from the one to the other, with the first after the last, or the last before the first.
Edit moved(const Tree& tree, NodeId first, NodeId last, bool is_down) {
    const Range from = range_of(tree, first), to = range_of(tree, last);
    const std::string &whole = *tree.tokens.text, a(text_of(tree, first)), b(text_of(tree, last));
    const std::string between = whole.substr(from.end(), to.offset - from.end());
    const Range at{from.offset, to.end() - from.offset, from.line, from.column};
    const std::size_t blank = is_down ? between.find_first_not_of(" \t\n") : between.find_last_not_of(" \t\n");
    if (blank == std::string::npos) return {at, b + between + a, from.line, {}, {}, first};
    // What is in the middle keeps its distances; the moved statement gets a line of its own.
    const std::size_t last_break = between.rfind('\n');
    const std::string line_break = last_break == std::string::npos ? " " : between.substr(last_break);
    const std::string after =
        is_down ? between.substr(blank) + b + line_break + a : b + line_break + a + between.substr(0, blank + 1);
    return {at, after, is_down ? from.line : to.line, {}, {}, first};
}

// Blocks, each with its statements.
std::vector<std::vector<NodeId>> blocks(const Tree& tree) {
    std::vector<std::vector<NodeId>> found;
    for (NodeId node = 0; node < tree.nodes.size(); ++node)
        if (tree[node].kind == NodeKind::block) found.push_back(children_of(tree, node));
    return found;
}

bool has_one_line(const Tree& tree, NodeId statement) {
    const std::string_view text = text_of(tree, statement);
    return text.find('\n') == text.npos;
}

// A statement that only gives values to variables that nothing behind it reads: moved there, it is left out.
bool is_lost_behind(const Facts& facts, std::span<const NodeId> parts, std::size_t moved) {
    const Tree& tree = *facts.tree;
    for (NodeId node = parts[moved]; node != no_node; node = tree[node].parent)
        if (NodeKind::for_statement <= tree[node].kind && tree[node].kind <= NodeKind::do_statement) return false;
    const auto is_variable = [&](std::string_view name) {
        const Definition* const known = facts.declaration_of(name, line_of(tree, parts[moved]));
        if (known == nullptr || known->around.function < 0) return false;
        for (NodeId part = tree[known->node].child; part != no_node; part = tree[part].next)
            if (tree[part].kind == NodeKind::pointer || tree[part].kind == NodeKind::extent) return false;
        return true;
    };
    const auto stored = stored_by(facts, parts[moved]);
    return std::ranges::all_of(stored, is_variable) &&
           std::ranges::none_of(parts.subspan(moved + 2),
                                [&](NodeId behind) { return have_one_of(names_in(tree, behind), stored); });
}

}  // namespace

std::vector<Edit> exchange_statements(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const std::vector<NodeId>& parts : blocks(tree))
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            const NodeId first = parts[i], second = parts[i + 1];
            if (!function_around(scene.facts, first) || !is_movable(scene.facts, first) ||
                !is_movable(scene.facts, second) || !depend(scene.facts, first, second) ||
                is_lost_behind(scene.facts, parts, i))
                continue;
            Edit edit = moved(tree, first, second, true);
            const int line = line_of(tree, first), other = line_of(tree, second);
            const bool are_lines = has_one_line(tree, first) && has_one_line(tree, second);
            edit.what = line == other ? "the two statements in line " + number(line)
                                      : (are_lines ? "lines " : say("whole_statements_begin_lines")) + number(line) +
                                            " and " + number(other);
            edits.push_back(std::move(edit));
        }
    return edits;
}

std::vector<Edit> move_launch(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    const auto is_step = [&](NodeId part) {
        return has_launch(scene.facts, part) || has_call(scene.facts, part, "cudaMem");
    };
    for (const std::vector<NodeId>& parts : blocks(tree)) {
        if (parts.size() > most_statements) continue;
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t j = i + 1; j < parts.size() && is_movable(scene.facts, parts[j]); ++j) {
                if (!is_movable(scene.facts, parts[i])) break;
                if (j == i + 1 || !is_step(parts[i]) || !is_step(parts[j]) || !depend(scene.facts, parts[i], parts[j]))
                    continue;
                for (const bool is_down : {true, false}) {
                    Edit edit = moved(tree, parts[i], parts[j], is_down);
                    edit.what = "line " + number(line_of(tree, parts[is_down ? i : j]));
                    edit.other = is_down ? "after line " + number(last_line_of(tree, parts[j]))
                                         : "before line " + number(line_of(tree, parts[i]));
                    edits.push_back(std::move(edit));
                }
            }
    }
    return edits;
}

namespace {

struct Setting {
    std::string_view name;
    NodeId statement = no_node, value = no_node;
    bool declares = false;
};

// `v = e;` or `T v = e;`, of one number.
std::optional<Setting> setting_of(const Tree& tree, NodeId statement) {
    const NodeId child = tree[statement].child;
    if (child == no_node) return {};
    if (tree[statement].kind == NodeKind::expression_statement) {
        if (tree[child].kind != NodeKind::assignment || tree[child].word != "=") return {};
        const std::string_view name = plain_name(tree, child_of(tree, child, 0));
        if (name.empty()) return {};
        return Setting{name, statement, child_of(tree, child, 1), false};
    }
    if (tree[statement].kind != NodeKind::declaration) return {};
    const std::vector<NodeId> parts = children_of(tree, statement);
    if (parts.size() != 2 || tree[parts[1]].kind != NodeKind::declarator) return {};
    const NodeId initialiser = tree[parts[1]].child;
    if (initialiser == no_node || tree[initialiser].kind != NodeKind::initialiser || tree[initialiser].word != "=" ||
        child_of(tree, initialiser) == no_node)
        return {};
    return Setting{tree[parts[1]].word, statement, child_of(tree, initialiser), true};
}

// `v += e`, also of `v = v + e`.
bool is_addition(const Tree& tree, NodeId node, std::string_view name) {
    if (tree[node].kind != NodeKind::assignment || plain_name(tree, child_of(tree, node, 0)) != name) return false;
    return tree[node].word != "=" || names_in(tree, child_of(tree, node, 1)).contains(name);
}
bool adds_to(const Tree& tree, NodeId within, std::string_view name) {
    const std::vector<NodeId> nodes = nodes_in(tree, within);
    return std::ranges::any_of(nodes, [&](NodeId node) { return is_addition(tree, node, name); });
}
// Whether a node is the left side of `v = e`.
bool is_set(const Tree& tree, NodeId node) {
    const NodeId above = tree[node].parent;
    return tree[above].kind == NodeKind::assignment && tree[above].word == "=" && tree[above].child == node;
}
bool sets(const Tree& tree, NodeId within, std::string_view name) {
    const std::vector<NodeId> nodes = nodes_in(tree, within);
    return std::ranges::any_of(nodes, [&](NodeId node) {
        return tree[node].kind == NodeKind::name && tree[node].word == name && is_set(tree, node) &&
               !is_addition(tree, tree[node].parent, name);
    });
}
// Whether the value is read other than to add to it.
bool uses(const Tree& tree, NodeId within, std::string_view name) {
    for (const NodeId node : nodes_in(tree, within)) {
        if (tree[node].kind != NodeKind::name || tree[node].word != name || is_set(tree, node)) continue;
        bool is_in_addition = false;
        for (NodeId above = tree[node].parent; above != within && above != no_node; above = tree[above].parent)
            is_in_addition = is_in_addition || is_addition(tree, above, name);
        if (!is_in_addition) return true;
    }
    return false;
}
bool is_loop_variable(const Facts& facts, std::string_view name) {
    return std::ranges::any_of(facts.loops, [&](const Loop& loop) { return loop.variable == name; });
}

}  // namespace

std::vector<Edit> keep_through_loop(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop& loop : scene.facts.loops) {
        if (loop.body == no_node || tree[loop.body].kind != NodeKind::block) continue;
        for (const NodeId statement : children_of(tree, loop.body)) {
            const std::optional<Setting> set = setting_of(tree, statement);
            if (!set || is_loop_variable(scene.facts, set->name) || !adds_to(tree, loop.body, set->name) ||
                has_kind(tree, set->value, NodeKind::name, NodeKind::name))
                continue;
            if (!set->declares && uses(tree, loop.body, set->name)) continue;  // it is of one iteration
            const Range from = range_of(tree, loop.node), to = range_of(tree, statement);
            const std::string text(text_of(tree, statement));
            const Definition* const known = set->declares ? nullptr : scene.facts.declaration_of(set->name, loop.line);
            Edit edit{to, {}, to.line, text, number(loop.line), statement};
            if (known == nullptr || known->value == no_node || !is_same(tree, known->value, tree, set->value)) {
                edit.at = {from.offset, to.end() - from.offset, from.line, from.column};
                edit.after = text + "\n" + tree.tokens.text->substr(from.offset, to.offset - from.offset);
            }
            edits.push_back(std::move(edit));
        }
    }
    return edits;
}

std::vector<Edit> set_anew_in_loop(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop& loop : scene.facts.loops) {
        if (loop.body == no_node || tree[loop.body].kind != NodeKind::block) continue;
        const NodeId around = tree[loop.node].parent;
        if (around == no_node || tree[around].kind != NodeKind::block) continue;
        for (NodeId other = tree[around].child; other != loop.node && other != no_node; other = tree[other].next) {
            const std::optional<Setting> set = setting_of(tree, other);
            if (!set || is_loop_variable(scene.facts, set->name) || !adds_to(tree, loop.body, set->name) ||
                !uses(tree, loop.body, set->name) || sets(tree, loop.body, set->name))
                continue;
            const std::string name(set->name);
            const Range body = range_of(tree, loop.body);
            const std::string text = " " + name + " = " + std::string(text_of(tree, set->value)) + ";";
            edits.push_back({{body.offset + 1, 0, body.line, body.column + 1},
                             text,
                             loop.line,
                             name,
                             number(loop.line),
                             loop.body});
        }
    }
    return edits;
}

std::vector<Edit> add_loop_variable(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop& loop : scene.facts.loops) {
        if (loop.variable.empty() || loop.body == no_node) continue;
        const std::vector<NodeId> nodes = nodes_in(tree, loop.body);
        std::vector<NodeId> sums;  // `e + j`, by its e
        for (const NodeId node : nodes)
            if (tree[node].kind == NodeKind::binary && tree[node].word == "+" &&
                plain_name(tree, child_of(tree, node, 1)) == loop.variable)
                sums.push_back(node);
        for (const NodeId node : nodes)
            for (const NodeId sum : sums) {
                const NodeId first = child_of(tree, sum);
                const bool is_of_sum =
                    std::ranges::any_of(sums, [&](NodeId other) { return is_within(tree, node, other); });
                if (is_of_sum || !is_same(tree, node, tree, first) || tree[node].kind != tree[first].kind) continue;
                const bool is_first = tree[tree[node].parent].kind == NodeKind::binary;
                const std::string text(text_of(tree, sum));
                const Range at = range_of(tree, node);
                edits.push_back(
                    {at, is_first ? "(" + text + ")" : text, at.line, std::string(text_of(tree, node)), text, node});
                break;
            }
    }
    return edits;
}

}  // namespace warpgrade::explain
