// Words for mistakes that the kit recognises by itself: a problem may have its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/case.hpp"
#include "problem/description.hpp"

namespace warpgrade {

// The patterns of a problem with this reference.
const std::vector<std::string>& known_mistakes(ReferenceForm form);

// What words may name in {}: buffers, and of a matrix its extents, `high` and `wide`.
const std::vector<std::string>& named_in_words();

// Puts the problem's own words in place of the kit's, and names into both.
void put_words(const ProblemDescription& problem, Judgement& judgement);

}  // namespace warpgrade
