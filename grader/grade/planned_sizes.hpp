// Sizes for which a launcher is asked what it would launch, and nothing is run.
//
// Theory of operation. What a launcher computes is wrong from some size on: a grid with more blocks than CUDA takes, a
// product of extents that 32 bits do not hold. Such sizes are too large to be run, and need not be: the launcher alone
// is interpreted, with addresses of buffers as large as they would be, and what it asks for is judged.
#pragma once

#include <string>

#include "base/result.hpp"
#include "run/cases.hpp"

namespace warpgrade {

// Beneath the shape of such a case.
inline constexpr const char* planned_variant = "planned, not run";

// A case of which nothing is run: its shape, and its arrays as messages name them.
CaseOutcome unrun_case(const Problem& problem, const Shape& shape, const char* variant);

// `verdict`: of a case that has passed so far.
void add(CaseOutcome& outcome, Diagnostic finding, Verdict verdict);

// `ptx`: of the compilation without optimisation, where arithmetic stands as in the source. Error: host or kit.
Result<CaseOutcome> plan_case(const Bench& bench, const Shape& shape, const std::string& ptx);

}  // namespace warpgrade
