// Reads problem.toml and problem.cu.
//
// Theory of operation. `load_description` reads assignments/<p>/problem.toml and problem.cu. Every expression is
// evaluated once while it is read, so that an error is reported at its place in the file and what is here can be
// relied on. Nothing is compiled: that is done when a case is first prepared (oracle.hpp).
#pragma once

#include <string>

#include "problem/description.hpp"

namespace warpgrade {

// Error: blame course, with file, line and a near-name.
Result<ProblemDescription> load_description(const std::string& folder);

}  // namespace warpgrade
