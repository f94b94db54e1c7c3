// The words of a parse error.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "ptx/cursor.hpp"

namespace warpgrade::ptx {

// The learner is to blame only for text that came from an asm() of the submission; otherwise the kit is, since the
// rest was written by the compiler. A mark of line 0 is left out.
Diagnostic unreadable(bool is_learners, const std::string& problem, SourceMark mark, std::string fact);
Diagnostic syntax_error(const Failure& failure, std::string_view text);

}  // namespace warpgrade::ptx
