// Where an index goes from row to row by the other extent of its matrix.
#pragma once

#include <string>

#include "explain/wording_place.hpp"

namespace warpgrade {

// "a row of `in` has cols elements, and line 25 goes on by rows for each row": read off the text of the index, or of
// the line that makes it, by the launcher's own names of the extents; "" where it is not so, or not seen.
std::string advice_on_row_length(const Scene& scene);

}  // namespace warpgrade
