// How many blocks of a kernel fit on a multiprocessor at once, as CUDA's occupancy calculator counts.
#pragma once

#include <cstdint>
#include <string>

#include "model/parameters.hpp"

namespace warpgrade {

constexpr int schedulers = 4;  // of warps, in a multiprocessor of compute capability 7.5 to 9.0

struct KernelResources {
    int registers = 0;               // a thread; 0 = unknown, taken as few enough
    std::uint64_t shared_bytes = 0;  // a block, static and dynamic
    int threads = 0;                 // a block
};

struct Occupancy {
    int blocks = 0;          // at once on a multiprocessor; 0 = a single one does not fit
    std::string limited_by;  // "threads" | "blocks" | "registers" | "shared memory"
    double l1_bytes = 0;     // of L1 that shared memory leaves
};

Occupancy occupancy_of(const KernelResources& kernel, const ModelParameters& gpu);

}  // namespace warpgrade
