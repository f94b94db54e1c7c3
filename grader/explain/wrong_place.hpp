// Lines of a submission's text that explain what is wrong with its output, beside the store where it shows.
//
// Theory of operation. The pattern of the wrong output says what kind of line is to blame: one that makes an index, the
// load, the loop, a division. Where the text has just one of these, or one for the row and one for the column, it is
// marked in front of the store; where it has others, the marks stay as they are.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "explain/submitted.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// `in`: the name of the buffer that is read; `wrong`: has the mark on the store, or on the launch.
void mark_cause_in_text(const Submitted& text, const Judgement& judgement, const std::string& in, Diagnostic& wrong);

// Where the last elements are left out, and the text has one comparison that stops so many too early: that one, first.
// That is then the cause of whatever else is seen.
void mark_bound_that_stops_early(const Submitted& text, Judgement& judgement, Diagnostic& wrong);

}  // namespace warpgrade
