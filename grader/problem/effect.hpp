// What a wrong output shows beyond the name of its pattern, for those who look for the cause: numbers, no sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpgrade {

// Extents are in elements. What a pattern does not have is as it is here.
struct Effect {
    std::optional<std::int64_t> period{}, written{};  // of so many lines, one after the other, so many are written
    std::optional<std::int64_t> lines{};              // the first so many are written, from the edge on
    bool of_rows = false;                             // the lines are rows
    std::optional<std::int64_t> high{}, wide{};       // of the corner that is written
    std::optional<int> kept_bits{};                   // of each value, the lowest
    std::optional<int> lane{};                        // of each warp, the wrong one
    std::optional<std::uint64_t> left_out{};          // the last so many elements, few of them
    std::optional<std::uint64_t> lost_of_four{};      // n % 4 of them
    bool is_rounded_down = false;                     // the number of blocks
    bool is_too_small = false;                        // the sum
    bool is_weak = false;                             // follows from any mistake in a sum
    bool is_symptom = false;       // what the wrong elements hold, which says less than where they come from
    bool is_of_unwritten = false;  // what values that were never stored lead to
    bool is_part_of_sum = false;   // fits a few shapes by chance
    bool is_of_grid = false;       // shows in launches that CUDA refuses, too, or that no check runs
    bool is_around = false;        // an element's neighbours are taken from the wrong side, or too far
    bool is_of_columns = false;    // the step of the blocks, else of rows
    bool is_of_load = false;       // the index that is wrong, else of the store
    bool is_of_value = false;      // of each element, or of the sum of the right ones: rounded, divided

    // What the text of the submission adds.
    char axis = 0;               // 'x', 'y': blockIdx of it goes on by too few elements
    std::string narrow_type{};   // of an index
    int line_of_threads = 0;     // multiplies by, or adds to, the threads of the wrong direction
    bool is_of_layers = false;   // blockIdx.z
    bool is_of_index = false;    // and the grid is enough
    bool is_of_place = false;    // of the thread in its block, which is as it is meant
    bool lacks_threads = false;  // an index without threadIdx
};

}  // namespace warpgrade
