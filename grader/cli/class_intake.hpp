// What `grade` makes of a class's hand-ins before anything is graded: all of them read, and what counts.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "classroom/intake.hpp"
#include "cli/course.hpp"

namespace warpgrade::cli {

// Opens every hand-in, several at a time: an archive is a process each. Only what is wrong with this machine is an
// error: whatever else happens concerns one student, and is said there.
Status read_all(const Course& course, const classroom::HandInMap& map, const std::filesystem::path& scratch,
                int workers, std::vector<classroom::Submission>& submissions);

// An assignment that hardly anybody has begun is not one that everybody failed: a stray upload changes nobody's
// maximum.
void leave_out_unused(const std::vector<classroom::Submission>& submissions,
                      std::vector<const Assignment*>& assignments, std::vector<std::string>& notes,
                      std::vector<std::string>& questions);

// Who handed in only what does not count has done the wrong week's work, or sent the wrong folder: a question, not a
// zero. `counts`: names of stages.
void ask_about_other_stages(std::vector<classroom::Submission>& submissions, const std::set<std::string>& counts);

}  // namespace warpgrade::cli
