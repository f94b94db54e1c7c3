// What the headers of CUDA and of the standard library declare, for which side, as nvcc 13 with GCC 12 has it.
#pragma once

#include <string_view>
#include <vector>

#include "source/facts.hpp"

namespace warpgrade {

bool is_of_threads(std::string_view word);  // threadIdx and the like
// CUDA's functions with `__` in front run on the device alone, but for conversions of 16-bit numbers.
bool is_device_only(std::string_view word);
// The CUDA runtime is the host's; what it has for kernels is in a library that only separate compilation links.
bool is_host_runtime(std::string_view name);

// A word that only a header brings, which the text does not include.
struct MissingHeader {
    int line = 0;  // of the first use
    std::string_view word, header;
};
std::vector<MissingHeader> missing_headers(const source::Facts& facts);

}  // namespace warpgrade
