// What is wrong with an output whose every element is made of the input's element at its place and of the neighbours of
// that: how often each neighbour counts, and where the wrong elements are.
//
// Theory of operation. If the expected elements are sums of neighbours, each times a number of its own, these numbers
// are the solution of linear equations, one for each element; so are the numbers that the submission has used, from the
// elements that it got wrong. They are believed only if they give all wrong elements that were looked at, or all of one
// column or row of a tile. Elements near the edge of the matrix are left out: there the neighbours are 0, and tell
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpgrade {

// Matrices of one size, row by row.
struct Gathered {
    std::int64_t rows = 0, cols = 0;
    std::span<const float> in, out, expected;
    std::string in_name, out_name;
};

struct WrongWeights {
    std::string title, help;
    std::vector<std::string> facts;
    bool is_around = false;  // Effect::is_around
};
// `wrong`: indices of the elements that are wrong, and were stored; in order.
std::optional<WrongWeights> wrong_weights(const Gathered& output, std::span<const std::size_t> wrong);

// An edge of the matrix that all wrong elements are at.
enum class Edge : std::uint8_t { none, first_column, last_column, first_row, last_row, two_columns, two_rows, any };
// In words "all of them in column 0 of every 32", "all of them at the edge of the matrix"; "": nothing is to be said.
struct WrongPlace {
    std::string text;
    Edge edge = Edge::none;
};
WrongPlace where_wrong(std::int64_t rows, std::int64_t cols, std::span<const std::size_t> wrong);

// The element of the input at this place and those around it, a row of them a line.
std::vector<std::string> neighbours_of(const Gathered& output, std::size_t index);

}  // namespace warpgrade
