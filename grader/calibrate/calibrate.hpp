// Makes a GPU profile: what the yardsticks and every reference solution reach on this card, with their spread.
#pragma once

#include <functional>
#include <vector>

#include "model/profile.hpp"
#include "timing/measure.hpp"

namespace warpgrade {

// Two stages count as one where the slower reaches more than this share of the faster: no mark should rest on it.
inline constexpr double told_apart_below = 0.95;

// What is timed together: the stages of one assignment and problem that give points for performance, on one shape.
struct CalibrationRun {
    const Assignment* assignment = nullptr;
    const Problem* problem = nullptr;
    std::vector<const Stage*> stages;
    Shape shape;
};
std::vector<CalibrationRun> calibration_runs(const std::vector<Assignment>& course, const TimingLimits& limits);

// All references of a run in turns. `progress`: runs done, runs in all. The profile's run and
// model are left empty. Error: host, kit, or course (a reference that fails, or none at all).
Result<GpuProfile> calibrate(Measurer& measurer, const std::vector<Assignment>& course, std::uint64_t seed,
                             const std::function<void(std::size_t, std::size_t)>& progress);

// What the driver says of the card, in the profile's terms.
ProfileDevice device_facts(const cuda::CardFacts& facts);

}  // namespace warpgrade
