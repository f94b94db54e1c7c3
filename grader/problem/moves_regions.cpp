// Mistakes that show in which elements of the output were never written.
#include <fmt/format.h>

#include <algorithm>

#include "problem/moves_diagnosis.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t region_tiles[] = {32, 16, 64, 8, 128};

std::int64_t round_up(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }
std::int64_t round_down(std::int64_t n, std::int64_t step) { return n / step * step; }

// Rows (or columns) of which nothing was written.
struct EmptyLines {
    std::vector<bool> is_empty;
    std::int64_t count = 0;
    std::int64_t extent() const { return static_cast<std::int64_t>(is_empty.size()); }
    // Written lines are [0, k): k, or -1.
    std::int64_t written_prefix() const {
        const std::int64_t k = extent() - count;
        return std::none_of(is_empty.begin(), is_empty.begin() + k, [](bool empty) { return empty; }) ? k : -1;
    }
    // Written lines are [first, last] with first > 0, or nothing.
    std::optional<std::pair<std::int64_t, std::int64_t>> written_behind_start() const {
        const auto from = std::ranges::find(is_empty, false);
        const auto to = std::find(from, is_empty.end(), true);
        if (from == is_empty.begin() || from == is_empty.end() ||
            std::find(to, is_empty.end(), false) != is_empty.end())
            return std::nullopt;
        return std::pair{from - is_empty.begin(), to - is_empty.begin() - 1};
    }
    // The smallest period of at most 64 that says which lines are empty, seen twice at least; or 0.
    std::int64_t period() const {
        for (std::int64_t p = 2; p <= 64 && 2 * p <= extent(); ++p) {
            bool fits = true;
            for (std::int64_t i = p; i < extent() && fits; ++i)
                fits = is_empty[std::size_t(i)] == is_empty[std::size_t(i - p)];
            if (fits) return p;
        }
        return 0;
    }
    // Lines that are written at the beginning of each period, and none behind them; 0: it is not so.
    std::int64_t prefix_of(std::int64_t period) const {
        const auto from = is_empty.begin(), to = from + period;
        const auto end = std::find(from, to, true);
        return std::find(end, to, false) == to ? end - from : 0;
    }
};

struct EmptySets {
    EmptyLines rows, cols;
    bool is_exact = false;  // the elements not written are those rows and columns and no others
};

EmptySets empty_sets(const MovedOutput& output, const OutputMap& map) {
    const auto height = static_cast<std::size_t>(output.height()), width = static_cast<std::size_t>(output.width());
    EmptySets sets;
    sets.rows.is_empty.assign(height, true);
    sets.cols.is_empty.assign(width, true);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            if (map.cells[y * width + x] == CellState::unwritten) continue;
            sets.rows.is_empty[y] = false;
            sets.cols.is_empty[x] = false;
        }
    }
    sets.rows.count = std::ranges::count(sets.rows.is_empty, true);
    sets.cols.count = std::ranges::count(sets.cols.is_empty, true);
    const std::int64_t covered =
        sets.rows.count * output.width() + sets.cols.count * output.height() - sets.rows.count * sets.cols.count;
    sets.is_exact = covered == static_cast<std::int64_t>(map.unwritten);
    return sets;
}

// "rows 64 to 69 and column 96 of `b` are not written"
std::string missing_edge(const MovedOutput& output, std::int64_t wide, std::int64_t high) {
    const auto lines = [](const char* what, std::int64_t first, std::int64_t extent) {
        return first + 1 == extent ? fmt::format("{} {}", what, first)
                                   : fmt::format("{}s {} to {}", what, first, extent - 1);
    };
    std::string text;
    if (high < output.height()) text = lines("row", high, output.height());
    if (wide < output.width()) text += (text.empty() ? "" : " and ") + lines("column", wide, output.width());
    const bool is_one = (high == output.height() && wide + 1 == output.width()) ||
                        (wide == output.width() && high + 1 == output.height());
    return fmt::format("{} of `{}` {} not written", text, output.out_layout.name, is_one ? "is" : "are");
}

// The written part is the rectangle wide x high at the corner.
std::optional<Recognised> recognise_rectangle(const MovedOutput& output, std::int64_t wide, std::int64_t high) {
    const std::int64_t width = output.width(), height = output.height();
    const bool is_last_line = wide >= width - 1 && high >= height - 1;
    const bool is_square = wide == std::min(width, height) && high == wide;
    for (const std::int64_t tile : region_tiles) {
        if (tile > 32 && is_square) continue;  // more often a guard than so large a tile
        const bool cuts_x = wide == round_down(width, tile), cuts_y = high == round_down(height, tile);
        if ((wide != width && !cuts_x) || (high != height && !cuts_y)) continue;
        // One more line than whole tiles: other shapes tell which of the two it is.
        if (is_last_line)
            return Recognised{"last_line_or_tile_missing",
                              "the last line is missing: " + missing_edge(output, wide, high),
                              "round the number of blocks up, (n + TILE - 1) / TILE; or, if that is done, look for an "
                              "extent minus one in the bounds test"};
        return Recognised{"last_partial_tile_missing",
                          (std::min(width, height) == 1 ? "the last elements are missing: "
                                                        : "the last, partial tiles are missing: ") +
                              missing_edge(output, wide, high),
                          "round the number of blocks up, (n + TILE - 1) / TILE, and let the bounds test keep threads "
                          "inside"};
    }
    if (is_last_line)
        return Recognised{"last_line_missing", "the last line is missing: " + missing_edge(output, wide, high),
                          "look at the bounds test: an index below its extent is inside, so `i < extent` is right and "
                          "`i < extent - 1` leaves the last one out"};
    const auto leaves_exchanged_grid = [&](std::int64_t tile) {
        return wide == std::min(width, round_up(height, tile)) && high == std::min(height, round_up(width, tile));
    };
    // Extents of whole tiles: a guard and a grid leave the same.
    if (is_square && leaves_exchanged_grid(32))
        return Recognised{
            "square_corner", fmt::format("only the square corner of {0} x {0} elements is written", wide),
            "{high} and {wide} are taken for each other: look at the grid of the launch, and at the bounds "
            "test"};
    if (is_square)
        return Recognised{"guard_rows_cols_swapped",
                          fmt::format("only the square corner of {0} x {0} elements is written", wide),
                          "look at the bounds test: x is compared with the extent that belongs to y, or one extent is "
                          "compared twice"};
    for (const std::int64_t tile : region_tiles) {
        if (leaves_exchanged_grid(tile))
            return Recognised{
                "grid_rows_cols_swapped",
                "the grid has its two extents the wrong way round: part of `{out}` has no block",
                "look at the launch: which of blockIdx.x and blockIdx.y covers {high}, and which {wide}?"};
    }
    if (wide == 1 && high == 1)
        return Recognised{"only_first_element", "only {out}[0][0] is written",
                          "x and y are the same for every thread: compute them from blockIdx and threadIdx"};
    const auto is_of_block = [](std::int64_t part, std::int64_t whole) {
        return (part == whole && part <= 32) || (part <= 64 && (part & (part - 1)) == 0);
    };
    if (is_of_block(wide, width) && is_of_block(high, height))
        return Recognised{
            "only_first_block", fmt::format("only the first block's {} x {} elements are written", high, wide),
            "look at the grid of the launch: one block for each tile; and at the use of blockIdx in x and y"};
    if (wide == width || high == height)
        return Recognised{
            "one_line_of_blocks",
            wide == width ? fmt::format("only the first {} rows of `{{out}}` are written", high)
                          : fmt::format("only the first {} columns of `{{out}}` are written", wide),
            "look at the grid: is it a dim3 with both extents, and does the kernel use blockIdx.x and blockIdx.y?",
            {.lines = wide == width ? high : wide, .of_rows = wide == width}};
    return Recognised{"only_a_corner",
                      fmt::format("only a corner of {} x {} elements of `{{out}}` is written", high, wide),
                      "compare the extents of the grid times the tile with {high} and {wide}",
                      {.high = high, .wide = wide}};
}

// What begins behind the first line: a test that keeps the index 0 out, or an edge that is left as it is.
std::optional<Recognised> recognise_missing_start(const MovedOutput& output, const EmptySets& sets) {
    const auto rows = sets.rows.written_behind_start(), cols = sets.cols.written_behind_start();
    const auto lines = [](const char* what, std::int64_t count, std::int64_t first, std::int64_t last) {
        std::string text;
        if (first == 1 && last + 2 == count) return fmt::format("{}s 0 and {}", what, count - 1);
        if (first == 1) text = fmt::format("{} 0", what);
        if (first > 1) text = fmt::format("{}s 0 to {}", what, first - 1);
        const char* join = text.empty() ? "" : ", ";
        if (last + 2 == count) text += fmt::format("{}{} {}", join, what, count - 1);
        if (last + 2 < count) text += fmt::format("{}{}s {} to {}", join, what, last + 1, count - 1);
        return text;
    };
    const auto last_of = [](const EmptyLines& all) { return all.written_prefix() - 1; };
    if ((!rows && sets.rows.written_prefix() <= 0) || (!cols && sets.cols.written_prefix() <= 0)) return std::nullopt;
    std::string text = rows ? lines("row", output.height(), rows->first, rows->second)
                            : lines("row", output.height(), 0, last_of(sets.rows));
    const std::string more = cols ? lines("column", output.width(), cols->first, cols->second)
                                  : lines("column", output.width(), 0, last_of(sets.cols));
    const std::string all = text + more;
    const bool is_one = (text.empty() || more.empty()) && !all.starts_with("rows ") && !all.starts_with("columns ") &&
                        all.find(" and ") == std::string::npos;
    if (!text.empty() && !more.empty()) text += " and ";
    return Recognised{"start_missing",
                      fmt::format("{}{} of `{{out}}` {} not written", text, more, is_one ? "is" : "are"),
                      "rows and columns begin at 0, and the edge has elements like all others: which threads does the "
                      "test before the store keep out?"};
}

// Of each tile only the elements whose row and column in it are the same.
std::optional<Recognised> recognise_diagonals(const MovedOutput& output, const OutputMap& map) {
    const std::int64_t width = output.width(), height = output.height();
    if (width < 4 || height < 4) return std::nullopt;
    for (const std::int64_t t : region_tiles) {
        bool fits = true;
        for (std::int64_t i = 0; i < width * height && fits; ++i)
            fits = (map.cells[static_cast<std::size_t>(i)] != CellState::unwritten) == (i / width % t == i % width % t);
        if (fits)
            return Recognised{"diagonals_only", fmt::format("only the diagonals of the {0} x {0} tiles are written", t),
                              "row and column are computed from the same index of the thread: one of them takes "
                              "threadIdx.x, the other threadIdx.y"};
    }
    return std::nullopt;
}

// Of all tiles only those whose row and column of tiles are the same.
std::optional<Recognised> recognise_diagonal_tiles(const MovedOutput& output, const OutputMap& map) {
    const std::int64_t width = output.width(), height = output.height();
    for (const std::int64_t t : region_tiles) {
        bool fits = width > t && height > t;
        for (std::int64_t i = 0; i < width * height && fits; ++i)
            fits = (map.cells[static_cast<std::size_t>(i)] != CellState::unwritten) == (i / width / t == i % width / t);
        if (fits)
            return Recognised{"diagonal_tiles_only",
                              fmt::format("only the {0} x {0} tiles on the diagonal of `{{out}}` are written", t),
                              "are the row and the column of a block's tile computed from the same part of blockIdx? "
                              "one of them takes blockIdx.x, the other blockIdx.y"};
    }
    return std::nullopt;
}

std::string ordinal(std::int64_t n) {
    const std::int64_t last = n % 10, two = n % 100;
    const bool is_teen = two >= 11 && two <= 13;
    return fmt::format("{}{}", n, is_teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// Written lines repeat with a period: a loop over the rows of a tile that is missing or has the wrong step.
std::optional<Recognised> recognise_period(const EmptyLines& lines, const char* what) {
    const std::int64_t period = lines.period();
    if (period == 0) return std::nullopt;
    const std::int64_t written = std::count(lines.is_empty.begin(), lines.is_empty.begin() + period, false);
    const std::int64_t prefix = lines.prefix_of(period);
    std::string title;
    if (written == 1)
        title = fmt::format("only every {} {} of `{{out}}` is written", ordinal(period), what);
    else if (prefix == written)
        title = fmt::format("of every {} {}s of `{{out}}`, only the first {} are written", period, what, written);
    else
        title = fmt::format("of every {} {}s of `{{out}}`, {} are never written", period, what, period - written);
    return Recognised{written > 1 && prefix == written ? "part_of_each_tile" : "rows_skipped",
                      title,
                      "a thread has to move several elements: loop over the rows of the tile with a step of "
                      "blockDim.y, up to the tile's size",
                      {.period = period, .written = written}};
}

}  // namespace

std::optional<Recognised> recognise_region(const MovedOutput& output, const OutputMap& map) {
    if (map.unwritten == map.cells.size())
        return Recognised{
            "nothing_written", "nothing was written to `{out}`",
            "is a kernel launched for this shape, with at least one block, and does it store to `{out}`?"};
    if (auto diagonals = recognise_diagonals(output, map)) return diagonals;
    if (auto tiles = recognise_diagonal_tiles(output, map)) return tiles;
    const EmptySets sets = empty_sets(output, map);
    if (!sets.is_exact) return std::nullopt;
    const std::int64_t wide = sets.cols.written_prefix(), high = sets.rows.written_prefix();
    if (wide > 0 && high > 0) return recognise_rectangle(output, wide, high);
    if (auto start = recognise_missing_start(output, sets)) return start;
    if (sets.rows.count != 0)
        if (auto found = recognise_period(sets.rows, "row")) {
            const std::int64_t tall = sets.rows.period(), broad = sets.cols.count != 0 ? sets.cols.period() : 0;
            if (found->pattern == "part_of_each_tile" && broad != 0 && sets.cols.prefix_of(broad) != 0)
                found->title = fmt::format("of every {} x {} elements of `{{out}}`, only the first {} x {} are written",
                                           tall, broad, sets.rows.prefix_of(tall), sets.cols.prefix_of(broad));
            return found;
        }
    if (sets.cols.count != 0) return recognise_period(sets.cols, "column");
    return std::nullopt;
}

}  // namespace warpgrade
