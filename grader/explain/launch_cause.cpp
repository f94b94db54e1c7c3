#include "explain/launch_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/index_text.hpp"
#include "explain/launch_facts.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "problem/known_mistake.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// The one launch, and what is missing in the output.
struct Look {
    Judgement& judgement;
    const LaunchInfo& launch;
    const Facts& facts;
    const BufferLayout& out;

    bool is(KnownMistake pattern) const { return judgement.pattern == pattern; }
    bool skips() const { return is(KnownMistake::rows_skipped) || is(KnownMistake::part_of_each_tile); }
    bool leaves_edge() const {
        return is(KnownMistake::last_partial_tile_missing) || is(KnownMistake::last_line_or_tile_missing);
    }
    std::uint64_t elements() const { return static_cast<std::uint64_t>(out.elements()); }
    bool is_enough() const { return has_threads_enough(launch, elements()); }
    bool tell(std::string help) {
        judgement.help = std::move(help);
        return true;
    }
};

bool indices_for_arguments(Look& at) {
    if (!at.is(KnownMistake::extents_exchanged)) return false;
    const BufferLayout& out = at.out;
    if (!hands_over_by_name(at.facts, at.launch.kernel)) {
        std::string renamed = advice_on_renamed(at.facts, at.launch.kernel, out);
        return !renamed.empty() && at.tell(std::move(renamed));
    }
    at.judgement.pattern = "indices_exchanged";
    return at.tell(
        say("launch_hands_argument_parameter", out.name,
            out.extent_names.size() == 2 ? "`" + out.extent_names[1] + "`" : std::to_string(out.extents[1])));
}

bool grid_of_other_extents(Look& at) {
    if (!at.is(KnownMistake::grid_rows_cols_swapped) || at.out.extents.size() != 2) return false;
    const GridAdvice advice = advice_on_grid(at.launch, at.out.extents[0], at.out.extents[1], at.out);
    at.judgement.help = advice.text;
    if (advice.is_of_one_extent) at.judgement.title = say("grid_computed_extent_alone", at.out.name);
    return true;
}

bool line_of_threads(Look& at) {
    // What the output shows by itself is not guessed from the launch.
    const bool is_known = at.is(KnownMistake::guard_rows_cols_swapped) || at.is(KnownMistake::square_corner) ||
                          at.is(KnownMistake::only_first_element);
    if (!at.launch.is_flat() || at.is(KnownMistake::nothing_written) || is_known || !at.judgement.written_prefix ||
        uses(at.facts, "threadIdx.y") || uses(at.facts, "blockIdx.y"))
        return false;
    look_at_line(at.judgement, at.launch, at.out);
    return true;
}

bool block_of_one_row(Look& at) {
    const vgpu::Dim3& block = at.launch.block;
    if (!at.skips() || block.y != 1 || block.z != 1 || !uses(at.facts, "threadIdx.y")) return false;
    at.judgement.pattern = name_of(KnownMistake::block_of_one_row);
    const std::string square =
        block.x > 32 && block.x % 32 == 0 ? fmt::format("dim3(32, {})", block.x / 32) : "dim3(TILE, TILE)";
    const DeclaredBlock declared = declared_block(at.facts, at.launch.line);
    return at.tell(declared.line == 0 ? say("block_threads_threadidx_them_dim", block.x, square)
                                      : say("block_threads_line_makes", block.x, declared.line, declared.text, square));
}

bool grid_turned(Look& at) {
    if (!at.is(KnownMistake::one_line_of_blocks) || !is_grid_turned(at.launch, at.out)) return false;
    const vgpu::Dim3 &grid = at.launch.grid, &block = at.launch.block;
    at.judgement.pattern = "grid_turned";
    at.judgement.effect.is_of_grid = true;
    at.judgement.is_cause = true;
    at.judgement.title = say("grid_two_extents_wrong", at.out.name);
    return at.tell(say("blocks_threads_first_extent", grid.x, grid.y * grid.z, block.x, block.y));
}

bool other_axis(Look& at) {
    const vgpu::Dim3& block = at.launch.block;
    if (!(at.skips() || at.is(KnownMistake::one_line_of_blocks)) || block.x == block.y) return false;
    const int other = line_of_other_axis(at.facts);
    if (other == 0) return false;
    at.judgement.effect.line_of_threads = other;
    return at.tell(say("line_adds_place_direction", other, block.x, block.y));
}

bool part_of_tile_of_uneven_block(Look& at) {
    const vgpu::Dim3& block = at.launch.block;
    if (!at.is(KnownMistake::part_of_each_tile)) return false;
    if (block.x < block.y) return at.tell(say("block_wide_high_meant", block.x, block.y));
    if (block.y <= 1 || block.x <= block.y || at.is_enough() || !at.facts.loops.empty() ||
        !at.judgement.effect.period || at.judgement.effect.written != block.y)
        return false;
    // Nothing goes on to a second element.
    const DeclaredBlock declared = declared_block(at.facts, at.launch.line);
    return at.tell(say("block_threads_moves_element", block.y,
                       declared.line == 0 ? "" : fmt::format(", by line {}, `{}`", declared.line, declared.text),
                       *at.judgement.effect.period));
}

bool threads_of_other_extents(Look& at) {
    const vgpu::Dim3& block = at.launch.block;
    if (!at.skips() || block.x == block.y || !at.is_enough()) return false;
    if (block.count() % 32 == 0) at.judgement.effect.is_of_place = true;  // as one means it, and not exchanged
    return at.tell(say("threads_elements_enough_but", at.launch.grid.count() * block.count(), at.elements(), block.x,
                       block.y, block.x, block.y));
}

bool edge_without_blocks(Look& at) {
    const vgpu::Dim3 &grid = at.launch.grid, &block = at.launch.block;
    if (!at.leaves_edge() || (at.is_enough() && covers(at.launch, at.out, at.facts)) ||
        !floor_divisions(at.facts).empty() || at.out.extents.size() != 2)
        return false;
    const std::uint64_t high = block.y < block.x ? block.x : block.y, down = std::uint64_t{grid.y} * grid.z;
    const auto needed = [&](std::int64_t extent) { return (static_cast<std::uint64_t>(extent) + high - 1) / high; };
    if (block.x == high && grid.x == needed(at.out.extents[1]) && down == needed(at.out.extents[0]))
        return at.tell(say("launch_blocks_would_cover", grid.x, down, down, grid.x));
    const bool is_most = grid.y == most_blocks_in_y || grid.z == most_blocks_in_y;
    return at.tell(say("launch_blocks_threads_elements", grid.x, down, block.x, block.y, at.out.name, at.out.extents[0],
                       at.out.extents[1], is_most ? say("grid_most_blocks_more") : say("how_many_elements_does")));
}

bool edge_left_by_a_test(Look& at) {
    if (!at.leaves_edge() || !at.is_enough() || !covers(at.launch, at.out, at.facts)) return false;
    at.judgement.is_recognised = false;  // other shapes tell which of the two it is
    return at.tell(say("blocks_enough_elements", at.launch.grid.x, at.launch.grid.y * at.launch.grid.z, at.elements(),
                       at.launch.is_flat() ? say("test_number_elements_leaves") : say("extent_does_blockidx_cover")));
}

bool no_store(Look& at) {
    if (!at.is(KnownMistake::nothing_written)) return false;
    if (!stores_to_element(at.facts)) return at.tell(say("no_line_stores", at.launch.kernel, at.out.name));
    return at.tell(has_word(*at.facts.tree, "for")  ? say("kernel_runs_thread_stores")
                   : has_word(*at.facts.tree, "if") ? say("kernel_runs_thread_stores_store")
                                                    : say("kernel_runs_thread_stores_store_there"));
}

bool square_block(Look& at) {
    const vgpu::Dim3& block = at.launch.block;
    if (!at.skips() || block.x != block.y) return false;
    if (const int line = line_that_multiplies_threads(at.facts); line != 0 && is_period(at.judgement, block.x)) {
        at.judgement.effect.line_of_threads = line;
        return at.tell(say("line_multiplies_threadidx_threads", line, block.x));
    }
    if (const auto period = at.judgement.effect.period; period && at.is(KnownMistake::part_of_each_tile)) {
        const DeclaredBlock declared = declared_block(at.facts, at.launch.line);
        return at.tell(say("block_threads_next_begins", block.x, block.y,
                           declared.line == 0 ? at.launch.line : declared.line, *period));
    }
    const bool has_x = uses(at.facts, "threadIdx.x"), has_y = uses(at.facts, "threadIdx.y");
    at.judgement.effect.lacks_threads = has_x != has_y;
    return at.tell(has_x == has_y ? say("block_threads_do_both", block.x, block.y)
                                  : say("block_threads_threadidx_nowhere", block.x, block.y, has_x ? "y" : "x"));
}

bool one_line_of_blocks(Look& at) {
    if (!at.is(KnownMistake::one_line_of_blocks)) return false;
    const vgpu::Dim3 &grid = at.launch.grid, &block = at.launch.block;
    if (const std::string type = narrow_index_type(at.facts, at.judgement); !type.empty()) {
        at.judgement.is_cause = true;
        at.judgement.effect.narrow_type = type;
        return at.tell(say("variable_type_ends_type", type, at.judgement.effect.lines.value_or(0) - 1));
    }
    if (grid.z > 1 && !uses(at.facts, "blockIdx.z")) {
        const std::set<int> lines = lines_that_mention(*at.facts.tree, "blockIdx.y");
        if (lines.size() == 1) at.judgement.effect.line_of_threads = *lines.begin();
        return at.tell(say("grid_layers_kernel_does", grid.z));
    }
    if (grid.z > 1 && !has_word(*at.facts.tree, "short")) {
        at.judgement.effect.is_of_layers = true;
        return at.tell(say("grid_layers_griddim_blocks", grid.z));
    }
    if (grid.z > 1) {
        at.judgement.is_cause = true;
        at.judgement.effect.narrow_type = "short";
        return at.tell(say("unsigned_short_ends_short"));
    }
    if (grid.x > 1 && grid.y * grid.z == 1 && !uses(at.facts, "blockIdx.y"))
        return at.tell(say("blocks_all_along_x", grid.x));
    if (grid.x <= 1 || grid.y <= 1 || !uses(at.facts, "blockIdx.x") || !uses(at.facts, "blockIdx.y")) return false;
    at.tell(say("grid_blocks_threads_kernel", grid.x, grid.y, block.x, block.y));
    look_at_distance(at.judgement, at.launch, at.out);
    return true;
}

bool corner(Look& at) {
    if (!at.is(KnownMistake::only_a_corner)) return false;
    look_at_corner(at.judgement, at.launch, at.out, at.facts);
    return true;
}

bool first_block(Look& at) {
    if (!at.is(KnownMistake::only_first_block)) return false;
    if (at.launch.grid.count() > 1) return at.tell(advice_on_first_block(at.launch.grid.count()));
    return at.tell(say("launch_block_round_number"));
}

// One store to global memory in the text, and no loop around it: a thread has one element.
bool stores_one_element(const Facts& facts) {
    const auto shared = shared_names(facts);
    int stores = 0;
    for (const source::Access& access : facts.accesses) {
        if (access.kind == source::AccessKind::load || shared.contains(access.array)) continue;
        if (loop_around(facts, access.node) != nullptr) return false;
        ++stores;
    }
    return stores == 1;
}

// The number of blocks in one dimension, where the launcher makes it smaller than the elements there need.
bool few_blocks(Look& at) {
    if (!at.leaves_edge() || at.is_enough() || at.out.extents.size() != 2 || at.out.extent_names.size() != 2 ||
        !floor_divisions(at.facts).empty() || !stores_one_element(at.facts))
        return false;
    const vgpu::Dim3 &grid = at.launch.grid, &block = at.launch.block;
    const Tree& tree = *at.facts.tree;
    source::Numbers numbers = at.facts.numbers;
    for (const int i : {0, 1}) numbers[at.out.extent_names[i]] = at.out.extents[i];
    const std::int64_t high = std::max(block.x, block.y);
    for (const source::Definition& one : at.facts.definitions) {
        const source::Function* const function = function_around(at.facts, one.node);
        if (function == nullptr || function->is_on_device() || binary(tree, one.value, "/") == no_node) continue;
        const auto blocks = number_of(tree, one.value, numbers);
        for (const int i : {0, 1}) {
            const bool is_it = mentions(tree, one.value, at.out.extent_names[i]) &&
                               !mentions(tree, one.value, at.out.extent_names[1 - i]);
            const std::int64_t needed = (at.out.extents[i] + high - 1) / high;
            if (!is_it || !blocks || *blocks >= needed || (*blocks != grid.x && *blocks != grid.y)) continue;
            at.judgement.effect.line_of_threads = one.at.line;
            return at.tell(say("line_makes_few_blocks", one.at.line, one.name, in_one_line(tree, one.value), *blocks,
                               at.out.extent_names[i], at.out.extents[i], high, needed));
        }
    }
    return false;
}

// Of blocks that are counted in one number, with a division that rounds down.
bool count_rounded_down(Look& at) {
    if (at.judgement.code != "not_written" || at.is_enough() || at.launch.grid.y * at.launch.grid.z != 1 ||
        uses(at.facts, "blockIdx.y") || !stores_one_element(at.facts))
        return false;
    const auto divisions = floor_divisions(at.facts);
    if (divisions.empty()) return false;
    at.judgement.effect.is_rounded_down = true;
    return at.tell(advice_on_floor(divisions));
}

// The most certain first.
constexpr std::array looks{indices_for_arguments,
                           grid_of_other_extents,
                           line_of_threads,
                           block_of_one_row,
                           grid_turned,
                           other_axis,
                           part_of_tile_of_uneven_block,
                           threads_of_other_extents,
                           count_rounded_down,
                           few_blocks,
                           edge_without_blocks,
                           edge_left_by_a_test,
                           no_store,
                           square_block,
                           one_line_of_blocks,
                           corner,
                           first_block};

}  // namespace

int line_of_gap(const Facts& facts) {
    const std::string& text = *facts.tree->tokens.text;
    const std::size_t at = text.find("// remove this line");
    return at == std::string::npos || stores_to_element(facts) ? 0 : line_at(text, at);
}

void look_at_launch(Judgement& judgement, const std::vector<LaunchInfo>& launches, const Facts& facts,
                    const BufferLayout& out) {
    const bool nothing = judgement.pattern == KnownMistake::nothing_written;
    if (const int gap = nothing ? line_of_gap(facts) : 0; gap != 0) {
        judgement.help = say("line_still_place_holder", gap);
        return;
    }
    if (nothing && launches.empty()) {
        judgement.help = say("kernel_launched_shape_there");
        return;
    }
    if (launches.size() != 1) return;
    Look look{judgement, launches.front(), facts, out};
    std::ranges::find_if(looks, [&](const auto one) { return one(look); });
}

bool hangs_on_grid(const Judgement& judgement, const LaunchInfo& launch, std::uint64_t elements) {
    static constexpr std::array of_kernel{
        KnownMistake::last_line_missing,  KnownMistake::guard_rows_cols_swapped, KnownMistake::square_corner,
        KnownMistake::only_first_element, KnownMistake::only_first_thread,       KnownMistake::line_cut_short,
        KnownMistake::some_not_written,   KnownMistake::start_missing,           KnownMistake::indices_swapped,
        KnownMistake::diagonals_only,     KnownMistake::diagonal_tiles_only};
    const std::string& pattern = judgement.pattern;
    if (pattern == KnownMistake::only_first_block) return launch.grid.count() == 1;
    if (judgement.effect.line_of_threads != 0 || judgement.effect.is_of_index) return false;
    if (pattern == KnownMistake::rows_skipped) return launch.block.y == 1;
    if (pattern == KnownMistake::part_of_each_tile && launch.block.x < launch.block.y) return true;
    if (pattern == KnownMistake::part_of_each_tile && launch.block.y != 1 && launch.block.x != launch.block.y)
        return !has_threads_enough(launch, elements);
    return std::ranges::find(of_kernel, known_mistake(pattern)) == of_kernel.end();
}

}  // namespace warpgrade
