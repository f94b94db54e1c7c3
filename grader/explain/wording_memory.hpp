// Words for accesses to memory, by what is accessed.
#pragma once

#include "explain/wording_place.hpp"

namespace warpgrade {

Diagnostic describe_shared_bounds(const Scene& scene);  // wording_shared.cpp
Diagnostic describe_unwritten(const Scene& scene);      // wording_unwritten.cpp

}  // namespace warpgrade
