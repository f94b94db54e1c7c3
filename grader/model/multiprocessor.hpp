// One multiprocessor running sampled blocks, in time.
//
// Theory of operation. Warps issue in order; each instruction waits for the registers it reads, for an issue slot of
// its scheduler and for room in the pipe it needs. Pipes of the multiprocessor serve one request after another. L2 and
// DRAM are shared by all multiprocessors, whose requests do not come at once: they hold a request up only where the
// share of one multiprocessor is exceeded for longer than a burst, and by a queue that grows with the load. A block's
// place is taken by the next block when its last warp has ended and its stores have left.
#pragma once

#include <vector>

#include "model/machine_run.hpp"
#include "model/parameters.hpp"
#include "model/warp_ops.hpp"

namespace warpgrade {

// Runs `order`, indices of sample.blocks, one after another as places become free. Where it goes through all of them
// again, they run on memory of their own.
MachineRun run_multiprocessor(const WorkSample& sample, const std::vector<int>& order, const MachineSetup& setup,
                              const ModelParameters& gpu);

}  // namespace warpgrade
