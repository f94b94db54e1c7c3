// Of which elements of the input, and how often each, one wrong element of the output is the sum.
//
// Theory of operation. As counted_elements, for outputs of many whole numbers that are sums of those of the input,
// modulo 2^32: a run on zeros with numbers in a piece of the input says how often the piece is counted, if all of it is
// as often; the few pieces where it is not are gone through one by one. What comes out is said only where it explains
// the element that was wrong, to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/cases.hpp"

namespace warpgrade {

struct CountedOutput {
    std::string fact;     // "out[16] adds up in[0] not at all, in[1] to in[16] once"
    std::string help;     // "" where the counts ask nothing
    std::string title{};  // "" where they have none
    int line = 0;         // of the loop that lacks a step, or of the call; 0: not known
};
// `wrong`: a byte of that element, on a shape that came out wrong. Nothing where it is no sum, or the shape is too
// large.
std::optional<CountedOutput> counted_output(const Bench& bench, const Shape& shape, std::uint64_t wrong);

}  // namespace warpgrade
