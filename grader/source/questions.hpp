// Questions about an expression, or about a name on a line, that rules and explanations share. Each is answered by the
// text alone.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "source/facts.hpp"

namespace warpgrade::source {

const Function* function_around(const Facts& facts, NodeId node);
const Loop* loop_around(const Facts& facts, NodeId node);
const Loop* loop_around(const Facts& facts, const Loop& loop);

// The node and all below it, in the order of the text.
std::vector<NodeId> nodes_in(const Tree& tree, NodeId node);
bool is_within(const Tree& tree, NodeId node, NodeId outer);
std::set<std::string_view> names_in(const Tree& tree, NodeId node);
// The variable that a name expression names; "" of any other expression. Casts and brackets are looked through.
std::string_view plain_name(const Tree& tree, NodeId node);
// Whether the expression has this name, or this member: "tid", "threadIdx.x".
bool mentions(const Tree& tree, NodeId node, std::string_view what);
// The lines of such names and members.
std::set<int> lines_that_mention(const Tree& tree, std::string_view what);
// The node, without the brackets around it, if it is this operator between two operands; else no_node.
NodeId binary(const Tree& tree, NodeId node, std::string_view sign);
// Whether the code has this word somewhere.
bool has_word(const Tree& tree, std::string_view word);
// With one blank for all that is blank, ends of lines too; of a node without the brackets around it.
std::string in_one_line(std::string_view text);
std::string in_one_line(const Tree& tree, NodeId node);

// The accesses of the line to `array` that are written with brackets.
std::vector<const Access*> accesses_to(const Facts& facts, int line, std::string_view array);
// Whether an index of one of these mentions `what`.
bool has_index(const Facts& facts, int line, std::string_view array, std::string_view what);
// The last `name = ...` above the line, in the same function.
const Definition* set_before(const Facts& facts, std::string_view name, int line);
// Whether something below the node gives the name a value, or takes its address.
bool changes(const Facts& facts, NodeId node, std::string_view name);
// What decides whether the node is reached, the nearest first: an `if`, or a `?`, with the node in its `then`, an `if`
// before it that exits, and a loop around it.
struct Test {
    const Guard* guard = nullptr;  // one of the two
    const Loop* loop = nullptr;
    bool exits = false;
};
std::vector<Test> tests_before(const Facts& facts, NodeId node);
// A constant whose only value is known.
const Constant* constant_named(const Facts& facts, std::string_view name);
const Launch* launch_at(const Facts& facts, int line);

// `row * length + column`, also behind another sum: `first + row * length + column`.
struct FlatIndex {
    NodeId row = no_node, length = no_node, column = no_node;
};
std::optional<FlatIndex> flat_index(const Tree& tree, NodeId index);

// One text, which is read when its facts are first asked for; by any thread.
class Reading {
public:
    const Facts& of(const std::string& text);  // always the same one

private:
    std::once_flag is_read_;
    Tree tree_;
    Facts facts_;
};

}  // namespace warpgrade::source
