// What the kit keeps about a learner's course in build/: the stubs as they were handed out, and how each stage's last
// check went. Both are a convenience: where they cannot be written or are lost, nothing is said, and nothing else
// changes.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {

// Copies every stub that is still untouched (by its digest in assignment.toml) to build/stubs/, unless it is there.
void keep_stubs(const Course& course);
// The stub as it was handed out: the kept one, or the file itself if it is untouched. nullopt: neither is.
std::optional<std::string> kept_stub(const Course& course, const Assignment& assignment, const Stage& stage);

// How the last check of a stage's own file went.
struct CheckNote {
    double points = 0, most = 0;
    bool passes = false;
};
// Of the target's file as it stands now, if that is the stage's own.
void note_check(const Course& course, const Target& target, const SummaryRow& row);
// nullopt: never checked, or changed since.
std::optional<CheckNote> last_check(const Course& course, const Assignment& assignment, const Stage& stage);

// How far a stage's own file is. A stub is untouched even if it was checked.
enum class FileState { missing, example, untouched, unchecked, unfinished, done };
FileState state_of(const Course& course, const Assignment& assignment, const Stage& stage);
// "not checked yet"
const char* words_of(FileState state);
// The colour of these words; Paint::none where they say that there is something to do.
Paint paint_of(FileState state);

}  // namespace warpgrade::cli
