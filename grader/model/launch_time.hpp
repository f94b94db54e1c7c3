// From the work of one multiprocessor to the time of a whole plan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/multiprocessor.hpp"
#include "model/sampled_program.hpp"

namespace warpgrade {

struct LaunchTime {
    double seconds = 0;  // of the launch's blocks and of launching
    double cycles = 0;   // of the simulated blocks
    int simulated_blocks = 0;
    MachineRun run;
    MachineSetup setup;
};

struct PlanTime {
    double seconds = 0;
    std::vector<LaunchTime> launches;  // as in the plan
};

PlanTime time_of(std::span<const SampledLaunch> launches, const ModelParameters& gpu, const WhatIf& what_if = {});

}  // namespace warpgrade
