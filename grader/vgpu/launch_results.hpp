// What the workers of a launch have counted and found, as one result.
#pragma once

#include <memory>
#include <vector>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

using Workers = std::vector<std::unique_ptr<Worker>>;

// Counters by line, findings in the order of their blocks, the trace.
void collect(const LaunchState& state, const Workers& workers, RunResult& result);
KernelProfile profile_of(const LaunchState& state, const Workers& workers);
Meetings meetings_of(const LaunchState& state, const Workers& workers);
// Where a slice is asked for: takes what each worker wrote down.
void take_logs(const LaunchState& state, Workers& workers);

}  // namespace warpgrade::vgpu
