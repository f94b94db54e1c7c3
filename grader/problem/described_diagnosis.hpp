// What is wrong with the output of a described problem: the mistakes that its author has named, then those that all
// problems have in common. Internal to problem/.
#pragma once

#include "problem/case.hpp"
#include "problem/oracle.hpp"

namespace warpgrade {

// `known`: without inputs where they are too large to be kept. Error: host, or a function of problem.cu that fails.
Result<Judgement> judge_described(const ProblemDescription& problem, Oracle& oracle, DeviceProgram& program,
                                  const Case& prepared, const KnownCase& known);

}  // namespace warpgrade
