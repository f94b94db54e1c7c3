#pragma once

#include <string_view>

namespace warpgrade {

// CUDA C++ with the kernels of all microbenchmarks.
std::string_view microbenchmark_source();

}  // namespace warpgrade
