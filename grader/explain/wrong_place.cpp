#include "explain/wrong_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/stored_text.hpp"
#include "explain/wording.hpp"
#include "explain/wording_place.hpp"
#include "problem/known_mistake.hpp"

namespace warpgrade {

namespace {

// What is read in a loop and stored in the same place, or the other way round: the text says on which side its variable
// is missing.
bool mark_left_out(const Submitted& text, const Judgement& judgement, Diagnostic& wrong) {
    static constexpr std::array of_loop{KnownMistake::rows_repeated, KnownMistake::mixed_within_tile,
                                        KnownMistake::overwritten_lines};
    if (std::ranges::find(of_loop, known_mistake(judgement.pattern)) == of_loop.end()) return false;
    const LeftOut left = variable_left_out(text.facts);
    if (left.line == 0) return false;
    const SourceMark mark = text.mark(left.line, "", left.array);
    if (wrong.marks.front().line == left.line)
        wrong.marks.front() = mark;
    else
        wrong.marks.insert(wrong.marks.begin(), mark);
    wrong.help = say("loop_line_missing_index", left.variable, left.loop_line, left.array, left.line);
    return true;
}

// What is taken from the wrong side of each element comes by way of a tile: the line that fills it.
void mark_line_that_fills(const Submitted& text, const Judgement& judgement, Diagnostic& wrong) {
    if (!judgement.effect.is_around) return;
    for (const std::string_view name : shared_names(text.facts)) {
        const int line = only_line_that_stores(text.facts, name);
        if (line == 0 || line == wrong.marks.front().line) continue;
        wrong.marks.insert(wrong.marks.begin(), text.mark(line, "filled here", std::string(name)));
        return;
    }
}

// `x = ...` behind the barrier, and a y that is still the one before it: what to say of two such lines; "" of others.
std::string help_on_half_anew(const Facts& facts, const std::vector<int>& lines) {
    if (lines.size() != 2) return {};
    const auto set_on = [&](int line) {
        const auto found =
            std::ranges::find_if(facts.definitions, [&](const source::Definition& one) { return one.at.line == line; });
        return found == facts.definitions.end() || found->sign != "=" ? nullptr : &*found;
    };
    const source::Definition *const old = set_on(lines.front()), *const anew = set_on(lines.back());
    const bool has_barrier = std::ranges::any_of(facts.barriers, [&](const auto& barrier) {
        return barrier.line >= lines.front() && barrier.line < lines.back();
    });
    if (!old || !anew || old->name == anew->name || anew->kind != source::DefinitionKind::assigned || !has_barrier)
        return {};
    return say("line_computes_again_after", lines.back(), anew->name, old->name, lines.front());
}

// Where an index is made, for what is stored to, or read from, the wrong place by it.
void mark_lines_of_index(const Submitted& text, const Judgement& judgement, const std::string& in, Diagnostic& wrong) {
    if (mark_left_out(text, judgement, wrong)) return;
    const Facts& facts = text.facts;
    static constexpr std::array of_index{KnownMistake::tile_not_moved,  KnownMistake::diagonal_tiles_only,
                                         KnownMistake::diagonals_only,  KnownMistake::stored_turned,
                                         KnownMistake::indices_swapped, KnownMistake::only_first_block};
    static constexpr std::array of_load{KnownMistake::wrong_step, KnownMistake::neighbouring_row,
                                        KnownMistake::shifted_by_one, KnownMistake::offset_along_row};
    const auto is_one_of = [&](const auto& patterns) {
        return std::ranges::find(patterns, known_mistake(judgement.pattern)) != patterns.end();
    };
    if (is_one_of(of_load)) {
        const int line = only_line_that_reads(facts, in);
        if (line == 0) return;
        if (line != wrong.marks.front().line) wrong.marks.insert(wrong.marks.begin(), text.mark(line, "read here", in));
        if (judgement.pattern != KnownMistake::wrong_step) return;
        // The factor of a row's length is the row.
        const auto accesses = accesses_to(facts, line, in);
        const auto flat = accesses.empty() ? std::nullopt : flat_index(*facts.tree, accesses.front()->indices.front());
        if (!flat) return;
        const bool is_column = judgement.effect.is_of_columns;
        for (const int made : lines_that_bring("threadIdx", facts, line, in))
            for (const source::Definition& set : facts.definitions)
                if (set.at.line == made && mentions(*facts.tree, flat->row, set.name) != is_column)
                    wrong.marks.insert(wrong.marks.begin(), text.mark(made));
        return;
    }
    const SourceMark store = wrong.marks.front();
    if (judgement.effect.lacks_threads) {
        for (const int line : lines_of_index(facts, store.line, stored_array(facts, store.line)))
            if (!lines_that_mention(*facts.tree, "threadIdx").contains(line))
                wrong.marks.insert(wrong.marks.begin(), text.mark(line));
        return;
    }
    if ((!is_one_of(of_index) && !judgement.effect.is_of_place) || store.line == 0) return;
    const std::string_view array = stored_array(facts, store.line);
    // Blocks that take one part of blockIdx for both; threads, or what is computed from both, else.
    const bool is_of_blocks =
        judgement.pattern == KnownMistake::diagonal_tiles_only && lines_that_mention(*facts.tree, "blockIdx.y").empty();
    const auto lines = judgement.pattern == KnownMistake::stored_turned
                           ? lines_of_index(facts, store.line, array)
                           : lines_that_bring(is_of_blocks ? "blockIdx" : "threadIdx", facts, store.line, array);
    if (lines.empty() || lines.size() > 2) return;
    // What the load needs as it is cannot be changed for the store.
    const int load = only_line_that_reads(facts, in);
    if (judgement.pattern == KnownMistake::tile_not_moved && load != 0 && load != store.line && lines.front() < load &&
        lines == lines_that_bring("threadIdx", facts, load, in))
        wrong.help = say("store_load_transposed_tile",
                         lines.size() == 1 ? fmt::format("line {}", lines.front())
                                           : fmt::format("lines {} and {}", lines.front(), lines.back()),
                         lines.size() == 1 ? "computes" : "compute");
    if (std::string help = help_on_half_anew(facts, lines); !help.empty()) wrong.help = std::move(help);
    for (std::size_t i = lines.size(); i-- > 0;) wrong.marks.insert(wrong.marks.begin(), text.mark(lines[i]));
}

// The last tiles have no block, and the text says why.
void mark_floor_divisions(const Submitted& text, const Judgement& judgement, Diagnostic& wrong) {
    if (judgement.pattern != KnownMistake::last_partial_tile_missing && !judgement.effect.is_rounded_down) return;
    const auto divisions = floor_divisions(text.facts);
    if (divisions.empty()) return;
    wrong.help = advice_on_floor(divisions);
    for (std::size_t i = divisions.size(); i-- > 0;)
        wrong.marks.insert(wrong.marks.begin(), mark_of_division(divisions[i], text.path));
}

// The only variable of so few bits.
void mark_narrow_variable(const Submitted& text, const Judgement& judgement, Diagnostic& wrong) {
    const auto bits = judgement.effect.kept_bits;
    if (!bits) return;
    static constexpr std::array of_8{"char", "unsigned char", "signed char", "int8_t", "uint8_t", "uchar"},
        of_16{"short", "unsigned short", "short int", "int16_t", "uint16_t", "ushort"};
    const auto& types = *bits == 8 ? of_8 : of_16;
    const source::Definition* found = nullptr;
    for (const source::Definition& one : text.facts.definitions) {
        if (std::find(types.begin(), types.end(), one.type) == types.end()) continue;
        if (found != nullptr) return;
        found = &one;
    }
    if (found == nullptr) return;
    const int line = found->at.line;
    std::erase_if(wrong.marks, [](const SourceMark& m) { return m.line == 0; });
    wrong.marks.insert(wrong.marks.begin(), text.mark(line));
    wrong.help = say("line_type_keeps_bits", found->name, line, found->type, *bits);
}

}  // namespace

void mark_bound_that_stops_early(const Submitted& text, Judgement& judgement, Diagnostic& wrong) {
    const auto left_out = judgement.effect.left_out;
    if (!left_out) return;
    const ShortBound bound = bound_that_stops_early(text.facts, static_cast<int>(*left_out));
    if (bound.line == 0) return;
    judgement.pattern = "stops_early";
    judgement.is_cause = true;
    const SourceMark mark = text.mark(bound.line);
    std::erase_if(wrong.marks, [&](const SourceMark& m) { return m.line == 0 || m.line == bound.line; });
    wrong.marks.insert(wrong.marks.begin(), mark);
    wrong.help = say("line_stops_too_early", bound.text, bound.line, bound.instead);
}

void mark_cause_in_text(const Submitted& text, const Judgement& judgement, const std::string& in, Diagnostic& wrong) {
    mark_floor_divisions(text, judgement, wrong);
    mark_lines_of_index(text, judgement, in, wrong);
    mark_line_that_fills(text, judgement, wrong);
    mark_narrow_variable(text, judgement, wrong);
}

}  // namespace warpgrade
