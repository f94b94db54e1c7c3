// Words for accesses to memory: outside of buffers, misaligned, into the input.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "problem/expression.hpp"
#include "run/access_place.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/line_context.hpp"
#include "run/loop_turns.hpp"
#include "run/row_length.hpp"
#include "run/source_numbers.hpp"
#include "run/wording.hpp"
#include "run/wording_memory.hpp"

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
    const auto numbers = named_numbers(scene.source);
    const auto threads = numbers.find("THREADS");
    if (!launch || scene.run.variant.starts_with("THREADS=") || threads == numbers.end()) return "";
    const auto size = static_cast<std::int64_t>(launch->block.count());
    if (threads->second.value == size) return "";
    if (threads->second.value == static_cast<std::int64_t>(launch->grid.count()))
        return {fmt::format("line {} launches {} blocks of {} threads, and THREADS is {}: blocks come first, "
                            "<<<blocks, THREADS>>>",
                            launch->line, launch->grid.count(), size, threads->second.value),
                launch->line};
    return fmt::format("the block has {} threads, {}, and THREADS (line {}) is {}: are they meant to be one size?",
                       size, extents_text(launch->block), threads->second.line, threads->second.value);
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
    const LoopText loop = loop_that_takes_bound_in(scene.source, scene.finding.place.line, name_in_line(scene));
    const std::size_t sign = loop.head.find("<=");
    if (loop.line == 0 || sign == std::string::npos) return 0;
    const std::string bound(trimmed(loop.head.substr(sign + 2, loop.head.find(';', sign) - sign - 2)));
    const auto numbers = named_numbers(scene.source);
    const auto named = numbers.find(bound);
    for (std::size_t i = 0; i < layout.extents.size(); ++i) {
        const bool is_name = i < layout.extent_names.size() && layout.extent_names[i] == bound;
        const bool is_value = (named != numbers.end() && named->second.value == layout.extents[i]) ||
                              bound == std::to_string(layout.extents[i]);
        if (is_name || is_value) return loop.line;
    }
    return 0;
}

// The line calls it by the name of another buffer: that name is what the kernel was handed something else for.
std::string handed_over(const Scene& scene) {
    const std::string code = without_comments(scene.source);
    const std::string_view line = line_of(code, scene.finding.place.line);
    const LaunchInfo* launch = scene.launch();
    if (launch == nullptr || column_of(line, scene.finding.buffer) != 0) return {};
    for (const BufferLayout& other : scene.run.layout)
        if (other.name != scene.finding.buffer && !subscripts_of(line, other.name).empty())
            return fmt::format(
                "what line {} calls `{}` is `{}`: compare the arguments of the launch in line {} with the kernel's "
                "parameters, one by one",
                scene.finding.place.line, other.name, scene.finding.buffer, launch->line);
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
    const auto subscripts = subscripts_of(line_of(scene.source, scene.finding.place.line), name_in_line(scene));
    return std::any_of(subscripts.begin(), subscripts.end(),
                       [](std::string_view subscript) { return column_of(subscript, "sizeof") != 0; });
}

// `weights[tid]` of int tid = threadIdx.x: it counts threads, and is no row and no column.
bool is_index_of_thread(const Scene& scene) {
    const std::string code = without_comments(scene.source);
    const auto subscripts = subscripts_of(line_of(code, scene.finding.place.line), name_in_line(scene));
    if (subscripts.size() != 1 || subscripts.front().empty() || subscripts.front().size() > 40 ||
        !std::all_of(subscripts.front().begin(), subscripts.front().end(), is_word))
        return false;
    if (subscripts.front().find_first_not_of("0123456789") == std::string_view::npos) return false;
    const std::regex definition(R"re(\b)re" + std::string(subscripts.front()) + R"re(\s*=\s*([^;=]*);)re");
    std::smatch match;
    if (!std::regex_search(code, match, definition)) return false;
    const std::string right = match[1];
    return right.find("threadIdx") != right.npos && right.find("blockIdx") == right.npos;
}

// `in[i]` of one line of elements, with no test before it.
Advice guard_of_line(const Scene& scene, const BufferLayout& layout, bool is_write) {
    const std::string code = without_comments(scene.source);
    const auto subscripts = subscripts_of(line_of(code, scene.finding.place.line), name_in_line(scene));
    const std::string extent = layout.extent_names.size() == 1 && layout.extents[0] == layout.elements()
                                   ? layout.extent_names[0]
                                   : std::to_string(layout.elements());
    if (subscripts.size() != 1 || subscripts.front().size() > 30)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", extent);
    const std::string index(trimmed(subscripts.front()));
    const std::string test = fmt::format("{} < {}", index, extent);
    const LoopBody loop = loop_body(scene.source, scene.finding.place.line);
    static const std::regex takes_in(R"re(^(\w+)\s*<=\s*(\w+)$)re");
    std::smatch match;
    // for (i = start; i < stop; ...) of a stop that was computed, and goes past the end.
    static const std::regex goes_to(R"re(^(\w+)\s*<\s*([A-Za-z_]\w*)$)re");
    if (std::regex_match(loop.condition, match, goes_to) && match[1] == index && match[2] != extent)
        if (const int set = line_that_sets(scene.source, loop.line, match[2].str()); set != 0)
            return {fmt::format("the loop in line {} goes on while `{}`, and `{}` ends at `{}`: let `{}`, set in line "
                                "{}, be no more than that",
                                loop.line, loop.condition, name_in_line(scene), extent, match[2].str(), set),
                    set};
    if (std::regex_match(loop.condition, match, takes_in) && match[1] == index)
        return {fmt::format("the loop in line {} goes on while `{}`, and the last element is {} - 1: write < in place "
                            "of <=",
                            loop.line, loop.condition, match[2].str()),
                loop.line};
    for (const GuardText& guard : guards_before(scene.source, scene.finding.place.line, name_in_line(scene)))
        for (const GuardPart& part : guard.parts)
            if (part.left == index && part.sign == "<" && part.right != extent && !guard.returns)
                return {fmt::format("the test in line {} compares `{}` with `{}`, and `{}` ends at `{}`", guard.line,
                                    index, part.right, name_in_line(scene), extent),
                        guard.line};
    int tested = loop.condition == test ? loop.line : 0;
    for (const GuardText& guard : guards_before(scene.source, scene.finding.place.line, name_in_line(scene)))
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
    const std::string code = without_comments(scene.source);
    const std::string line(line_of(code, scene.finding.place.line));
    const LoopBody loop = loop_body(scene.source, scene.finding.place.line);
    static const std::regex adds(R"re(\b(\w+)\s*\[([^\[\]]+)\]\s*\+=\s*(\w+)\s*\[([^\[\]]+)\])re");
    static const std::regex changes(R"re(^\s*(\w+)\s*(?:\*=|/=|<<=|>>=))re");
    std::smatch match, step;
    if (scene.finding.access != AccessKind::read || line.size() > 400 || !std::regex_search(line, match, adds) ||
        match[3] != scene.finding.buffer || !shared_names(scene.source).contains(match[1].str()) ||
        !std::regex_search(loop.step, step, changes) || column_of(match[4].str(), step[1].str()) == 0)
        return {};
    return fmt::format(
        "each step adds an element of `{0}` here, and never what another thread has added up by then: "
        "is {1}[{2} + {3}] meant?",
        scene.finding.buffer, match[1].str(), std::string(trimmed(match[2].str())), step[1].str());
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
        "for "
        "the type of the elements?",
        kernel, plural(static_cast<std::uint64_t>(scene.finding.width_bytes), "byte"), type, scene.element_bytes());
}

// if (y * cols + x < rows * cols): what is behind the end of one row is in the next. And tests of one of two indices.
std::string advice_on_flat_test(const Scene& scene, const std::vector<GuardText>& guards, const std::string& extents) {
    if (guards.size() != 1 || guards.front().parts.size() != 1) return {};
    const GuardText& guard = guards.front();
    const std::string code = without_comments(scene.source);
    const auto meaning = [&](const std::string& word) {
        const int set = line_that_sets(scene.source, guard.line, word);
        const std::string_view text = set == 0 ? std::string_view(word) : line_of(code, set);
        return std::string(text.substr(0, 300));
    };
    const std::string left = meaning(guard.parts.front().left), right = meaning(guard.parts.front().right);
    static const std::regex flat(R"re(\*\s*\w+\s*\)?\s*\+\s*\w+)re"), product(R"re(\w\s*\)?\s*\*\s*\w)re");
    if (left.find("Idx") == left.npos && std::regex_search(left, flat) && std::regex_search(right, product))
        return fmt::format(
            "the test in line {} looks at `{}` alone, which counts through all rows: behind the end of one row it is "
            "an "
            "element of the next. Compare row and column, each with its own extent: {}",
            guard.line, guard.parts.front().left, extents);
    static const std::regex place(R"re((\w+)\s*\)?\s*\*\s*\w+\s*\+\s*(\w+)\s*$)re");
    for (const std::string_view subscript :
         subscripts_of(line_of(code, scene.finding.place.line), name_in_line(scene))) {
        const std::string text(subscript);
        std::smatch match;
        if (text.size() > 200 || !std::regex_search(text, match, place)) continue;
        const std::string row = match[1], column = match[2], &tested = guard.parts.front().left;
        if (row == column || (tested != row && tested != column)) continue;
        return fmt::format("the test in line {} looks at `{}`, and none looks at `{}`: {}", guard.line, tested,
                           tested == row ? column : row, extents);
    }
    return {};
}

// in[x * cols + x]: one name for the row and for the column.
std::string advice_on_one_name(const Scene& scene) {
    static const std::regex flat(R"re(\b([A-Za-z_]\w*)\s*\)?\s*\*\s*[A-Za-z_]\w*\s*\+\s*([A-Za-z_]\w*)\s*$)re");
    const std::string code = without_comments(scene.source), name = name_in_line(scene);
    for (const std::string_view subscript : subscripts_of(line_of(code, scene.finding.place.line), name)) {
        const std::string text(subscript);
        std::smatch match;
        if (text.size() <= 200 && std::regex_search(text, match, flat) && match[1] == match[2])
            return fmt::format("`{}` is the row and the column in this index of `{}`: which of the two is another one?",
                               match[1].str(), name);
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
        return advice_on_guard(scene.source, scene.finding.place.line, name_in_line(scene), is_below_zero);
    };
    if (has_sizeof(scene)) return "an index counts elements, not bytes: leave sizeof out of it";
    if (index == -32768 && without_comments(scene.source).find("short ") != std::string::npos)
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
    if (const std::string column = advice_on_column_loop(scene.source, scene.finding.place.line, name_in_line(scene));
        !column.empty() && layout->extents.size() == 2)
        return column;
    if (std::string type = advice_on_type(scene); !type.empty()) return type;
    if (std::string tree = advice_on_tree(scene); !tree.empty()) return tree;
    const Advice advice = look_at_test(false);
    if (layout->extents.size() != 2 && !advice.empty()) return advice;
    if (layout->extents.size() == 1 && scene.finding.kernel.empty())
        return fmt::format("bytes are counted here, and `{}` has {}, {} elements of {}", layout->name,
                           layout->elements() * scene.element_bytes(), layout->elements(), scene.element_bytes());
    const auto made = variable_of_index(scene.source, scene.finding.place.line, name_in_line(scene));
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
    const bool is_line = (launch && launch->is_flat() && scene.source.find("threadIdx.y") == std::string::npos) ||
                         is_index_of_thread(scene);
    if (is_line && !advice.empty()) return advice;
    if (is_line)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", layout->elements());
    // A thread that stores what came through shared memory has another place there than its own.
    if (Advice more = advice_on_left_out(scene.source, scene.finding.place.line, name_in_line(scene)); !more.empty())
        return more;
    const bool is_turned = is_write && scene.source.find("__shared__") != std::string::npos;
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
    const auto guards = guards_before(scene.source, scene.finding.place.line, name_in_line(scene));
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
    if (finding.is_freed && scene.source.find("cudaFree") == std::string::npos) {
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
        const std::string code = without_comments(scene.source);
        const int own = scene.element_bytes(), taken = finding.width_bytes;
        // A vector of the elements' type, or one element of another type.
        const bool is_other_type = (own == 4 && taken == 8 && code.find("double") != std::string::npos &&
                                    code.find("float2") == std::string::npos) ||
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
            "of "
            "them",
            finding.buffer, plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte"), finding.width_bytes);
    return diagnostic;
}

// float v[4]; and v[j] of a j that goes further.
Diagnostic out_of_own_array(const Scene& scene) {
    Diagnostic diagnostic;
    const int line = scene.finding.place.line;
    const std::string code = without_comments(scene.source);
    std::string name;
    std::int64_t length = 0;
    static const std::regex array(R"re(\b([A-Za-z_]\w*)\s*\[)re");
    const std::string text(line_of(code, line));
    const std::size_t begin = offset_of_line(code, line);
    if (text.size() <= 400 && begin != std::string::npos)
        for (auto at = std::sregex_iterator(text.begin(), text.end(), array); at != std::sregex_iterator(); ++at) {
            const std::regex declared(R"re(\b(?:float|int|double|unsigned|float4|T)\s+)re" + (*at)[1].str() +
                                      R"re(\s*\[([^\]]+)\]\s*[;={])re");
            const std::size_t from = start_of_function(code, begin);
            std::smatch match;
            const std::string function = code.substr(from, begin - from);
            if (!std::regex_search(function, match, declared) || shared_names(scene.source).contains((*at)[1].str()))
                continue;
            ExpressionScope scope;
            for (const auto& [known, number] : named_numbers(scene.source)) scope.names.emplace(known, number.value);
            const auto extent = evaluate(match[1].str(), scope);
            name = name.empty() ? (*at)[1].str() : "";  // of two, it may be either
            length = extent.ok() && scene.run.variant.find("THREADS=") == std::string::npos ? extent.value : 0;
            if (name.empty()) break;
        }
    diagnostic.title = fmt::format("{} outside of {}an array of the thread's own", verb(scene.finding.access),
                                   name.empty() ? "" : "`" + name + "`, ");
    diagnostic.marks.push_back(mark_at(scene, scene.finding.place, name,
                                       name.empty() || length == 0
                                           ? fmt::format("byte {}", scene.finding.offset_bytes)
                                           : fmt::format("`{}` has {} elements", name, length)));
    diagnostic.help = "compare the index with the length of the array";
    const LoopText loop = loop_around(scene.source, line);
    const LaunchInfo* launch = scene.launch();
    const LoopTurns turns = turns_of(loop, scene.source, launch != nullptr ? launch->block.x : 0);
    const auto subscripts = name.empty() ? std::vector<std::string_view>{} : subscripts_of(line_of(code, line), name);
    if (length != 0 && !turns.values.empty() && subscripts.size() == 1 && trimmed(subscripts.front()) == turns.variable)
        diagnostic.help = fmt::format(
            "`{}` is {} in the loop of line {}, and the elements of `{}` are {}[0] to {}[{}]: count them from 0, one a "
            "turn",
            turns.variable, listed(turns.values), loop.line, name, name, name, length - 1);
    return diagnostic;
}

Diagnostic write_to_constant(const Scene& scene) {
    Diagnostic diagnostic;
    diagnostic.title =
        fmt::format("{} to `{}`, which is constant memory", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, scene.finding.place, scene.finding.buffer, scene.finding.access, element_text(scene)));
    diagnostic.help = "kernels only read a __constant__ variable: what they are to change is a __device__ one";
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
    if (stored_array(line_of(scene.source, scene.finding.place.line)) == out && out != scene.finding.buffer) {
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