// How an index, a grid and a launch are written: lines of the submission's text that others are told to look at. What
// is said of a line is true of its text; that it is to blame is for who asks to know, from what the run showed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// Where the names of the indices of `array` on this line got their values, in the order of the text.
std::vector<int> lines_of_index(const source::Facts& facts, int line, std::string_view array);

// The lines above that bring `word`, such as threadIdx, into the indices of `array`, through what is computed of it.
std::vector<int> lines_that_bring(std::string_view word, const source::Facts& facts, int line, std::string_view array);

// `across = cols / TILE` in a host function, which leaves the last, partial tile without a block.
struct FloorDivision {
    int line = 0, column = 0;
    std::string left, right;  // "cols", "TILE"
};
std::vector<FloorDivision> floor_divisions(const source::Facts& facts);
// Of one or more: what to write in their place.
std::string advice_on_floor(const std::vector<FloorDivision>& divisions);
SourceMark mark_of_division(const FloorDivision& division, const std::string& path);

// `for (r = 0; r <= SIDE; ...)` around the line, whose r is in one of the indices of `array`; nullptr: none.
const source::Loop* loop_that_takes_bound_in(const source::Facts& facts, int line, std::string_view array);

// `tile[threadIdx.y + j][threadIdx.x] = in[y * cols + x]` in a loop over j: one side has j in its index, the other has
// not.
struct LeftOut {
    int line = 0, loop_line = 0;  // 0: there is none, or several
    std::string array, variable;  // "in", "j"
};
LeftOut variable_left_out(const source::Facts& facts);

// The only line that reads an element of `array`; 0: none, or several.
int only_line_that_reads(const source::Facts& facts, std::string_view array);

// `r = i % TILE_COLS` of an index of `array` on the line, which goes further than the array: as advice; "" where it is
// not so, or not known.
std::string advice_on_modulus(const source::Facts& facts, int line, std::string_view array);

// The n-th of what stands between <<< and >>> on the line, from 0; "" none.
std::string launch_argument(const source::Facts& facts, int line, std::size_t n);

// Of the last `word = ...` above the line, in the same function; 0: none.
int line_that_sets(const source::Facts& facts, int line, std::string_view word);

}  // namespace warpgrade
