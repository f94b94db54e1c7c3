// The change of one place that makes a wrong program right, found by trying, and told.
//
// Theory of operation. Rules (explain/rule.hpp) name changes of the text that what was found may call for; each is made
// and run (tried_changes.hpp). The first with which all shapes are right names the cause: its finding comes first, and
// what the others advise waits. What was tried and did not help is not told as a cause, nor is what undoes the stage's
// technique, or leaves something that was told as well.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explain/change.hpp"
#include "explain/rule.hpp"
#include "grade/evidence.hpp"
#include "grade/result.hpp"
#include "grade/tried_changes.hpp"
#include "source/facts.hpp"

namespace warpgrade {

struct ProvedChange {
    const explain::Change* change = nullptr;
    std::size_t shapes = 0, all = 0;  // that are right with it, of so many
};

// That rules name for a text which `result` says is wrong. The rules must outlive them.
std::vector<explain::Change> changes_to_try(const source::Facts& facts, const std::vector<explain::Rule>& rules,
                                            const std::string& path, const StageResult& result);
// The first that makes all right; nothing: none does. `hazards`: the cases behind the plain ones, in other orders of
// the warps, with the variant that their results have; `text`: that the changes change. Error: host or kit.
Result<std::optional<ProvedChange>> prove_change(const TrialBench& bench, std::span<const explain::Change> changes,
                                                 std::span<const CaseToRun> hazards, const std::string& text,
                                                 StageResult& result);
// `shows_change`: the course lets students see the text of the change, too.
void tell_proved(const ProvedChange& proved, const std::string& path, bool shows_change, StageResult& result);

ProvedEdit edit_of(const ProvedChange& proved);
bool is_edit(const ProvedEdit& edit, const explain::Change& change);

}  // namespace warpgrade
