// Functions, loops and tests.
#include <algorithm>
#include <array>
#include <iterator>

#include "source/collect.hpp"

namespace warpgrade::source {

namespace {

unsigned decoration(std::string_view word) {
    struct Row {
        std::string_view word;
        unsigned bits;
    };
    static constexpr std::array<Row, 11> rows{{{"__global__", global_word},
                                               {"__device__", device_word},
                                               {"__host__", host_word},
                                               {"constexpr", constexpr_word | const_word},
                                               {"__shared__", shared_word},
                                               {"extern", extern_word},
                                               {"const", const_word},
                                               {"__constant__", device_word},
                                               {"__managed__", device_word},
                                               {"consteval", constexpr_word},
                                               {"template", template_word}}};
    const auto* const found = std::ranges::find_if(rows, [&](const Row& row) { return row.word == word; });
    return found == rows.end() ? 0 : found->bits;
}

bool is_comparison(const Node& node) {
    static constexpr std::array<std::string_view, 6> signs{"<", ">", "<=", ">=", "==", "!="};
    return node.kind == NodeKind::binary && std::ranges::find(signs, node.word) != signs.end();
}

// `n > i` as `i < n`.
std::string_view turned(std::string_view sign) {
    if (sign == "<") return ">";
    if (sign == ">") return "<";
    if (sign == "<=") return ">=";
    return sign == ">=" ? "<=" : sign;
}

bool is_name_of(const Tree& tree, NodeId node, std::string_view name) {
    node = inside(tree, node);
    return node != no_node && tree[node].kind == NodeKind::name && tree[node].word == name;
}

// The part of a condition that compares `name`: the condition itself, or one side of its `&&`.
void set_bound(const Tree& tree, Loop& loop) {
    std::vector<NodeId> open{loop.condition};
    while (!open.empty() && open.size() < 32) {
        const NodeId node = inside(tree, open.back());
        open.pop_back();
        if (node == no_node) continue;
        const NodeId left = child_of(tree, node), right = child_of(tree, node, 1);
        if (tree[node].kind == NodeKind::binary && tree[node].word == "&&") {
            open.push_back(right);
            open.push_back(left);
        } else if (is_comparison(tree[node]) && is_name_of(tree, left, loop.variable)) {
            loop.sign = tree[node].word;
            loop.bound = right;
            return;
        } else if (is_comparison(tree[node]) && is_name_of(tree, right, loop.variable)) {
            loop.sign = turned(tree[node].word);
            loop.bound = left;
            return;
        }
    }
}

// `s += 2`, `++s`, `s = s + 2`, one of them in a list of commas.
bool set_step(const Tree& tree, Loop& loop, NodeId node) {
    node = inside(tree, node);
    if (node == no_node) return false;
    const Node& step = tree[node];
    const NodeId left = child_of(tree, node), right = child_of(tree, node, 1);
    if (step.kind == NodeKind::binary && step.word == ",")
        return set_step(tree, loop, right) || set_step(tree, loop, left);
    if (!is_name_of(tree, left, loop.variable)) return false;
    if ((step.kind == NodeKind::unary || step.kind == NodeKind::postfix) && (step.word == "++" || step.word == "--")) {
        loop.step_sign = step.word;
        return true;
    }
    if (step.kind != NodeKind::assignment) return false;
    loop.step_sign = step.word;
    loop.step = right;
    const NodeId value = inside(tree, right);
    if (step.word != "=" || tree[value].kind != NodeKind::binary || !is_name_of(tree, tree[value].child, loop.variable))
        return true;
    struct Sign {
        std::string_view plain, assigning;
    };
    static constexpr std::array<Sign, 6> signs{
        {{"+", "+="}, {"-", "-="}, {"*", "*="}, {"/", "/="}, {">>", ">>="}, {"<<", "<<="}}};
    for (const Sign& sign : signs)
        if (sign.plain == tree[value].word) {
            loop.step_sign = sign.assigning;
            loop.step = child_of(tree, value, 1);
        }
    return true;
}

void set_start(const Tree& tree, Loop& loop, NodeId start) {
    const Node& node = tree[start];
    if (node.kind == NodeKind::declaration) {
        const NodeId declarator = child_of(tree, start, 1);
        if (declarator == no_node) return;
        loop.variable = tree[declarator].word;
        for (NodeId part = tree[declarator].child; part != no_node; part = tree[part].next)
            if (tree[part].kind == NodeKind::initialiser)
                loop.start = tree[part].child == no_node ? no_node : tree[part].child;
    } else if (node.kind == NodeKind::assignment && node.word == "=" && tree[node.child].kind == NodeKind::name) {
        loop.variable = tree[node.child].word;
        loop.start = child_of(tree, start, 1);
    }
}

}  // namespace

Decorations::Decorations(const Tree& tree) : tree_(tree) {
    for (const Macro& macro : tree.tokens.macros)
        if (!macro.has_parameters) macros_[macro.name] |= of(macro.first, macro.last);
}

unsigned Decorations::of(TokenId first, TokenId last) const {
    unsigned bits = 0;
    for (TokenId i = first; i < last; ++i) {
        const std::string_view word = tree_.tokens.code[i].text;
        bits |= decoration(word);
        if (const auto macro = macros_.find(word); macro != macros_.end()) bits |= macro->second;
    }
    return bits;
}

Function function_of(const Tree& tree, NodeId node, const Decorations& decorations) {
    const NodeId type = child_of(tree, node), body = child_of(tree, node, 1);
    Function function;
    function.node = node;
    function.body = is_missing(tree, body) ? no_node : body;
    function.name = tree[node].word;
    const auto offset = static_cast<std::size_t>(function.name.data() - tree.tokens.text->data());
    TokenId name = tree[type].last;
    while (name + 1 < tree[node].last && tree.tokens.code[name].at.offset < offset) ++name;
    function.line = tree.tokens.code[name].at.line;
    function.last_line = last_line_of(tree, node);
    const unsigned bits = decorations.of(tree[node].first, name);
    const bool device = (bits & device_word) != 0, host = (bits & host_word) != 0;
    function.side = (bits & global_word) != 0 ? Side::kernel
                    : device && host          ? Side::both
                    : device                  ? Side::device
                                              : Side::host;
    function.is_constexpr = (bits & constexpr_word) != 0;
    function.is_template = (bits & template_word) != 0;
    for (NodeId part = tree[body].next; part != no_node; part = tree[part].next) {
        const NodeId of = child_of(tree, part), named = child_of(tree, part, 1);
        Parameter parameter{tree[part].word, tree[of].word, part};
        parameter.is_const = (decorations.of(tree[of].first, tree[of].last) & const_word) != 0;
        for (NodeId mark = tree[named].child; mark != no_node; mark = tree[mark].next) {
            parameter.pointers += tree[mark].word == "*" || tree[mark].kind == NodeKind::extent ? 1 : 0;
            parameter.is_reference |= tree[mark].word == "&";
        }
        function.parameters.push_back(parameter);
    }
    return function;
}

Loop loop_of(const Tree& tree, NodeId node) {
    Loop loop;
    loop.node = node;
    loop.line = line_of(tree, node);
    const NodeKind kind = tree[node].kind;
    const NodeId first = child_of(tree, node), second = child_of(tree, node, 1), third = child_of(tree, node, 2);
    if (kind == NodeKind::for_statement) {
        loop.condition = second;
        loop.body = child_of(tree, node, 3);
        set_start(tree, loop, first);
        if (!loop.variable.empty()) {
            set_bound(tree, loop);
            set_step(tree, loop, third);
        }
    } else if (kind == NodeKind::range_for) {
        loop.body = third;
        set_start(tree, loop, first);
        loop.bound = second;
    } else {
        loop.condition = kind == NodeKind::do_statement ? second : first;
        loop.body = kind == NodeKind::do_statement ? first : second;
    }
    return loop;
}

void add_step(const Tree& tree, Loop& loop, std::span<const Definition> definitions) {
    if (!loop.variable.empty() || is_missing(tree, loop.condition)) return;
    const NodeId condition = inside(tree, loop.condition);
    if (!is_comparison(tree[condition])) return;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const NodeId name = inside(tree, child_of(tree, condition, side));
        if (tree[name].kind != NodeKind::name) continue;
        NodeId change = no_node;
        for (const Definition& definition : definitions) {
            if (definition.name != tree[name].word) continue;
            if (change != no_node) return;
            change = definition.node;
        }
        if (change == no_node) continue;
        loop.variable = tree[name].word;
        set_bound(tree, loop);
        set_step(tree, loop, change);
        return;
    }
}

Guard guard_of(const Tree& tree, NodeId node) {
    Guard guard;
    guard.node = node;
    guard.line = line_of(tree, node);
    guard.condition = child_of(tree, node);
    guard.then = child_of(tree, node, 1);
    guard.otherwise = child_of(tree, node, 2);
    std::vector<std::pair<NodeId, bool>> open{{guard.condition, false}};
    bool is_mixed = false;
    while (!open.empty() && guard.comparisons.size() < 64) {
        const auto [id, is_negated] = open.back();
        open.pop_back();
        const NodeId part = inside(tree, id);
        if (is_missing(tree, part)) continue;
        const NodeId left = child_of(tree, part), right = child_of(tree, part, 1);
        const Node& test = tree[part];
        if (test.kind == NodeKind::binary && (test.word == "&&" || test.word == "||")) {
            is_mixed |= !guard.connector.empty() && guard.connector != test.word;
            guard.connector = test.word;
            open.emplace_back(right, is_negated);
            open.emplace_back(left, is_negated);
        } else if (test.kind == NodeKind::list && right != no_node) {  // if (int a = f(); a > 0)
            open.emplace_back(right, is_negated);
        } else if (test.kind == NodeKind::unary && test.word == "!") {
            open.emplace_back(left, !is_negated);
        } else if (is_comparison(test)) {
            guard.comparisons.push_back({part, left, right, test.word, is_negated});
        } else {
            guard.comparisons.push_back({part, part, no_node, {}, is_negated});
        }
    }
    if (is_mixed) guard.connector = {};
    NodeId last = guard.then;
    for (int depth = 0;
         depth < 64 && last != no_node && tree[last].kind == NodeKind::block && tree[last].child != no_node; ++depth)
        for (last = tree[last].child; tree[last].next != no_node;) last = tree[last].next;
    const NodeKind kind = last == no_node ? NodeKind::missing : tree[last].kind;
    guard.exit = kind == NodeKind::return_statement     ? Exit::returns
                 : kind == NodeKind::break_statement    ? Exit::breaks
                 : kind == NodeKind::continue_statement ? Exit::continues
                                                        : Exit::none;
    return guard;
}

}  // namespace warpgrade::source
