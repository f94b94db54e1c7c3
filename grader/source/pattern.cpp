#include "source/pattern.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpgrade::source {

namespace {

bool is_sequence(const Node& node) { return node.word.starts_with("$$$"); }
bool is_placeholder(std::string_view word) { return word.size() > 1 && word[0] == '$'; }
std::string_view name_of(std::string_view word) {
    return word.substr(std::min(word.find_first_not_of('$'), word.size()));
}

bool commutes(std::string_view sign) {
    static constexpr std::array<std::string_view, 9> signs{"+", "*", "&", "|", "^", "==", "!=", "&&", "||"};
    return std::ranges::find(signs, sign) != signs.end();
}
std::string_view mirrored(std::string_view sign) {
    if (sign == "<") return ">";
    if (sign == ">") return "<";
    if (sign == "<=") return ">=";
    return sign == ">=" ? "<=" : std::string_view();
}

// The name, type or statement that is nothing but a placeholder.
std::string_view placeholder(const Tree& tree, NodeId node) {
    const Node& made = tree[node];
    const bool is_alone = made.child == no_node && made.last == made.first + 1;
    if ((made.kind == NodeKind::name || made.kind == NodeKind::type) && is_alone && is_placeholder(made.word))
        return made.word;
    if (made.kind == NodeKind::expression_statement && made.child != no_node) return placeholder(tree, made.child);
    return {};
}

// Works through goals: pairs of nodes, or of lists of siblings. A goal with several ways tries them in turn, each with
// all the goals that are left.
class Matcher {
public:
    Matcher(const Pattern& pattern, const Tree& tree, const MatchOptions& options)
        : pattern_(pattern.tree), tree_(tree), options_(options) {}

    struct Goal {
        NodeId pattern = no_node, node = no_node;
        bool is_list = false;
        bool is_prefix = false;  // of a list: more nodes may follow
        const Goal* rest = nullptr;
    };

    bool solve(const Goal* goal) {
        if (goal == nullptr) return true;
        if (++steps_ > most_steps) return false;
        return goal->is_list ? list(*goal) : single(*goal);
    }

    std::vector<Binding> bindings;
    NodeId last = no_node;  // of the outermost list, the last node

private:
    static constexpr int most_steps = 20000;

    bool list(const Goal& goal) {
        if (goal.pattern == no_node) return (goal.node == no_node || goal.is_prefix) && solve(goal.rest);
        const Node& part = pattern_[goal.pattern];
        const std::string_view word = placeholder(pattern_, goal.pattern);
        if (is_sequence(part) || word.starts_with("$$$")) return sequence(goal, word.empty() ? part.word : word);
        if (goal.node == no_node) return false;
        const Goal others{part.next, tree_[goal.node].next, true, goal.is_prefix, goal.rest};
        const NodeId before = std::exchange(last, goal.is_prefix ? goal.node : last);
        if (solve_with({goal.pattern, goal.node, false, false, &others})) return true;
        last = before;
        return false;
    }
    bool solve_with(const Goal& goal) { return solve(&goal); }

    // Any number of nodes: the fewest first.
    bool sequence(const Goal& goal, std::string_view word) {
        NodeId end = goal.node, last_taken = no_node;
        while (true) {
            const std::size_t count = bindings.size();
            const Goal others{pattern_[goal.pattern].next, end, true, goal.is_prefix, goal.rest};
            if (bind(word, last_taken == no_node ? no_node : goal.node, last_taken) && solve(&others)) return true;
            bindings.resize(count);
            if (end == no_node || steps_ > most_steps) return false;
            last_taken = end;
            end = tree_[end].next;
            if (goal.is_prefix) last = last_taken;
        }
    }

    bool single(const Goal& goal) {
        const std::size_t count = bindings.size();
        const auto give_up = [&] {
            bindings.resize(count);
            return false;
        };
        if (const std::string_view word = placeholder(pattern_, goal.pattern); !word.empty()) {
            const bool is_any = word.starts_with("$$$");
            if (!is_any && (goal.node == no_node || tree_[goal.node].kind == NodeKind::missing)) return false;
            if (!is_fitting(goal.pattern, goal.node)) return unwrapped(goal);
            return (bind(word, goal.node, goal.node) && solve(goal.rest)) || give_up();
        }
        if (goal.node == no_node) return false;
        const Node& part = pattern_[goal.pattern];
        const Node& node = tree_[goal.node];
        if (part.kind == NodeKind::missing) return missing(goal);
        if (part.kind != node.kind) return unwrapped(goal);
        if (!words_fit(part, node)) return mirrored_fit(goal) || give_up();
        const Goal children{part.child, node.child, true, false, goal.rest};
        if (solve(&children)) return true;
        bindings.resize(count);
        if (part.kind == NodeKind::binary && options_.commutes && commutes(part.word))
            return exchanged(goal) || give_up();
        return give_up();
    }

    // A statement for a statement, an expression for an expression.
    bool is_fitting(NodeId pattern, NodeId node) const {
        if (pattern_[pattern].kind == NodeKind::expression_statement || node == no_node) return true;
        return !(tree_[node].kind >= NodeKind::expression_statement &&
                 tree_[node].kind <= NodeKind::continue_statement) &&
               tree_[node].kind != NodeKind::block && tree_[node].kind != NodeKind::declaration;
    }

    // Where the pattern leaves something out: the body of a head, or the rest of a head that ends with $$$.
    bool missing(const Goal& goal) {
        const NodeId parent = pattern_[goal.pattern].parent;
        const Node& head = pattern_[parent];
        const bool is_loop = head.kind == NodeKind::for_statement || head.kind == NodeKind::range_for ||
                             head.kind == NodeKind::while_statement || head.kind == NodeKind::function;
        const bool is_body = is_loop && (pattern_[goal.pattern].next == no_node || head.kind == NodeKind::function);
        const bool is_then = head.kind == NodeKind::if_statement && child_of(pattern_, parent, 1) == goal.pattern;
        const bool has_no_then =
            head.kind == NodeKind::if_statement && is_missing(pattern_, child_of(pattern_, parent, 1));
        const NodeId condition = child_of(pattern_, parent, 1);
        const bool is_rest = head.kind == NodeKind::for_statement && pattern_[condition].word.starts_with("$$$");
        const bool is_free = is_body || is_then || has_no_then || is_rest;
        return (is_free || tree_[goal.node].kind == NodeKind::missing) && solve(goal.rest);
    }

    // Brackets around an operand, braces around one statement, and the `;` of an expression.
    bool unwrapped(const Goal& goal) {
        const Node& part = pattern_[goal.pattern];
        if (part.kind == NodeKind::parenthesised || is_single_block(pattern_, goal.pattern))
            return solve_with({part.child, goal.node, false, false, goal.rest});
        if (goal.node == no_node) return false;
        const Node& node = tree_[goal.node];
        if (node.kind == NodeKind::parenthesised || is_single_block(tree_, goal.node))
            return solve_with({goal.pattern, node.child, false, false, goal.rest});
        return false;
    }
    static bool is_single_block(const Tree& tree, NodeId node) {
        return tree[node].kind == NodeKind::block && tree[node].child != no_node &&
               tree[tree[node].child].next == no_node;
    }

    bool words_fit(const Node& part, const Node& node) {
        if (part.kind == NodeKind::cast || part.kind == NodeKind::block ||
            part.kind == NodeKind::expression_statement || part.kind == NodeKind::initialiser)
            return true;
        if (part.kind == NodeKind::name && part.child != no_node && is_placeholder(part.word)) return true;
        const bool names_something = part.kind == NodeKind::declarator || part.kind == NodeKind::parameter ||
                                     part.kind == NodeKind::function || part.kind == NodeKind::member ||
                                     part.kind == NodeKind::arrow;
        if (names_something && is_placeholder(part.word))
            return part.kind == NodeKind::parameter || bind_word(part.word, node.word);
        return part.word == node.word;
    }

    // `a < b` for `b > a`
    bool mirrored_fit(const Goal& goal) {
        const Node& part = pattern_[goal.pattern];
        if (!options_.commutes || part.kind != NodeKind::binary || mirrored(part.word) != tree_[goal.node].word)
            return false;
        return exchanged(goal);
    }
    bool exchanged(const Goal& goal) {
        const NodeId left = pattern_[goal.pattern].child, node_left = tree_[goal.node].child;
        const Goal second{pattern_[left].next, node_left, false, false, goal.rest};
        return solve_with({left, tree_[node_left].next, false, false, &second});
    }

    bool bind(std::string_view word, NodeId first, NodeId end) {
        const std::string_view name = name_of(word);
        if (name == "_" || name.empty()) return true;
        if (first == end && first != no_node) first = end = inside(tree_, first);
        for (const Binding& known : bindings)
            if (known.name == name) return is_equal(known, first, end);
        Binding made{std::string(name), first, end, {}, range(first, end)};
        if (first == end && first != no_node && tree_[first].kind == NodeKind::name) made.word = tree_[first].word;
        bindings.push_back(made);
        return true;
    }
    bool is_equal(const Binding& known, NodeId first, NodeId end) const {
        if (known.first == no_node || first == no_node) {
            const bool is_word = !known.word.empty() && first != no_node && first == end;
            return is_word ? tree_[inside(tree_, first)].word == known.word
                           : known.first == first && known.word.empty();
        }
        if (first == end && known.first == known.last) return is_same(tree_, known.first, tree_, first);
        return text_of(tree_, known.at) == text_of(tree_, range(first, end));
    }
    Range range(NodeId first, NodeId end) const {
        Range at = range_of(tree_, first);
        if (first != no_node && end != first) at.length = range_of(tree_, end).end() - at.offset;
        return at;
    }
    // A name that is a part of its node.
    bool bind_word(std::string_view word, std::string_view found) {
        const std::string_view name = name_of(word);
        if (name == "_") return true;
        for (const Binding& known : bindings)
            if (known.name == name) return known.word == found;
        Binding made{std::string(name), no_node, no_node, found, {}};
        const auto& code = tree_.tokens.code;
        const auto offset = static_cast<std::size_t>(found.data() - tree_.tokens.text->data());
        const auto token = std::partition_point(code.begin(), code.begin() + tree_.tokens.file_end,
                                                [&](const CodeToken& other) { return other.at.offset < offset; });
        if (token != code.end()) made.at = token->at;
        bindings.push_back(made);
        return true;
    }

    const Tree& pattern_;
    const Tree& tree_;
    const MatchOptions& options_;
    int steps_ = 0;
};

bool tree_has_other(const Tree& tree) {
    return std::ranges::any_of(tree.nodes,
                               [](const Node& node) { return node.kind == NodeKind::other && node.word.empty(); });
}

bool is_list_of_statements(NodeKind kind) {
    return kind == NodeKind::block || kind == NodeKind::file || kind == NodeKind::name_space;
}

}  // namespace

std::optional<Pattern> pattern_of(std::string_view text) {
    Pattern pattern;
    pattern.tree = parse("{" + std::string(text) + "}");
    const NodeId block = child_of(pattern.tree, pattern.tree.root);
    pattern.parts = children_of(pattern.tree, block);
    if (pattern.parts.empty() || tree_has_other(pattern.tree)) return {};
    const Node& first = pattern.tree[pattern.parts[0]];
    pattern.is_expression =
        pattern.parts.size() == 1 && first.kind == NodeKind::expression_statement && first.word.empty();
    if (pattern.is_expression) pattern.parts = {first.child};
    return pattern;
}

const Binding* Match::binding(std::string_view name) const {
    const auto found = std::ranges::find_if(bindings, [&](const Binding& other) { return other.name == name; });
    return found == bindings.end() ? nullptr : &*found;
}

std::optional<Match> match_at(const Pattern& pattern, const Tree& tree, NodeId node, const MatchOptions& options,
                              const std::vector<Binding>& known) {
    const NodeId first = pattern.parts[0];
    const NodeKind kind = pattern.tree[first].kind;
    const bool is_any = !placeholder(pattern.tree, first).empty();
    if (kind != tree[node].kind && !is_any) return {};
    const NodeId parent = tree[node].parent;
    const bool is_in_list = parent != no_node && is_list_of_statements(tree[parent].kind);
    if (pattern.parts.size() > 1 && !is_in_list) return {};
    Matcher matcher(pattern, tree, options);
    matcher.bindings = known;
    const Matcher::Goal goal{first, node, !pattern.is_expression, !pattern.is_expression, nullptr};
    if (!matcher.solve(&goal)) return {};
    Match found;
    found.first = node;
    found.last = pattern.is_expression || matcher.last == no_node ? node : matcher.last;
    found.at = range_of(tree, found.first);
    found.at.length = range_of(tree, found.last).end() - found.at.offset;
    found.bindings = std::move(matcher.bindings);
    return found;
}

std::vector<Match> matches(const Pattern& pattern, const Tree& tree, NodeId within, const MatchOptions& options) {
    std::vector<Match> found;
    const NodeId first = pattern.parts[0];
    const bool is_any = !placeholder(pattern.tree, first).empty();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (!is_any && tree[node].kind != pattern.tree[first].kind) continue;
        const bool is_inside =
            within == no_node || (tree[node].first >= tree[within].first && tree[node].last <= tree[within].last);
        if (!is_inside || tree[node].first >= tree[node].last) continue;
        if (std::optional<Match> match = match_at(pattern, tree, node, options)) found.push_back(std::move(*match));
    }
    std::ranges::stable_sort(found, [](const Match& a, const Match& b) { return a.at.offset < b.at.offset; });
    return found;
}

}  // namespace warpgrade::source
