// Words for mistakes that the kit recognises by itself: a problem may have its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/description.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// The patterns of a problem with this reference.
const std::vector<std::string>& known_mistakes(ReferenceForm form);

// What the words of a mistake may name in {}: buffers, of a matrix its extents `high` and `wide`, and what it has
// itself.
std::vector<std::string> named_in_words(std::string_view mistake);

// Puts the problem's own words in place of the kit's, and names into both.
void put_words(const ProblemDescription& problem, Judgement& judgement);

}  // namespace warpgrade
