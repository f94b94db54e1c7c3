// Arrays with fixed extents in shared memory, which the assembler behind nvcc adds up for each kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/module.hpp"

namespace warpgrade {

inline constexpr std::uint64_t most_shared_bytes = 48 * 1024;

struct SharedTotal {
    const ptx::Function* kernel = nullptr;  // of the module
    std::uint64_t bytes = 0;                // of all arrays that it and the functions it calls use
    std::string largest;                    // one of them
};
// Of the kernels that have too many bytes.
std::vector<SharedTotal> too_large_shared_arrays(const ptx::Module& module);

}  // namespace warpgrade
