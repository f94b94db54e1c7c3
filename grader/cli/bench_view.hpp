// What `bench` shows: one row a shape or block size.
#pragma once

#include <string>

#include "cli/render.hpp"
#include "timing/bench.hpp"

namespace warpgrade::cli {

std::string render_bench(const BenchStage& stage, const RenderStyle& style);

}  // namespace warpgrade::cli
