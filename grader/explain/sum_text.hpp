// What the text of a sum shows of a mistake that its counts have told: the line to point to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "source/facts.hpp"

namespace warpgrade {

// The first line that the pattern fits (source/pattern.hpp); 0: none.
int first_line_like(const source::Facts& facts, std::string_view pattern);
// `i < n ? in[i] : 1.0f`: the number that is not 0, and its line.
std::optional<std::pair<std::string, int>> brought_by_idle(const source::Facts& facts);
// Somewhere an element of a shared array is added to.
bool adds_in_place(const source::Facts& facts);
// `a + a`; 0: nowhere.
int line_of_same_twice(const source::Facts& facts);
// A product that is stored to a shared array; 0: nowhere.
int line_of_product(const source::Facts& facts);

}  // namespace warpgrade
