// A technique rule, and what it is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/needed.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// `left op right`, over counters of the technique shape (vgpu/counters.hpp names, derived
// ones) and numbers: "global_load_sectors_per_request <= 4.1", "shared_store_requests > 0". The names and what they
// mean are listed once, in course/technique.cpp.
struct TechniqueRule {
    std::string expression;  // as written
    std::string left;
    std::string op;  // < <= == >= >
    double right = 0;
    std::string says;   // shown when it fails: what the number means here and what to change
    double points = 0;  // share of the stage's technique points; equal shares where none is given
    int line = 0;       // in assignment.toml
};

struct LaunchInfo {
    std::string kernel;
    vgpu::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    int line = 0;
    // One row of blocks of one row of threads: x alone counts.
    bool is_flat() const { return grid.y * grid.z * block.y * block.z == 1; }
};

// What technique rules can ask about: one run of the technique shape, and what was seen over all shapes.
struct Measured {
    vgpu::Counters counters;
    std::vector<LaunchInfo> launches;
    std::uint64_t elements = 0;               // of the problem
    std::uint64_t dynamic_shared_sizes = 0;   // different sizes, over all shapes
    std::uint64_t ended_before_barriers = 0;  // threads of a block, the most over all shapes
    double blocks_growth = 0;                 // blocks that load the input, for the large shape, over those of this one
    std::uint64_t element_bytes = 4;          // of the input
    std::optional<vgpu::Needed> needed{};     // nothing: all that ran counts
};

}  // namespace warpgrade
