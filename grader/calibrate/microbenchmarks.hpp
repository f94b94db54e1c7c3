// What single parts of a card do alone: the figures behind [model.*] of its profile.
//
// Theory of operation. Each row of `microbenchmarks()` finds one parameter with small kernels of our own
// (microbenchmark_kernels.cpp): bandwidths and rates from the time between two events, latencies from the cycles that a
// kernel counts itself. Rows run in order, and later ones use what earlier ones have found. Buffers grow with the
// card's L2, so that "in L2" and "far beyond L2" hold on every card. What no row gives (the fits on whole kernels, the
// datasheet's figures) and what came out senseless stays as a profile has it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/card.hpp"
#include "model/profile.hpp"

namespace warpgrade {

class MicrobenchmarkRig;

struct Microbenchmark {
    std::string_view parameter;  // of model_fields
    std::string_view name;       // of what runs, for the profile's `source`
    // In the parameter's unit. Anything but a finite number above zero (or zero where that can be) is senseless.
    double (*run)(MicrobenchmarkRig& rig);
    bool can_be_zero = false;
};
const std::vector<Microbenchmark>& microbenchmarks();

struct CalibratedParameter {
    std::string name;
    ModelParameter now;            // the source says what was measured, or where a kept value is from
    std::optional<double> before;  // what the card's own profile has said
    bool is_measured = false;
    std::string failure;  // of a row whose value is senseless, and which keeps the old one
};

// All parameters of the model, in the order of model_fields. `own`: the card's profile, whose [device] is used as well
// as its [model]; `stand_in`: where that one does not know a parameter, may be null. `source`: what a measured
// parameter's source ends with, "2026-11-21, NVIDIA H200, driver 580.159.04". `progress`: rows done, rows in all.
// Error: host (out of memory, no NVRTC), kit (a kernel of ours fails), course (nobody says what cannot be measured).
Result<std::vector<CalibratedParameter>> run_microbenchmarks(
    Card& card, const GpuProfile& own, const GpuProfile* stand_in, const std::string& source,
    const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace warpgrade
