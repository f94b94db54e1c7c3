// What `calibrate` shows: bandwidths of the card, or parameters of the time model with what they were before.
#pragma once

#include <string>
#include <vector>

#include "calibrate/microbenchmarks.hpp"
#include "cli/render.hpp"
#include "model/profile.hpp"
#include "timing/modelled.hpp"

namespace warpgrade::cli {

std::string render_profile(const GpuProfile& profile, const RenderStyle& style);

// What was measured, what was kept and why.
std::string render_parameters(const std::vector<CalibratedParameter>& parameters, const RenderStyle& style);

// The model with these parameters beside what the card itself has measured.
std::string render_references(const std::vector<ModelledReference>& references, double error_band,
                              const RenderStyle& style);

}  // namespace warpgrade::cli
