// How often a wrong sum counts each element.
//
// Theory of operation. A sum is linear: a run on an input of zeros with a 1 in one place gives the number of times that
// this element is counted; with 1, 64, 64^2 and 64^3 in four places, of four at a time. What comes out is said only
// where it explains the sum that was wrong, to the last digit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/cases.hpp"

namespace warpgrade {

struct CountedElements {
    std::string text;             // "in[0] to in[31] once, in[32] to in[63] twice, in[64] not at all"
    std::uint64_t first_odd = 0;  // the first element that is not counted once
};
// Of a shape that came out wrong; nothing where it is too large, where the output is more than one number, and where
// what the launcher does with its input is no sum.
std::optional<CountedElements> counted_elements(const Bench& bench, const Shape& shape);

}  // namespace warpgrade
