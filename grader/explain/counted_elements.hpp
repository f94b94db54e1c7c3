// How often a wrong sum counts each element.
//
// Theory of operation. A sum is linear: a run on an input of zeros with a 1 in one place gives the number of times that
// this element is counted; with 1, 64, 64^2 and 64^3 in four places, of four at a time. A run on zeros alone comes
// first: what it gives is not the input's. One block's elements are looked at before those of several, since what goes
// wrong in a block goes wrong in each launch again; a launch that is fixed in size is divided out. What comes out is
// said only where it explains a sum of other values, to the last digit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/cases.hpp"

namespace warpgrade {

struct CountedElements {
    std::string pattern, title;  // the pattern "": the counts follow no rule that is known
    std::string fact;            // "of 65 elements it counts in[0] to in[63] once, in[64] not at all"
    std::string help;
    std::string shape;                 // that it was seen on, as --shape takes it
    std::string sums;                  // "out[0] is 13, expected 26"; "" where it is not told
    int line = 0;                      // 0: the counts do not say
    std::vector<std::string> facts{};  // more of them
    int todo = 0;                      // line of a TODO that asks for what is missing
};
// Of shapes that came out wrong; `is_named`: something is known of them already, and only what goes wrong in every
// block is asked for. Nothing where the output is more than one number, where all are too large, and where
// what the launcher does with its input is no sum.
std::optional<CountedElements> counted_elements(const Bench& bench, const std::vector<Shape>& wrong, bool is_named);

}  // namespace warpgrade
