// Words for what was detected: one place, held by golden tests. Data in, Diagnostic out.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "problem/problem.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

// `path`, `source`: the submission, for the mark. `run`: for "33 x 65" and "row 32, column 0".
// Severity: `error`, but `warning` for a race where both wrote the same value or both accesses are volatile.
Diagnostic describe(const vgpu::Finding& finding, const std::string& path, const std::string& source, const Case& run);
Diagnostic describe(const Judgement& judgement, const std::string& path, const Case& run);

}  // namespace warpgrade
