// What the text of a sum shows of a mistake that its counts have told: the line to point to.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <utility>

namespace warpgrade {

// The first line that matches, comments left out, not longer than anybody writes; 0: none.
int first_line_like(const std::string& source, const std::regex& pattern);
// `i < n ? in[i] : 1.0f`: the number that is not 0, and its line.
std::optional<std::pair<std::string, int>> brought_by_idle(const std::string& source);
// Somewhere an element of a shared array is added to.
bool adds_in_place(const std::string& source);
// `a + a`; 0: nowhere.
int line_of_same_twice(const std::string& source);
// A product that is stored to a shared array; 0: nowhere.
int line_of_product(const std::string& source);

}  // namespace warpgrade
