// Pieces of the words for accesses to memory, by what is accessed.
#pragma once

#include "explain/wording_place.hpp"

namespace warpgrade {

const char* verb(vgpu::AccessKind access);  // "read", "write", "atomic operation"
// Where the launch has other blocks than the constant says that the kernel is written for; "" where it has not.
Advice advice_on_block(const Scene& scene);

Diagnostic describe_shared_bounds(const Scene& scene);  // wording_shared.cpp
Diagnostic describe_unwritten(const Scene& scene);      // wording_unwritten.cpp

}  // namespace warpgrade
