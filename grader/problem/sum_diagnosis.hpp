// What is wrong with a sum: which elements would have to be missing or counted twice to give exactly this number.
#pragma once

#include "problem/case.hpp"
#include "problem/description.hpp"
#include "problem/sum_input.hpp"

namespace warpgrade {

// Judges the one element of the last buffer, the sum of the first, which holds `input`. `previous`: what the call
// before added up.
Judgement judge_sum(const ProblemDescription& problem, DeviceProgram& program, const Case& prepared,
                    const SumInput& input, const SumInput* previous);

}  // namespace warpgrade
