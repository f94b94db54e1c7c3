// The order of a course's solutions by the time model, held against what a card has measured of them.
//
// A ladder is what a course is about: each stage faster, or slower, than the one before. A profile keeps what its card
// measured of every solution ([[reference]]), so where the model has two of them the wrong way round, or where no card
// has timed a stage at all, its author is told. That is no fault of the course.
#pragma once

#include <string>
#include <vector>

#include "grade/result.hpp"
#include "model/profile.hpp"

namespace warpgrade {

// A sentence each, without a full stop. `solutions`: graded with the model, of one assignment or several.
std::vector<std::string> notes_on_ladder(const std::vector<const StageResult*>& solutions, const GpuProfile& profile);

}  // namespace warpgrade
