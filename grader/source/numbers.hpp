// Whole numbers of a submission's text: what a constant expression is, and what values a loop's variable takes.
#pragma once

#include "source/facts.hpp"

namespace warpgrade::source {

// By the names that are known; none where a part is not, where it is no whole number, or where 64 bits do not hold it.
std::optional<std::int64_t> number_of(const Tree& tree, NodeId expression, const Numbers& names);

// The values of the loop's variable, one for each iteration; none if not all are known or there are more than `most`.
std::vector<std::int64_t> values_of(const Tree& tree, const Loop& loop, const Numbers& names, std::size_t most = 64);

}  // namespace warpgrade::source
