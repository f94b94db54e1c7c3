// Loops over the elements of the whole input that begin at a thread's place in the grid, and go on by something else
// than all of its threads.
#pragma once

#include <vector>

#include "grade/suspicious_text.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_strides(const Outline& outline);

}  // namespace warpgrade
