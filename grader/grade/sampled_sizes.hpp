// Sizes of which one block is run: where counters that are too narrow run over.
//
// Theory of operation. A counter of 8 or 16 bits in a block's own memory is right until a block counts more of one
// value than it holds, and a shape on which it does is too large to be run in a check. One block of it is not: its part
// of the input is made as it is read. All elements of such a shape have one value, so that a right block leaves one
// element of the output that is not zero, and adds there what it loads. What the same program adds for each element
// that it loads is known from a smaller shape, on which all of it was right. `sampled` in problem.toml names these
// shapes.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "device/limits.hpp"
#include "run/cases.hpp"

namespace warpgrade {

inline constexpr const char* sampled_variant = "one block was run";

// Between the first of `shapes` and the last one, which is the largest: the smallest size where a block has enough to
// count, or where it is at least done within its work. Nothing: what one block leaves does not tell. Error: host or
// kit.
Result<std::optional<CaseOutcome>> run_one_block(const Bench& bench, const std::vector<Shape>& shapes,
                                                 const std::string& ptx, const LaunchLimits& limits);

}  // namespace warpgrade
