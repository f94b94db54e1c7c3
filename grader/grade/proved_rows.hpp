// What is proved of an assignment's solutions for every shape (proof/claim.hpp), as its author has recorded it: a line
// for each stage in solutions/<assignment>/proved.toml, `padding = ["launch", "width"]`. `verify` says which of it a
// change has lost, `verify --update` writes the file. Without a file, or a line, nothing is compared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "grade/result.hpp"

namespace warpgrade {

using ProvedRows = std::map<std::string, std::vector<std::string>>;  // obligations, by the stage's id
std::string proved_path(const Assignment& assignment);
// Error: blame course, with the line.
Result<ProvedRows> recorded_rows(const Assignment& assignment);
std::string text_of(const Assignment& assignment, const ProvedRows& rows);

// What is proved now. What is recorded stays where the time was over before it was looked at again; so it does where
// nothing could be proved at all.
std::vector<std::string> proved_now(const std::vector<std::string>& recorded, const StageResult& solution);
// The first recorded obligation that is not among these, where it stays open and why.
std::optional<Diagnostic> lost_row(const Stage& stage, const std::vector<std::string>& recorded,
                                   const StageResult& solution);

}  // namespace warpgrade
