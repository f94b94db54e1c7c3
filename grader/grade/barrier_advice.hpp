// A __syncthreads() that only some warps of a block come to, in a program that comes out right all the same.
//
// Theory of operation. Barriers count threads, and threads that have ended count no more: a program in which one warp
// goes on alone, with a __syncthreads() in its `if`, is right on a GPU as it happens, and CUDA does not promise it. The
// text tells that the `if` around a barrier looks at the thread's own number and that no barrier stands behind it, at
// which the others may wait; the counters tell that fewer warps came there than there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "run/cases.hpp"
#include "vgpu/counters.hpp"

namespace warpgrade {

std::optional<Diagnostic> barrier_of_some(const std::string& path, const std::string& source,
                                          const std::vector<vgpu::LineCounters>& by_line,
                                          const std::vector<LaunchInfo>& launches);

}  // namespace warpgrade
