// The score of a stage that was graded before, with the points that the stage has now: from its result JSON, without
// running anything.
//
// Theory of operation. What decides a result falls apart in two: what is measured (the source, the problem, the shapes,
// the comparisons of the rules), and what is made of it (points, their shares, the band, titles and the words of
// rules). A stored result names both: its key the first (measuring_text), its own member `marking` the second. Where
// only the second is another one, the score is worked out again by the same function that gave it (score.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "course/assignment.hpp"

namespace warpgrade {

// All of the stage's block in assignment.toml that changes what is run or measured. `on_card`: there the band decides
// how often is measured.
std::string measuring_text(const Stage& stage, bool on_card);

// The rest that stands in a result.
nlohmann::ordered_json marking_of(const Stage& stage);

// Gives a result with its `marking` the present one. False: it is as it was.
bool rescore(nlohmann::ordered_json& result, const Stage& stage);

}  // namespace warpgrade
