#include "explain/thread_standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explain/say.hpp"

namespace warpgrade {

namespace {

// A thread of a launch in which each has one element of a matrix: column x, row y of one that is `wide` and `high`.
struct Standpoint {
    std::int64_t x = 0, y = 0, wide = 0, high = 0;
    bool is_inside() const { return x < wide && y < high; }
};
// Threads may walk along the rows of the input, or along those of a transposed output: none, one or two fit the grid.
std::vector<Standpoint> standpoints_of(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || scene.run.layout.empty() || scene.run.layout.front().extents.size() != 2) return {};
    const auto blocks = [](std::int64_t n, std::uint32_t size) { return size == 0 ? 0 : (n + size - 1) / size; };
    const vgpu::ThreadPlace& place = scene.finding.place;
    const std::int64_t x = std::int64_t{place.block.x} * launch->block.x + place.thread.x;
    const std::int64_t y = std::int64_t{place.block.y} * launch->block.y + place.thread.y;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    std::vector<Standpoint> all;
    for (const auto& [wide, high] : {std::pair{cols, rows}, std::pair{rows, cols}})
        if (launch->grid.x == blocks(wide, launch->block.x) && launch->grid.y == blocks(high, launch->block.y))
            all.push_back({x, y, wide, high});
    return all;
}

}  // namespace

Standing standing_of(const Scene& scene) {
    const auto all = standpoints_of(scene);
    const auto inside = std::ranges::count_if(all, [](const Standpoint& one) { return one.is_inside(); });
    if (all.empty() || (inside != 0 && inside != std::ssize(all))) return Standing::unknown;
    return inside != 0 ? Standing::inside : Standing::outside;
}

std::string wrong_formula(const Scene& scene, const BufferLayout& layout, std::int64_t index) {
    const auto all = standpoints_of(scene);
    const std::int64_t height = layout.extents[0], width = layout.extents[1];
    if (all.size() != 1 || height == width) return {};
    const Standpoint& at = all.front();
    const bool is_upright = at.wide == width && at.high == height;
    if (!is_upright && (at.wide != height || at.high != width)) return {};
    const std::int64_t row = is_upright ? at.y : at.x, column = is_upright ? at.x : at.y;
    const std::string has_width = layout.extent_names.size() == 2 ? layout.extent_names[1] : std::to_string(width),
                      has_height = layout.extent_names.size() == 2 ? layout.extent_names[0] : std::to_string(height);
    std::vector<std::string> fits;
    if (index == column * width + row) fits.push_back(say("column_row_row_column", has_width));
    if (index == column * height + row) fits.push_back(say("column_and_row_exchanged", has_height, has_width));
    if (index == row * height + column) fits.push_back(say("row_column_row_long", has_height, has_width));
    if (fits.size() != 1) return {};
    return say("thread_element_row_column", layout.name, row, column, fits.front());
}

bool is_whole_tile_inside(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || launch->grid.z != 1 || scene.run.layout.front().extents.size() != 2) return false;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    const std::int64_t tile = launch->block.x;
    const auto tiles = [&](std::int64_t n) { return (n + tile - 1) / tile; };
    const bool covers = (launch->grid.x == tiles(cols) && launch->grid.y == tiles(rows)) ||
                        (launch->grid.x == tiles(rows) && launch->grid.y == tiles(cols));
    const std::int64_t last = std::max(scene.finding.place.block.x, scene.finding.place.block.y);
    return covers && launch->block.y <= launch->block.x && (last + 1) * tile <= std::min(rows, cols);
}

}  // namespace warpgrade
