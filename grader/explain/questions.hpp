// Questions about an expression that rules and generators share. Each is answered by the text, never by a name's
// spelling.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/facts.hpp"

namespace warpgrade::explain {

enum class Memory { unknown, global, shared, local };

const source::Function* function_around(const source::Facts& facts, source::NodeId node);
const source::Loop* loop_around(const source::Facts& facts, source::NodeId node);

// The node and all below it, in the order of the text.
std::vector<source::NodeId> nodes_in(const source::Tree& tree, source::NodeId node);
bool is_within(const source::Tree& tree, source::NodeId node, source::NodeId outer);
std::set<std::string_view> names_in(const source::Tree& tree, source::NodeId node);
// The variable that a name expression names; "" of any other expression. Casts and brackets are looked through.
std::string_view plain_name(const source::Tree& tree, source::NodeId node);

// Whether threads of one block can have different values: it leads to threadIdx by the definitions of its names.
bool differs_by_thread(const source::Facts& facts, source::NodeId node);
bool differs_by_block(const source::Facts& facts, source::NodeId node);
// Whether the name is in it, or in the definitions of its names, or in those of theirs.
bool leads_to_name(const source::Facts& facts, source::NodeId node, std::string_view name);

// By the declaration that the line sees: a whole number, no pointer and no array.
bool is_whole_number(const source::Facts& facts, std::string_view name, int line);
bool is_whole_number_type(std::string_view type);
bool is_number_type(std::string_view type);
// Sums, products and quotients of whole numbers.
bool is_whole_value(const source::Facts& facts, source::NodeId node);
// Whether it may be another value each time: it assigns or calls.
bool has_effects(const source::Tree& tree, source::NodeId node);
// Of the name that a declarator declares.
source::Range name_range(const source::Facts& facts, source::NodeId declarator);
std::vector<std::string_view> whole_number_parameters(const source::Function& function);
Memory memory_of(const source::Facts& facts, std::string_view array, int line);
const source::SharedArray* shared_array(const source::Facts& facts, std::string_view name, int line);

// The statement of a block that the node belongs to.
source::NodeId statement_of(const source::Tree& tree, source::NodeId node);
// Whether the head decides by thread: an `if`, or a loop.
bool splits_threads(const source::Facts& facts, source::NodeId statement);

}  // namespace warpgrade::explain
