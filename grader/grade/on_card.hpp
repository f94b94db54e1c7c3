// What a real GPU adds to a grading: the cases once more, and bandwidths.
#pragma once

#include <string>
#include <vector>

#include "grade/cases.hpp"
#include "grade/measure.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade {

// Nothing, where a case failed on the virtual GPU. Adds cases to the series, bandwidths and findings to the result.
// Error: host or kit.
Status grade_on_card(const Subject& subject, const std::string& source, const std::vector<Shape>& shapes,
                     const GradeOptions& options, CaseSeries& series, StageResult& result);

}  // namespace warpgrade
