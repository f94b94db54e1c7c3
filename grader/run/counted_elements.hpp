// How often a wrong sum counts each element.
//
// Theory of operation. A sum is linear: a run on an input of zeros with a 1 in one place gives the number of times that
// this element is counted; with 1, 64, 64^2 and 64^3 in four places, of four at a time. What comes out is said only
// where it explains the sum that was wrong, to the last digit. A run on zeros alone comes first: what it gives is not
// the input's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/cases.hpp"

namespace warpgrade {

struct CountedElements {
    std::string fact;  // "of 65 elements it counts in[0] to in[63] once, in[64] not at all"
    std::string help;
};
// Of a shape that came out wrong; nothing where it is too large, where the output is more than one number, and where
// what the launcher does with its input is no sum.
std::optional<CountedElements> counted_elements(const Bench& bench, const Shape& shape);

}  // namespace warpgrade
