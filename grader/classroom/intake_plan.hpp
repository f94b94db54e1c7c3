// What the intake decided, before anything is graded: as a table that `--map` takes again, as JSON, as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "classroom/intake.hpp"

namespace warpgrade::classroom {

// A row a file: hand_in, file, student, stage, graded, how, when. What a person has to decide has an empty cell.
std::string hand_in_map_csv(const std::vector<Submission>& submissions);
// What a person has decided so far, to be kept.
std::string decisions_csv(const HandInMap& map);

nlohmann::ordered_json plan_json(const std::vector<Submission>& submissions);

// False: a person has to look before every stage of this student's has a mark.
bool is_understood(const Submission& submission);

}  // namespace warpgrade::classroom
