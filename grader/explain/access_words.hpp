// What several messages on accesses to memory say.
#pragma once

#include "explain/wording_place.hpp"

namespace warpgrade {

const char* verb(vgpu::AccessKind access);  // "read", "write", "atomic operation"
// Where the launch has other blocks than the constant says that the kernel is written for; "" where it has not.
Advice advice_on_block(const Scene& scene);

}  // namespace warpgrade
