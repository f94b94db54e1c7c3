#include "explain/stored_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

using Cells = std::vector<bool>;

std::int64_t count_of(const Cells& cells) { return std::count(cells.begin(), cells.end(), true); }

// "row 3", "rows 0 and 9", "rows 8 to 31"; "" where they are neither one piece nor two single ones.
std::string lines_text(const Cells& is_missing, const char* what) {
    const std::int64_t count = count_of(is_missing);
    const auto first = std::find(is_missing.begin(), is_missing.end(), true);
    const auto begin = first - is_missing.begin();
    const auto last = std::find(is_missing.rbegin(), is_missing.rend(), true).base() - is_missing.begin() - 1;
    if (count == 0) return {};
    if (count == 1) return fmt::format("{} {}", what, begin);
    if (last - begin + 1 == count) return fmt::format("{}s {} to {}", what, begin, last);
    return count == 2 ? fmt::format("{}s {} and {}", what, begin, last) : "";
}

// Elements stored, and the distance from one run of them to the next, if all runs are alike and the first begins at 0.
struct Runs {
    std::int64_t length = 0, period = 0;
};
Runs runs_of(const Cells& stored) {
    const auto length = std::find(stored.begin(), stored.end(), false) - stored.begin();
    const auto period = std::find(stored.begin() + length, stored.end(), true) - stored.begin();
    if (length == 0 || 2 * period > std::ssize(stored)) return {};
    for (std::int64_t i = 0; i < std::ssize(stored); ++i)
        if (stored[static_cast<std::size_t>(i)] != (i % period < length)) return {};
    return {length, period};
}

// The elements that are stored are some rows, and of these some columns.
std::string missing_lines(const Cells& stored, std::int64_t rows, std::int64_t cols) {
    Cells has_row(static_cast<std::size_t>(rows)), has_col(static_cast<std::size_t>(cols));
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        if (!stored[static_cast<std::size_t>(i)]) continue;
        has_row[static_cast<std::size_t>(i / cols)] = true;
        has_col[static_cast<std::size_t>(i % cols)] = true;
    }
    if (count_of(has_row) * count_of(has_col) != count_of(stored)) return {};
    has_row.flip();
    has_col.flip();
    const std::string row = lines_text(has_row, "row"), col = lines_text(has_col, "column");
    if ((row.empty() && count_of(has_row) != 0) || (col.empty() && count_of(has_col) != 0)) return {};
    return row.empty() ? col : row;  // with a row, the columns that no row has are padding
}

// Rows and columns of a part that nothing was stored to; the last ones are in it.
struct Block {
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;
};

// What is missing as a few blocks; none where it takes more than that.
// The one with the element `wanted` comes first.
std::vector<Block> missing_blocks(Cells stored, std::int64_t rows, std::int64_t cols, std::int64_t wanted) {
    constexpr std::size_t most = 4;
    const auto has = [&](std::int64_t row, std::int64_t col) {
        return stored[static_cast<std::size_t>(row * cols + col)];
    };
    std::vector<Block> blocks;
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        if (has(i / cols, i % cols)) continue;
        if (blocks.size() == most) return {};
        Block block{i / cols, i % cols, i / cols, i % cols};
        while (block.right + 1 < cols && !has(block.top, block.right + 1)) ++block.right;
        const auto is_free = [&](std::int64_t row) {
            for (std::int64_t col = block.left; col <= block.right; ++col)
                if (has(row, col)) return false;
            return true;
        };
        while (block.bottom + 1 < rows && is_free(block.bottom + 1)) ++block.bottom;
        for (std::int64_t row = block.top; row <= block.bottom; ++row)
            for (std::int64_t col = block.left; col <= block.right; ++col)
                stored[static_cast<std::size_t>(row * cols + col)] = true;
        blocks.push_back(block);
        if (block.top <= wanted / cols && wanted / cols <= block.bottom && block.left <= wanted % cols &&
            wanted % cols <= block.right)
            std::rotate(blocks.begin(), blocks.end() - 1, blocks.end());
    }
    return blocks;
}

std::string span_text(const char* what, std::int64_t first, std::int64_t last) {
    return first == last ? fmt::format("{} {}", what, first) : fmt::format("{}s {} to {}", what, first, last);
}

StoredText text_of_blocks(const std::vector<Block>& blocks, std::int64_t rows, std::int64_t cols,
                          const std::string& name) {
    if (blocks.empty()) return {};
    const bool are_corners =
        blocks.size() == 4 && std::ranges::all_of(blocks, [&](const Block& block) {
            return (block.top == 0 || block.bottom == rows - 1) && (block.left == 0 || block.right == cols - 1);
        });
    std::vector<std::string> parts;
    for (const Block& block : blocks)
        parts.push_back(span_text("row", block.top, block.bottom) + " of " +
                        span_text("column", block.left, block.right));
    return {fmt::format("not stored by then: {}", fmt::join(parts, "; ")),
            are_corners ? say("thread_stores_four_corners", name) : say("thread_block_should_store", parts.front()), 0,
            !are_corners};
}

// `partial[slot(i)]` leaves gaps, and another index meets one.
std::string advice_on_gaps(const Scene& scene, const std::string& name) {
    std::optional<IndexSource> made;
    for (std::size_t i = 0; i < scene.facts.accesses.size() && !made; ++i)
        made = function_of_index(scene.facts, scene.facts.accesses[i].line, name);
    if (!made || !lines_that_bring(made->name, scene.facts, scene.line(), name).empty()) return {};
    return function_of_index(scene.facts, scene.line(), name)
               ? say("line_leaves_gaps_thread", made->name, made->line)
               : say("lines_store_go_through", made->name, made->line, name);
}

// The loop or the test around the only store ends at as many elements as were stored.
StoredText stored_by_bound(const Scene& scene, const std::string& name, std::int64_t count, std::int64_t all) {
    const Tree& tree = scene.tree();
    const int line = only_line_that_stores(scene.facts, name);
    const auto stores = accesses_to(scene.facts, line, name);
    if (stores.empty() || !scene.run.variant.empty()) return {};
    for (const source::Test& test : tests_before(scene.facts, stores.front()->node)) {
        std::vector<source::Comparison> ends;
        if (test.loop) ends.push_back({test.loop->condition, no_node, test.loop->bound, test.loop->sign});
        if (test.guard && !test.exits) ends = test.guard->comparisons;
        for (const source::Comparison& end : ends)
            if (end.sign == "<" && number_of(tree, end.right, scene.facts.numbers) == count)
                return {"",
                        say("line_true_elements", test.loop ? test.loop->line : test.guard->line, count,
                            in_one_line(tree, end.node), name, all),
                        test.loop ? test.loop->line : test.guard->line};
    }
    return {};
}

}  // namespace

StoredText stored_text(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const std::string& pieces = finding.stored;
    const auto width = static_cast<std::uint64_t>(std::max(1, finding.width_bytes));
    if (pieces.empty() || finding.buffer_bytes < width) return {};
    const std::size_t step = std::max<std::size_t>(1, pieces.size() * width / finding.buffer_bytes);
    Cells stored;
    for (std::size_t i = 0; i < pieces.size(); i += step) stored.push_back(pieces[i] == '1');
    const std::string name = shared_name(scene);
    const std::int64_t all = std::ssize(stored), count = count_of(stored);
    if (count == 0) return {say("block_stored_nothing_then", name), ""};

    const auto extents = shared_extents(scene.facts, name);
    const bool is_matrix = extents.size() == 2 && extents[0] * extents[1] == all;
    const LaunchInfo* launch = scene.launch();
    const std::string missing = is_matrix ? missing_lines(stored, extents[0], extents[1]) : "";
    const auto end = std::find(stored.begin(), stored.end(), false) - stored.begin();
    if (StoredText bound; end == count && !(bound = stored_by_bound(scene, name, count, all)).help.empty()) {
        bound.fact = missing.empty() ? say("stored_then_first_elements", count, all, name)
                                     : fmt::format("not stored by then: {} of `{}`", missing, name);
        return bound;
    }
    // Rows without the padding that the array has.
    if (is_matrix && end == count && launch && launch->block.x < extents[1] && count % launch->block.x == 0 &&
        count / launch->block.x <= extents[0] && count > extents[1])
        return {say("stored_then_first_elements_without", count, all, name),
                say("row_elements_does_line", name, extents[1], launch->block.x),
                only_line_that_stores(scene.facts, name)};
    if (!missing.empty())
        return {fmt::format("not stored by then: {} of `{}`", missing, name),
                say("thread_block_should_store_before", missing), 0, true};
    if (end == count) {
        const std::string fact = count == 1 ? say("stored_then_first_element", all, name)
                                            : say("stored_then_first_elements", count, all, name);
        const source::Loop* loop = scene.facts.loop_at(only_line_that_stores(scene.facts, name));
        if (launch && static_cast<std::uint64_t>(count) == launch->block.count() && loop != nullptr)
            return {fact, say("block_threads_stored_element", count, loop->line, all)};
        if (launch && static_cast<std::uint64_t>(count) == launch->block.count())
            return {fact, say("block_threads_stored_element_thread", count, all)};
        const auto reads = accesses_to(scene.facts, finding.place.line, name);
        const bool has_rows = std::ranges::any_of(reads, [&](const source::Access* access) {
            return text_of(scene.tree(), access->indices.front()).find('*') != std::string_view::npos;
        });
        if (launch && extents.size() == 1 && (launch->is_flat() || (!reads.empty() && !has_rows)))
            return {fact, say("thread_block_stored_elements", count)};
        return {fact, is_matrix ? "" : say("they_stored_without_gap")};
    }
    if (const Runs runs = runs_of(stored); runs.period != 0 && !is_matrix)
        return {say("stored_then_every_elements", runs.length, runs.period, name),
                advice_on_gaps(scene, name).empty() ? say("line_stores_rows_elements", runs.period, runs.length)
                                                    : advice_on_gaps(scene, name)};
    if (is_matrix)
        if (StoredText blocks = text_of_blocks(
                missing_blocks(stored, extents[0], extents[1], finding.offset_bytes / static_cast<std::int64_t>(width)),
                extents[0], extents[1], name);
            !blocks.fact.empty())
            return blocks;
    return {say("stored_then_elements", count, all, name), ""};
}

namespace {

int only_line_with(const Facts& facts, std::string_view name, bool is_pure) {
    int found = 0;
    for (const source::Access& access : facts.accesses) {
        const bool is_it =
            access.kind == source::AccessKind::store ||
            (!is_pure && (access.kind == source::AccessKind::update || access.kind == source::AccessKind::atomic));
        if (!is_it || access.array != name || access.line == found) continue;
        if (found != 0) return 0;
        found = access.line;
    }
    return found;
}

}  // namespace

int only_line_that_stores(const Facts& facts, std::string_view name) { return only_line_with(facts, name, false); }

int only_line_that_sets(const Facts& facts, std::string_view name) { return only_line_with(facts, name, true); }

}  // namespace warpgrade
