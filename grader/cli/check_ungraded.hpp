// The place in a result of a stage that the kit could not grade.
#pragma once

#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"
#include "cli/course.hpp"
#include "grade/result.hpp"

namespace warpgrade::cli {

// No points, and why; the state is internal_error.
StageResult ungraded(const Target& target, const Diagnostic& why);

// The stage's JSON with the diagnostic as its error.
nlohmann::ordered_json with_error(nlohmann::ordered_json stage, const Diagnostic& why);

}  // namespace warpgrade::cli
