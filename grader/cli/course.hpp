// Where the course is, and which stage a word on the command line means.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "explain/rule.hpp"

namespace warpgrade::cli {

struct Course {
    std::string root;
    std::vector<Assignment> assignments;
    std::vector<std::string> profiles;  // names of grader/profiles/*.toml
    std::string command;                // how to type the kit's name from the current folder: "./grader/warpgrade"
};

// The root is $WARPGRADE_ROOT, else the nearest folder with an `assignments` folder above the executable. Errors: no
// such folder (usage), a course file that cannot be read (course).
Result<Course> open_course();
// grader/explain/rules, which take 10 ms to read; a kit without them tries no changes. Error: course.
Result<std::vector<explain::Rule>> rules_of(const Course& course);
// For messages: "transpose/copy". A course has one.
inline std::string first_stage(const Course& course) { return course.assignments.front().stages.front().name(); }

// One file to look at, as one stage.
struct Target {
    const Assignment* assignment = nullptr;
    const Stage* stage = nullptr;
    std::string path;      // as the learner named it, or relative to the current folder
    std::string argument;  // what to type to name it again: "transpose/padding", or the path with its --stage
};

// `words`: stages, assignments, files and folders. Empty: the stages of the current folder if it is an assignment's,
// else all. `as_stage`: --stage, for files; empty = by name and folder. Error: usage, with a near-name.
Result<std::vector<Target>> find_targets(const Course& course, const std::vector<std::string>& words,
                                         const std::string& as_stage);

// The stage after this one in its assignment, or nullptr.
const Stage* next_stage(const Assignment& assignment, const Stage& stage);

// The same; after an assignment's last stage the first one of the next assignment that is not a worked example. Both
// nullptr after the last of all.
StageMatch next_in_course(const Course& course, const Assignment& assignment, const Stage& stage);

// `path` relative to the current folder if that is shorter.
std::string shown_path(const std::string& path);

// How to type the kit's name from the current folder, also where there is no course: "./grader/warpgrade".
std::string kit_command();

// Whether the course here is what students get, which has no solutions.
bool is_student_kit();

// "`warpgrade ..." in course text with the command that works here.
std::string with_command(std::string text, const std::string& command);

// The commit a checkout is at, 12 digits; empty outside a checkout. Reads .git, starts nothing.
std::string git_revision(const std::string& root);

}  // namespace warpgrade::cli
