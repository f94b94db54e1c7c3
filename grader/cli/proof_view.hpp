// `explain --proof`: what is proved for every shape, as a table of obligations.
#pragma once

#include <string>
#include <vector>

#include "cli/text.hpp"
#include "grade/proved_shapes.hpp"

namespace warpgrade::cli {

// `proved` has one at least.
std::string render_proof(const std::vector<ProvedType>& proved, const RenderStyle& style);

}  // namespace warpgrade::cli
