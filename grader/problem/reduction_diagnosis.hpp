// What is wrong with a sum: which elements would have to be missing or counted twice to give exactly this number.
#pragma once

#include "problem/problem.hpp"
#include "problem/reduction_input.hpp"

namespace warpgrade {

// Judges the sum `found` (the value of out[0], which was written) of the input.
Judgement judge_sum(float found, const ReductionInput& input, const Case& prepared, const ReductionInput* previous);

}  // namespace warpgrade
