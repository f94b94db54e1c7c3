// Variables that hide one another, or that a value comes to and goes no further; stores over what nobody has read.
#pragma once

#include <vector>

#include "grade/suspicious_text.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_variables(const Outline& outline);

}  // namespace warpgrade
