// CUDA text with placeholders, matched on the tree.
//
// Theory of operation. A pattern is parsed like a submission; `$name` stands for an expression, a name, a type or a
// statement, `$_` for any, and `$$$` or `$$$name` for any number of arguments, statements or parts of a loop's head. A
// name that occurs twice must stand for the same tokens. Blanks, comments, brackets around an operand and braces around
// a single statement do not matter, nor does the way in which a cast is written. With `commutes` the sides of + * & | ^
// == != && || may be exchanged, and a < b is b > a. A loop or an `if` whose body the pattern leaves out may have any.
//
//   if ($t % $s == 0) $a[$t] += $a[$t + $s];        for (int $i = $_; $$$)        atomicAdd(&$a[$$$], $_)
#pragma once

#include <optional>

#include "source/syntax.hpp"

namespace warpgrade::source {

struct MatchOptions {
    bool commutes = true;
};

struct Pattern {
    Tree tree;
    std::vector<NodeId> parts;  // an expression, or statements that follow each other
    bool is_expression = false;
};

// None where the text has no node: it is empty, or not readable at all.
std::optional<Pattern> pattern_of(std::string_view text);

struct Binding {
    std::string name;                        // "t" of $t
    NodeId first = no_node, last = no_node;  // of one node the same; no_node: of an empty sequence
    std::string_view word;                   // where it stands for a name that is no node of its own: of a declarator
    Range at;
};

struct Match {
    NodeId first = no_node, last = no_node;  // the statements, or the expression
    Range at;
    std::vector<Binding> bindings;
    const Binding* binding(std::string_view name) const;
};

// Whether the pattern fits at this node, its first part; what `known` names stands for the same here.
std::optional<Match> match_at(const Pattern& pattern, const Tree& tree, NodeId node, const MatchOptions& options = {},
                              const std::vector<Binding>& known = {});
// All of them inside of `within`, in the order of the text; no_node: the whole text.
std::vector<Match> matches(const Pattern& pattern, const Tree& tree, NodeId within = no_node,
                           const MatchOptions& options = {});

// The replacement with what its placeholders stand for; brackets are added where precedence needs them.
std::string filled(const Pattern& replacement, const Tree& tree, const Match& match);
// The whole text, with the match replaced; all other bytes are as they were.
std::string rewrite(const Pattern& replacement, const Tree& tree, const Match& match);

}  // namespace warpgrade::source
