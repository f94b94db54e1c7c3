// What keeps a plan from being faster, in words for a student: the limit whose absence would gain most.
#pragma once

#include <map>
#include <span>
#include <string>

#include "model/launch_time.hpp"

namespace warpgrade {

struct TimeExplanation {
    std::string limiter;                   // one sentence, without a full stop
    int line = 0;                          // of the source, 0 = none
    double gain_without_limit = 1;         // how many times faster without it
    bool is_launching = false;             // most of the time: what moves in it says nothing of the kernel
    std::map<std::string, double> stalls;  // share of the warps' time by Nsight Compute's stall reason
    Timeline timeline;                     // of one multiprocessor, in the launch that takes longest
};

// "116 of 132 multiprocessors have no block", ""; needs no time.
std::string idle_multiprocessors(const SampledLaunch& launch, const ModelParameters& gpu);

TimeExplanation explain_time(std::span<const SampledLaunch> launches, const PlanTime& time, const ModelParameters& gpu);

}  // namespace warpgrade
