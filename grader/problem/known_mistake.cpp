#include "problem/known_mistake.hpp"

#include <algorithm>
#include <array>

namespace warpgrade {

namespace {

constexpr std::array names_of_mistakes{
    "",
    "block_of_one_row",
    "block_size_fixed",
    "blocks_apart",
    "diagonal_tiles_only",
    "diagonals_only",
    "digits_lost",
    "extents_exchanged",
    "first_load_twice",
    "first_warp_only",
    "grid_rows_cols_swapped",
    "grid_too_small",
    "guard_rows_cols_swapped",
    "inaccurate",
    "indices_swapped",
    "last_line_missing",
    "last_line_or_tile_missing",
    "last_partial_tile_missing",
    "last_repeated",
    "line_cut_short",
    "misplaced",
    "mixed_within_tile",
    "neighbouring_row",
    "nothing_added",
    "nothing_written",
    "odd_block",
    "offset_along_row",
    "one_lane",
    "one_line_of_blocks",
    "only_a_corner",
    "only_first_block",
    "only_first_element",
    "only_first_thread",
    "overflowed",
    "overwritten_lines",
    "part_of_each_tile",
    "poison_included",
    "rounded",
    "rows_repeated",
    "rows_skipped",
    "scattered",
    "shifted_by_one",
    "some_not_written",
    "square_corner",
    "stale",
    "start_missing",
    "steps_repeated",
    "stored_turned",
    "sums_not_combined",
    "tail_missing",
    "tile_not_moved",
    "uninitialized_shared",
    "unknown",
    "wrong_step",
    "wrong_sum",
    "zero",
    "zeros",
};
static_assert(names_of_mistakes.size() == static_cast<std::size_t>(KnownMistake::zeros) + 1);
static_assert(std::ranges::is_sorted(names_of_mistakes, {}, [](const char* name) { return std::string_view(name); }));

}  // namespace

std::string name_of(KnownMistake mistake) { return names_of_mistakes[static_cast<std::size_t>(mistake)]; }

KnownMistake known_mistake(std::string_view name) {
    const auto found =
        std::ranges::lower_bound(names_of_mistakes, name, {}, [](const char* one) { return std::string_view(one); });
    const bool is_known = found != names_of_mistakes.end() && *found == name;
    return is_known ? static_cast<KnownMistake>(found - names_of_mistakes.begin()) : KnownMistake::none;
}

}  // namespace warpgrade
