#include "source/syntax.hpp"

#include <algorithm>

namespace warpgrade::source {

Range range_of(const Tree& tree, NodeId node) {
    if (node == no_node || tree[node].first >= tree[node].last) return {};
    const Range& first = tree.tokens.code[tree[node].first].at;
    const Range& last = tree.tokens.code[tree[node].last - 1].at;
    return {first.offset, last.end() - first.offset, first.line, first.column};
}

std::string_view text_of(const Tree& tree, const Range& range) {
    return std::string_view(*tree.tokens.text).substr(range.offset, range.length);
}
std::string_view text_of(const Tree& tree, NodeId node) { return text_of(tree, range_of(tree, node)); }

int line_of(const Tree& tree, NodeId node) { return range_of(tree, node).line; }
int last_line_of(const Tree& tree, NodeId node) {
    if (node == no_node || tree[node].first >= tree[node].last) return 0;
    return tree.tokens.code[tree[node].last - 1].at.line;
}

NodeId child_of(const Tree& tree, NodeId node, std::size_t n) {
    if (node == no_node) return no_node;
    NodeId child = tree[node].child;
    for (; n > 0 && child != no_node; --n) child = tree[child].next;
    return child;
}

std::vector<NodeId> children_of(const Tree& tree, NodeId node) {
    std::vector<NodeId> children;
    for (NodeId child = child_of(tree, node); child != no_node; child = tree[child].next) children.push_back(child);
    return children;
}

bool is_missing(const Tree& tree, NodeId node) { return node == no_node || tree[node].kind == NodeKind::missing; }

NodeId inside(const Tree& tree, NodeId node) {
    while (node != no_node && tree[node].kind == NodeKind::parenthesised) node = tree[node].child;
    return node;
}

bool is_same(const Tree& a, NodeId left, const Tree& b, NodeId right) {
    left = inside(a, left);
    right = inside(b, right);
    if (left == no_node || right == no_node) return left == right;
    const auto begin = [](const Tree& tree, NodeId node) { return tree.tokens.code.begin() + tree[node].first; };
    const auto end = [](const Tree& tree, NodeId node) { return tree.tokens.code.begin() + tree[node].last; };
    return std::equal(begin(a, left), end(a, left), begin(b, right), end(b, right),
                      [](const CodeToken& one, const CodeToken& other) { return one.text == other.text; });
}

}  // namespace warpgrade::source
