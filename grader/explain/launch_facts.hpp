// Questions on a launch and the text of its kernel that tell why elements of the output are missing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "course/technique.hpp"
#include "problem/problem.hpp"
#include "source/facts.hpp"

namespace warpgrade {

constexpr std::uint32_t most_blocks_in_y = 65535;  // CUDA C++ Programming Guide, technical specifications

// `dim3 block(TILE, 1)` of a launch whose second argument is `block`; line 0: it is written otherwise.
struct DeclaredBlock {
    int line = 0;
    std::string text;
};

bool has_threads_enough(const LaunchInfo& launch, std::uint64_t elements);
// Along x and along y, where the output has two extents. A loop in the kernel may go on to the rest of a square.
bool covers(const LaunchInfo& launch, const BufferLayout& out, const source::Facts& facts);
// array[index] = value; or += and the like, of an array that blocks do not have for themselves.
bool stores_to_element(const source::Facts& facts);
bool uses(const source::Facts& facts, std::string_view member);
DeclaredBlock declared_block(const source::Facts& facts, int line);
std::string advice_on_first_block(std::uint64_t blocks);
// An array that is one line: the kernel counts its elements through, and so does the part that was written.
void look_at_line(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out);
// kernel<<<...>>>(in, out, rows, cols) of kernel(const float* in, float* out, int rows, int cols).
bool hands_over_by_name(const source::Facts& facts, const std::string& kernel);
// A variable of the launcher that is handed to `rows` of the kernel, and is `cols` by the line that sets it; "" where
// none is.
std::string advice_on_renamed(const source::Facts& facts, const std::string& kernel, const BufferLayout& out);
// Square blocks, one for each tile along an extent, that begin less than a block's width apart.
void look_at_distance(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out);
// A corner is written by a grid that covers all of the output: its blocks begin less than a block's width apart.
void look_at_corner(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out,
                    const source::Facts& facts);
// What the grid covers, against what there is: of an input of `wide` columns and `high` rows.
struct GridAdvice {
    std::string text;
    bool is_of_one_extent = false;  // both of the grid are computed from it
};
GridAdvice advice_on_grid(const LaunchInfo& launch, std::int64_t wide, std::int64_t high, const BufferLayout& out);
// As many blocks in x as are needed in y, and the other way round, for blocks that are not square.
bool is_grid_turned(const LaunchInfo& launch, const BufferLayout& out);
bool is_period(const Judgement& judgement, std::int64_t threads);
// The first line that multiplies by threadIdx, as in `tile_col * TILE * threadIdx.x` and `tile_col + TILE *
// threadIdx.x`.
int line_that_multiplies_threads(const source::Facts& facts);
// `band * blockDim.x + threadIdx.y`; 0: nowhere, or in several lines.
int line_of_other_axis(const source::Facts& facts);
// The type of 8 bits that some index has, where as many lines are written as it counts; "" none.
std::string narrow_index_type(const source::Facts& facts, const Judgement& judgement);

}  // namespace warpgrade
