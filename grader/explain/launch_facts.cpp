#include "explain/launch_facts.hpp"

#include <algorithm>
#include <array>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/index_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "problem/known_mistake.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

bool has_threads_enough(const LaunchInfo& launch, std::uint64_t elements) {
    return launch.grid.count() * launch.block.count() >= elements;
}

bool covers(const LaunchInfo& launch, const BufferLayout& out, const Facts& facts) {
    if (out.extents.size() != 2) return true;
    const bool has_loop = std::ranges::any_of(facts.loops, [&](const source::Loop& loop) {
        const source::Function* const function = function_around(facts, loop.node);
        return function != nullptr && function->is_on_device();
    });
    const std::uint64_t wide = std::uint64_t{launch.grid.x} * launch.block.x,
                        height = has_loop ? std::max(launch.block.y, launch.block.x) : launch.block.y,
                        high = std::uint64_t{launch.grid.y} * launch.grid.z * height;
    const auto rows = static_cast<std::uint64_t>(out.extents[0]), cols = static_cast<std::uint64_t>(out.extents[1]);
    return (wide >= cols && high >= rows) || (wide >= rows && high >= cols);
}

bool stores_to_element(const Facts& facts) {
    const auto shared = shared_names(facts);
    return std::ranges::any_of(facts.accesses, [&](const source::Access& access) {
        const bool is_store = access.kind != source::AccessKind::load;
        return is_store && !shared.contains(access.array);
    });
}

bool uses(const Facts& facts, std::string_view member) { return !lines_that_mention(*facts.tree, member).empty(); }

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

std::string advice_on_first_block(std::uint64_t blocks) { return say("blocks_launched_did_work", blocks); }

namespace {

constexpr std::uint64_t fewest_for_distance = 8;  // blocks: with fewer a length is a multiple by chance

}  // namespace

void look_at_line(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const std::string& name = out.name;
    const auto elements = static_cast<std::uint64_t>(out.elements());
    // One block for each row, or for each column.
    const bool is_line_a_block =
        out.extents.size() == 2 && launch.grid.x > 1 && elements % launch.grid.x == 0 &&
        (std::cmp_equal(out.extents[0], launch.grid.x) || std::cmp_equal(out.extents[1], launch.grid.x));
    const std::uint64_t written = *judgement.written_prefix, block = launch.block.x, blocks = launch.grid.x;
    judgement.pattern = name_of(KnownMistake::line_cut_short);
    judgement.is_recognised = true;
    judgement.title = written + 1 == elements      ? say("last_element_not_written", name)
                      : elements - written < block ? say("last_elements_not_written", elements - written, name)
                                                   : say("only_first_part_written", name);
    if (written == block && blocks > 1 && blocks != block) {
        judgement.pattern = name_of(KnownMistake::only_first_block);
        judgement.title = say("only_many_elements_written", name);
        judgement.help = advice_on_first_block(blocks);
    } else if (written == blocks && block > 1 && blocks != block) {
        judgement.pattern = name_of(KnownMistake::only_first_thread);
        judgement.title = say("only_many_elements_written_there", name);
        judgement.help = say("threads_block_took_same", block);
    } else if (written == block * blocks && is_line_a_block) {
        judgement.pattern = "too_few_threads";
        judgement.help = say("blocks_moves_elements_many", blocks, block, elements / blocks);
    } else if (written == block * blocks && elements - written >= block) {
        judgement.pattern = "too_few_threads";
        judgement.help = say("threads_launched_elements_there", blocks, block, written, elements);
    } else if (written == block * blocks) {
        judgement.pattern = "too_few_threads";
        judgement.help = say("threads_launched_elements_round", blocks, block, written);
    } else if (const std::uint64_t behind = blocks >= fewest_for_distance && written > block ? written - block : 0;
               behind != 0 && behind % (blocks - 1) == 0 && behind / (blocks - 1) < block) {
        judgement.effect.axis = 'x';
        judgement.help =
            say("threads_written_elements_if", blocks, block, written, plural(behind / (blocks - 1), "element"));
    } else {
        judgement.help = say("threads_launched_keeps_them", blocks, block);
    }
}

namespace {

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

}  // namespace

bool hands_over_by_name(const Facts& facts, const std::string& kernel) {
    const auto handed = handed_over(facts, kernel);
    return !handed.empty() && std::ranges::all_of(handed, [](const auto& one) { return one.first == one.second; });
}

std::string advice_on_renamed(const Facts& facts, const std::string& kernel, const BufferLayout& out) {
    const auto is_extent = [&](std::string_view name) {
        return std::find(out.extent_names.begin(), out.extent_names.end(), name) != out.extent_names.end();
    };
    for (const auto& [argument, parameter] : handed_over(facts, kernel)) {
        if (argument == parameter || is_extent(argument) || !is_extent(parameter)) continue;
        for (const source::Definition& set : facts.definitions) {
            const std::string_view value = plain_name(*facts.tree, set.value);
            if (set.name == argument && set.sign == "=" && is_extent(value) && value != parameter)
                return say("launch_hands_kernel_line", argument, parameter, set.at.line, value);
        }
    }
    return {};
}

void look_at_distance(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const auto lines = judgement.effect.lines;
    const std::int64_t width = launch.block.x;
    if (!lines || out.extents.size() != 2 || launch.block.x != launch.block.y) return;
    const std::int64_t extent = out.extents[judgement.effect.of_rows ? 0 : 1], written = *lines;
    const std::int64_t blocks = (extent + width - 1) / width;
    const bool is_x = launch.grid.x == blocks, is_y = launch.grid.y == blocks;
    if (is_x == is_y || blocks < 2 || written < width || (written - width) % (blocks - 1) != 0) return;
    const std::int64_t apart = (written - width) / (blocks - 1);
    if (apart >= width) return;
    judgement.is_cause = true;
    judgement.effect.axis = is_x ? 'x' : 'y';
    // The others go over the first one's elements, or to places behind the end.
    judgement.help = apart == 0
                         ? say("blocks_first_alone_place", blocks, judgement.effect.axis, width, judgement.effect.axis)
                         : say("block_begins_further_than", plural(static_cast<std::uint64_t>(apart), "element"), width,
                               judgement.effect.axis);
}

void look_at_corner(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out, const Facts& facts) {
    const auto high = judgement.effect.high, wide = judgement.effect.wide;
    if (!high || !wide || out.extents.size() != 2 || !uses(facts, "blockIdx.x") || !uses(facts, "blockIdx.y")) return;
    const std::int64_t across = launch.grid.x, down = std::int64_t{launch.grid.y} * launch.grid.z;
    const std::int64_t written[]{*high, *wide};
    // A block moves an element a thread, or a square tile in several steps; its x is along a row, or along a column.
    for (const std::int64_t tall :
         {std::int64_t{launch.block.y}, std::int64_t{std::max(launch.block.x, launch.block.y)}})
        for (const bool is_straight : {true, false}) {
            const std::int64_t tile[]{is_straight ? tall : launch.block.x, is_straight ? launch.block.x : tall};
            const std::int64_t blocks[]{is_straight ? down : across, is_straight ? across : down};
            if (blocks[0] * tile[0] < out.extents[0] || blocks[1] * tile[1] < out.extents[1]) continue;
            judgement.effect.is_of_index = true;
            judgement.help = say("blocks_threads_enough_does", across, down, launch.block.x, launch.block.y, out.name);
            if (blocks[0] < 2 || blocks[1] < 2) continue;
            const std::int64_t rows = written[0] - tile[0], cols = written[1] - tile[1];
            if (rows <= 0 || cols <= 0 || rows % (blocks[0] - 1) != 0 || cols % (blocks[1] - 1) != 0) continue;
            const std::int64_t apart = rows / (blocks[0] - 1);
            if (apart != cols / (blocks[1] - 1) || apart >= std::min(tile[0], tile[1])) continue;
            judgement.is_cause = true;
            judgement.effect.axis = 'x';
            judgement.help = say("block_begins_further_than_before",
                                 plural(static_cast<std::uint64_t>(apart), "element"), tile[0], tile[1]);
            return;
        }
}

GridAdvice advice_on_grid(const LaunchInfo& launch, std::int64_t wide, std::int64_t high, const BufferLayout& out) {
    const std::int64_t tile_x = launch.block.x, tile_y = launch.block.y < launch.block.x ? tile_x : launch.block.y;
    const auto covers = [&](std::int64_t x, std::int64_t y) {
        return (x + tile_x - 1) / tile_x == launch.grid.x &&
               (y + tile_y - 1) / tile_y == static_cast<std::int64_t>(launch.grid.y) * launch.grid.z;
    };
    const bool is_known = out.extent_names.size() == 2;
    const std::string cols = is_known ? out.extent_names[0] : "the columns",
                      rows = is_known ? out.extent_names[1] : "the rows";
    if (covers(wide, high) || covers(high, wide))
        return {say("grid_covers_covers_kernel", covers(wide, high) ? cols : rows, covers(wide, high) ? rows : cols)};
    const auto covers_twice = [&](std::int64_t n) { return covers(n, n) && high != wide; };
    if (covers_twice(wide) || covers_twice(high))
        return {say("grid_both_cover_them", covers_twice(wide) ? cols : rows, covers_twice(wide) ? rows : cols), true};
    return {say("blocks_threads_extent_two", launch.grid.x, launch.grid.y, launch.block.x, launch.block.y)};
}

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

bool is_period(const Judgement& judgement, std::int64_t threads) { return judgement.effect.period == threads; }

namespace {

bool is_thread(const Tree& tree, NodeId node) {
    const std::string text = node == no_node ? "" : in_one_line(tree, node);
    return text == "threadIdx.x" || text == "threadIdx.y";
}

}  // namespace

int line_that_multiplies_threads(const Facts& facts) {
    const Tree& tree = *facts.tree;
    int found = 0;
    for (NodeId node = 0; node < tree.nodes.size(); ++node)
        if (binary(tree, node, "*") == node &&
            (is_thread(tree, tree[node].child) || is_thread(tree, child_of(tree, node, 1))))
            found = found == 0 ? line_of(tree, node) : std::min(found, line_of(tree, node));
    return found;
}

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

std::string narrow_index_type(const Facts& facts, const Judgement& judgement) {
    static constexpr std::array types{"unsigned char", "signed char", "char", "uint8_t", "int8_t"};
    const auto lines = judgement.effect.lines;
    for (const source::Definition& one : facts.definitions) {
        const bool is_index =
            std::find(types.begin(), types.end(), one.type) != types.end() &&
            (mentions(*facts.tree, one.value, "threadIdx") || mentions(*facts.tree, one.value, "blockIdx"));
        if (is_index && lines) return *lines == (one.type.starts_with("u") ? 256 : 128) ? std::string(one.type) : "";
    }
    return {};
}

}  // namespace warpgrade
