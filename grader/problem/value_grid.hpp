// Small arrays as text, beside one another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade {

struct ValueGrid {
    std::string name;
    std::int64_t width = 1;          // cells of a row
    std::vector<std::string> cells;  // row by row
    std::vector<bool> is_wrong;      // of each cell, marked with a `*`; empty = none
};

inline constexpr const char* not_written = "--";

// Columns of one width, as wide as the cells ask for as far as lines stay within 78 columns. A cell that does not fit
// is
// `??`, and the first of those is told below.
std::vector<std::string> side_by_side(const std::vector<ValueGrid>& grids);

}  // namespace warpgrade
