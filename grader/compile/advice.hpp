// NVRTC's words, where they would puzzle a learner, said again in terms of what belongs in a submission.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compilation.hpp"

namespace warpgrade {

// Rewrites the messages about `source` in place, drops those that only follow from one rewritten on the same line, and
// puts a missing `;` on the line that lacks it.
void advise(std::vector<CompilerMessage>& messages, std::string_view source, const std::string& path);

// A `main` outside every brace and every #if: its line, or 0.
int line_of_main(std::string_view source);
// For a submission with its own main().
CompilerMessage main_message(const std::string& path, int line);

}  // namespace warpgrade
