// What the compile worker gives up before it looks at a submission. Internal to compile/.
#pragma once

#include <string>
#include <vector>

#include "compile/job.hpp"

namespace warpgrade {

// Processor time, address space, no file growth, no core dump; dies with its parent; keeps only descriptors 0, 1, 2.
void limit_worker(const CompileLimits& limits);

// From here on files can be read only below the given folders and nothing can be written, created, run or connected to
// (Landlock). Returns "landlock <ABI>", or "none: <why>" where the kernel has none: the include scanner stands alone
// then.
std::string confine_worker(const std::vector<std::string>& readable);

}  // namespace warpgrade
