// What rules and warnings share: where they apply, and how their templates are filled.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/rule.hpp"
#include "source/facts.hpp"

namespace warpgrade::explain {

using Words = std::vector<std::pair<std::string, std::string>>;  // {name} and what stands for it

// On one line, as a sentence quotes it.
std::string in_one_line(std::string_view text);
Words words_of(const source::Tree& tree, const std::vector<source::Binding>& bindings);
std::string with_words(std::string text, const Words& words);

// Whether the node is in a function of the rule's side.
bool fits_side(const Rule& rule, const source::Facts& facts, source::NodeId node);

}  // namespace warpgrade::explain
