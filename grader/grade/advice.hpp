// Advice about performance, line by line, from the counters of the technique shape. Never costs points.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "course/assignment.hpp"
#include "course/technique.hpp"
#include "vgpu/counters.hpp"

namespace warpgrade {

// uncoalesced_load, uncoalesced_store, bank_conflict, divergence: one for each line well above its ideal; one_thread:
// the line where one lane of a warp does most of the work alone, if a rule of the stage does not hold. Nothing is
// said about what a rule of the stage asks for (">=") or leaves open: that is a later stage's lesson. A stage without
// rules hears all of it.
// `launches`: of the technique shape, where they are known: which banks a column of the tile lies in follows from them.
// `technique`: of the stage's rules, in order; what one of them says that does not hold is what is to be tried.
std::vector<Diagnostic> performance_advice(const Stage& stage, const std::vector<TechniqueResult>& technique,
                                           const std::string& path, const std::string& source,
                                           const std::vector<vgpu::LineCounters>& by_line,
                                           const std::vector<LaunchInfo>& launches = {});

}  // namespace warpgrade
