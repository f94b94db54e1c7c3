// Points from what was found.
#pragma once

#include "course/assignment.hpp"
#include "grade/result.hpp"

namespace warpgrade {

// Of a stage of which nothing is known yet: its names, its points for results and technique, and its band.
StageResult blank_result(const Assignment& assignment, const Stage& stage, const std::string& path);

// Correctness: the share of cases that pass; nothing if no case with an element in it passes (a stub that does nothing
// is right for empty matrices), and nothing for the stub as it was handed out. Technique: the points of the rules that
// hold, if the technique shape came out right. Performance: none without a bandwidth, and the state says so.
Score score_of(const Stage& stage, const StageResult& result, bool technique_shape_is_right, bool has_own_shapes);

}  // namespace warpgrade
