// What rules and warnings share: where they apply, and how their templates are filled.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explain/rule.hpp"
#include "source/questions.hpp"

namespace warpgrade::explain {

using Words = std::vector<std::pair<std::string, std::string>>;  // {name} and what stands for it

Words words_of(const source::Tree& tree, const std::vector<source::Binding>& bindings);
// "return", "break" or "continue": what the `if` with the node in its condition ends with; "" where there is none.
std::string exit_word(const source::Facts& facts, source::NodeId node);
std::string with_words(std::string text, const Words& words);

// Whether the node is in a function of the rule's side.
bool fits_side(const Rule& rule, const source::Facts& facts, source::NodeId node);

}  // namespace warpgrade::explain
