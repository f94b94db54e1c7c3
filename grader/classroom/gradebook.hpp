// The class as tables: gradebook.csv for a person and a learning platform's import, class.json for the class report.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "classroom/batch.hpp"
#include "classroom/late_policy.hpp"

namespace warpgrade::classroom {

// The roster's identifying columns as they are, status, late, points by assignment, total, max, points by stage, from
// which hand-in and when, notes. `only`: the stages that count; empty: all.
// No number stands where there is no mark: of a missing student, of a stage that needs a person and of the sums that it
// is part of the cell is empty. The same marks give the same bytes.
std::string gradebook_csv(const Roster& roster, const std::vector<const Assignment*>& assignments,
                          const std::vector<StudentMarks>& students, const std::set<std::string>& only = {},
                          const LateRules& late = {});

// "warpgrade.marks/1": every mark with all that exports need, and what is known of who it is for.
nlohmann::ordered_json marks_json(const std::vector<const Assignment*>& assignments,
                                  const std::vector<StudentMarks>& students, const std::set<std::string>& only,
                                  const LateRules& late);

// What the policy makes of when the student's files were handed in; stages that a person has set lose nothing.
LateEffect late_effect_of(const StudentMarks& marks, const LateRules& rules);

// From which hand-in the marks are, and of which attempt: "hw3.zip of 2026-11-02 23:59:00".
std::string evidence_of(const StudentMarks& marks);

// "warpgrade.class/1": who is in the class, with what standing and which result file.
nlohmann::ordered_json class_json(const nlohmann::ordered_json& header, const std::vector<StudentMarks>& students);

// Why a person has to look, one sentence a reason, for a list on the terminal and in the notes.
std::vector<std::string> reasons(const StudentMarks& marks);

}  // namespace warpgrade::classroom
