// Expressions that C++ takes and reads in another way than their writer: a < b < c, a = b in a condition, x & y < n,
// 2 ^ s, 1 / 2, a macro without brackets.
#pragma once

#include <string>
#include <vector>

#include "grade/suspicious_text.hpp"

namespace warpgrade {

std::vector<SuspiciousPlace> suspicious_expressions(const std::string& source, const Outline& outline);

}  // namespace warpgrade
