// Steps of a tree in which a thread takes in what is another one's, and shuffles whose arguments or tests say something
// else than their writer means.
#pragma once

#include <vector>

#include "grade/suspicious_text.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_trees(const Outline& outline);

}  // namespace warpgrade
