// Why two threads come to one place, as far as the submission's text and the places of the two show: as advice.
//
// Theory of operation. That they meet is known from the finding. What is said of a line is true of its text; "" where
// the text shows nothing.
#pragma once

#include <string>

#include "run/wording_place.hpp"

namespace warpgrade {

// A __syncthreads() on one of these lines that only those come to who get past a test, which begins behind `first`.
std::string advice_on_barrier_behind_test(const Scene& scene, int first, int last);
// `in[...]` of a launch that was handed the output for `in` as well.
std::string advice_on_handed_over(const Scene& scene);
// Two threads of one block that differ in one part of threadIdx alone, and store to one place.
std::string advice_on_axis(const Scene& scene);
// Blocks that begin less than a tile apart: one part of blockIdx goes times two numbers in one kernel.
std::string advice_on_factors(const Scene& scene);

}  // namespace warpgrade
