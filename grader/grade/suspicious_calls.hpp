// Calls of the submission's own functions in which two arguments stand in each other's place, as their names, their
// types or the other calls of the function say.
#pragma once

#include <vector>

#include "grade/suspicious_text.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_calls(const Outline& outline);

}  // namespace warpgrade
