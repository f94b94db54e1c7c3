#include "run/launch_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "run/index_text.hpp"
#include "run/source_names.hpp"
#include "run/wording_place.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

bool has_threads_enough(const LaunchInfo& launch, std::uint64_t elements) {
    return launch.grid.count() * launch.block.count() >= elements;
}

// Along x and along y, where the output has two extents.
bool covers(const LaunchInfo& launch, const BufferLayout& out) {
    if (out.extents.size() != 2) return true;
    const std::uint64_t wide = std::uint64_t{launch.grid.x} * launch.block.x,
                        high = std::uint64_t{launch.grid.y} * launch.grid.z * std::max(launch.block.y, launch.block.x);
    const auto rows = static_cast<std::uint64_t>(out.extents[0]), cols = static_cast<std::uint64_t>(out.extents[1]);
    return (wide >= cols && high >= rows) || (wide >= rows && high >= cols);
}

// array[index] = value; or += and the like, of an array that blocks do not have for themselves.
bool stores_to_element(const Facts& facts) {
    const auto shared = shared_names(facts);
    return std::any_of(facts.accesses.begin(), facts.accesses.end(), [&](const source::Access& access) {
        const bool is_store = access.kind == source::AccessKind::store || access.kind == source::AccessKind::update;
        return is_store && !shared.contains(access.array);
    });
}

bool uses(const Facts& facts, std::string_view member) { return !lines_that_mention(*facts.tree, member).empty(); }

// `dim3 block(TILE, 1)` of a launch whose second argument is `block`; line 0: it is written otherwise.
struct DeclaredBlock {
    int line = 0;
    std::string text;
};
DeclaredBlock declared_block(const Facts& facts, int line) {
    const source::Launch* const launch = launch_at(facts, line);
    const std::string_view name = launch ? plain_name(*facts.tree, launch->block) : "";
    DeclaredBlock found;
    for (const source::Definition& one : facts.definitions) {
        if (one.name != name || one.type != "dim3" || (one.sign != "(" && one.sign != "{")) continue;
        if (found.line != 0) return {};
        found = {one.at.line, "dim3 " + in_one_line(*facts.tree, one.node)};
    }
    return found;
}

std::string advice_on_first_block(std::uint64_t blocks) {
    return fmt::format("{} blocks were launched and all did the work of the first: blockIdx is missing in the index",
                       blocks);
}

constexpr std::uint32_t most_blocks_in_y = 65535;  // CUDA C++ Programming Guide, technical specifications
constexpr std::uint64_t fewest_for_distance = 8;   // blocks: with fewer a length is a multiple by chance

// An array that is one line: the kernel counts its elements through, and so does the part that was written.
void look_at_line(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const std::string& name = out.name;
    const auto elements = static_cast<std::uint64_t>(out.elements());
    // One block for each row, or for each column.
    const bool is_line_a_block =
        out.extents.size() == 2 && launch.grid.x > 1 && elements % launch.grid.x == 0 &&
        (std::cmp_equal(out.extents[0], launch.grid.x) || std::cmp_equal(out.extents[1], launch.grid.x));
    const std::uint64_t written = *judgement.written_prefix, block = launch.block.x, blocks = launch.grid.x;
    judgement.pattern = "line_cut_short";
    judgement.is_recognised = true;
    judgement.title = fmt::format("only a first part of `{}` is written", name);
    if (written == block && blocks > 1 && blocks != block) {
        judgement.pattern = "only_first_block";
        judgement.title = fmt::format("of `{}` only as many elements are written as a block has threads", name);
        judgement.help = advice_on_first_block(blocks);
    } else if (written == blocks && block > 1 && blocks != block) {
        judgement.pattern = "only_first_thread";
        judgement.title = fmt::format("of `{}` only as many elements are written as there are blocks", name);
        judgement.help = fmt::format(
            "the {} threads of a block all took the same element: threadIdx is missing in the index", block);
    } else if (written == block * blocks && is_line_a_block) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "each of the {} blocks moves {} elements, as many as it has threads, of {}: let its threads go on in a "
            "loop, by blockDim.x, or launch more blocks for each line",
            blocks, block, elements / blocks);
    } else if (written == block * blocks && elements - written >= block) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "{} x {} threads were launched, one for each of {} elements, and there are {}: what keeps the number of "
            "blocks down? launch more, or let each thread go on in a loop, by all threads of the grid",
            blocks, block, written, elements);
    } else if (written == block * blocks) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "{} x {} threads were launched, one for each of {} elements: round the number of "
            "blocks up, so that all have one",
            blocks, block, written);
    } else if (const std::uint64_t behind = blocks >= fewest_for_distance && written > block ? written - block : 0;
               behind != 0 && behind % (blocks - 1) == 0 && behind / (blocks - 1) < block) {
        judgement.values["axis"] = "x";
        judgement.help = fmt::format(
            "{} x {} threads have written {} elements, as if each block began {} further on than the one before: by "
            "what is the number of the block multiplied in the index?",
            blocks, block, written, plural(behind / (blocks - 1), "element"));
    } else {
        judgement.help =
            fmt::format("{} x {} threads were launched: what keeps them from the elements after that?", blocks, block);
    }
}

// {"in", "in"}, {"height", "rows"}: the arguments of the launch, each with the kernel's parameter; none where they are
// not plain names, or not as many.
std::vector<std::pair<std::string_view, std::string_view>> handed_over(const Facts& facts, const std::string& kernel) {
    const std::string_view name = std::string_view(kernel).substr(0, kernel.find('<'));
    const source::Function* const function = facts.function_named(name);
    std::vector<std::pair<std::string_view, std::string_view>> all;
    for (const source::Launch& launch : facts.launches) {
        if (launch.kernel != name || !function || launch.arguments.size() != function->parameters.size()) continue;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            all.emplace_back(plain_name(*facts.tree, launch.arguments[i]), function->parameters[i].name);
            if (all.back().first.empty()) return {};
        }
        break;
    }
    return all;
}

// kernel<<<...>>>(in, out, rows, cols) of kernel(const float* in, float* out, int rows, int cols).
bool hands_over_by_name(const Facts& facts, const std::string& kernel) {
    const auto handed = handed_over(facts, kernel);
    return !handed.empty() &&
           std::all_of(handed.begin(), handed.end(), [](const auto& one) { return one.first == one.second; });
}

// A variable of the launcher that is handed to `rows` of the kernel, and is `cols` by the line that sets it; "" where
// none is.
std::string advice_on_renamed(const Facts& facts, const std::string& kernel, const BufferLayout& out) {
    const auto is_extent = [&](std::string_view name) {
        return std::find(out.extent_names.begin(), out.extent_names.end(), name) != out.extent_names.end();
    };
    for (const auto& [argument, parameter] : handed_over(facts, kernel)) {
        if (argument == parameter || is_extent(argument) || !is_extent(parameter)) continue;
        for (const source::Definition& set : facts.definitions) {
            const std::string_view value = plain_name(*facts.tree, set.value);
            if (set.name == argument && set.sign == "=" && is_extent(value) && value != parameter)
                return fmt::format("the launch hands `{}` to the kernel's `{}`, and line {} makes that `{}`", argument,
                                   parameter, set.at.line, value);
        }
    }
    return {};
}

// Square blocks, one for each tile along an extent, that begin less than a block's width apart.
void look_at_distance(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const auto lines = judgement.values.find("lines"), of_rows = judgement.values.find("of_rows");
    const std::int64_t width = launch.block.x;
    if (lines == judgement.values.end() || out.extents.size() != 2 || launch.block.x != launch.block.y) return;
    const std::int64_t extent = out.extents[of_rows->second == "yes" ? 0 : 1], written = std::stoll(lines->second);
    const std::int64_t blocks = (extent + width - 1) / width;
    const bool is_x = launch.grid.x == blocks, is_y = launch.grid.y == blocks;
    if (is_x == is_y || blocks < 2 || written < width || (written - width) % (blocks - 1) != 0) return;
    const std::int64_t apart = (written - width) / (blocks - 1);
    if (apart >= width) return;
    judgement.is_cause = true;
    judgement.values["axis"] = is_x ? "x" : "y";
    // The others go over the first one's elements, or to places behind the end.
    judgement.help = apart == 0
                         ? fmt::format(
                               "of {} blocks in {} the first alone has its place here: block after block has to begin "
                               "{} further on. What is blockIdx.{} multiplied by?",
                               blocks, judgement.values["axis"], width, judgement.values["axis"])
                         : fmt::format(
                               "each block begins {} further on than the one before, and covers {}: by what is "
                               "blockIdx.{} multiplied in the index?",
                               plural(static_cast<std::uint64_t>(apart), "element"), width, judgement.values["axis"]);
}

// A corner is written by a grid that covers all of the output: its blocks begin less than a block's width apart.
void look_at_corner(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out, const Facts& facts) {
    const auto high = judgement.values.find("high"), wide = judgement.values.find("wide");
    if (high == judgement.values.end() || wide == judgement.values.end() || out.extents.size() != 2 ||
        !uses(facts, "blockIdx.x") || !uses(facts, "blockIdx.y"))
        return;
    const std::int64_t across = launch.grid.x, down = std::int64_t{launch.grid.y} * launch.grid.z;
    const std::int64_t written[]{std::stoll(high->second), std::stoll(wide->second)};
    // A block moves an element a thread, or a square tile in several steps; its x is along a row, or along a column.
    for (const std::int64_t tall :
         {std::int64_t{launch.block.y}, std::int64_t{std::max(launch.block.x, launch.block.y)}})
        for (const bool is_straight : {true, false}) {
            const std::int64_t tile[]{is_straight ? tall : launch.block.x, is_straight ? launch.block.x : tall};
            const std::int64_t blocks[]{is_straight ? down : across, is_straight ? across : down};
            if (blocks[0] * tile[0] < out.extents[0] || blocks[1] * tile[1] < out.extents[1]) continue;
            judgement.values["of_index"] = "yes";
            judgement.help = fmt::format(
                "{} x {} blocks of {} x {} threads are enough for all of `{}`: does the next block begin as many "
                "elements further on as a block covers?",
                across, down, launch.block.x, launch.block.y, out.name);
            if (blocks[0] < 2 || blocks[1] < 2) continue;
            const std::int64_t rows = written[0] - tile[0], cols = written[1] - tile[1];
            if (rows <= 0 || cols <= 0 || rows % (blocks[0] - 1) != 0 || cols % (blocks[1] - 1) != 0) continue;
            const std::int64_t apart = rows / (blocks[0] - 1);
            if (apart != cols / (blocks[1] - 1) || apart >= std::min(tile[0], tile[1])) continue;
            judgement.is_cause = true;
            judgement.values["axis"] = "x";
            judgement.help = fmt::format(
                "each block begins {} further on than the one before, in both directions, and covers {} rows and {} "
                "columns: by what are blockIdx.x and blockIdx.y multiplied in the index?",
                plural(static_cast<std::uint64_t>(apart), "element"), tile[0], tile[1]);
            return;
        }
}

// What the grid covers, against what there is: of an input of `wide` columns and `high` rows.
std::string advice_on_grid(const LaunchInfo& launch, std::int64_t wide, std::int64_t high, const BufferLayout& out) {
    const std::int64_t tile_x = launch.block.x, tile_y = launch.block.y < launch.block.x ? tile_x : launch.block.y;
    const auto covers = [&](std::int64_t x, std::int64_t y) {
        return (x + tile_x - 1) / tile_x == launch.grid.x &&
               (y + tile_y - 1) / tile_y == static_cast<std::int64_t>(launch.grid.y) * launch.grid.z;
    };
    const bool is_known = out.extent_names.size() == 2;
    const std::string cols = is_known ? out.extent_names[0] : "the columns",
                      rows = is_known ? out.extent_names[1] : "the rows";
    if (covers(wide, high) || covers(high, wide))
        return fmt::format(
            "the grid's x covers {}, its y covers {}, and the kernel takes blockIdx.x for the other one: exchange them "
            "in one of the two places",
            covers(wide, high) ? cols : rows, covers(wide, high) ? rows : cols);
    const auto covers_twice = [&](std::int64_t n) { return covers(n, n) && high != wide; };
    if (covers_twice(wide) || covers_twice(high))
        return fmt::format("the grid's x and its y both cover {}: one of them has to come from {}",
                           covers_twice(wide) ? cols : rows, covers_twice(wide) ? rows : cols);
    return fmt::format("{} x {} blocks of {} x {} threads: from which extent is each of the two computed?",
                       launch.grid.x, launch.grid.y, launch.block.x, launch.block.y);
}

// As many blocks in x as are needed in y, and the other way round, for blocks that are not square.
bool is_grid_turned(const LaunchInfo& launch, const BufferLayout& out) {
    if (out.extents.size() != 2 || launch.block.x == launch.block.y) return false;
    const auto blocks = [](std::int64_t n, std::int64_t size) { return (n + size - 1) / size; };
    const std::int64_t across = launch.grid.x, down = std::int64_t{launch.grid.y} * launch.grid.z;
    bool is_turned = false;
    for (const auto& [wide, high] : {std::pair{out.extents[0], out.extents[1]}, {out.extents[1], out.extents[0]}}) {
        const std::int64_t x = blocks(wide, launch.block.x), y = blocks(high, launch.block.y);
        if (across == x && down == y) return false;
        is_turned = is_turned || (across == y && down == x);
    }
    return is_turned;
}

bool is_period(const Judgement& judgement, std::int64_t threads) {
    const auto period = judgement.values.find("period");
    return period != judgement.values.end() && period->second == std::to_string(threads);
}

// Two extents that belong to a dim3, handed over one by one: <<<grid, 32, 32>>>.
bool is_height_third(const LaunchInfo& launch, const Facts& facts) {
    return launch.shared_bytes != 0 && launch.shared_bytes <= 1024 && launch.shared_bytes % 4 == 0 &&
           !has_word(*facts.tree, "extern");
}

bool is_thread(const Tree& tree, NodeId node) {
    const std::string text = node == no_node ? "" : in_one_line(tree, node);
    return text == "threadIdx.x" || text == "threadIdx.y";
}

// The first line that multiplies by threadIdx, as in `tile_col * TILE * threadIdx.x` and `tile_col + TILE *
// threadIdx.x`.
int line_that_multiplies_threads(const Facts& facts) {
    const Tree& tree = *facts.tree;
    int found = 0;
    for (NodeId node = 0; node < tree.nodes.size(); ++node)
        if (binary(tree, node, "*") == node &&
            (is_thread(tree, tree[node].child) || is_thread(tree, child_of(tree, node, 1))))
            found = found == 0 ? line_of(tree, node) : std::min(found, line_of(tree, node));
    return found;
}

// `band * blockDim.x + threadIdx.y`; 0: nowhere, or in several lines.
int line_of_other_axis(const Facts& facts) {
    const Tree& tree = *facts.tree;
    int found = 0;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (binary(tree, node, "+") != node) continue;
        const NodeId left = tree[node].child, right = child_of(tree, node, 1);
        for (const auto& [thread, other] : {std::pair{left, right}, {right, left}}) {
            const NodeId product = binary(tree, other, "*");
            const bool is_other =
                is_thread(tree, thread) && product != no_node &&
                mentions(tree, product, in_one_line(tree, thread).back() == 'x' ? "blockDim.y" : "blockDim.x");
            if (is_other && found != 0 && found != line_of(tree, node)) return 0;
            if (is_other) found = line_of(tree, node);
        }
    }
    return found;
}

// The type of 8 bits that some index has, where as many lines are written as it counts; "" none.
std::string narrow_index_type(const Facts& facts, const Judgement& judgement) {
    static constexpr std::array types{"unsigned char", "signed char", "char", "uint8_t", "int8_t"};
    const auto lines = judgement.values.find("lines");
    for (const source::Definition& one : facts.definitions) {
        const bool is_index =
            std::find(types.begin(), types.end(), one.type) != types.end() &&
            (mentions(*facts.tree, one.value, "threadIdx") || mentions(*facts.tree, one.value, "blockIdx"));
        if (is_index && lines != judgement.values.end())
            return lines->second == (one.type.starts_with("u") ? "256" : "128") ? std::string(one.type) : "";
    }
    return {};
}

// The line of the text where a grid of one block is written out; 0: none, or several.
int line_of_one_block(const Facts& facts) {
    int found = 0;
    for (const char* one : {"dim3(1, 1)", "dim3(1, 1, 1)", "return 1;", "return dim3(1);"})
        for (const source::Match& match : matches(*source::pattern_of(one), *facts.tree)) {
            if (found != 0) return 0;
            found = match.at.line;
        }
    return found;
}

}  // namespace

int line_of_gap(const Facts& facts) {
    const std::string& text = *facts.tree->tokens.text;
    const std::size_t at = text.find("// remove this line");
    return at == std::string::npos || stores_to_element(facts) ? 0 : line_at(text, at);
}

void look_at_launch(Judgement& judgement, const std::vector<LaunchInfo>& launches, const Facts& facts,
                    const BufferLayout& out) {
    const bool nothing = judgement.pattern == "nothing_written";
    if (const int gap = nothing ? line_of_gap(facts) : 0; gap != 0) {
        judgement.help =
            fmt::format("line {} is still the place-holder of the stub: write there what its TODO asks for", gap);
        return;
    }
    if (nothing && launches.empty()) {
        judgement.help = "no kernel was launched for this shape: is there a <<< >>> that is reached?";
        return;
    }
    if (launches.size() != 1) return;
    const LaunchInfo& launch = launches.front();
    const vgpu::Dim3 &grid = launch.grid, &block = launch.block;
    const auto elements = static_cast<std::uint64_t>(out.elements());
    const bool skips = judgement.pattern == "rows_skipped" || judgement.pattern == "part_of_each_tile";
    const bool leaves_edge =
        judgement.pattern == "last_partial_tile_missing" || judgement.pattern == "last_line_or_tile_missing";
    // What the output shows by itself is not guessed from the launch.
    const bool is_known = judgement.pattern == "guard_rows_cols_swapped" || judgement.pattern == "square_corner" ||
                          judgement.pattern == "only_first_element";
    if (judgement.pattern == "extents_exchanged" && hands_over_by_name(facts, launch.kernel)) {
        judgement.pattern = "indices_exchanged";
        judgement.help = fmt::format(
            "the launch hands each argument to the parameter of its name, so the mistake is in the indices: a row of "
            "`{}` "
            "has {} elements",
            out.name, out.extent_names.size() == 2 ? "`" + out.extent_names[1] + "`" : std::to_string(out.extents[1]));
    } else if (std::string renamed =
                   judgement.pattern == "extents_exchanged" ? advice_on_renamed(facts, launch.kernel, out) : "";
               !renamed.empty()) {
        judgement.help = std::move(renamed);
    } else if (judgement.pattern == "grid_rows_cols_swapped" && out.extents.size() == 2) {
        judgement.help = advice_on_grid(launch, out.extents[0], out.extents[1], out);
        if (judgement.help.find("both cover") != std::string::npos)
            judgement.title =
                fmt::format("the grid is computed from one extent alone: part of `{}` has no block", out.name);
    } else if (launch.is_flat() && !nothing && !is_known && judgement.written_prefix && !uses(facts, "threadIdx.y") &&
               !uses(facts, "blockIdx.y")) {
        look_at_line(judgement, launch, out);
    } else if (skips && block.y == 1 && block.z == 1 && uses(facts, "threadIdx.y")) {
        judgement.pattern = "block_of_one_row";
        const std::string square =
            block.x > 32 && block.x % 32 == 0 ? fmt::format("dim3(32, {})", block.x / 32) : "dim3(TILE, TILE)";
        const DeclaredBlock declared = declared_block(facts, launch.line);
        judgement.help =
            declared.line == 0
                ? fmt::format(
                      "the block is {} x 1 threads, so threadIdx.y is 0 in all of them: is it a dim3 with two "
                      "extents, {}?",
                      block.x, square)
                : fmt::format(
                      "the block is {} x 1 threads, as line {} makes it, `{}`, so threadIdx.y is 0 in all of "
                      "them: is a block of two extents meant, {}?",
                      block.x, declared.line, declared.text, square);
        if (is_height_third(launch, facts))
            judgement.help = fmt::format(
                "the block is {} x 1 threads, so threadIdx.y is 0 in all of them. The third launch argument, {}, is "
                "bytes of shared memory: both extents of a block go into one dim3",
                block.x, launch.shared_bytes);
    } else if (judgement.pattern == "one_line_of_blocks" && is_grid_turned(launch, out)) {
        judgement.pattern = "grid_turned";
        judgement.is_cause = true;
        judgement.title =
            fmt::format("the grid has its two extents the wrong way round: part of `{}` has no block", out.name);
        judgement.help = fmt::format(
            "{} x {} blocks of {} x {} threads: the first extent of a grid is how many blocks lie side by side, the "
            "second how many below each other",
            grid.x, grid.y * grid.z, block.x, block.y);
    } else if (const int other = line_of_other_axis(facts);
               (skips || judgement.pattern == "one_line_of_blocks") && block.x != block.y && other != 0) {
        judgement.values["of_threads"] = std::to_string(other);
        judgement.help = fmt::format(
            "line {} adds the place in one direction to a multiple of the threads in the other: a block has {} threads "
            "in x, blockDim.x, and {} in y, blockDim.y",
            other, block.x, block.y);
    } else if (judgement.pattern == "part_of_each_tile" && block.x < block.y) {
        judgement.help = fmt::format(
            "the block is {} wide and {} high: is that meant? dim3(x, y) takes the width first", block.x, block.y);
    } else if (judgement.pattern == "part_of_each_tile" && block.y > 1 && block.x > block.y &&
               !has_threads_enough(launch, elements) && facts.loops.empty() && judgement.values.contains("period") &&
               judgement.values["written"] == std::to_string(block.y)) {
        // Nothing goes on to a second element.
        const DeclaredBlock declared = declared_block(facts, launch.line);
        judgement.help = fmt::format(
            "the block has {} threads in y{}, each moves one element, and the next block begins {} further on: make "
            "the block as high as that, or let each thread move several elements",
            block.y, declared.line == 0 ? "" : fmt::format(", by line {}, `{}`", declared.line, declared.text),
            judgement.values.at("period"));
    } else if (skips && block.x != block.y && has_threads_enough(launch, elements)) {
        if (block.count() % 32 == 0) judgement.values["of_place"] = "yes";  // as one means it, and not exchanged
        judgement.help = fmt::format(
            "{} threads for {} elements are enough, but not each has an element of its own: the block is {} x {}, so "
            "threadIdx.x stays below {} and threadIdx.y below {}; does each go with its own extent?",
            grid.count() * block.count(), elements, block.x, block.y, block.x, block.y);
    } else if (leaves_edge && !(has_threads_enough(launch, elements) && covers(launch, out)) &&
               floor_divisions(facts).empty() && out.extents.size() == 2) {
        const std::uint64_t high = block.y < block.x ? block.x : block.y;
        const bool is_most = grid.y == most_blocks_in_y || grid.z == most_blocks_in_y;
        judgement.help = fmt::format(
            "the launch has {} x {} blocks of {} x {} threads, and the matrix has {} x {}: {}", grid.x,
            std::uint64_t{grid.y} * grid.z, block.x, block.y, out.extents[0], out.extents[1],
            is_most ? "a grid has at most 65535 blocks in y and in z, so what more is needed goes into another extent"
                    : "how many elements does each thread move, and which thread is for the last ones?");
        const auto needed = [&](std::int64_t extent, std::uint64_t tile) {
            return (static_cast<std::uint64_t>(extent) + tile - 1) / tile;
        };
        const std::uint64_t down = std::uint64_t{grid.y} * grid.z;
        if (block.x == high && grid.x == needed(out.extents[1], high) && down == needed(out.extents[0], high))
            judgement.help = fmt::format(
                "the launch has {} x {} blocks, and {} x {} would cover the matrix: are the two extents of the grid "
                "exchanged?",
                grid.x, down, down, grid.x);
    } else if (leaves_edge && has_threads_enough(launch, elements) && covers(launch, out)) {
        judgement.is_recognised = false;  // other shapes tell which of the two it is
        judgement.help =
            fmt::format("{} x {} blocks are enough for {} elements: {}", grid.x, grid.y * grid.z, elements,
                        launch.is_flat()
                            ? "which test, or which number of elements, leaves the last ones out?"
                            : "which extent does blockIdx.x cover, and which blockIdx.y, and is each compared with its "
                              "own in the bounds test?");
    } else if (nothing) {
        judgement.help =
            has_word(*facts.tree, "for") ? "the kernel runs and no thread stores: is the store there, for which "
                                           "threads is a test before it true, "
                                           "and how often does a loop around it run?"
            : has_word(*facts.tree, "if")
                ? "the kernel runs and no thread stores: is the store there, and for which threads is the test before "
                  "it true?"
                : "the kernel runs and no thread stores: is the store there?";
    } else if (const int line = line_that_multiplies_threads(facts);
               skips && block.x == block.y && line != 0 && is_period(judgement, block.x)) {
        judgement.values["of_threads"] = std::to_string(line);
        judgement.help = fmt::format(
            "line {} multiplies by threadIdx: threads side by side have elements side by side, so it is added, and the "
            "number of the tile is what goes times {}",
            line, block.x);
    } else if (judgement.pattern == "part_of_each_tile" && block.x == block.y) {
        judgement.help = fmt::format(
            "the block has {} x {} threads, and the next one begins a tile further on: make them one "
            "size, or let each thread move several elements",
            block.x, block.y);
    } else if (judgement.pattern == "rows_skipped" && block.x == block.y) {
        const bool has_x = uses(facts, "threadIdx.x"), has_y = uses(facts, "threadIdx.y");
        if (has_x != has_y) judgement.values["lacks"] = "threadIdx";
        judgement.help =
            has_x == has_y
                ? fmt::format(
                      "the block has {} x {} threads: do both threadIdx.x and threadIdx.y enter the index, by "
                      "+, each once?",
                      block.x, block.y)
                : fmt::format(
                      "the block has {} x {} threads, and threadIdx.{} is nowhere in this file: which of row "
                      "and column is it to be added to?",
                      block.x, block.y, has_x ? "y" : "x");
    } else if (const std::string type = narrow_index_type(facts, judgement);
               judgement.pattern == "one_line_of_blocks" && !type.empty()) {
        judgement.help = fmt::format("a variable of type {} ends at {}: which type do row and column have?", type,
                                     std::stoll(judgement.values["lines"]) - 1);
        judgement.is_cause = true;
        judgement.values["narrow_type"] = type;
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1 && !uses(facts, "blockIdx.z")) {
        judgement.help = fmt::format(
            "the grid has {} layers in z, and the kernel does not look at blockIdx.z: add "
            "blockIdx.z * gridDim.y to blockIdx.y",
            grid.z);
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1 && !has_word(*facts.tree, "short")) {
        judgement.values["layers"] = "z";
        judgement.help = fmt::format(
            "the grid has {} layers in z, each of gridDim.y blocks in y: the number of a block in its column is "
            "blockIdx.z * gridDim.y + blockIdx.y",
            grid.z);
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1) {
        judgement.help = "an unsigned short ends at 65535, a short at 32767: which type do row and column have?";
        judgement.is_cause = true;
        judgement.values["narrow_type"] = "short";
    } else if (judgement.pattern == "one_line_of_blocks" && grid.x > 1 && grid.y > 1 && uses(facts, "blockIdx.x") &&
               uses(facts, "blockIdx.y")) {
        judgement.help = fmt::format(
            "the grid has {} x {} blocks of {} x {} threads, and the kernel reads blockIdx.x and blockIdx.y: does the "
            "next block begin as many elements further on as a block covers?",
            grid.x, grid.y, block.x, block.y);
        look_at_distance(judgement, launch, out);
    } else if (judgement.pattern == "only_a_corner") {
        look_at_corner(judgement, launch, out, facts);
    } else if (judgement.pattern == "only_first_block" && grid.count() > 1) {
        judgement.help = advice_on_first_block(grid.count());
    } else if (const int one = line_of_one_block(facts); judgement.pattern == "only_first_block" && one != 0) {
        judgement.help =
            fmt::format("the launch has one block, as line {} says: how many cover the whole matrix?", one);
    } else if (judgement.pattern == "only_first_block") {
        judgement.help = "the launch has one block: round the number of blocks up, so that all elements have one";
    }
}

bool hangs_on_grid(const Judgement& judgement, const LaunchInfo& launch, std::uint64_t elements) {
    static constexpr std::array of_kernel{"last_line_missing",  "guard_rows_cols_swapped", "square_corner",
                                          "only_first_element", "only_first_thread",       "line_cut_short",
                                          "some_not_written",   "start_missing",           "indices_swapped",
                                          "diagonals_only",     "diagonal_tiles_only"};
    const std::string& pattern = judgement.pattern;
    if (pattern == "only_first_block") return launch.grid.count() == 1;
    if (judgement.values.contains("of_threads") || judgement.values.contains("of_index")) return false;
    if (pattern == "rows_skipped") return launch.block.y == 1;
    if (pattern == "part_of_each_tile" && launch.block.x < launch.block.y) return true;
    if (pattern == "part_of_each_tile" && launch.block.y != 1 && launch.block.x != launch.block.y)
        return !has_threads_enough(launch, elements);
    return std::find(of_kernel.begin(), of_kernel.end(), pattern) == of_kernel.end();
}

}  // namespace warpgrade
