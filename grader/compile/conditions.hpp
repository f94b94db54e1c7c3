// Which conditions of a submission could ask for a file in a way that nobody reads off its text. Internal to compile/.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compile/source_lines.hpp"

namespace warpgrade {

// Of #if and #elif: line and message. A macro that pastes tokens can spell `__has_include` without its name, also in
// several steps, so a condition may use none; nor may it call a macro that is not the submission's own, for headers
// have such macros.
std::vector<std::pair<int, std::string>> unreadable_conditions(const std::vector<SourceLine>& lines);

}  // namespace warpgrade
