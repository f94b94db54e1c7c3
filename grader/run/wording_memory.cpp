// Words for accesses to memory: outside of buffers, misaligned, into the input.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "run/access_place.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/line_context.hpp"
#include "run/row_length.hpp"
#include "run/source_names.hpp"
#include "run/wording.hpp"
#include "run/wording_memory.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

const char* verb(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "write";
        case vgpu::AccessKind::atomic: return "atomic operation";
        default: return "read";
    }
}

Advice advice_on_block(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const source::Constant* const threads = constant_named(scene.facts, "THREADS");
    if (!launch || scene.run.variant.starts_with("THREADS=") || threads == nullptr) return "";
    const auto size = static_cast<std::int64_t>(launch->block.count());
    if (*threads->number == size) return "";
    if (*threads->number == static_cast<std::int64_t>(launch->grid.count()))
        return {fmt::format("line {} launches {} blocks of {} threads, and THREADS is {}: blocks come first, "
                            "<<<blocks, THREADS>>>",
                            launch->line, launch->grid.count(), size, *threads->number),
                launch->line};
    return fmt::format("the block has {} threads, {}, and THREADS (line {}) is {}: are they meant to be one size?",
                       size, extents_text(launch->block), threads->at.line, *threads->number);
}

namespace {

using vgpu::AccessKind;
using vgpu::FindingKind;

// "row 33, column 0 of its 33 rows of 65": a learner's index of two extents.
std::string row_and_column(const BufferLayout& layout, std::int64_t index) {
    const std::int64_t cols = layout.extents[1];
    if (cols == 0) return {};
    const std::int64_t row = index >= 0 ? index / cols : -((-index + cols - 1) / cols);
    return fmt::format("as a matrix of {} x {}: row {}, column {}", layout.extents[0], cols, row, index - row * cols);
}

std::string how_far(std::int64_t index, std::int64_t count) {
    if (index < 0) return plural(static_cast<std::uint64_t>(-index), "element") + " before the start";
    if (index == count) return "one past the end";
    return plural(static_cast<std::uint64_t>(index - count + 1), "element") + " past the end";
}

// A thread of a launch in which each has one element of a matrix: column x, row y of one that is `wide` and `high`.
struct Standpoint {
    std::int64_t x = 0, y = 0, wide = 0, high = 0;
    bool is_inside() const { return x < wide && y < high; }
};
// Threads may walk along the rows of the input, or along those of a transposed output: none, one or two fit the grid.
std::vector<Standpoint> standpoints_of(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || scene.run.layout.empty() || scene.run.layout.front().extents.size() != 2) return {};
    const auto blocks = [](std::int64_t n, std::uint32_t size) { return size == 0 ? 0 : (n + size - 1) / size; };
    const vgpu::ThreadPlace& place = scene.finding.place;
    const std::int64_t x = std::int64_t{place.block.x} * launch->block.x + place.thread.x;
    const std::int64_t y = std::int64_t{place.block.y} * launch->block.y + place.thread.y;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    std::vector<Standpoint> all;
    for (const auto& [wide, high] : {std::pair{cols, rows}, std::pair{rows, cols}})
        if (launch->grid.x == blocks(wide, launch->block.x) && launch->grid.y == blocks(high, launch->block.y))
            all.push_back({x, y, wide, high});
    return all;
}

// Inside of the matrix, outside, or not known.
enum class Standing { unknown, inside, outside };
Standing standing_of(const Scene& scene) {
    const auto all = standpoints_of(scene);
    const auto inside = std::count_if(all.begin(), all.end(), [](const Standpoint& one) { return one.is_inside(); });
    if (all.empty() || (inside != 0 && inside != std::ssize(all))) return Standing::unknown;
    return inside != 0 ? Standing::inside : Standing::outside;
}

// What the index is made of, where it is made of this thread's own row and column in another way than it should be.
std::string wrong_formula(const Scene& scene, const BufferLayout& layout, std::int64_t index) {
    const auto all = standpoints_of(scene);
    const std::int64_t height = layout.extents[0], width = layout.extents[1];
    if (all.size() != 1 || height == width) return {};
    const Standpoint& at = all.front();
    const bool is_upright = at.wide == width && at.high == height;
    if (!is_upright && (at.wide != height || at.high != width)) return {};
    const std::int64_t row = is_upright ? at.y : at.x, column = is_upright ? at.x : at.y;
    const std::int64_t own = row * width + column;
    const std::string has_width = layout.extent_names.size() == 2 ? layout.extent_names[1] : std::to_string(width),
                      has_height = layout.extent_names.size() == 2 ? layout.extent_names[0] : std::to_string(height);
    std::vector<std::string> fits;
    if (index == column * width + row)
        fits.push_back(fmt::format("column * {0} + row, and has to be row * {0} + column", has_width));
    if (index == column * height + row)
        fits.push_back(fmt::format("column * {} + row, and has to be row * {} + column", has_height, has_width));
    if (index == row * height + column)
        fits.push_back(fmt::format("row * {} + column, and a row is {} long", has_height, has_width));
    if (index == own + 1 || index == own - 1)
        fits.push_back(
            fmt::format("one {}: `{}[{}]` is its own", index > own ? "further on" : "too early", layout.name, own));
    if (fits.size() != 1) return {};
    return fmt::format("this thread's element of `{}` is in row {}, column {}, so no guard is missing: the index is {}",
                       layout.name, row, column, fits.front());
}

// A loop around the line that ends with one of the buffer's extents, and takes it in; 0: none.
int line_of_loop_to_extent(const Scene& scene, const BufferLayout& layout) {
    const source::Loop* const loop =
        loop_that_takes_bound_in(scene.facts, scene.finding.place.line, name_in_line(scene));
    if (loop == nullptr) return 0;
    const std::string bound = in_one_line(*scene.facts.tree, loop->bound);
    const auto value = number_of(*scene.facts.tree, loop->bound, scene.facts.numbers);
    for (std::size_t i = 0; i < layout.extents.size(); ++i)
        if ((i < layout.extent_names.size() && layout.extent_names[i] == bound) || value == layout.extents[i])
            return loop->line;
    return 0;
}

// The line calls it by the name of another buffer: that name is what the kernel was handed something else for.
std::string handed_over(const Scene& scene) {
    const int line = scene.finding.place.line;
    const LaunchInfo* launch = scene.launch();
    const auto names_it = [&](const source::Access& access) { return access.array == scene.finding.buffer; };
    const auto accesses = scene.facts.accesses_on(line);
    if (launch == nullptr || std::any_of(accesses.begin(), accesses.end(), names_it)) return {};
    for (const BufferLayout& other : scene.run.layout)
        if (other.name != scene.finding.buffer && !accesses_to(scene.facts, line, other.name).empty())
            return fmt::format(
                "what line {} calls `{}` is `{}`: compare the arguments of the launch in line {} with the kernel's "
                "parameters, one by one",
                line, other.name, scene.finding.buffer, launch->line);
    return {};
}

// Square tiles, as wide as the block, one a block: is the whole of this block's tile inside, wherever it goes in a
// matrix that is turned?
bool is_whole_tile_inside(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || launch->grid.z != 1 || scene.run.layout.front().extents.size() != 2) return false;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    const std::int64_t tile = launch->block.x;
    const auto tiles = [&](std::int64_t n) { return (n + tile - 1) / tile; };
    const bool covers = (launch->grid.x == tiles(cols) && launch->grid.y == tiles(rows)) ||
                        (launch->grid.x == tiles(rows) && launch->grid.y == tiles(cols));
    const std::int64_t last = std::max(scene.finding.place.block.x, scene.finding.place.block.y);
    return covers && launch->block.y <= launch->block.x && (last + 1) * tile <= std::min(rows, cols);
}

// "65 (cols)": which of the launcher's extents it is, where only one is as long.
std::string named_extent(const Scene& scene, std::int64_t extent) {
    const BufferLayout& in = scene.run.layout.front();
    if (in.extents.size() != 2 || in.extents[0] == in.extents[1] || in.extent_names.size() != 2)
        return std::to_string(extent);
    for (const int i : {0, 1})
        if (extent == in.extents[i]) return fmt::format("{} ({})", extent, in.extent_names[i]);
    return std::to_string(extent);
}

const BufferLayout* scratch_of(const Scene& scene) {
    for (const BufferLayout& layout : scene.run.layout)
        if (layout.role == BufferRole::scratch) return &layout;
    return nullptr;
}

// Bytes counted where elements are.
bool has_sizeof(const Scene& scene) {
    for (const source::Access* access : accesses_to(scene.facts, scene.finding.place.line, name_in_line(scene)))
        for (const NodeId index : access->indices)
            if (text_of(*scene.facts.tree, index).find("sizeof") != std::string_view::npos) return true;
    return false;
}

// The only index of the only access to the array on the line; no_node: there are others, or none.
NodeId only_index(const Scene& scene) {
    const auto all = accesses_to(scene.facts, scene.finding.place.line, name_in_line(scene));
    return all.size() == 1 && all.front()->indices.size() == 1 ? all.front()->indices.front() : no_node;
}

// `weights[tid]` of int tid = threadIdx.x: it counts threads, and is no row and no column.
bool is_index_of_thread(const Scene& scene) {
    const Tree& tree = *scene.facts.tree;
    const source::Definition* const set =
        set_before(scene.facts, plain_name(tree, only_index(scene)), scene.finding.place.line);
    return set != nullptr && mentions(tree, set->value, "threadIdx") && !mentions(tree, set->value, "blockIdx");
}

// `in[i]` of one line of elements, with no test before it.
Advice guard_of_line(const Scene& scene, const BufferLayout& layout, bool is_write) {
    constexpr std::size_t longest_shown = 30;
    const Tree& tree = *scene.facts.tree;
    const std::string extent = layout.extent_names.size() == 1 && layout.extents[0] == layout.elements()
                                   ? layout.extent_names[0]
                                   : std::to_string(layout.elements());
    const std::string index = in_one_line(tree, only_index(scene));
    if (index.empty() || index.size() > longest_shown)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", extent);
    const std::string test = fmt::format("{} < {}", index, extent);
    const source::Loop* const loop = scene.facts.loop_at(scene.finding.place.line);
    const std::string condition = loop ? in_one_line(tree, loop->condition) : "";
    // for (i = start; i < stop; ...) of a stop that was computed, and goes past the end.
    const std::string_view stop = loop && loop->variable == index ? plain_name(tree, loop->bound) : "";
    if (!stop.empty() && loop->sign == "<" && stop != extent)
        if (const int set = line_that_sets(scene.facts, loop->line, stop); set != 0)
            return {fmt::format("the loop in line {} goes on while `{}`, and `{}` ends at `{}`: let `{}`, set in line "
                                "{}, be no more than that",
                                loop->line, condition, name_in_line(scene), extent, stop, set),
                    set};
    if (!stop.empty() && loop->sign == "<=")
        return {fmt::format("the loop in line {} goes on while `{}`, and the last element is {} - 1: write < in place "
                            "of <=",
                            loop->line, condition, stop),
                loop->line};
    const auto guards = guards_before(scene.facts, scene.finding.place.line, name_in_line(scene));
    for (const GuardText& guard : guards)
        for (const GuardPart& part : guard.parts)
            if (part.left == index && part.sign == "<" && part.right != extent && !guard.returns)
                return {fmt::format("the test in line {} compares `{}` with `{}`, and `{}` ends at `{}`", guard.line,
                                    index, part.right, name_in_line(scene), extent),
                        guard.line};
    int tested = condition == test ? loop->line : 0;
    for (const GuardText& guard : guards)
        for (const GuardPart& part : guard.parts)
            if (part.left == index && part.right == extent && part.sign == (guard.returns ? ">=" : "<"))
                tested = guard.line;
    if (tested != 0)
        return fmt::format(
            "line {} tests {} already: is `{}` there the number of elements of the array that the launch hands over?",
            tested, test, extent);
    if (is_write) return fmt::format("let only threads store that have an element: if ({}) ...", test);
    return fmt::format("let only threads load that have an element, and the others bring 0: {} ? {}[{}] : 0", test,
                       name_in_line(scene), index);
}

// `partial[tid] += in[i + s]` in the steps of a tree: the elements are added there, not what others have added up.
std::string advice_on_tree(const Scene& scene) {
    const Tree& tree = *scene.facts.tree;
    const source::Loop* const loop = scene.facts.loop_at(scene.finding.place.line);
    const bool is_multiplied = loop != nullptr && loop->step_sign.find_first_of("*/<>") != std::string_view::npos;
    if (scene.finding.access != AccessKind::read || !is_multiplied) return {};
    static const auto adds = *source::pattern_of("$sums[$own] += $in[$from]");
    for (const source::Match& match : matches(adds, tree, loop->node)) {
        const std::string sums = in_one_line(tree, match.binding("sums")->first);
        if (match.at.line == scene.finding.place.line && shared_names(scene.facts).contains(sums) &&
            in_one_line(tree, match.binding("in")->first) == scene.finding.buffer &&
            mentions(tree, match.binding("from")->first, loop->variable))
            return fmt::format(
                "each step adds an element of `{0}` here, and never what another thread has added up by then: "
                "is {1}[{2} + {3}] meant?",
                scene.finding.buffer, sums, in_one_line(tree, match.binding("own")->first), loop->variable);
    }
    return {};
}

// What a later launch reads of the sums that the one before it left.
std::string advice_on_sums(const Scene& scene, const BufferLayout& scratch) {
    if (scene.launches == nullptr || scene.launches->size() < 2 || scene.finding.access != AccessKind::read) return {};
    const LaunchInfo &first = scene.launches->front(), &second = (*scene.launches)[1];
    if (second.kernel != scene.finding.kernel || first.grid.count() >= static_cast<std::uint64_t>(scratch.elements()))
        return {};
    return fmt::format(
        "the first launch has {}, and leaves a sum of each in `{}`: is the launch in line {} told that "
        "number, or another one?",
        plural(first.grid.count(), "block"), scratch.name, second.line);
}

// turn<float>, of a shape whose elements are of another type and size.
std::string advice_on_type(const Scene& scene) {
    const std::string& type = scene.run.shape.type;
    const std::string& kernel = scene.finding.kernel;
    const std::size_t open = kernel.find('<');
    if (type.empty() || open == std::string::npos || scene.finding.width_bytes == scene.element_bytes() ||
        kernel.find(type) != std::string::npos)
        return {};
    return fmt::format(
        "{} takes {} here, and an element of type {} has {}: is the kernel launched, and are the pointers handed over, "
        "for the type of the elements?",
        kernel, plural(static_cast<std::uint64_t>(scene.finding.width_bytes), "byte"), type, scene.element_bytes());
}

// if (y * cols + x < rows * cols): what is behind the end of one row is in the next. And tests of one of two indices.
std::string advice_on_flat_test(const Scene& scene, const std::vector<GuardText>& guards, const std::string& extents) {
    if (guards.size() != 1 || guards.front().parts.size() != 1) return {};
    const GuardText& guard = guards.front();
    const GuardPart& part = guard.parts.front();
    const Tree& tree = *scene.facts.tree;
    // What a side of the comparison is made of.
    const auto node_of = [&](const std::string& side, bool is_left) {
        if (const source::Definition* set = set_before(scene.facts, side, guard.line)) return set->value;
        for (const source::Guard& one : scene.facts.guards)
            for (const source::Comparison& comparison : one.comparisons)
                if (const NodeId node = is_left ? comparison.left : comparison.right;
                    one.line == guard.line && in_one_line(tree, node) == side)
                    return node;
        return no_node;
    };
    const NodeId left = node_of(part.left, true);
    const bool is_product = binary(tree, node_of(part.right, false), "*") != no_node;
    if (flat_index(tree, left) && !mentions(tree, left, "threadIdx") && !mentions(tree, left, "blockIdx") && is_product)
        return fmt::format(
            "the test in line {} looks at `{}` alone, which counts through all rows: after the end of one row it is "
            "an element of the next. Compare row and column, each with its own extent: {}",
            guard.line, part.left, extents);
    for (const source::Access* access : accesses_to(scene.facts, scene.finding.place.line, name_in_line(scene))) {
        const auto flat = access->indices.size() == 1 ? flat_index(tree, access->indices[0]) : std::nullopt;
        const std::string_view row = flat ? plain_name(tree, flat->row) : "";
        const std::string_view column = flat ? plain_name(tree, flat->column) : "";
        if (row.empty() || column.empty() || row == column || (part.left != row && part.left != column)) continue;
        return fmt::format("the test in line {} looks at `{}`, and none looks at `{}`: {}", guard.line, part.left,
                           part.left == row ? column : row, extents);
    }
    return {};
}

// in[x * cols + x]: one name for the row and for the column.
std::string advice_on_one_name(const Scene& scene) {
    const std::string name = name_in_line(scene);
    for (const source::Access* access : accesses_to(scene.facts, scene.finding.place.line, name)) {
        const Tree& tree = *scene.facts.tree;
        const auto flat = access->indices.size() == 1 ? flat_index(tree, access->indices[0]) : std::nullopt;
        const std::string_view row = flat ? plain_name(tree, flat->row) : "";
        if (!row.empty() && row == plain_name(tree, flat->column))
            return fmt::format("`{}` is the row and the column in this index of `{}`: which of the two is another one?",
                               row, name);
    }
    return {};
}

// Both comparisons of a test with one and the same extent of a matrix that has two.
Advice advice_on_one_extent(const Scene& scene, const std::vector<GuardText>& guards) {
    const BufferLayout& in = scene.run.layout.front();
    if (in.extents.size() != 2 || in.extents[0] == in.extents[1] || in.extent_names.size() != 2) return {};
    for (const GuardText& guard : guards) {
        if (guard.parts.size() != 2 || guard.parts[0].right != guard.parts[1].right ||
            guard.parts[0].left == guard.parts[1].left)
            continue;
        for (const int i : {0, 1})
            if (guard.parts[0].right == in.extent_names[i])
                return {
                    fmt::format("the test in line {} compares `{}` and `{}` both with `{}`: which of them has to be "
                                "below `{}`?",
                                guard.line, guard.parts[0].left, guard.parts[1].left, in.extent_names[i],
                                in.extent_names[1 - i]),
                    guard.line};
    }
    return {};
}

Advice guard_for(const Scene& scene, const BufferLayout* layout, std::int64_t index) {
    const auto look_at_test = [&](bool is_below_zero) {
        return advice_on_guard(scene.facts, scene.finding.place.line, name_in_line(scene), is_below_zero);
    };
    if (has_sizeof(scene)) return "an index counts elements, not bytes: leave sizeof out of it";
    if (index == -32768 && has_word(*scene.facts.tree, "short"))
        return "-32768 is what follows 32767 in a short: let row and column be int";
    if (index < 0) {
        if (Advice advice = look_at_test(true); !advice.empty() && index > -65536) return advice;
        return "an index went below zero: look for a subtraction, an int that overflowed, or a value in a signed char";
    }
    if (layout)
        if (std::string advice = handed_over(scene); !advice.empty()) return advice;
    if (index > 2147483647) return "the index is far outside: look for a negative number turned into an unsigned one";
    if (!layout) return "compare the index with the size that was asked for";
    const bool is_write = scene.finding.access == AccessKind::write;
    if (layout->role == BufferRole::out && layout->elements() == 1) {
        if (Advice block = advice_on_block(scene); !block.empty()) return block;
        const LaunchInfo* last =
            scene.launches != nullptr && scene.launches->size() > 1 ? &scene.launches->back() : nullptr;
        if (last != nullptr && is_write && last->kernel == scene.finding.kernel && last->grid.count() > 1)
            return fmt::format(
                "`{}` holds one element, the result, and the launch in line {} has {} blocks: one that adds up the "
                "last sums has one block",
                layout->name, last->line, last->grid.count());
    }
    const LaunchInfo* own = scene.launch();
    if (layout->role == BufferRole::out && layout->elements() == 1 && is_write && own != nullptr &&
        own->grid.count() > 1)
        if (const BufferLayout* scratch = scratch_of(scene))
            return fmt::format(
                "`{}` holds one element, the result, and the launch in line {} has {} blocks: let it store "
                "their sums to `{}`",
                layout->name, own->line, own->grid.count(), scratch->name);
    if (layout->role == BufferRole::out && layout->elements() == 1)
        if (const BufferLayout* scratch = scratch_of(scene))
            return fmt::format("`{}` holds one element, the result: partial results go to `{}`", layout->name,
                               scratch->name);
    if (layout->role == BufferRole::scratch)
        if (std::string advice = advice_on_sums(scene, *layout); !advice.empty()) return advice;
    if (layout->role == BufferRole::scratch)
        return fmt::format("`{}` holds {} elements: use one for each block, no more", layout->name, layout->elements());
    if (const int line = line_of_loop_to_extent(scene, *layout); line != 0)
        return {fmt::format("the loop in line {} takes its bound in as well: write < in place of <=", line), line};
    if (const std::string column = advice_on_column_loop(scene.facts, scene.finding.place.line, name_in_line(scene));
        !column.empty() && layout->extents.size() == 2)
        return column;
    if (std::string type = advice_on_type(scene); !type.empty()) return type;
    if (std::string tree = advice_on_tree(scene); !tree.empty()) return tree;
    const Advice advice = look_at_test(false);
    if (layout->extents.size() != 2 && !advice.empty()) return advice;
    if (layout->extents.size() == 1 && scene.finding.kernel.empty())
        return fmt::format("bytes are counted here, and `{}` has {}, {} elements of {}", layout->name,
                           layout->elements() * scene.element_bytes(), layout->elements(), scene.element_bytes());
    const auto made = variable_of_index(scene.facts, scene.finding.place.line, name_in_line(scene));
    if (layout->extents.size() == 1 && layout->role == BufferRole::out &&
        layout->elements() < scene.run.layout.front().elements() && made &&
        made->expression.find("blockIdx") != std::string::npos)
        return fmt::format(
            "`{}` goes through the elements of `{}`, and `{}` has {}: to which of them does element {} go?", made->name,
            scene.run.layout.front().name, layout->name, layout->elements(), made->name);
    if (layout->extents.size() == 1 && layout->role == BufferRole::out &&
        layout->elements() != scene.run.layout.front().elements())
        return fmt::format("`{}` has the elements 0 to {}: which values can this index have, of those it is made of?",
                           layout->name, layout->elements() - 1);
    if (layout->extents.size() != 2) return guard_of_line(scene, *layout, is_write);
    // A kernel that counts the elements through knows no row and no column.
    const LaunchInfo* launch = scene.launch();
    const bool is_line =
        (launch && launch->is_flat() && !mentions(*scene.facts.tree, scene.facts.tree->root, "threadIdx.y")) ||
        is_index_of_thread(scene);
    if (is_line && !advice.empty()) return advice;
    if (is_line)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", layout->elements());
    // A thread that stores what came through shared memory has another place there than its own.
    if (Advice more = advice_on_left_out(scene.facts, scene.finding.place.line, name_in_line(scene)); !more.empty())
        return more;
    const bool is_turned = is_write && has_word(*scene.facts.tree, "__shared__");
    const bool is_inside = !is_turned && standing_of(scene) == Standing::inside;
    if (is_inside)
        if (std::string formula = wrong_formula(scene, *layout, index); !formula.empty()) return formula;
    if (std::string length = advice_on_row_length(scene); !length.empty()) return length;
    if (std::string one = advice_on_one_name(scene); !one.empty()) return one;
    if (is_inside || is_whole_tile_inside(scene))
        return fmt::format(
            "this thread's own row and column are inside, so no guard is missing: the index is wrong. A "
            "row of `{}` has {} elements",
            layout->name, named_extent(scene, layout->extents[1]));
    if (!advice.empty()) return advice;
    const auto guards = guards_before(scene.facts, scene.finding.place.line, name_in_line(scene));
    const std::string extents =
        fmt::format("the row of `{}` {}below {}, the column below {}", layout->name, guards.empty() ? "has to be " : "",
                    named_extent(scene, layout->extents[0]), named_extent(scene, layout->extents[1]));
    if (std::string flat = advice_on_flat_test(scene, guards, extents); !flat.empty()) return flat;
    if (Advice one = advice_on_one_extent(scene, guards); !one.empty()) return one;
    if (!guards.empty())
        return {fmt::format("the test in line {} lets this thread through: it has to keep {}", guards.front().line,
                            extents),
                guards.front().line};
    return fmt::format("guard the {}: {}", is_write ? "store" : "load", extents);
}

Diagnostic out_of_bounds(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.buffer.empty()) {
        const bool is_null = finding.address + 4096 < 8192;  // a little before it, or a little behind
        diagnostic.title = fmt::format("{} {}", verb(finding.access),
                                       is_null ? "through a null pointer" : "at an address that is in no buffer");
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, "", finding.access, fmt::format("address 0x{:x}", finding.address)));
        diagnostic.help =
            is_null ? "which pointer is never set?" : "print the index, or work it out by hand for this thread";
        return diagnostic;
    }
    const std::int64_t index = element_index(scene);
    const BufferLayout* layout = scene.layout();
    const std::int64_t count =
        layout ? layout->elements() : static_cast<std::int64_t>(finding.buffer_bytes) / scene.element_bytes();
    if (finding.is_freed && !has_word(*scene.facts.tree, "cudaFree")) {
        diagnostic.title = fmt::format("{} outside of every buffer", verb(finding.access));
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, "", finding.access, fmt::format("address 0x{:x}", finding.address)));
        diagnostic.facts.push_back(fmt::format("`{}` of an earlier call was there", finding.buffer));
        diagnostic.help = "which values can the index have here? it is far outside";
        return diagnostic;
    }
    if (finding.is_freed) {
        diagnostic.title = fmt::format("{} of `{}` after it was freed", verb(finding.access), finding.buffer);
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, finding.buffer, finding.access, element_text(scene)));
        diagnostic.help = "free memory only after the last kernel that uses it";
        return diagnostic;
    }
    diagnostic.title = fmt::format("{} {} of `{}`", verb(finding.access),
                                   index < 0 ? "before the start" : "past the end", finding.buffer);
    const std::string size = layout ? extents_text(*layout) : std::to_string(count);
    const std::string each =
        scene.is_of_submission() ? " of " + plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte") : "";
    if (index < count && index >= 0) {
        // The access begins inside and reaches out.
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, finding.buffer, finding.access,
                           fmt::format("{} bytes from {} on, but {} ends after {} elements", finding.width_bytes,
                                       element_text(scene), finding.buffer, size)));
        const int own = scene.element_bytes(), taken = finding.width_bytes;
        // A vector of the elements' type, or one element of another type.
        const bool is_other_type = (own == 4 && taken == 8 && has_word(*scene.facts.tree, "double") &&
                                    !has_word(*scene.facts.tree, "float2")) ||
                                   (own < 4 && taken <= 4);
        diagnostic.help =
            is_other_type
                ? fmt::format("an element of `{}` has {}, and this access takes {}: of which type is the pointer here?",
                              finding.buffer, plural(static_cast<std::uint64_t>(own), "byte"), taken)
                : "a vector access needs all of its elements inside: handle the rest one by one";
    } else {
        diagnostic.marks.push_back(mark_of_access(scene, finding.place, finding.buffer, finding.access,
                                                  fmt::format("{}, but {} has {} element{}{}", element_text(scene),
                                                              finding.buffer, size, count == 1 ? "" : "s", each)));
        diagnostic.facts.push_back(how_far(index, count));
        give(diagnostic, guard_for(scene, layout, index));
    }
    if (layout && layout->extents.size() == 2 && !is_index_of_thread(scene)) {
        const std::string place = row_and_column(*layout, index);
        if (!place.empty()) diagnostic.facts.push_back(place);
    }
    return diagnostic;
}

Diagnostic misaligned(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("misaligned {} of {} bytes", verb(finding.access), finding.width_bytes);
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, finding.buffer, finding.access,
                       finding.buffer.empty() ? "in no buffer"
                                              : fmt::format("byte {} of `{}`", finding.offset_bytes, finding.buffer)));
    diagnostic.facts.push_back(
        fmt::format("address 0x{:x} is not a multiple of {}", finding.address, finding.width_bytes));
    diagnostic.help = finding.width_bytes > 4
                          ? fmt::format(
                                "an access of {0} bytes needs an address that is a multiple of {0}: check the "
                                "pointer and the row length, and take single elements where they do not fit",
                                finding.width_bytes)
                          : "no array begins at such an address: which pointer is used here, and what was it set to?";
    if (scene.layout() != nullptr && scene.element_bytes() < finding.width_bytes && finding.width_bytes <= 4)
        diagnostic.help = fmt::format(
            "an element of `{}` has {} here, and this access takes {}: a cast of the pointer makes no larger elements "
            "of them",
            finding.buffer, plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte"), finding.width_bytes);
    return diagnostic;
}

// float v[4]; and v[j] of a j that goes further.
Diagnostic out_of_own_array(const Scene& scene) {
    Diagnostic diagnostic;
    const int line = scene.finding.place.line;
    const Tree& tree = *scene.facts.tree;
    std::string name;
    std::int64_t length = 0;
    std::string_view index;
    for (const source::Access& access : scene.facts.accesses_on(line)) {
        const source::Definition* const declared = scene.facts.declaration_of(access.array, line);
        const NodeId extent = declared ? tree[declared->node].child : no_node;
        if (extent == no_node || tree[extent].kind != NodeKind::extent || declared->around.function < 0 ||
            shared_names(scene.facts).contains(access.array))
            continue;
        const auto number = number_of(tree, tree[extent].child, scene.facts.numbers);
        name = name.empty() ? std::string(access.array) : "";  // of two, it may be either
        length = number && scene.run.variant.find("THREADS=") == std::string::npos ? *number : 0;
        index = access.indices.size() == 1 ? plain_name(tree, access.indices[0]) : "";
        if (name.empty()) break;
    }
    diagnostic.title = fmt::format("{} outside of {}an array of the thread's own", verb(scene.finding.access),
                                   name.empty() ? "" : "`" + name + "`, ");
    diagnostic.marks.push_back(mark_at(scene, scene.finding.place, name,
                                       name.empty() || length == 0
                                           ? fmt::format("byte {}", scene.finding.offset_bytes)
                                           : fmt::format("`{}` has {} elements", name, length)));
    diagnostic.help = "compare the index with the length of the array";
    const source::Loop* const loop = scene.facts.loop_at(line);
    const LaunchInfo* launch = scene.launch();
    const LoopTurns turns = turns_of(scene.facts, loop, launch != nullptr ? launch->block.x : 0);
    if (length != 0 && !turns.values.empty() && index == turns.variable)
        diagnostic.help = fmt::format(
            "`{}` is {} in the loop of line {}, and the elements of `{}` are {}[0] to {}[{}]: count them from 0, one a "
            "turn",
            turns.variable, listed(turns.values), loop->line, name, name, name, length - 1);
    return diagnostic;
}

Diagnostic write_to_constant(const Scene& scene) {
    Diagnostic diagnostic;
    diagnostic.title =
        fmt::format("{} to `{}`, which is constant memory", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, scene.finding.place, scene.finding.buffer, scene.finding.access, element_text(scene)));
    diagnostic.help =
        "a kernel cannot change a __constant__ variable: declare a variable that it changes as __device__";
    return diagnostic;
}

Diagnostic write_to_input(const Scene& scene) {
    const auto is_it = [&](const BufferLayout& buffer) { return buffer.name == scene.finding.buffer; };
    if (std::none_of(scene.run.layout.begin(), scene.run.layout.end(), is_it)) return write_to_constant(scene);
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("{} to `{}`, which is the input", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, scene.finding.place, scene.finding.buffer, scene.finding.access, element_text(scene)));
    const BufferLayout* scratch = scratch_of(scene);
    const std::string& out = scene.run.layout.back().name;
    if (stored_array(scene.facts, scene.finding.place.line) == out && out != scene.finding.buffer) {
        diagnostic.facts.push_back(
            fmt::format("the line stores to `{}`, so far outside of it that `{}` is there", out, scene.finding.buffer));
        diagnostic.help = "which values can the index have here?";
        return diagnostic;
    }
    diagnostic.help = fmt::format("store only to `{}`", out) + (scratch ? fmt::format(" and `{}`", scratch->name) : "");
    return diagnostic;
}

}  // namespace

Diagnostic describe_memory(const Scene& scene) {
    Diagnostic diagnostic;
    switch (scene.finding.kind) {
        case FindingKind::out_of_bounds: diagnostic = out_of_bounds(scene); break;
        case FindingKind::out_of_bounds_shared: diagnostic = describe_shared_bounds(scene); break;
        case FindingKind::misaligned: diagnostic = misaligned(scene); break;
        case FindingKind::uninitialized: diagnostic = describe_unwritten(scene); break;
        case FindingKind::write_to_input: diagnostic = write_to_input(scene); break;
        default:  // out_of_bounds_local
            diagnostic = out_of_own_array(scene);
    }
    diagnostic.facts.push_back(thread_fact(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade