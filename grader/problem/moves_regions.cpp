// Mistakes that show in which elements of the output were never written.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "problem/effect_reader.hpp"
#include "problem/known_mistake.hpp"
#include "problem/moved_output.hpp"

namespace warpgrade {

extern const char* const region_rules;  // that the build makes of regions.toml

namespace {

const std::vector<std::string> cell_names{"y", "x"};

ExpressionScope scope_of(const MovedOutput& output, const OutputMap& map, std::int64_t high, std::int64_t wide) {
    ExpressionScope scope;
    scope.names = {{"height", output.height()},
                   {"width", output.width()},
                   {"high", high},
                   {"wide", wide},
                   {"unwritten", static_cast<std::int64_t>(map.unwritten)}};
    return scope;
}

const std::vector<EffectRule>& rules() {
    static const std::vector<EffectRule> all = [] {
        MovedOutput none;
        none.out_layout.extents = {0, 0};
        return rules_inside(region_rules, "regions.toml", {scope_of(none, {}, 0, 0), cell_names, {}});
    }();
    return all;
}

// <out> and the like: what put_words knows, and `edge`.
void put_names(std::string& text, const std::string& edge) {
    for (const auto& [name, value] :
         {std::pair("<out>", "{out}"), {"<rows>", "{high}"}, {"<cols>", "{wide}"}, {"<edge>", edge.c_str()}})
        for (std::size_t at = 0; (at = text.find(name, at)) != text.npos;) text.replace(at, std::strlen(name), value);
}

// Rows (or columns) of which nothing was written.
struct EmptyLines {
    std::vector<bool> is_empty;
    std::int64_t count = 0;
    std::int64_t extent() const { return static_cast<std::int64_t>(is_empty.size()); }
    // Written lines are [0, k): k, or -1.
    std::int64_t written_prefix() const {
        const std::int64_t k = extent() - count;
        return std::none_of(is_empty.begin(), is_empty.begin() + k, [](bool empty) { return empty; }) ? k : -1;
    }
    // Written lines are [first, last] with first > 0, or nothing.
    std::optional<std::pair<std::int64_t, std::int64_t>> written_behind_start() const {
        const auto from = std::ranges::find(is_empty, false);
        const auto to = std::find(from, is_empty.end(), true);
        if (from == is_empty.begin() || from == is_empty.end() ||
            std::find(to, is_empty.end(), false) != is_empty.end())
            return std::nullopt;
        return std::pair{from - is_empty.begin(), to - is_empty.begin() - 1};
    }
    // The smallest period of at most 64 that says which lines are empty, seen twice at least; or 0.
    std::int64_t period() const {
        for (std::int64_t p = 2; p <= 64 && 2 * p <= extent(); ++p) {
            bool fits = true;
            for (std::int64_t i = p; i < extent() && fits; ++i)
                fits = is_empty[std::size_t(i)] == is_empty[std::size_t(i - p)];
            if (fits) return p;
        }
        return 0;
    }
    // Lines that are written at the beginning of each period, and none behind them; 0: it is not so.
    std::int64_t prefix_of(std::int64_t period) const {
        const auto from = is_empty.begin(), to = from + period;
        const auto end = std::find(from, to, true);
        return std::find(end, to, false) == to ? end - from : 0;
    }
};

struct EmptySets {
    EmptyLines rows, cols;
    bool is_exact = false;  // the elements not written are those rows and columns and no others
};

EmptySets empty_sets(const MovedOutput& output, const OutputMap& map) {
    const auto height = static_cast<std::size_t>(output.height()), width = static_cast<std::size_t>(output.width());
    EmptySets sets;
    sets.rows.is_empty.assign(height, true);
    sets.cols.is_empty.assign(width, true);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            if (map.cells[y * width + x] == CellState::unwritten) continue;
            sets.rows.is_empty[y] = false;
            sets.cols.is_empty[x] = false;
        }
    }
    sets.rows.count = std::ranges::count(sets.rows.is_empty, true);
    sets.cols.count = std::ranges::count(sets.cols.is_empty, true);
    const std::int64_t covered =
        sets.rows.count * output.width() + sets.cols.count * output.height() - sets.rows.count * sets.cols.count;
    sets.is_exact = covered == static_cast<std::int64_t>(map.unwritten);
    return sets;
}

// "rows 64 to 69 and column 96 of `b` are not written"
std::string missing_edge(const MovedOutput& output, std::int64_t wide, std::int64_t high) {
    const auto lines = [](const char* what, std::int64_t first, std::int64_t extent) {
        return first + 1 == extent ? fmt::format("{} {}", what, first)
                                   : fmt::format("{}s {} to {}", what, first, extent - 1);
    };
    std::string text;
    if (high < output.height()) text = lines("row", high, output.height());
    if (wide < output.width()) text += (text.empty() ? "" : " and ") + lines("column", wide, output.width());
    const bool is_one = (high == output.height() && wide + 1 == output.width()) ||
                        (wide == output.width() && high + 1 == output.height());
    return fmt::format("{} of `{}` {} not written", text, output.out_layout.name, is_one ? "is" : "are");
}

// What begins behind the first line: a test that keeps the index 0 out, or an edge that is left as it is.
std::optional<FoundEffect> recognise_missing_start(const MovedOutput& output, const EmptySets& sets) {
    const auto rows = sets.rows.written_behind_start(), cols = sets.cols.written_behind_start();
    const auto lines = [](const char* what, std::int64_t count, std::int64_t first, std::int64_t last) {
        std::string text;
        if (first == 1 && last + 2 == count) return fmt::format("{}s 0 and {}", what, count - 1);
        if (first == 1) text = fmt::format("{} 0", what);
        if (first > 1) text = fmt::format("{}s 0 to {}", what, first - 1);
        const char* join = text.empty() ? "" : ", ";
        if (last + 2 == count) text += fmt::format("{}{} {}", join, what, count - 1);
        if (last + 2 < count) text += fmt::format("{}{}s {} to {}", join, what, last + 1, count - 1);
        return text;
    };
    const auto last_of = [](const EmptyLines& all) { return all.written_prefix() - 1; };
    if ((!rows && sets.rows.written_prefix() <= 0) || (!cols && sets.cols.written_prefix() <= 0)) return std::nullopt;
    std::string text = rows ? lines("row", output.height(), rows->first, rows->second)
                            : lines("row", output.height(), 0, last_of(sets.rows));
    const std::string more = cols ? lines("column", output.width(), cols->first, cols->second)
                                  : lines("column", output.width(), 0, last_of(sets.cols));
    const bool is_one = sets.rows.count + sets.cols.count == 1;
    if (!text.empty() && !more.empty()) text += " and ";
    return FoundEffect{"start_missing",
                       fmt::format("{}{} of `{{out}}` {} not written", text, more, is_one ? "is" : "are"),
                       "rows and columns begin at 0, and the edge has elements like all others: which threads does the "
                       "test before the store keep out?"};
}

std::string ordinal(std::int64_t n) {
    const std::int64_t last = n % 10, two = n % 100;
    const bool is_teen = two >= 11 && two <= 13;
    return fmt::format("{}{}", n, is_teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// Written lines repeat with a period: a loop over the rows of a tile that is missing or has the wrong step.
std::optional<FoundEffect> recognise_period(const EmptyLines& lines, const char* what) {
    const std::int64_t period = lines.period();
    if (period == 0) return std::nullopt;
    const std::int64_t written = std::count(lines.is_empty.begin(), lines.is_empty.begin() + period, false);
    const std::int64_t prefix = lines.prefix_of(period);
    std::string title;
    if (written == 1)
        title = fmt::format("only every {} {} of `{{out}}` is written", ordinal(period), what);
    else if (prefix == written)
        title = fmt::format("of every {} {}s of `{{out}}`, only the first {} are written", period, what, written);
    else
        title = fmt::format("of every {} {}s of `{{out}}`, {} are never written", period, what, period - written);
    return FoundEffect{written > 1 && prefix == written ? "part_of_each_tile" : "rows_skipped",
                       title,
                       "a thread has to move several elements: loop over the rows of the tile with a step of "
                       "blockDim.y, up to the tile's size",
                       {.period = period, .written = written}};
}

}  // namespace

std::optional<FoundEffect> recognise_region(const MovedOutput& output, const OutputMap& map) {
    const EmptySets sets = empty_sets(output, map);
    const std::int64_t wide = sets.is_exact ? sets.cols.written_prefix() : 0,
                       high = sets.is_exact ? sets.rows.written_prefix() : 0;
    const bool is_corner = wide > 0 && high > 0;
    // The elements that one of `holds` names are those that are written.
    const auto are_written = [&](std::span<const std::vector<Formula>> holds, const std::vector<std::int64_t>& first) {
        std::vector<std::int64_t> values = first;
        values.resize(first.size() + cell_names.size());
        for (std::size_t i = 0; i < map.cells.size(); ++i) {
            values[first.size()] = static_cast<std::int64_t>(i) / output.width();
            values[first.size() + 1] = static_cast<std::int64_t>(i) % output.width();
            const bool is_named = holds.front().front().value(values).value != 0;
            if (is_named != (map.cells[i] != CellState::unwritten)) return false;
        }
        return true;
    };
    if (auto found = find_effect(
            rules(), {scope_of(output, map, is_corner ? high : 0, is_corner ? wide : 0), cell_names, are_written})) {
        const std::string edge = is_corner ? missing_edge(output, wide, high) : "";
        put_names(found->title, edge);
        put_names(found->help, edge);
        return found;
    }
    if (!sets.is_exact) return std::nullopt;
    if (auto start = recognise_missing_start(output, sets)) return start;
    if (sets.rows.count != 0)
        if (auto found = recognise_period(sets.rows, "row")) {
            const std::int64_t tall = sets.rows.period(), broad = sets.cols.count != 0 ? sets.cols.period() : 0;
            if (found->pattern == KnownMistake::part_of_each_tile && broad != 0 && sets.cols.prefix_of(broad) != 0)
                found->title = fmt::format("of every {} x {} elements of `{{out}}`, only the first {} x {} are written",
                                           tall, broad, sets.rows.prefix_of(tall), sets.cols.prefix_of(broad));
            return found;
        }
    if (sets.cols.count != 0) return recognise_period(sets.cols, "column");
    return std::nullopt;
}

}  // namespace warpgrade
