// What is wrong with the output of a transpose, by pattern: which mistake leaves exactly this behind.
//
// Theory of operation. Every element of the output is right, wrong or not written. Two kinds of question are asked:
// does the set that was not written have a shape (transpose_regions.cpp: a missing edge, skipped rows, one block only),
// and is there a simple rule that says where the wrong values came from (transpose_moves.cpp: not transposed, tiles not
// moved, rows and cols mistaken for each other)? A rule is believed if it predicts at least 98 % of a sample of the
// wrong values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/pattern.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// The output of one run. out has `height()` rows of `width()` elements.
struct TransposeOutput {
    const Pattern& pattern;
    std::int64_t rows = 0;  // of the input
    std::int64_t cols = 0;
    bool is_transposed = true;
    std::span<const std::byte> out;
    std::function<bool(std::uint64_t first, std::uint64_t count)> is_written;  // elements of out

    std::int64_t height() const { return is_transposed ? cols : rows; }
    std::int64_t width() const { return is_transposed ? rows : cols; }
    // The input element that belongs at out[y][x], as an index into in.
    std::int64_t expected_source(std::int64_t y, std::int64_t x) const {
        return is_transposed ? x * cols + y : y * cols + x;
    }
    const std::byte* at(std::int64_t y, std::int64_t x) const {
        return out.data() + static_cast<std::size_t>((y * width() + x) * pattern.element_bytes());
    }
    bool holds(std::int64_t y, std::int64_t x, std::int64_t source) const;  // out[y][x] == in[source], bit by bit
};

enum class CellState : std::uint8_t { right, wrong, unwritten };

struct OutputMap {
    std::vector<CellState> cells;  // of out, row-major
    std::uint64_t wrong = 0;       // written, but not what belongs there
    std::uint64_t unwritten = 0;
};

// A recognised mistake.
struct Recognised {
    std::string pattern;  // stable name
    std::string title;
    std::string help;
};

Judgement judge_transpose(const TransposeOutput& output);

// The parts, for tests.
std::optional<Recognised> recognise_region(const TransposeOutput& output, const OutputMap& map);
std::optional<Recognised> recognise_move(const TransposeOutput& output, const OutputMap& map);
// At most 16 x 16 cells, one character each: `.` right, `x` wrong, `-` not written; the first line says what a cell is.
std::vector<std::string> draw(const TransposeOutput& output, const OutputMap& map);

}  // namespace warpgrade
