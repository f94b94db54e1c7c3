// What can be said of a course by reading it: assignment.toml, stubs, solutions and documents belong together.
// Errors are the course author's (Blame::course), with the place to change.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "course/assignment.hpp"

namespace warpgrade {

inline constexpr double points_of_an_assignment = 100;
inline constexpr std::size_t hint_levels = 3;  // nudge, direction, near-answer

// A stage and its two files: names, digest, gaps, words for the student.
std::vector<Diagnostic> check_stage_text(const Assignment& assignment, const Stage& stage);

// assignment.toml with the digests that the stubs of these stages have now. A stage that is not graded and has none
// keeps none.
struct RecordedStubs {
    std::string path, text;
    std::vector<std::string> changed;  // names of stages
};
Result<RecordedStubs> record_stubs(const Assignment& assignment, const std::vector<const Stage*>& stages);

// What concerns no stage alone: the sum of the points, numbers, files that belong to no stage.
std::vector<Diagnostic> check_assignment_text(const Assignment& assignment);

// Folders of `assignments` and `solutions` that hold no assignment, and what the documents of the course name: commands
// (`verbs`: of the program), stages, files. `root`: of the course.
std::vector<Diagnostic> check_course_text(const std::string& root, const std::vector<Assignment>& course,
                                          const std::vector<std::string>& verbs);

}  // namespace warpgrade
