// Where a thread stands in the matrix, by its number and the launch: what its own element would be.
#pragma once

#include <cstdint>
#include <string>

#include "explain/wording_place.hpp"

namespace warpgrade {

// Inside of the matrix, outside, or not known.
enum class Standing { unknown, inside, outside };
Standing standing_of(const Scene& scene);
// What the index is made of, where it is made of this thread's own row and column in another way than it should be.
std::string wrong_formula(const Scene& scene, const BufferLayout& layout, std::int64_t index);
// Square tiles, as wide as the block, one a block: is the whole of this block's tile inside, wherever it goes in a
// matrix that is turned?
bool is_whole_tile_inside(const Scene& scene);

}  // namespace warpgrade
