// What is wrong with an output whose every element is one element of the input, moved: which mistake leaves exactly
// this behind. Of matrices that are left as they are, or whose rows and columns change places.
//
// Theory of operation. Every element of the output is right, wrong or not written. Two kinds of question are asked:
// does the set that was not written have a shape (moves_regions.cpp: a missing edge, skipped rows, one block only), and
// is there a simple rule that says where the wrong values came from (moves_sources.cpp: not moved, tiles not moved,
// extents mistaken for each other)? The rules stand in problem.toml (effects.hpp); one is believed if it predicts at
// least 98 % of a sample of the wrong values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "problem/effects.hpp"

namespace warpgrade {

// The output of one run. out has `height()` rows of `width()` elements.
struct MovedOutput {
    BufferLayout in_layout, out_layout;
    std::string type;                              // of an element
    std::size_t size = 0;                          // its bytes
    bool is_turned = true;                         // rows become columns; else the matrix is left as it is
    std::span<const std::byte> in, out, expected;  // in: as it was filled
    std::function<bool(std::uint64_t first, std::uint64_t count)> is_written;  // elements of out
    std::span<const EffectRule> rules;                                         // of the problem
    ExpressionScope scope;                                                     // names of the shape

    std::int64_t rows() const { return in_layout.extents[0]; }
    std::int64_t cols() const { return in_layout.extents[1]; }
    std::int64_t height() const { return out_layout.extents[0]; }
    std::int64_t width() const { return out_layout.extents[1]; }
    // The input element that belongs at out[y][x], as an index into in.
    std::int64_t expected_source(std::int64_t y, std::int64_t x) const {
        return is_turned ? x * cols() + y : y * cols() + x;
    }
    const std::byte* at(std::int64_t y, std::int64_t x) const {
        return out.data() + static_cast<std::size_t>(y * width() + x) * size;
    }
    bool holds(std::int64_t y, std::int64_t x, std::int64_t source) const;  // out[y][x] == in[source], bit by bit
    bool are_right(std::uint64_t first, std::uint64_t count) const;         // what is expected there
};

enum class CellState : std::uint8_t { right, wrong, unwritten };

struct OutputMap {
    std::vector<CellState> cells;  // of out, row-major
    std::uint64_t wrong = 0;       // written, but not what belongs there
    std::uint64_t unwritten = 0;
};

struct Place {
    std::int64_t y = 0, x = 0;  // in out
};

std::optional<FoundEffect> recognise_region(const MovedOutput& output, const OutputMap& map);
std::optional<FoundEffect> recognise_move(const MovedOutput& output, const OutputMap& map);
// The index in `in` of what stands at each place; nothing where no element of the input has these bytes, or more than
// one, or where elements have fewer than 4 bytes and are alike by chance.
std::vector<std::optional<std::int64_t>> sources_of(const MovedOutput& output, std::span<const Place> places);
// At most 16 x 16 cells, one character each: `.` right, `x` wrong, `-` not written; the first line says what a cell is.
std::vector<std::string> draw(const MovedOutput& output, const OutputMap& map);

}  // namespace warpgrade
