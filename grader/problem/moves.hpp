// Elements moved to where a problem's `moves` says they belong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "problem/description.hpp"

namespace warpgrade {

// By index of the output: the extent, and how far apart in the input elements are that are neighbours along it.
struct MovedAxis {
    std::uint64_t extent = 0, step = 0;
};
// `moves`: ProblemDescription's. `extents`: of the input.
std::vector<MovedAxis> moved_axes(std::span<const std::size_t> moves, std::span<const std::int64_t> extents);

// ProblemDescription's `moves`, of "out[y][x] = in[x][y]". Error: what is wrong, in words; without a place.
Result<std::vector<std::size_t>> moves_from(const std::string& text, const ProblemDescription& problem);

// What the output should hold, all of it; elements of `size` bytes.
void move_elements(std::span<const MovedAxis> axes, std::size_t size, std::span<const std::byte> in,
                   std::span<std::byte> out);

// The input element that belongs at this place of the output.
std::uint64_t moved_from(std::span<const MovedAxis> axes, std::uint64_t index);

}  // namespace warpgrade
