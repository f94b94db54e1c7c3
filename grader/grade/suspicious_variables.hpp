// Variables that hide one another, or that a value comes to and goes no further; stores over what nobody has read.
#pragma once

#include <vector>

#include "course/source_outline.hpp"
#include "grade/suspicious_expressions.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_variables(const Outline& outline);

}  // namespace warpgrade
