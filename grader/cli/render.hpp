// Diagnostics as compiler-style text: error[code]: title, --> path:line:column, the source line with a caret, facts,
// help.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "cli/text.hpp"

namespace warpgrade {

// `source`: text of the marked file, or empty to read it from the path (no excerpt if it cannot be read).
// Control characters and escapes in learner text are shown, never sent to the terminal.
std::string render(const Diagnostic& diagnostic, const std::string& source, const RenderStyle& style);

}  // namespace warpgrade
