// Mistakes whose name code looks at: rows of a problem.toml, or of the kit, that have one of these names get more than
// their own words. All other names are data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

enum class KnownMistake : std::uint8_t {
    none,
    block_of_one_row,
    block_size_fixed,
    blocks_apart,
    diagonal_tiles_only,
    diagonals_only,
    digits_lost,
    extents_exchanged,
    first_load_twice,
    first_warp_only,
    grid_rows_cols_swapped,
    grid_too_small,
    guard_rows_cols_swapped,
    inaccurate,
    indices_swapped,
    last_line_missing,
    last_line_or_tile_missing,
    last_partial_tile_missing,
    last_repeated,
    line_cut_short,
    misplaced,
    mixed_within_tile,
    neighbouring_row,
    nothing_added,
    nothing_written,
    odd_block,
    offset_along_row,
    one_lane,
    one_line_of_blocks,
    only_a_corner,
    only_first_block,
    only_first_element,
    only_first_thread,
    overflowed,
    overwritten_lines,
    part_of_each_tile,
    poison_included,
    rounded,
    rows_repeated,
    rows_skipped,
    scattered,
    shifted_by_one,
    some_not_written,
    square_corner,
    stale,
    start_missing,
    steps_repeated,
    stored_turned,
    sums_not_combined,
    tail_missing,
    tile_not_moved,
    uninitialized_shared,
    unknown,
    wrong_step,
    wrong_sum,
    zero,
    zeros,
};

// As rows and JSON have it; "" of none.
std::string name_of(KnownMistake mistake);
// none: another name.
KnownMistake known_mistake(std::string_view name);

inline bool operator==(std::string_view name, KnownMistake mistake) { return known_mistake(name) == mistake; }

}  // namespace warpgrade
