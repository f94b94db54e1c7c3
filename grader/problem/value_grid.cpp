#include "problem/value_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade {

namespace {

constexpr std::int64_t most_columns = 78, gap = 3;

std::int64_t height_of(const ValueGrid& grid) {
    return (std::ssize(grid.cells) + grid.width - 1) / std::max<std::int64_t>(grid.width, 1);
}

// A cell is `width` columns, right-aligned, and one for its mark, which parts it from the next.
std::string cell_text(const ValueGrid& grid, std::size_t i, std::int64_t width) {
    const std::string& text = grid.cells[i];
    const bool fits = std::ssize(text) <= width;
    const bool is_wrong = i < grid.is_wrong.size() && grid.is_wrong[i];
    return fmt::format("{:>{}}{}", fits ? text : "??", width, is_wrong ? '*' : ' ');
}

}  // namespace

std::vector<std::string> side_by_side(const std::vector<ValueGrid>& grids) {
    std::int64_t across = 0, height = 0, width = 2;
    for (const ValueGrid& grid : grids) {
        across += grid.width;
        height = std::max(height, height_of(grid));
        for (const std::string& cell : grid.cells) width = std::max(width, std::ssize(cell));
    }
    const std::int64_t room = most_columns - gap * (std::ssize(grids) - 1);
    width = std::clamp<std::int64_t>(width, 2, std::max<std::int64_t>(2, room / std::max<std::int64_t>(across, 1) - 1));

    std::vector<std::string> lines(static_cast<std::size_t>(height + 1));
    std::string unfit;
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const ValueGrid& grid = grids[g];
        const auto columns = static_cast<std::size_t>(
            std::max(grid.width * (width + 1), static_cast<std::int64_t>(grid.name.size()) + 1));
        for (std::size_t line = 0; line < lines.size(); ++line) {
            std::string text = line == 0 ? grid.name : "";
            for (std::int64_t x = 0; line > 0 && x < grid.width; ++x) {
                const std::size_t i = (line - 1) * static_cast<std::size_t>(grid.width) + static_cast<std::size_t>(x);
                if (i >= grid.cells.size()) break;
                text += cell_text(grid, i, width);
                if (unfit.empty() && std::ssize(grid.cells[i]) > width)
                    unfit = fmt::format("the first ?? is {}, in `{}`", grid.cells[i], grid.name);
            }
            if (g + 1 < grids.size()) text.resize(columns + static_cast<std::size_t>(gap) - 1, ' ');
            lines[line] += text;
        }
    }
    if (!unfit.empty()) lines.push_back(unfit);
    for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
    return lines;
}

}  // namespace warpgrade
