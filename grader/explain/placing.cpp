#include "explain/placing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/counted_elements.hpp"
#include "explain/counted_lines.hpp"
#include "explain/gap_cause.hpp"
#include "explain/launch_cause.hpp"
#include "explain/launcher_lines.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wrong_place.hpp"
#include "problem/known_mistake.hpp"

namespace warpgrade {

namespace {

using Field = std::uint64_t vgpu::Counters::*;

// What is asked for a place, and the message that it is for.
struct Placing {
    const Submitted& text;
    const Observation& seen;
    const Shape& shape;
    const Judgement& judgement;
    Diagnostic& wrong;

    const source::Facts& facts() const { return text.facts; }
    bool is(KnownMistake pattern) const { return judgement.pattern == pattern; }
    // The name of what is read.
    std::string in() const { return seen.layout.empty() ? "" : seen.layout.front().name; }
    SourceMark& mark() const { return wrong.marks.front(); }
    int line_with_most(Field made_of) const { return warpgrade::line_with_most(seen.by_line, made_of); }
    void put_first(SourceMark mark) const { wrong.marks.insert(wrong.marks.begin(), std::move(mark)); }
};

bool is_one_of(MistakePlace place, std::initializer_list<MistakePlace> places) {
    return std::ranges::find(places, place) != places.end();
}

// Where a sum goes wrong, by what is missing or too much in it: at the loads of the input, the steps of the tree, or
// the shuffles.
bool mark_part_of_sum(const Placing& at) {
    const MistakePlace part = at.judgement.place;
    const Field made_of = part == MistakePlace::tree       ? &vgpu::Counters::shared_load_requests
                          : part == MistakePlace::shuffles ? &vgpu::Counters::shuffles
                                                           : &vgpu::Counters::global_load_requests;
    const bool is_of_loads = is_one_of(part, {MistakePlace::loads, MistakePlace::index, MistakePlace::start});
    const bool is_it = is_of_loads || is_one_of(part, {MistakePlace::tree, MistakePlace::shuffles});
    const int line = is_it ? at.line_with_most(made_of) : 0;
    if (line == 0) return false;
    at.mark() = at.text.mark(line);
    const auto made =
        is_of_loads ? variable_of_index(at.facts(), line, at.in(), part == MistakePlace::index) : std::nullopt;
    if (made && part == MistakePlace::index) at.mark() = at.text.mark(made->line);
    if (made && part == MistakePlace::start)
        at.wrong.facts.push_back(fmt::format("`{}` is {}, by line {}", made->name, made->expression, made->line));
    return true;
}

bool mark_atomics(const Placing& at) {
    const int line = at.line_with_most(&vgpu::Counters::global_atomic_operations);
    if (line == 0 || at.judgement.place != MistakePlace::global_atomics) return false;
    at.mark() = at.text.mark(line);
    return true;
}

bool mark_block_size(const Placing& at) {
    if (!at.is(KnownMistake::odd_block) || at.seen.launches.empty()) return false;
    const LaunchInfo& first = at.seen.launches.front();
    const source::Constant* const threads = constant_named(at.facts(), "THREADS");
    const bool is_named = threads != nullptr && std::cmp_equal(*threads->number, first.block.count());
    at.mark() = is_named ? at.text.mark(threads->at.line) : at.text.mark_of(first);
    return true;
}

// The launch that is too small, or the one that gets too little of what it left.
bool mark_launch_at_fault(const Placing& at) {
    const MistakePlace place = at.judgement.place;
    if (!is_one_of(place, {MistakePlace::first_launch, MistakePlace::second_launch, MistakePlace::next_launch}))
        return false;
    const std::size_t which = place == MistakePlace::first_launch ? 0 : 1;
    if (which >= at.seen.launches.size()) return false;
    at.mark() = at.text.mark_of(at.seen.launches[which]);
    const int told = place == MistakePlace::next_launch ? line_of_next_count(at.facts(), at.mark().line) : 0;
    if (told != 0) at.wrong.marks.push_back(at.text.mark(told, "what the next launch is told"));
    if (at.judgement.effect.is_rounded_down) mark_cause_in_text(at.text, at.judgement, at.in(), at.wrong);
    return true;
}

bool mark_kept_variable(const Placing& at) {
    if (!at.is(KnownMistake::stale)) return false;
    const KeptVariable kept = variable_kept(at.facts());
    if (kept.line == 0) return false;
    at.mark() = at.text.mark(kept.changed_line);
    at.wrong.marks.push_back(at.text.mark(kept.line, "kept from call to call"));
    at.wrong.help = say("still_call_before_left", kept.name, kept.changed_line);
    return true;
}

void mark_first_wrong(const Placing& at) {
    if (!at.seen.first_wrong) return;
    const LastStore& store = *at.seen.first_wrong;
    at.mark() = at.judgement.effect.is_of_load ? mark_of_load(store, at.text.path, at.facts(), at.seen.layout)
                                               : mark_of_store(store, at.text.path, at.facts(), at.seen.layout);
    // Set by the launcher, and not added to as it should be.
    const int added = at.line_with_most(&vgpu::Counters::global_atomic_operations);
    if (added != 0 && store.kernel.empty()) at.mark() = at.text.mark(added);
    // What a block adds up was counted before, in its own memory.
    const int counted = at.line_with_most(&vgpu::Counters::shared_atomic_operations);
    if (counted == 0 || at.mark().line == 0 || counted == at.mark().line) return;
    if (at.judgement.place == MistakePlace::shared_atomics)
        at.mark() = at.text.mark(counted, "counted here");
    else
        at.wrong.marks.push_back(at.text.mark(counted, "counted here before"));
}

bool mark_gap_of_stub(const Placing& at) {
    const int gap = at.is(KnownMistake::nothing_written) ? line_of_gap(at.facts()) : 0;
    if (gap != 0) at.mark() = at.text.mark(gap, "still as it was given");
    return gap != 0;
}

bool mark_missing_launch(const Placing& at) {
    if (!at.is(KnownMistake::nothing_written) || !at.seen.launches.empty()) return false;
    if (const auto& all = at.facts().launches; !all.empty())
        at.mark() = at.text.mark(all.front().line, "not reached for this shape");
    const bool has_elements = at.seen.layout.front().elements() != 0;
    const LauncherTest test = test_before_launch(at.facts(), at.mark().line, has_elements);
    if (test.line == 0) return true;
    at.wrong.help = say("kernel_launched_shape_does", test.condition, test.line);
    if (test.line != at.mark().line) at.put_first(at.text.mark(test.line, "the test before it"));
    return true;
}

bool mark_block_shape(const Placing& at) {
    if (at.seen.launches.size() != 1) return false;
    const LaunchInfo& launch = at.seen.launches.front();
    const bool is_output = at.judgement.code == "wrong_output";
    const bool is_it = at.is(KnownMistake::extents_exchanged) ||
                       (at.is(KnownMistake::part_of_each_tile) && is_output && launch.block.x < launch.block.y) ||
                       (at.is(KnownMistake::block_of_one_row) && is_output);
    if (is_it) at.put_first(at.text.mark_of(launch));
    return is_it;
}

bool mark_cause_of_output(const Placing& at) {
    if (at.judgement.code == "wrong_output") mark_cause_in_text(at.text, at.judgement, at.in(), at.wrong);
    return false;
}

// 0: none, or several.
int only_storing_line(const std::vector<vgpu::LineCounters>& by_line) {
    int found = 0;
    for (const vgpu::LineCounters& line : by_line) {
        if (line.counters.global_store_requests == 0) continue;
        if (found != 0) return 0;
        found = line.line;
    }
    return found;
}

// The only name in the declaration of the block that has the value of its height; else that number.
std::string name_of_height(const source::Facts& facts, const LaunchInfo& launch) {
    const source::Launch* const text = launch_at(facts, launch.line);
    const std::string_view block = text == nullptr ? "" : plain_name(*facts.tree, text->block);
    std::set<std::string_view> names;
    for (const source::Definition& one : facts.definitions)
        if (one.name == block && one.type == "dim3") names.merge(names_in(*facts.tree, one.node));
    std::erase_if(names, [&](std::string_view name) {
        const auto known = facts.numbers.find(name);
        return known == facts.numbers.end() || known->second != launch.block.y;
    });
    return names.size() == 1 ? std::string(*names.begin()) : std::to_string(launch.block.y);
}

// Part of each tile is written, in a loop: it is the loop that ends too early, or goes too far in a step.
bool mark_loop(const Placing& at) {
    if (at.seen.launches.size() != 1 || (!at.is(KnownMistake::part_of_each_tile) && !at.is(KnownMistake::rows_skipped)))
        return false;
    const LaunchInfo& launch = at.seen.launches.front();
    const source::Loop* const loop = at.facts().loop_at(only_storing_line(at.seen.by_line));
    const bool goes_on = loop != nullptr && (loop->step_sign == "+=" || loop->step_sign == "++");
    if (!goes_on || launch.block.y == 1 || launch.block.x <= launch.block.y) return false;
    at.mark() = at.text.mark(loop->line, "the loop of the only store");
    const std::int64_t wide = launch.block.x, high = launch.block.y;
    const std::string by = name_of_height(at.facts(), launch);
    const LoopTurns turns = turns_of(at.facts(), loop, wide);
    std::vector<std::int64_t> due;
    for (std::int64_t row = 0; row < wide; row += high) due.push_back(row);
    at.wrong.help = turns.values.empty() || wide % high != 0 || turns.values == due
                        ? say("block_threads_loop_should", wide, high, by)
                        : say("loop_should_take", turns.variable, listed(turns.values), wide, high, listed(due), by);
    return true;
}

// Two launches of one kernel over the same grid, from two lines.
bool mark_same_launches(const Placing& at) {
    const auto& launches = at.seen.launches;
    for (std::size_t i = 1; at.judgement.place == MistakePlace::launches && i < launches.size(); ++i) {
        const LaunchInfo &a = launches[i - 1], &b = launches[i];
        if (a.kernel != b.kernel || a.grid != b.grid || a.block != b.block || a.line == b.line) continue;
        at.wrong.marks = {at.text.mark_of(a), at.text.mark_of(b)};
        at.wrong.help = say("lines_launch_same_them", a.line, b.line);
        break;
    }
    return false;
}

bool mark_store_never_made(const Placing& at) {
    if (at.judgement.code != "not_written") return false;
    const NeverMade never = store_never_made(at.facts(), at.seen.by_line);
    if (never.line != 0) at.wrong.marks = marks_of_never(at.text, never, at.wrong.help);
    return never.line != 0;
}

// The lines where the index is made of blockIdx, for a part that is written because blocks lie too close together.
void mark_index(const Placing& at) {
    const auto& [axis, type, is_of_layers] =
        std::tie(at.judgement.effect.axis, at.judgement.effect.narrow_type, at.judgement.effect.is_of_layers);
    if (const int line = at.judgement.effect.line_of_threads; line != 0) {
        at.mark() = at.text.mark(line);
        return;
    }
    if (axis == 0 && type.empty() && !is_of_layers) return;
    const source::Tree& tree = *at.facts().tree;
    std::set<int> lines;
    if (is_of_layers) lines = lines_that_mention(tree, "blockIdx.z");
    for (const source::Definition& one : at.facts().definitions) {
        const bool is_narrow = !type.empty() && column_of(one.type, type) != 0;
        const bool is_sum = axis != 0 && one.value != source::no_node &&
                            mentions(tree, one.value, std::string("threadIdx.") + axis) &&
                            text_of(tree, one.value).find('+') != std::string_view::npos;
        if (type.empty() ? !is_of_layers && is_sum : is_narrow) lines.insert(one.at.line);
    }
    if (lines.empty() || (lines.size() > 1 && type.empty())) return;
    // The long side is along x or y.
    const bool is_tall = at.shape.extents.size() == 2 && at.shape.extents[0] > at.shape.extents[1];
    const std::set<int> of_side = lines_that_mention(tree, is_tall ? "threadIdx.y" : "threadIdx.x");
    int found = *lines.begin();
    for (const int line : lines)
        if (of_side.contains(line)) found = line;
    at.mark() = at.text.mark(found);
}

bool mark_gap(const Placing& at) {
    if (at.judgement.code != "not_written" || at.seen.launches.size() != 1) return true;
    const LaunchInfo& first = at.seen.launches.front();
    const auto elements = static_cast<std::uint64_t>(at.seen.layout.back().elements());
    const int store = only_storing_line(at.seen.by_line);
    int line = hangs_on_grid(at.judgement, first, elements) ? 0 : store;
    // A test of the number of an element leaves a corner, whatever the grid.
    if (at.is(KnownMistake::only_a_corner) && !gap_cause(at.judgement.pattern, at.facts(), store).help.empty())
        line = store;
    const SourceMark launch = at.text.mark_of(first);
    at.mark() = line == 0 ? launch : at.text.mark(line, "the only store");
    if (const int exit = at.is(KnownMistake::sums_not_combined) ? line_of_return(at.facts(), at.mark().line) : 0;
        exit != 0)
        at.wrong.marks.push_back(at.text.mark(exit, "it ends here, after one launch"));
    const GapCause cause = gap_cause(at.judgement.pattern, at.facts(), line);
    mark_index(at);
    mark_cause_in_text(at.text, at.judgement, at.in(), at.wrong);
    // The grid may be the cause as well.
    if (line != 0 && at.is(KnownMistake::square_corner) && !cause.is_test) at.wrong.marks.push_back(launch);
    if (cause.help.empty()) return true;
    at.wrong.help = cause.help;
    SourceMark test = at.text.mark(cause.line, cause.is_index ? "" : test_label);
    if (cause.line == line)  // one line, one excerpt
        at.mark() = std::move(test);
    else
        at.put_first(std::move(test));
    return true;
}

// A square corner is written, and the test before the store fits its index: then it is the grid whose extents are
// exchanged.
void look_at_corner(const Submitted& text, const Observation& seen, Judgement& judgement) {
    if (judgement.pattern != KnownMistake::square_corner || seen.launches.size() != 1) return;
    if (!gap_cause(judgement.pattern, text.facts, only_storing_line(seen.by_line)).is_launch) return;
    judgement.pattern = name_of(KnownMistake::grid_rows_cols_swapped);
    judgement.effect.is_of_grid = true;
    judgement.is_cause = true;
    judgement.title = say("grid_two_extents_wrong", seen.layout.back().name);
}

// The loop down a tree, after one up, of a tree without a 0 at its root; 0: it is another text.
int line_of_way_without_root(const source::Facts& facts) {
    const auto with_step = [&](std::string_view one, std::string_view other) {
        const auto found = std::ranges::find_if(
            facts.loops, [&](const source::Loop& loop) { return loop.step_sign == one || loop.step_sign == other; });
        return found == facts.loops.end() ? 0 : found->line;
    };
    return first_line_like(facts, "$array[$index] = 0") == 0 && with_step("*=", "<<=") != 0 ? with_step("/=", ">>=")
                                                                                            : 0;
}

}  // namespace

void look_at_text(const Submitted& text, const Observation& seen, Judgement& judgement) {
    const source::Tree& tree = *text.facts.tree;
    look_at_corner(text, seen, judgement);
    // Blocks numbered in x alone, tile by tile, are no grid with two extents.
    if (judgement.pattern == KnownMistake::grid_rows_cols_swapped && lines_that_mention(tree, "blockIdx.y").empty()) {
        judgement.pattern = name_of(KnownMistake::indices_swapped);
        judgement.effect.is_of_grid = false;
        judgement.title = say("row_column_taken_other", seen.layout.back().name);
        judgement.help = say("look_lines_make_row");
    }
    if (judgement.pattern == KnownMistake::diagonal_tiles_only && has_word(tree, "__shared__"))
        judgement.help += say("tile_turned_stored_elsewhere");
    if (const int down = judgement.place == MistakePlace::root ? line_of_way_without_root(text.facts) : 0; down != 0)
        judgement.help = say("before_way_down_last", down);
    if (const auto lost = judgement.effect.lost_of_four; lost && has_word(tree, "float4"))
        judgement.help = say("float_four_elements_last", *lost);
    look_at_launch(judgement, seen.launches, text.facts, seen.layout.back());
    // Of each warp one lane is wrong, and a shuffle leaves that lane its own value.
    const auto lane = judgement.effect.lane;
    const bool is_first = lane == 0;
    const char* shuffle = is_first ? "__shfl_up_sync" : "__shfl_down_sync";
    if (!lane || !has_word(tree, shuffle)) return;
    judgement.help = say("lane_warp_lane_gives", *lane, is_first ? "before" : "after", shuffle);
}

void place(const Submitted& text, const Observation& seen, const Shape& shape, const Judgement& judgement,
           Diagnostic& wrong) {
    const Placing at{text, seen, shape, judgement, wrong};
    using Step = bool (*)(const Placing&);
    for (const Step known : {mark_part_of_sum, mark_atomics, mark_block_size, mark_launch_at_fault, mark_kept_variable})
        if (known(at)) return;
    mark_first_wrong(at);
    for (const Step step : {mark_gap_of_stub, mark_missing_launch, mark_block_shape, mark_cause_of_output, mark_loop,
                            mark_same_launches, mark_store_never_made, mark_gap})
        if (step(at)) return;
}

}  // namespace warpgrade
