// What a real GPU adds to a grading: the cases once more, and bandwidths.
#pragma once

#include <string>
#include <vector>

#include "grade/case_series.hpp"
#include "grade/stage_grader.hpp"
#include "timing/measure.hpp"

namespace warpgrade {

// The variant of the cases that run there: "on NVIDIA H200".
std::string variant_on(const Card& card);

// Runs the cases that are right on the virtual GPU, and times the submission if all are right on both. Adds cases to
// the series, bandwidths and findings to the result. Error: host or kit.
Status check_and_measure(const Subject& subject, const std::string& source, const std::vector<Shape>& shapes,
                         const GradeOptions& options, CaseSeries& series, StageResult& result);

}  // namespace warpgrade
