// What `grade` shows when it is done.
#pragma once

#include <string>

#include "classroom/batch.hpp"
#include "cli/render.hpp"

namespace warpgrade::cli {

// How many students stand where, the marks by stage, and who needs a person.
std::string render_class(const classroom::BatchOutcome& outcome, const RenderStyle& style);

}  // namespace warpgrade::cli
