// The student kit: the course without what students must not have.
//
// What goes in is listed, not what stays out: stubs and course files, the grader without its tests, the reports, the
// handouts that students read, and a README of the parts for them. Programs that run without a build come with it:
// build/programs/MACHINE/warpgrade-bin is the kit's grader/programs/MACHINE/warpgrade-bin. Solutions, seeds, tests'
// programs, instructors' handouts and everything that happens to lie around are not on the list. Then every file,
// programs as well, is searched for lines of the solutions and for the seed, and a stub that somebody has filled in is
// refused.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "classroom/archive.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

struct KitOptions {
    std::vector<std::string> assignments;  // that are handed out; empty: all of the course
    std::optional<std::size_t> hints;      // of each stage, from the first; nothing: all
    bool shows_solutions = false;          // to who is done (shown_solution.hpp)
    bool has_programs = true;              // where grader/launch/programs.sh has made them
};

// Files of the kit, paths relative to its root, by name. Handouts follow: what speaks of an assignment that is not
// handed out is not in them. Error: course: a stub is not the one that is handed out, a
// file holds lines of a solution or the seed; host: unreadable.
Result<std::vector<ArchiveMember>> student_kit(const std::string& root, const std::vector<Assignment>& course,
                                               const KitOptions& options = {});

// README.md without the sections that are not for students: the introduction, "For students" and "Requirements".
std::string student_readme(const std::string& readme);

// Lines of a solution that no stub has, and that this text has too; of a program, the texts in it are looked at. Blanks
// and comments do not count, nor do lines of fewer than 10 other characters.
struct Leak {
    int line = 0;  // of the first one, in the text
    int found = 0, all = 0;
    // One line may be a coincidence, or a handout's point.
    bool is_one() const { return all > 0 && found >= std::min(all, 3); }
};
Leak find_leak(const std::string& text, const std::string& solution, const std::string& stubs);

}  // namespace warpgrade::classroom
