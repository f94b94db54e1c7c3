// Questions about an expression that rules and generators share. Each is answered by the text, never by a name's
// spelling.
#pragma once

#include <string_view>
#include <vector>

#include "source/questions.hpp"

namespace warpgrade::explain {

enum class Memory { unknown, global, shared, local };

// Whether threads of one block can have different values: it leads to threadIdx by the definitions of its names.
bool differs_by_thread(const source::Facts& facts, source::NodeId node);
bool differs_by_block(const source::Facts& facts, source::NodeId node);
// Of `kernel<<<grid, block>>>(in, n / 2)` the n.
bool is_argument_of_launch(const source::Facts& facts, source::NodeId node);
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
std::vector<std::string_view> whole_number_parameters(const source::Function& function);
Memory memory_of(const source::Facts& facts, std::string_view array, int line);
const source::SharedArray* shared_array(const source::Facts& facts, std::string_view name, int line);

// The statement of a block that the node belongs to.
source::NodeId statement_of(const source::Tree& tree, source::NodeId node);
// Whether the head decides by thread: an `if`, or a loop.
bool splits_threads(const source::Facts& facts, source::NodeId statement);

}  // namespace warpgrade::explain
