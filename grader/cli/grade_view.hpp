// What `grade` shows when it is done.
#pragma once

#include <string>

#include "classroom/batch.hpp"
#include "cli/render.hpp"

namespace warpgrade::cli {

// How many students stand where, the marks by stage, and who needs a person.
std::string render_class(const classroom::BatchOutcome& outcome, const RenderStyle& style);

// 0: everybody who handed in has marks, whatever they are. 1: a hand-in or a stage has none. 70: the kit failed on a
// stage.
int exit_code_of(const classroom::BatchOutcome& outcome);

// Who handed in what, and what a person has to decide; nothing graded.
std::string render_plan(const std::vector<classroom::Submission>& submissions, const RenderStyle& style);

}  // namespace warpgrade::cli
