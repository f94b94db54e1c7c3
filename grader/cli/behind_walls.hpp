// What the verbs share of work on a student's file: it is done behind walls (base/confined.hpp), with what a stage
// needs from outside, and what comes back is taken for what it is, a text that a student may have made.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/confined.hpp"
#include "cli/course.hpp"
#include "cli/machine.hpp"

namespace warpgrade::cli {

// The code of the learner's error that says: it took more processor time than it may.
inline constexpr const char* out_of_cpu_code = "timeout";

// Runs `work` on the target's file, which is read before. `work` returns a reply, or an error by wire::to_fields.
// `more`: services besides the compiler, the card and what the machine's bandwidths ask for. Error: that one; the file
// cannot be read (usage), the processor time is over (learner), the process was ended by the machine (host) or ended in
// any other way (kit).
Result<wire::Fields> behind_walls(const Machine& machine, const Target& target,
                                  const std::function<wire::Fields()>& work, const ConfinedLimits& limits = {},
                                  Services more = {});

// The reply of a run that was done, or whose fault its end is. `what` was looked at: "this file".
Result<wire::Fields> reply_of(ConfinedRun run, const ConfinedLimits& limits, const std::string& what);

// JSON from another process: an object, and not deeper than any of ours is. Error: kit.
Result<nlohmann::ordered_json> json_from(const std::string& text);

// A stage of a result, from the text that came back: what says whose it is, and what it can give, is set anew. Error:
// kit, when it is none.
Result<nlohmann::ordered_json> stage_from(const std::string& text, const Target& target);
// The same, where there are no points.
Result<nlohmann::ordered_json> unscored_stage_from(const std::string& text, const Target& target);

}  // namespace warpgrade::cli
