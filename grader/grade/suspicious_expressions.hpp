// Expressions that C++ takes and reads in another way than their writer: a < b < c, a = b in a condition, x & y < n,
// 2 ^ s, 1 / 2, a macro without brackets.
#pragma once

#include <string>
#include <vector>

#include "course/source_outline.hpp"

namespace warpgrade {

struct SuspiciousPlace {
    int line = 0, column = 0;
    std::string message, help;
};

std::vector<SuspiciousPlace> suspicious_expressions(const std::string& source, const Outline& outline);

}  // namespace warpgrade
