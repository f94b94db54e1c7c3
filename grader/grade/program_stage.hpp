// A stage whose file is a whole program (Stage::is_program): run once for each [[stage.run]] on the virtual GPU and
// host.
//
// A run passes if the program prints what is expected, ends with the expected code, and nothing is found that is an
// error. The rules are put to the numbers of each run that is expected to end with 0; the worst run decides. No card is
// used and nothing is timed.
#pragma once

#include <string>

#include "grade/stage_grader.hpp"
#include "host/program.hpp"

namespace warpgrade {

// As grade_stage.
Result<StageResult> grade_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                  Device& device, const GradeOptions& options);

// As explain_stage: the first run, with what the first warp of each launch accesses.
Result<StageResult> explain_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                    Device& device, const GradeOptions& options);

// A run of `run`, to be shown: without points. `findings`: all of them, errors first.
StageResult shown_program(const Assignment& assignment, const Stage& stage, const host::ProgramText& text,
                          host::ProgramRun&& run, std::vector<Diagnostic> findings);

// As stopped_stage.
StageResult stopped_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                            Diagnostic why);

// The first line in which the output of a program differs; nullopt: none does.
struct DifferentLine {
    std::size_t number = 0;  // from 1
    std::string found, expected;
    bool is_missing = false, is_unexpected = false;
};
// Blanks at the end of a line, and empty lines at the end, are not looked at.
std::optional<DifferentLine> first_difference(const std::string& found, const std::string& expected);

}  // namespace warpgrade
