#include "problem/transpose_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpgrade {

namespace {

// Asks for whole rows first: one question a row where everything was written.
void mark_unwritten(const TransposeOutput& output, OutputMap& map) {
    const auto width = static_cast<std::uint64_t>(output.width());
    for (std::uint64_t first = 0; first < map.cells.size(); first += width) {
        if (output.is_written(first, width)) continue;
        for (std::uint64_t i = first; i < first + width; ++i) {
            if (output.is_written(i, 1)) continue;
            if (map.cells[i] == CellState::wrong) --map.wrong;
            map.cells[i] = CellState::unwritten;
            ++map.unwritten;
        }
    }
}

std::string element_name(const char* buffer, std::int64_t row, std::int64_t col) {
    return fmt::format("{}[{}][{}]", buffer, row, col);
}

std::string first_bad(const TransposeOutput& output, const OutputMap& map, CellState state) {
    const auto found = std::find(map.cells.begin(), map.cells.end(), state);
    const std::int64_t index = found - map.cells.begin();
    const std::int64_t y = index / output.width(), x = index % output.width();
    const std::int64_t source = output.expected_source(y, x);
    const auto name = [&](std::int64_t i) { return element_name("in", i / output.cols, i % output.cols); };
    if (state == CellState::unwritten)
        return fmt::format("first not written: {}, where {} belongs", element_name("out", y, x), name(source));

    const ElementType type = output.pattern.type();
    const ElementBytes expected = output.pattern.element(static_cast<std::uint64_t>(source));
    std::string text = fmt::format("first wrong: {} is {}, expected {} = {}", element_name("out", y, x),
                                   print_element(type, output.at(y, x), expected.data()), name(source),
                                   print_element(type, expected.data(), output.at(y, x)));
    const auto count = static_cast<std::uint64_t>(output.rows * output.cols);
    if (const auto actual = output.pattern.source_of(output.at(y, x), count))
        text += fmt::format("; it holds {}", name(static_cast<std::int64_t>(*actual)));
    return text;
}

bool is_cause_of_gaps(const std::string& pattern) { return pattern == "part_of_each_tile" || pattern == "rows_skipped"; }

}  // namespace

bool TransposeOutput::holds(std::int64_t y, std::int64_t x, std::int64_t source) const {
    const ElementBytes element = pattern.element(static_cast<std::uint64_t>(source));
    return std::memcmp(at(y, x), element.data(), static_cast<std::size_t>(pattern.element_bytes())) == 0;
}

Judgement judge_transpose(const TransposeOutput& output) {
    const auto count = static_cast<std::uint64_t>(output.rows * output.cols);
    std::uint64_t differing = 0;
    output.pattern.compare(output.out, static_cast<std::uint64_t>(output.rows), static_cast<std::uint64_t>(output.cols),
                           output.is_transposed, [&](std::uint64_t) { ++differing; });
    Judgement judgement;
    // A small type's poison may look like the right value, so that every byte must have been written besides.
    if (differing == 0 && (count == 0 || output.is_written(0, count))) {
        judgement.is_right = true;
        return judgement;
    }

    OutputMap map;
    map.cells.assign(count, CellState::right);
    output.pattern.compare(output.out, static_cast<std::uint64_t>(output.rows), static_cast<std::uint64_t>(output.cols),
                           output.is_transposed, [&](std::uint64_t i) { map.cells[i] = CellState::wrong; });
    map.wrong = differing;
    if (!output.is_written(0, count)) mark_unwritten(output, map);

    std::optional<Recognised> mistake;
    if (map.wrong != 0) mistake = recognise_move(output, map);
    // What was stored says little where it is nobody's value, and rows that are left out by a rule say why.
    const bool is_symptom = mistake && (mistake->pattern == "uninitialized_shared" || mistake->pattern == "zeros" ||
                                        mistake->pattern == "not_a_number" || mistake->pattern == "constant");
    if ((!mistake || is_symptom) && map.unwritten > map.wrong)
        if (auto region = recognise_region(output, map); region && (!is_symptom || is_cause_of_gaps(region->pattern))) mistake = region;
    judgement.code = map.wrong == 0 ? "not_written" : "wrong_output";
    if (!mistake) {
        mistake = map.wrong == 0
                      ? Recognised{"some_not_written", "some elements of `out` were not written",
                                   "follow the first of them back: which thread should store it, and what keeps it "
                                   "from doing so?"}
                      : Recognised{"scattered", "some elements of `out` are wrong",
                                   "work out by hand which thread writes the first wrong element, and what it reads"};
    }
    // Of a single line, everything or nothing is missing, whatever the mistake; other shapes tell more.
    const bool is_one_line = std::min(output.rows, output.cols) == 1;
    const auto is_pattern = [&](std::string_view name) { return mistake->pattern == name; };
    judgement.is_recognised = !is_pattern("some_not_written") && !is_pattern("scattered") &&
                              !is_pattern("last_line_or_tile_missing") && !is_pattern("square_corner") &&
                              !(is_pattern("nothing_written") && is_one_line);
    judgement.pattern = mistake->pattern;
    judgement.title = mistake->title;
    judgement.help = mistake->help;
    if (map.wrong != 0) {
        const auto first = std::find(map.cells.begin(), map.cells.end(), CellState::wrong) - map.cells.begin();
        judgement.first_wrong = static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(output.pattern.element_bytes());
        judgement.facts.push_back(first_bad(output, map, CellState::wrong));
    }
    if (map.unwritten != 0 && map.unwritten != count)
        judgement.facts.push_back(first_bad(output, map, CellState::unwritten));
    std::string counts = fmt::format("{} of {} elements wrong", map.wrong + map.unwritten, count);
    if (map.unwritten != 0)
        counts += fmt::format(", {} of them not written",
                              map.unwritten == map.wrong + map.unwritten ? "all" : std::to_string(map.unwritten));
    judgement.facts.push_back(counts);
    judgement.picture = draw(output, map);
    return judgement;
}

}  // namespace warpgrade
