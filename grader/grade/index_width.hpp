// Indices of 32 bits where the launcher may be called with more elements than these count.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "run/cases.hpp"

namespace warpgrade {

// A line whose index outgrows 32 bits on a shape that the problem allows, which is not run (overflow_interpreter.hpp).
// `ptx`: of the build without optimisation, the one that `bench` has.
Result<std::optional<Diagnostic>> narrow_index(const Bench& bench, const std::string& type, const std::string& ptx);

}  // namespace warpgrade
