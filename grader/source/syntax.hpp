// A submission's text as a tree.
//
// Theory of operation. Statements, declarations and expressions are nodes of one kind of struct, in one list, children
// before their parents. Nothing is looked up and nothing is expanded: what a node is follows from the tokens around it,
// and in doubt it is what programs mostly mean by them (`T * p = q` at the start of a statement is a declaration). The
// text does not have to be a program: a statement without its `;` ends where the next one must begin, an operand that
// is not there is a node `missing`, what fits nowhere is a node `other`. Nothing fails; the time is linear in the text.
//
// Children, by kind (a condition that declares something first is a list of two); in [] one that may be `missing`, with
// * any number:
//   file, name_space, record, block: items*          enumeration: declarator*
//   function: type, [block], parameter*              parameter: type, declarator
//   declaration: type, declarator*                   declarator: pointer*, extent*, initialiser (none or one)
//   extent: [expression]                             initialiser: expression, or arguments* where the word is ( or {
//   expression_statement, case_label: [expression]   return_statement: [expression]
//   if_statement: condition, [then], [else]          for_statement: [start], [condition], [step], [body]
//   range_for: declaration, range, [body]            while_statement, switch_statement: condition, [body]
//   do_statement: [body], [condition]                call: callee, arguments*
//   launch: callee, list (grid, block, ...), list (arguments)
//   subscript: array, indices*                       member, arrow: object
//   cast: type, operand                              unary, postfix, parenthesised: operand
//   binary, assignment: left, right                  conditional: condition, then, else
//   name: template arguments* (each a type)          lambda: block
#pragma once

#include "source/tokens.hpp"

namespace warpgrade::source {

enum class NodeKind : std::uint8_t {
    missing,
    other,
    file,
    name_space,
    record,
    enumeration,
    function,
    parameter,
    block,
    declaration,
    type,
    declarator,
    pointer,
    extent,
    initialiser,
    expression_statement,
    if_statement,
    for_statement,
    range_for,
    while_statement,
    do_statement,
    switch_statement,
    case_label,
    label,
    return_statement,
    break_statement,
    continue_statement,
    name,
    number,
    text,
    unary,
    postfix,
    binary,
    assignment,
    conditional,
    call,
    launch,
    subscript,
    member,
    arrow,
    cast,
    list,
    lambda,
    parenthesised,
};

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffff;

struct Node {
    NodeKind kind = NodeKind::missing;
    std::string_view word;        // a name, a number, an operator; of a type its name without specifiers, "float"
    TokenId first = 0, last = 0;  // tokens of `code`; empty: where it would be
    NodeId parent = no_node, child = no_node, next = no_node;
};

struct Tree {
    Tokens tokens;
    std::vector<Node> nodes;
    NodeId root = no_node;
    std::vector<NodeId> macro_bodies;  // beside tokens.macros: an expression, or no_node

    const Node& operator[](NodeId id) const { return nodes[id]; }
};

Tree parse(std::string_view text);

// An empty text's range has line 0.
Range range_of(const Tree& tree, NodeId node);
std::string_view text_of(const Tree& tree, NodeId node);
std::string_view text_of(const Tree& tree, const Range& range);
int line_of(const Tree& tree, NodeId node);
int last_line_of(const Tree& tree, NodeId node);
// The n-th child; no_node where there are fewer.
NodeId child_of(const Tree& tree, NodeId node, std::size_t n = 0);
std::vector<NodeId> children_of(const Tree& tree, NodeId node);
bool is_missing(const Tree& tree, NodeId node);
// Without the brackets around it.
NodeId inside(const Tree& tree, NodeId node);
// Whether the tokens are the same, in whatever way they are spaced.
bool is_same(const Tree& a, NodeId left, const Tree& b, NodeId right);

}  // namespace warpgrade::source
