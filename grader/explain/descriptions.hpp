// What is said of a finding by its data alone: rows of descriptions.toml, which the library has inside.
#pragma once

#include "explain/wording_place.hpp"

namespace warpgrade {

// Throws std::logic_error: a row asks for a condition or a value that has no such name.
Diagnostic described(const Scene& scene);

}  // namespace warpgrade
