// What to try where two threads store to one place.
#pragma once

#include <string>

#include "explain/wording_place.hpp"

namespace warpgrade {

// Of two blocks: by how they differ, and by what the text makes of blockIdx.
std::string advice_on_blocks(const Scene& scene);

// Row and column of a store that add one and the same number of the block's.
std::string advice_on_shared_part(const Scene& scene);
// for (i = number of this thread; ...; i += WIDE) in a block of more threads than that; "" where it is not so.
std::string advice_on_thread_step(const Scene& scene);
// Of one block that stores to an element of its array `name` twice: by how far apart its rows of threads begin, and by
// the text of the index and of the loop.
std::string advice_on_element(const Scene& scene, const std::string& name);

// "a row of `in` has cols elements, and line 25 goes on by rows for each row": read off the text of the index, or of
// the line that makes it, by the launcher's own names of the extents; "" where it is not so, or not seen.
std::string advice_on_row_length(const Scene& scene);

}  // namespace warpgrade
