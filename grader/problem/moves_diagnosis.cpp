#include "problem/moves_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/parallel.hpp"
#include "problem/compared_output.hpp"
#include "problem/known_mistake.hpp"

namespace warpgrade {

namespace {

// Nothing is unwritten yet.
OutputMap map_of(const MovedOutput& output) {
    const std::uint64_t count = output.out.size() / output.size;
    OutputMap map;
    map.cells.assign(count, CellState::right);
    constexpr std::uint64_t a_piece = 1 << 20, at_a_time = 256;  // one question where all of them are right
    const std::uint64_t pieces = (count + a_piece - 1) / a_piece;
    std::atomic<std::uint64_t> wrong{0};
    for_each_in_parallel(pieces, threads_for(pieces), [&](std::size_t piece) {
        std::uint64_t own = 0;
        const std::uint64_t last = std::min(piece * a_piece + a_piece, count);
        for (std::uint64_t first = piece * a_piece; first < last; first += at_a_time) {
            const std::uint64_t end = std::min(first + at_a_time, last);
            if (output.are_right(first, end - first)) continue;
            for (std::uint64_t i = first; i < end; ++i) {
                if (output.are_right(i, 1)) continue;
                map.cells[i] = CellState::wrong;
                ++own;
            }
        }
        wrong += own;
    });
    map.wrong = wrong;
    return map;
}

// Asks for whole rows first: one question a row where everything was written.
void mark_unwritten(const MovedOutput& output, OutputMap& map) {
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

std::string first_bad(const MovedOutput& output, const OutputMap& map, CellState state) {
    const auto found = std::ranges::find(map.cells, state);
    const std::int64_t index = found - map.cells.begin();
    const Place place{index / output.width(), index % output.width()};
    const auto source = static_cast<std::size_t>(output.expected_source(place.y, place.x));
    const auto name = [&](std::uint64_t i) { return element_name(output.in_layout, i); };
    const std::string here = element_name(output.out_layout, static_cast<std::uint64_t>(index));
    if (state == CellState::unwritten)
        return fmt::format("first not written: {}, where {} belongs", here, name(source));

    const std::byte *is = output.at(place.y, place.x), *due = output.in.data() + source * output.size;
    std::string text = fmt::format("first wrong: {} is {}, expected {} = {}", here, print_of_type(output.type, is, due),
                                   name(source), print_of_type(output.type, due, is));
    if (const auto actual = sources_of(output, std::span(&place, 1)).front())
        text += fmt::format("; it holds {}", name(static_cast<std::uint64_t>(*actual)));
    return text;
}

// What was stored belongs to where nothing was: the lines left out went over those that are there.
bool holds_what_is_missing(const MovedOutput& output, const OutputMap& map) {
    std::vector<Place> places;
    const std::size_t step = map.wrong / 256 + 1;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < map.cells.size(); ++i)
        if (map.cells[i] == CellState::wrong && seen++ % step == 0)
            places.push_back(
                {static_cast<std::int64_t>(i) / output.width(), static_cast<std::int64_t>(i) % output.width()});
    std::size_t fits = 0;
    for (const auto& source : sources_of(output, places)) {
        if (!source) continue;
        const std::int64_t row = *source / output.cols(), col = *source % output.cols();
        const std::int64_t home = output.is_turned ? col * output.width() + row : *source;
        fits += map.cells[static_cast<std::size_t>(home)] == CellState::unwritten ? 1 : 0;
    }
    return 50 * fits >= 49 * places.size();
}

bool is_cause_of_gaps(const std::string& pattern) {
    return pattern == KnownMistake::part_of_each_tile || pattern == KnownMistake::rows_skipped;
}

}  // namespace

bool MovedOutput::holds(std::int64_t y, std::int64_t x, std::int64_t source) const {
    return std::memcmp(at(y, x), in.data() + static_cast<std::size_t>(source) * size, size) == 0;
}

bool MovedOutput::are_right(std::uint64_t first, std::uint64_t count) const {
    return std::memcmp(out.data() + first * size, expected.data() + first * size, count * size) == 0;
}

std::vector<std::optional<std::int64_t>> sources_of(const MovedOutput& output, std::span<const Place> places) {
    std::vector<std::optional<std::int64_t>> all(places.size());
    if (output.size < 4) return all;
    struct Source {
        std::int64_t index = 0, count = 0;
    };
    std::unordered_map<std::string_view, Source> wanted;
    const auto text = [&](const std::byte* bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes), output.size);
    };
    // Most of a large input is none of the few that are wanted, and need not be looked up.
    constexpr std::size_t filter_bits = 18;
    std::vector<bool> may_be(std::size_t{1} << filter_bits);
    const auto bit_of = [](const std::byte* bytes) {
        std::uint32_t word;
        std::memcpy(&word, bytes, sizeof word);
        return word * 0x9E3779B1u >> (32 - filter_bits);
    };
    for (const Place& place : places) {
        const std::byte* bytes = output.at(place.y, place.x);
        wanted.try_emplace(text(bytes));
        may_be[bit_of(bytes)] = true;
    }
    for (std::size_t i = 0; i < output.in.size() / output.size; ++i) {
        const std::byte* bytes = output.in.data() + i * output.size;
        if (!may_be[bit_of(bytes)]) continue;
        const auto found = wanted.find(text(bytes));
        if (found == wanted.end()) continue;
        found->second.index = static_cast<std::int64_t>(i);
        ++found->second.count;
    }
    for (std::size_t p = 0; p < places.size(); ++p) {
        const Source& source = wanted.at(text(output.at(places[p].y, places[p].x)));
        if (source.count == 1) all[p] = source.index;
    }
    return all;
}

namespace {

// The mistake, or words for what is left to see.
FoundEffect mistake_of(const MovedOutput& output, const OutputMap& map) {
    std::optional<FoundEffect> mistake;
    if (map.wrong != 0) mistake = recognise_move(output, map);
    // What was stored says little where it is nobody's value, and rows that are left out by a rule say why.
    const bool is_symptom =
        mistake && (mistake->effect.is_symptom || mistake->pattern == KnownMistake::uninitialized_shared);
    if ((!mistake || is_symptom) && map.unwritten > map.wrong)
        if (auto region = recognise_region(output, map); region && (!is_symptom || is_cause_of_gaps(region->pattern)))
            mistake = region;
    // Where a step of a loop is left out in the index of the store, the last turn stands where the first one was.
    if (mistake &&
        (mistake->pattern == KnownMistake::mixed_within_tile || mistake->pattern == KnownMistake::misplaced) &&
        map.unwritten > map.wrong)
        if (auto region = recognise_region(output, map);
            region && is_cause_of_gaps(region->pattern) && holds_what_is_missing(output, map)) {
            mistake = region;
            mistake->pattern = name_of(KnownMistake::overwritten_lines);
            mistake->help =
                "add the offset of the loop to the index of `{out}`: what belongs to the missing ones was stored over "
                "these";
        }
    if (!mistake) {
        mistake = map.wrong == 0
                      ? FoundEffect{"some_not_written",
                                    fmt::format("some elements of `{}` were not written", output.out_layout.name),
                                    "follow the first of them back: which thread should store it, and what keeps it "
                                    "from doing so?"}
                      : FoundEffect{"scattered", fmt::format("some elements of `{}` are wrong", output.out_layout.name),
                                    "work out by hand which thread writes the first wrong element, and what it reads"};
        mistake->is_general = true;
    }
    return *mistake;
}

}  // namespace

Judgement judge_moved(const MovedOutput& output) {
    const std::uint64_t count = output.out.size() / output.size;
    OutputMap map = map_of(output);
    if (!output.is_written(0, count)) mark_unwritten(output, map);

    const FoundEffect mistake = mistake_of(output, map);
    Judgement judgement =
        judgement_of(map.wrong == 0 ? "not_written" : "wrong_output", mistake.pattern, mistake.title, mistake.help);
    judgement.effect = mistake.effect;
    judgement.place = mistake.place;
    // Of a single line, everything or nothing is missing, whatever the mistake; other shapes tell more.
    const bool is_one_line = std::min(output.rows(), output.cols()) == 1;
    const auto is_pattern = [&](KnownMistake name) { return mistake.pattern == name; };
    judgement.is_recognised = !mistake.is_general && !(is_pattern(KnownMistake::nothing_written) && is_one_line);
    const std::uint64_t prefix = count - map.unwritten;
    if (map.wrong == 0 && std::all_of(map.cells.begin() + static_cast<std::ptrdiff_t>(prefix), map.cells.end(),
                                      [](CellState cell) { return cell == CellState::unwritten; }))
        judgement.written_prefix = prefix;
    // These move an index past the end as well, and are the reason for it.
    judgement.is_cause =
        mistake.is_cause || is_cause_of_gaps(mistake.pattern) || is_pattern(KnownMistake::overwritten_lines);
    if (map.wrong != 0) {
        const auto first = std::ranges::find(map.cells, CellState::wrong) - map.cells.begin();
        judgement.first_wrong = static_cast<std::uint64_t>(first) * output.size;
        judgement.facts.push_back(first_bad(output, map, CellState::wrong));
    }
    if (map.unwritten != 0 && map.unwritten != count)
        judgement.facts.push_back(first_bad(output, map, CellState::unwritten));
    std::string counts =
        fmt::format("{} of {} element{} wrong", map.wrong + map.unwritten, count, count == 1 ? "" : "s");
    if (map.unwritten != 0)
        counts += fmt::format(", {} of them not written",
                              map.unwritten == map.wrong + map.unwritten ? "all" : std::to_string(map.unwritten));
    judgement.facts.push_back(counts);
    if (!mistake.fact.empty()) judgement.facts.push_back(mistake.fact);
    judgement.picture = draw(output, map);
    return judgement;
}

}  // namespace warpgrade
