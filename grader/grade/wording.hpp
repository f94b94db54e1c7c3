// Words for what was detected: one place, held by golden tests. Data in, Diagnostic out.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "problem/problem.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

struct LaunchInfo;

// `path`, `source`: the submission, for the mark. `run`: for "33 x 65" and "row 32, column 0".
// Severity: `error`, but `warning` for a race where both wrote the same value.
// `launches`: of the run; what a message says of the block, or of bytes asked for, is looked up there.
Diagnostic describe(const vgpu::Finding& finding, const std::string& path, const std::string& source, const Case& run,
                    const std::vector<LaunchInfo>* launches = nullptr);
Diagnostic describe(const Judgement& judgement, const std::string& path, const Case& run);

}  // namespace warpgrade
