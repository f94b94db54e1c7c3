// A stage of a student's result, as JSON: what is put into it, and what a gradebook takes out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "classroom/batch.hpp"
#include "grade/result.hpp"

namespace warpgrade::classroom {

// A stage for which there is no result of its own, in the same form.
nlohmann::ordered_json stage_without_result(const Assignment& assignment, const Stage& stage, ScoreState state,
                                            const std::string& why);
StageMark mark_of(const nlohmann::ordered_json& json);
// What a person has decided, in the place of what was graded; its parts in the proportion of the stage's.
void apply(const Override& decided, nlohmann::ordered_json& json);
Standing standing_of(const std::vector<StageMark>& marks);
// Which hand-in a mark came from.
void add_evidence(nlohmann::ordered_json& json, const Submission& submission, const Stage& stage);

}  // namespace warpgrade::classroom
