// Which blocks of a grid stand for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/parameters.hpp"
#include "vgpu/counters.hpp"

namespace warpgrade {

// Blocks whose work differs by more than this are not alike.
constexpr double alike = 0.15;

// Blocks of one multiprocessor: as many as it gets, or a few generations spread over the grid, of at most so many
// warps. The places in the grid are spread unevenly, so that they do not all fall into one column of tiles.
std::vector<std::uint64_t> choose_blocks(std::uint64_t grid, int resident, std::uint64_t warps_a_block,
                                         std::uint64_t warps, const ModelParameters& gpu);

// Different ones of the grid, none of which is in `known` (ascending).
std::vector<std::uint64_t> choose_others(std::uint64_t grid, const std::vector<std::uint64_t>& known,
                                         std::uint64_t count, std::uint64_t seed);

// Of the blocks of the other choice as many as are wanted, from the one that does least to the one that does most.
std::vector<std::uint64_t> choose_evenly(const std::vector<std::uint64_t>& blocks, const std::vector<double>& work,
                                         std::size_t count);

// What a block asks of a multiprocessor, on average.
bool are_alike(const vgpu::Counters& one, double blocks_of_one, const vgpu::Counters& other, double blocks_of_other);

}  // namespace warpgrade
