// New text of a pattern and what its placeholders stand for.

#include "source/parser.hpp"
#include "source/pattern.hpp"

namespace warpgrade::source {

namespace {

// How strongly an expression holds together: 1 to 15 of an operator between operands, 16 of one before its operand.
int strength(const Tree& tree, NodeId node) {
    switch (tree[node].kind) {
        case NodeKind::binary:
        case NodeKind::assignment:
        case NodeKind::conditional: return power_of(tree[node].word);
        case NodeKind::unary:
        case NodeKind::cast: return 16;
        default: return 17;
    }
}

// What an expression must have at least to stand where `node` does without brackets.
int strength_needed(const Tree& tree, NodeId node) {
    const NodeId parent = tree[node].parent;
    if (parent == no_node) return 0;
    const bool is_first = tree[parent].child == node;
    switch (tree[parent].kind) {
        case NodeKind::binary: return power_of(tree[parent].word) + (is_first ? 0 : 1);
        case NodeKind::assignment: return is_first ? 16 : 2;
        case NodeKind::conditional: return is_first ? 4 : 2;
        case NodeKind::unary: return 16;
        case NodeKind::cast: return is_first || tree[parent].word != "(" ? 0 : 16;
        case NodeKind::postfix:
        case NodeKind::member:
        case NodeKind::arrow: return 17;
        case NodeKind::call:
        case NodeKind::subscript: return is_first ? 17 : 2;
        default: return 0;
    }
}

std::string text_of_binding(const Tree& tree, const Binding& binding, int needed) {
    const std::string text(binding.at.line == 0 ? binding.word : text_of(tree, binding.at));
    const bool is_one = binding.first != no_node && binding.first == binding.last;
    return is_one && strength(tree, binding.first) < needed ? "(" + text + ")" : text;
}

}  // namespace

std::string filled(const Pattern& replacement, const Tree& tree, const Match& match) {
    const Tree& pattern = replacement.tree;
    std::vector<int> needed(pattern.tokens.code.size(), 0);
    for (NodeId node = 0; node < pattern.nodes.size(); ++node)
        if (pattern[node].kind == NodeKind::name) needed[pattern[node].first] = strength_needed(pattern, node);
    const std::string_view whole = std::string_view(*pattern.tokens.text).substr(0, pattern.tokens.text->size() - 1);
    std::string out;
    std::size_t at = 1;  // behind the `{` that a pattern is read in
    for (TokenId i = 1; i < pattern.tokens.file_end; ++i) {
        const CodeToken& token = pattern.tokens.code[i];
        const std::size_t name = token.text.find_first_not_of('$');
        const Binding* const binding =
            name == 0 || name == token.text.npos ? nullptr : match.binding(token.text.substr(name));
        if (!binding) continue;
        out += whole.substr(at, token.at.offset - at);
        const std::string text = text_of_binding(tree, *binding, needed[i]);
        const std::size_t comma = out.find_last_not_of(' ');
        if (text.empty() && comma != out.npos && out[comma] == ',') out.resize(comma);
        out += text;
        at = token.at.end();
        if (text.ends_with(';') && whole.substr(at).starts_with(';')) ++at;  // of a statement: its own
    }
    out += whole.substr(at);
    return out;
}

std::string rewrite(const Pattern& replacement, const Tree& tree, const Match& match) {
    std::string text = filled(replacement, tree, match);
    if (replacement.is_expression &&
        strength(replacement.tree, replacement.parts[0]) < strength_needed(tree, match.first))
        text = "(" + text + ")";
    const std::string_view whole = *tree.tokens.text;
    return std::string(whole.substr(0, match.at.offset)) + text + std::string(whole.substr(match.at.end()));
}

}  // namespace warpgrade::source
