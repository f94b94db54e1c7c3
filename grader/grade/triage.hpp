// Which of several findings are told, and in which order: a cause comes before what it leads to.
//
// Theory of operation. One table of pairs. A finding that another one explains is dropped where it would say nothing
// of its own, or deferred: it stays, after its cause, and its advice is to fix that first. All pairs are looked at
// before anything is removed, as what is dropped may itself be a cause. Findings about the same array or barrier are
// told once, with the other lines.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpgrade {

// `refused_shapes`: where CUDA did not take a launch.
void triage(std::vector<Diagnostic>& findings, const std::set<std::string>& refused_shapes);

// Of its first mark; 0: it has none, or no place in the file.
int first_line(const Diagnostic& finding);
// "race_shared, line 20: two threads ..."
std::string code_and_title(const Diagnostic& finding);

// Whether its advice names the line that has to change, and does not only ask about it.
bool is_sure_of_line(const Diagnostic& finding);

// Takes back the advice of the findings from `first` on, which one before them explains.
void defer(std::vector<Diagnostic>& findings, std::size_t first);
// `help`: what to fix first, where more is known.
void defer(Diagnostic& finding, std::string_view help = {});

}  // namespace warpgrade
