// Diagnostics as compiler-style text: error[code]: title, --> path:line:column, the source line with a caret, facts,
// help.
#pragma once

#include <string>

#include "base/diagnostic.hpp"

namespace warpgrade {

struct RenderStyle {
    bool use_colour = false;  // only on a terminal, and not when NO_COLOR is set
    int columns = 80;         // text is wrapped to this; source excerpts are cut, with "..."
};

// `source`: text of the marked file, or empty to read it from the path (no excerpt if it cannot be read).
// Control characters and escapes in learner text are shown, never sent to the terminal.
std::string render(const Diagnostic& diagnostic, const std::string& source, const RenderStyle& style);

}  // namespace warpgrade
