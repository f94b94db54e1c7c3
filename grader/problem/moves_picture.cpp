#include <fmt/format.h>

#include <algorithm>

#include "problem/moved_output.hpp"

namespace warpgrade {

namespace {

// Elements along one side of a cell: 1 for small matrices, then whole tiles.
std::int64_t cell_size(std::int64_t longest) {
    if (longest <= 16) return 1;
    std::int64_t cell = longest <= 64 ? 8 : 32;
    while ((longest + cell - 1) / cell > 16) cell *= 2;
    return cell;
}

}  // namespace

std::vector<std::string> draw(const MovedOutput& output, const OutputMap& map) {
    const std::int64_t height = output.height(), width = output.width();
    if (height == 0 || width == 0) return {};
    // Thin matrices have cells of their own in the short direction.
    const std::int64_t longest = std::max(height, width);
    const bool is_thin = std::min(height, width) * 8 < longest;
    const std::int64_t cell_y = cell_size(is_thin ? height : longest), cell_x = cell_size(is_thin ? width : longest);
    std::vector<std::string> picture{fmt::format("{}, {} x {}; a cell is {} x {}: . right, x wrong, - not written",
                                                 output.out_layout.name, height, width, std::min(cell_y, height),
                                                 std::min(cell_x, width))};
    for (std::int64_t top = 0; top < height; top += cell_y) {
        std::string line;
        for (std::int64_t left = 0; left < width; left += cell_x) {
            bool has_wrong = false, has_unwritten = false;
            for (std::int64_t y = top; y < std::min(top + cell_y, height); ++y) {
                for (std::int64_t x = left; x < std::min(left + cell_x, width); ++x) {
                    const CellState state = map.cells[static_cast<std::size_t>(y * width + x)];
                    has_wrong = has_wrong || state == CellState::wrong;
                    has_unwritten = has_unwritten || state == CellState::unwritten;
                }
            }
            line += has_wrong ? 'x' : has_unwritten ? '-' : '.';
        }
        picture.push_back(line);
    }
    return picture;
}

}  // namespace warpgrade
