// The filters behind SystemCalls, in the kernel's own form. Internal to base/.
//
// Written out here, without libseccomp: it would be one more package to install on every student's machine, for three
// tables of numbers.
#pragma once

#include "base/walls.hpp"

namespace warpgrade {

// For all threads of this process, for good. False: the kernel has no such filter, or this is a machine whose system
// calls are not in the tables.
bool filter_system_calls(SystemCalls calls);

}  // namespace warpgrade
