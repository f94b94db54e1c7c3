// Lines of a submission that no finding points to: where its launcher ends, what it tells the next launch, and a store
// that is never made.
#pragma once

#include <string>

#include "device/device.hpp"

namespace warpgrade {

// A store behind a test that no thread got past, of a kernel that ran: `if (tid == THREADS) sums[blockIdx.x] = ...`;
// 0: none, or several.
int line_never_reached(const std::string& source, const DeviceRun& run);
// The first `return` of the launcher behind a launch, or behind its head; 0: none.
int line_of_return(const std::string& source, int launch);
// `n = blocks;` behind a launch, in the loop that it stands in; 0: none, or several.
int line_of_next_count(const std::string& source, int launch);
// Of the head of the function that has the launches; 0: none, or several.
int line_of_launcher(const std::string& source);

}  // namespace warpgrade
