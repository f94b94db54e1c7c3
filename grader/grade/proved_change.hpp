// The change of one place that makes a wrong program right, found by trying, and told.
//
// Theory of operation. Rules (explain/rule.hpp) name changes of the text that what was found may call for; each is made
// and run (tried_changes.hpp). The first with which all shapes are right names the cause: its finding comes first, and
// what the others advise waits. What was tried and did not help is not told as a cause.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explain/rule.hpp"
#include "grade/result.hpp"
#include "grade/tried_changes.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// `facts`: of the submission's text. `hazards`: the cases behind the plain ones, in other orders of the warps, with the
// variant that their results have. `shows_change`: the course lets students see the text of the change, too. Error:
// host or kit.
Status tell_proved_change(const TrialBench& bench, const source::Facts& facts, const std::vector<explain::Rule>& rules,
                          std::span<const CaseToRun> hazards, bool shows_change, StageResult& result);

}  // namespace warpgrade
