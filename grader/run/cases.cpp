#include "run/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/confined.hpp"
#include "course/source_text.hpp"
#include "device/guarded.hpp"
#include "problem/pattern.hpp"
#include "run/counted_elements.hpp"
#include "run/gap_cause.hpp"
#include "run/launch_cause.hpp"
#include "run/launcher_lines.hpp"
#include "run/line_context.hpp"
#include "run/source_names.hpp"
#include "run/sum_text.hpp"
#include "run/wording.hpp"
#include "run/wrong_place.hpp"

namespace warpgrade {

namespace {

using vgpu::FindingKind;

constexpr const char* never_label = "no thread gets past this test";

Verdict verdict_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::timeout:
        case FindingKind::deadlock: return Verdict::timeout;
        case FindingKind::invalid_launch: return Verdict::launch_error;
        default: return Verdict::fault;
    }
}

// The verdict is the first error's of the lowest rank: a refused launch explains what follows it, and races that a
// barrier leaves which not all threads reach are its consequence.
int rank(FindingKind kind) {
    switch (verdict_of(kind)) {
        case Verdict::launch_error: return 0;
        case Verdict::timeout: return 1;
        default: return kind == FindingKind::barrier_divergence ? 2 : 3;
    }
}

struct Found {
    std::vector<Diagnostic> findings;
    Verdict verdict = Verdict::none;  // no error
    std::string detail;
    std::vector<Diagnostic> doubtful;  // no fault if the output is right
};

// A value from a lane outside of the mask is undefined, and harms nobody who does not use it. The virtual GPU gives one
// that spoils what is made of it.
bool harms_who_uses_it(const vgpu::Finding& finding) {
    if (finding.kind == FindingKind::uninitialized) return finding.buffer == vgpu::local_memory;  // parts of a copy
    return finding.kind == FindingKind::inactive_lane && finding.access == vgpu::AccessKind::read &&
           finding.detail.empty();
}

std::vector<vgpu::Finding> all_findings(const DeviceRun& run) {
    std::vector<vgpu::Finding> all = run.plan.findings;
    all.insert(all.end(), run.result.findings.begin(), run.result.findings.end());
    return all;
}

Result<Found> describe_findings(const Bench& bench, const DeviceRun& run, const Case& prepared) {
    Found found;
    const std::vector<LaunchInfo> launches = launches_of(run.plan);
    const std::vector<vgpu::Finding> findings = all_findings(run);
    std::set<std::string> without_bytes;  // kernels
    int lowest = std::numeric_limits<int>::max();
    // What to say of one is looked for in all of the text; the first lines are enough for any reader.
    constexpr int most_of_a_kind = 24;
    std::map<FindingKind, int> described;
    for (const vgpu::Finding& finding : findings) {
        if (++described[finding.kind] > most_of_a_kind) continue;
        // Where no dynamic shared memory was asked for, each line that uses it would say the same.
        if (has_no_dynamic_bytes(finding, launches) && !without_bytes.insert(finding.kernel).second) continue;
        if (finding.kind == FindingKind::uninitialized && sets_bit_field(bench.facts(), finding.place.line)) continue;
        Diagnostic diagnostic = describe(finding, bench.path, bench.facts(), prepared, &launches);
        if (diagnostic.blame != Blame::learner) return diagnostic;
        const bool is_of_buffer = finding.kind == FindingKind::uninitialized &&
                                  finding.access == vgpu::AccessKind::read &&
                                  std::any_of(prepared.layout.begin(), prepared.layout.end(),
                                              [&](const BufferLayout& one) { return one.name == finding.buffer; });
        if (const int never = is_of_buffer ? line_never_reached(bench.facts(), run) : 0; never != 0) {
            diagnostic.marks.push_back(mark_of_line(never, bench.path, bench.source, never_label));
            diagnostic.help =
                fmt::format("the store in line {} is never made: whom is its test to let through?", never);
        }
        // An error if the output is wrong.
        if (finding.kind == FindingKind::uninitialized && finding.detail != "awaits a copy" &&
            !harms_who_uses_it(finding))
            diagnostic.severity = Severity::warning;
        if (harms_who_uses_it(finding)) {
            found.doubtful.push_back(std::move(diagnostic));
            continue;
        }
        if (diagnostic.severity == Severity::error) {
            if (const int own = rank(finding.kind); own < lowest) {
                lowest = own;
                found.verdict = verdict_of(finding.kind);
                const int line = diagnostic.marks.empty() ? finding.place.line : diagnostic.marks.front().line;
                found.detail = line != 0 ? fmt::format("{}, line {}", diagnostic.title, line) : diagnostic.title;
            }
        }
        found.findings.push_back(std::move(diagnostic));
    }
    return found;
}

ObservedRun observed(const DeviceRun& run) {
    const vgpu::Counters& counters = run.result.counters;
    ObservedRun seen;
    for (const LaunchInfo& launch : launches_of(run.plan)) {
        const std::size_t i = seen.launches.size();
        const std::uint64_t longest = i < run.longest_blocks.size() ? run.longest_blocks[i] : 0;
        seen.launches.push_back({launch.grid.count(), launch.block.count(), longest});
    }
    seen.atomic_operations = counters.global_atomic_operations + counters.shared_atomic_operations;
    constexpr std::uint64_t floats_of_a_sector = 32 / sizeof(float);
    seen.stored_floats = counters.global_store_sectors_ideal * floats_of_a_sector;
    return seen;
}

vgpu::RunOptions run_options(const Bench& bench, const CaseOptions& options, vgpu::Budget& budget) {
    vgpu::RunOptions run;
    run.threads = bench.threads;
    run.schedule = options.schedule;
    if (options.shared_poison != 0) run.shared_poison = options.shared_poison;
    run.trace_first_warp = options.trace_first_warp;
    run.check_races = options.checks_races;
    run.old_values_at = options.old_values_at;
    run.drawing_lines = options.drawing_lines;
    run.limits.budget = &budget;
    run.limits.is_time_over = &work_time_is_over();
    run.limits.warp_instructions =
        options.most_warp_instructions != 0 ? options.most_warp_instructions : budget.given();
    return run;
}

// A real GPU's own words: it says neither which thread nor which line.
Diagnostic device_failure(const Bench& bench, const DeviceRun& run, const CaseOptions& options, const Shape& shape) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = run.is_device_timeout ? "timeout" : "gpu_fault";
    diagnostic.title = fmt::format("a kernel that the virtual GPU ran to its end fails {}", options.variant);
    diagnostic.marks.push_back({bench.path, 0, 0, 1, ""});
    diagnostic.facts = {run.device_error, "shape " + describe_case(shape)};
    diagnostic.help = "look for what depends on the order of threads; `compute-sanitizer` may name the line";
    return diagnostic;
}

// Where a sum goes wrong, by what is missing or too much in it: at the loads of the input, the steps of the tree, or
// the shuffles; 0 where the pattern does not say.
int line_of_sum(const std::string& pattern, const DeviceRun& run) {
    using Field = std::uint64_t vgpu::Counters::*;
    struct Part {
        const char* pattern;
        Field made_of;
    };
    static constexpr std::array parts{Part{"first_block_repeated", &vgpu::Counters::global_load_requests},
                                      Part{"blocks_overlap", &vgpu::Counters::global_load_requests},
                                      Part{"blocks_apart", &vgpu::Counters::global_load_requests},
                                      Part{"second_load_beside", &vgpu::Counters::global_load_requests},
                                      Part{"second_load_missing", &vgpu::Counters::global_load_requests},
                                      Part{"first_load_missing", &vgpu::Counters::global_load_requests},
                                      Part{"head_missing", &vgpu::Counters::global_load_requests},
                                      Part{"tail_missing", &vgpu::Counters::global_load_requests},
                                      Part{"tree_incomplete", &vgpu::Counters::shared_load_requests},
                                      Part{"lanes_lost", &vgpu::Counters::shuffles},
                                      Part{"bins_left_out", &vgpu::Counters::global_atomic_operations}};
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return pattern == one.pattern; });
    return part == parts.end() ? 0 : line_with_most(run.result, part->made_of);
}

// 0: none, or several.
int only_storing_line(const DeviceRun& run) {
    int found = 0;
    for (const vgpu::LineCounters& line : run.result.by_line) {
        if (line.counters.global_store_requests == 0) continue;
        if (found != 0) return 0;
        found = line.line;
    }
    return found;
}

// Part of each tile is written, in a loop: it is the loop that ends too early, or goes too far in a step.
bool mark_loop(const Bench& bench, const Judgement& judgement, const LaunchInfo& launch, CaseOutcome& outcome) {
    if (judgement.pattern != "part_of_each_tile" && judgement.pattern != "rows_skipped") return false;
    const source::Loop* const loop = bench.facts().loop_at(only_storing_line(outcome.run));
    const bool goes_on = loop != nullptr && (loop->step_sign == "+=" || loop->step_sign == "++");
    if (!goes_on || launch.block.y == 1 || launch.block.x <= launch.block.y) return false;
    outcome.wrong->marks.front() = mark_of_line(loop->line, bench.path, bench.source, "the loop of the only store");
    outcome.wrong->help = fmt::format(
        "the block is {} x {} threads, so this loop is to go on by {} rows at a time, and over the whole tile: how "
        "often does it turn?",
        launch.block.x, launch.block.y, launch.block.y);
    return true;
}

// The lines where the index is made of blockIdx, for a part that is written because blocks lie too close together.
void mark_index(const Bench& bench, const Judgement& judgement, const Shape& shape, SourceMark& mark) {
    const auto axis = judgement.values.find("axis"), type = judgement.values.find("narrow_type");
    const auto of_threads = judgement.values.find("of_threads");
    if (of_threads != judgement.values.end()) {
        mark = mark_of_line(std::stoi(of_threads->second), bench.path, bench.source, "");
        return;
    }
    const bool is_of_layers = judgement.values.contains("layers");
    if (axis == judgement.values.end() && type == judgement.values.end() && !is_of_layers) return;
    const Facts& facts = bench.facts();
    const Tree& tree = *facts.tree;
    std::set<int> lines;
    if (is_of_layers) lines = lines_that_mention(tree, "blockIdx.z");
    for (const source::Definition& one : facts.definitions) {
        const bool is_narrow = type != judgement.values.end() && column_of(one.type, type->second) != 0;
        const bool is_sum = axis != judgement.values.end() && one.value != no_node &&
                            mentions(tree, one.value, "threadIdx." + axis->second) &&
                            text_of(tree, one.value).find('+') != std::string_view::npos;
        if (type == judgement.values.end() ? !is_of_layers && is_sum : is_narrow) lines.insert(one.at.line);
    }
    if (lines.empty() || (lines.size() > 1 && type == judgement.values.end())) return;
    // The long side is along x or y.
    const bool is_tall = shape.extents.size() == 2 && shape.extents[0] > shape.extents[1];
    const std::set<int> of_side = lines_that_mention(tree, is_tall ? "threadIdx.y" : "threadIdx.x");
    int found = *lines.begin();
    for (const int line : lines)
        if (of_side.contains(line)) found = line;
    mark = mark_of_line(found, bench.path, bench.source, "");
}

// Two launches of one kernel over the same grid, from two lines.
void mark_same_launches(const Bench& bench, const std::vector<LaunchInfo>& launches, CaseOutcome& outcome) {
    for (std::size_t i = 1; i < launches.size(); ++i) {
        const LaunchInfo &a = launches[i - 1], &b = launches[i];
        if (a.kernel != b.kernel || a.grid != b.grid || a.block != b.block || a.line == b.line) continue;
        outcome.wrong->marks = {mark_of_launch(a, bench.path, bench.source),
                                mark_of_launch(b, bench.path, bench.source)};
        outcome.wrong->help = fmt::format("lines {} and {} launch the same: is one of them too many?", a.line, b.line);
        return;
    }
}

// Where to look: at the store of the first wrong element; where none was stored, at the launch that was to do it.
void place(const Bench& bench, const Judgement& judgement, CaseOutcome& outcome) {
    outcome.wrong->marks.reserve(8);  // `mark` stays where it is
    SourceMark& mark = outcome.wrong->marks.front();
    if (const int line = line_of_sum(judgement.pattern, outcome.run); line != 0) {
        mark = mark_of_line(line, bench.path, bench.source, "");
        const bool is_start = judgement.pattern == "first_block_repeated" || judgement.pattern == "blocks_overlap" ||
                              judgement.pattern == "blocks_apart";
        const auto made = variable_of_index(bench.facts(), line, outcome.prepared.layout.front().name, is_start);
        if (made && is_start) mark = mark_of_line(made->line, bench.path, bench.source, "");
        if (made && judgement.pattern == "head_missing")
            outcome.wrong->facts.push_back(
                fmt::format("`{}` is {}, by line {}", made->name, made->expression, made->line));
        return;
    }
    const std::string in = outcome.prepared.layout.empty() ? "" : outcome.prepared.layout.front().name;
    if (const int line = line_with_most(outcome.run.result, &vgpu::Counters::global_atomic_operations);
        line != 0 && judgement.place == MistakePlace::global_atomics) {
        mark = mark_of_line(line, bench.path, bench.source, "");
        return;
    }
    const auto launches = launches_of(outcome.run.plan);
    if (judgement.pattern == "odd_block" && !launches.empty()) {
        mark = mark_of_launch(launches.front(), bench.path, bench.source);
        const source::Constant* const threads = constant_named(bench.facts(), "THREADS");
        if (threads != nullptr && std::cmp_equal(*threads->number, launches.front().block.count()))
            mark = mark_of_line(threads->at.line, bench.path, bench.source, "");
        return;
    }
    // The launch that is too small, or the one that gets too little of what it left.
    const std::size_t which =
        judgement.pattern == "grid_too_small"                                                       ? 0
        : judgement.pattern == "partial_sums_lost" || judgement.pattern == "second_launch_of_input" ? 1
                                                                                                    : launches.size();
    if (which < launches.size()) {
        mark = mark_of_launch(launches[which], bench.path, bench.source);
        if (const int told =
                judgement.pattern == "partial_sums_lost" ? line_of_next_count(bench.facts(), mark.line) : 0;
            told != 0)
            outcome.wrong->marks.push_back(
                mark_of_line(told, bench.path, bench.source, "what the next launch is told"));
        if (judgement.values.contains("is_rounded_down")) mark_cause_in_text(bench, judgement, in, *outcome.wrong);
        return;
    }
    if (judgement.pattern == "stale")
        if (const KeptVariable kept = variable_kept(bench.facts()); kept.line != 0) {
            mark = mark_of_line(kept.changed_line, bench.path, bench.source, "");
            outcome.wrong->marks.push_back(mark_of_line(kept.line, bench.path, bench.source, "kept from call to call"));
            outcome.wrong->help = fmt::format(
                "`{}` still has what the call before left in it, and line {} goes on from there: set it back by the "
                "end of each call",
                kept.name, kept.changed_line);
            return;
        }
    // A sum is stored where it is stored, whatever it was made of.
    const bool is_one_number = !outcome.prepared.layout.empty() && outcome.prepared.layout.back().elements() == 1;
    if (judgement.first_wrong && outcome.run.last_store && (!is_one_number || judgement.pattern == "divided")) {
        const std::uint64_t out = bench.program.address(outcome.prepared.buffers.back());
        if (const auto store = outcome.run.last_store(out + *judgement.first_wrong))
            mark = judgement.values.contains("of_load")
                       ? mark_of_load(*store, bench.path, bench.facts(), outcome.prepared)
                       : mark_of_store(*store, bench.path, bench.facts(), outcome.prepared);
        // Set by the launcher, and not added to as it should be.
        const int added = line_with_most(outcome.run.result, &vgpu::Counters::global_atomic_operations);
        if (added != 0 && mark.label == set_label) mark = mark_of_line(added, bench.path, bench.source, "");
        // What a block adds up was counted before, in its own memory.
        const int counted = line_with_most(outcome.run.result, &vgpu::Counters::shared_atomic_operations);
        if (counted != 0 && mark.line != 0 && counted != mark.line)
            outcome.wrong->marks.push_back(mark_of_line(counted, bench.path, bench.source, "counted here before"));
        if (judgement.place == MistakePlace::shared_atomics && outcome.wrong->marks.size() == 2) {
            outcome.wrong->marks.erase(outcome.wrong->marks.begin());
            outcome.wrong->marks.front().label = "counted here";
        }
    }
    if (const int gap = judgement.pattern == "nothing_written" ? line_of_gap(bench.facts()) : 0; gap != 0) {
        mark = mark_of_line(gap, bench.path, bench.source, "still as it was given");
        return;
    }
    if (judgement.pattern == "nothing_written" && launches.empty()) {
        if (const auto& all = bench.facts().launches; !all.empty())
            mark = mark_of_line(all.front().line, bench.path, bench.source, "not reached for this shape");
        const bool has_elements = outcome.prepared.layout.front().elements() != 0;
        if (const LauncherTest test = test_before_launch(bench.facts(), mark.line, has_elements); test.line != 0) {
            outcome.wrong->help =
                fmt::format("no kernel was launched for this shape: does `{}` in line {} keep it from the <<< >>>?",
                            test.condition, test.line);
            if (test.line != mark.line)
                outcome.wrong->marks.insert(outcome.wrong->marks.begin(),
                                            mark_of_line(test.line, bench.path, bench.source, "the test before it"));
        }
        return;
    }
    if ((judgement.pattern == "extents_exchanged" ||
         (judgement.pattern == "part_of_each_tile" && judgement.code == "wrong_output" && launches.size() == 1 &&
          launches.front().block.x < launches.front().block.y) ||
         (judgement.pattern == "block_of_one_row" && judgement.code == "wrong_output")) &&
        launches.size() == 1) {
        const SourceMark launch = mark_of_launch(launches.front(), bench.path, bench.source);
        outcome.wrong->marks.insert(outcome.wrong->marks.begin(), launch);
        return;
    }
    if (judgement.code == "wrong_output") mark_cause_in_text(bench, judgement, in, *outcome.wrong);
    if (launches.size() == 1 && mark_loop(bench, judgement, launches.front(), outcome)) return;
    if (judgement.place == MistakePlace::launches) mark_same_launches(bench, launches, outcome);
    if (const int never = judgement.code == "not_written" ? line_never_reached(bench.facts(), outcome.run) : 0;
        never != 0) {
        mark = mark_of_line(never, bench.path, bench.source, never_label);
        outcome.wrong->help =
            fmt::format("the store in line {} is never made: whom is its test to let through?", never);
        return;
    }
    if (judgement.pattern == "nothing_written" && launches.empty())
        if (const int exit = line_of_return(bench.facts(), line_of_launcher(bench.facts())); exit != 0) {
            mark = mark_of_line(exit, bench.path, bench.source, "");
            outcome.wrong->help =
                fmt::format("line {} returns before anything is stored: what is to be in `{}` for this shape?", exit,
                            outcome.prepared.layout.back().name);
            return;
        }
    if (judgement.code != "not_written" || launches.size() != 1) return;
    const auto elements = static_cast<std::uint64_t>(outcome.prepared.layout.back().elements());
    int line = hangs_on_grid(judgement, launches.front(), elements) ? 0 : only_storing_line(outcome.run);
    // A test of the number of an element leaves a corner, whatever the grid.
    if (const int store = only_storing_line(outcome.run);
        judgement.pattern == "only_a_corner" && !gap_cause(judgement.pattern, bench.facts(), store).help.empty())
        line = store;
    const SourceMark launch = mark_of_launch(launches.front(), bench.path, bench.source);
    mark = line == 0 ? launch : mark_of_line(line, bench.path, bench.source, "the only store");
    if (const int exit = judgement.pattern == "sums_not_combined" ? line_of_return(bench.facts(), mark.line) : 0;
        exit != 0)
        outcome.wrong->marks.push_back(mark_of_line(exit, bench.path, bench.source, "it ends here, after one launch"));
    const GapCause cause = gap_cause(judgement.pattern, bench.facts(), line);
    mark_index(bench, judgement, outcome.result.shape, mark);
    std::vector<SourceMark>& marks = outcome.wrong->marks;
    mark_cause_in_text(bench, judgement, in, *outcome.wrong);
    // The grid may be the cause as well.
    if (line != 0 && judgement.pattern == "square_corner" && !cause.is_test) marks.push_back(launch);
    if (cause.help.empty()) return;
    outcome.wrong->help = cause.help;
    const SourceMark test = mark_of_line(cause.line, bench.path, bench.source, cause.is_index ? "" : test_label);
    if (cause.line == line)  // one line, one excerpt
        marks.front() = test;
    else
        marks.insert(marks.begin(), test);
}

// A square corner is written, and the test before the store fits its index: then it is the grid whose extents are
// exchanged.
void look_at_corner(const Bench& bench, const CaseOutcome& outcome, Judgement& judgement) {
    if (judgement.pattern != "square_corner" || launches_of(outcome.run.plan).size() != 1) return;
    if (!gap_cause(judgement.pattern, bench.facts(), only_storing_line(outcome.run)).is_launch) return;
    judgement.pattern = "grid_rows_cols_swapped";
    judgement.is_cause = true;
    judgement.title = fmt::format("the grid has its two extents the wrong way round: part of `{}` has no block",
                                  outcome.prepared.layout.back().name);
}

// What the launches and the text of the kernel say of it.
void look_at_text(const Bench& bench, const CaseOutcome& outcome, Judgement& judgement) {
    look_at_corner(bench, outcome, judgement);
    // Blocks numbered in x alone, tile by tile, are no grid with two extents.
    if (judgement.pattern == "grid_rows_cols_swapped" &&
        lines_that_mention(*bench.facts().tree, "blockIdx.y").empty()) {
        judgement.pattern = "indices_swapped";
        judgement.title = fmt::format("row and column are taken for each other: part of `{}` has no thread",
                                      outcome.prepared.layout.back().name);
        judgement.help =
            "look at the lines that make the row and the column: what comes from threadIdx.x and from the number of "
            "the tile along a row has to go along a row of the matrix";
    }
    if (judgement.pattern == "diagonal_tiles_only" && has_word(*bench.facts().tree, "__shared__"))
        judgement.help += ". A tile that is turned is stored elsewhere than it was read: both are computed anew for it";
    // Up a tree and down again, without a 0 at its root.
    const auto has_step = [&](std::string_view one, std::string_view other) {
        const auto& loops = bench.facts().loops;
        return std::any_of(loops.begin(), loops.end(),
                           [&](const source::Loop& loop) { return loop.step_sign == one || loop.step_sign == other; });
    };
    if (judgement.place == MistakePlace::root && first_line_like(bench.facts(), "$array[$index] = 0") == 0 &&
        has_step("*=", "<<=") && has_step("/=", ">>="))
        judgement.help =
            "before the way down the last element of the tree, its root, has to be 0: what is before all of it is "
            "nothing";
    const auto lost = judgement.values.find("lost");
    if (lost != judgement.values.end() && has_word(*bench.facts().tree, "float4"))
        judgement.help = fmt::format(
            "a float4 has four elements: the last {0}, n % 4, fill none, and need loads of their own", lost->second);
    look_at_launch(judgement, launches_of(outcome.run.plan), bench.facts(), outcome.prepared.layout.back());
    // Of each warp one lane is wrong, and a shuffle leaves that lane its own value.
    const auto lane = judgement.values.find("lane");
    const bool is_first = lane != judgement.values.end() && lane->second == "0";
    const char* shuffle = is_first ? "__shfl_up_sync" : "__shfl_down_sync";
    if (lane == judgement.values.end() || !has_word(*bench.facts().tree, shuffle)) return;
    judgement.help = fmt::format(
        "lane {} of a warp has no lane {} it: {} gives it its own value back, and its neighbour has to come from "
        "memory",
        lane->second, is_first ? "before" : "behind", shuffle);
}

Status judge_into(const Bench& bench, bool names_lines, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement) return judgement.error();
    if (!judgement->is_right && names_lines) look_at_text(bench, outcome, *judgement);
    if (judgement->is_right) {
        outcome.result.verdict = Verdict::pass;
        return Nothing{};
    }
    outcome.result.verdict = Verdict::wrong;
    outcome.result.detail = judgement->title;
    for (Diagnostic& finding : outcome.findings)
        if (finding.code == to_string(FindingKind::uninitialized)) finding.severity = Severity::error;
    outcome.wrong = describe(*judgement, bench.path, outcome.prepared);
    if (names_lines) place(bench, *judgement, outcome);
    mark_bound_that_stops_early(bench, *judgement, *outcome.wrong);
    if (!outcome.result.variant.empty()) outcome.wrong->facts.push_back(outcome.result.variant);
    outcome.result.judgement = std::move(*judgement);
    return Nothing{};
}

// A fault is often the consequence of what the output shows: an index of the wrong row length leaves the buffer as
// well.
Status name_cause_into(const Bench& bench, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement) return judgement.error();
    if (judgement->is_right || !judgement->is_cause) return Nothing{};
    look_at_text(bench, outcome, *judgement);
    outcome.wrong = describe(*judgement, bench.path, outcome.prepared);
    place(bench, *judgement, outcome);
    if (!outcome.result.variant.empty()) outcome.wrong->facts.push_back(outcome.result.variant);
    outcome.result.judgement = std::move(*judgement);
    return Nothing{};
}

using Contents = std::vector<std::vector<std::byte>>;
Result<Contents> contents_of(const Bench& bench, const Case& prepared) {
    Contents all;
    for (const int buffer : prepared.buffers) {
        if (auto status = bench.program.download(buffer); !status) return status.error();
        const auto bytes = bench.program.bytes(buffer);
        all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}

// Spoils what a run changed, so that the next one has to do all of it again.
Status spoil_results(const Bench& bench, const Case& prepared, const Contents& before) {
    constexpr std::uint32_t spoiled = 0x7FA5A5A5u;  // a NaN
    const auto after = contents_of(bench, prepared);
    if (!after) return after.error();
    for (std::size_t i = 0; i < before.size(); ++i)
        if ((*after)[i] != before[i]) bench.program.poison(prepared.buffers[i], spoiled);
    return Nothing{};
}

}  // namespace

std::uint64_t contents_seed(std::uint64_t seed, const Shape& shape) {
    std::uint64_t hash = hash_of(seed, 0xCA5E);
    for (const std::int64_t extent : shape.extents) hash = hash_of(hash, static_cast<std::uint64_t>(extent));
    for (const char c : shape.type + "/" + shape.contents) hash = hash_of(hash, static_cast<unsigned char>(c));
    return hash;
}

std::vector<LaunchInfo> launches_of(const LaunchPlan& plan) {
    std::vector<LaunchInfo> launches;
    for (const PlannedStep& step : plan.steps)
        if (const auto* launch = std::get_if<PlannedLaunch>(&step))
            launches.push_back({launch->display_name, launch->launch.grid, launch->launch.block,
                                launch->launch.dynamic_shared_bytes, launch->line});
    return launches;
}

namespace {

bool is_out_of_time(const DeviceRun& run) {
    const auto all = all_findings(run);
    return std::any_of(all.begin(), all.end(), [](const vgpu::Finding& f) { return f.detail == "time"; });
}

// Says in the outcome whether anything further is to be run. A loop without an end is one on every shape; what is only
// slow may be quick enough on the next.
void look_whether_it_stops(const Bench& bench, CaseOutcome& outcome) {
    if (outcome.result.verdict != Verdict::timeout) return;
    const std::string shape = describe_case(outcome.result.shape);
    const auto is_endless = [](const vgpu::Finding& f) {
        return f.is_waiting() ||
               (f.kind == FindingKind::timeout && (f.is_endless || f.detail == "recursion" || f.detail == "launches"));
    };
    const auto all = all_findings(outcome.run);
    if (outcome.run.is_device_timeout || std::any_of(all.begin(), all.end(), is_endless))
        outcome.stops = "the submission did not end on " + shape;
    else if (is_out_of_time(outcome.run))
        outcome.stops = "the processor time of a check was over on " + shape;
    else if ((outcome.is_check_spent = bench.budget != nullptr && bench.budget->is_spent()))
        outcome.stops = "a check does no more work than was done up to " + shape;
}

}  // namespace

// A single thread that does everything takes some 12 instructions an element; a matrix of one column keeps 1 lane of 32
// busy. Both fit; an endless loop on a small shape ends within half a second.
std::uint64_t work_of_case(std::uint64_t elements) { return (std::uint64_t{32} << 20) + 192 * elements; }

std::uint64_t most_work_of_case(std::uint64_t elements) {
    // A block of 256 threads for each of 2 million rows fits; more would be a long wait.
    constexpr std::uint64_t enough = 720'000'000;
    const std::uint64_t usual = work_of_case(elements);
    return std::max(usual, std::min(usual + usual / 2, enough));
}

namespace {

void set_back(const Bench& bench, const CaseOptions& options) {
    if (options.set_back.empty()) return;
    for (const DeviceProgram::Variable& variable : bench.program.changed_variables())
        if (variable.name == options.set_back) bench.program.set_back(variable);
}

// What was read too early spoils the output in ways that look like something else.
bool reads_before_copy(const DeviceRun& run) {
    const auto all = all_findings(run);
    return std::any_of(all.begin(), all.end(), [](const vgpu::Finding& f) { return f.detail == "awaits a copy"; });
}

// Null, where what comes of it hangs on the order of blocks and several threads ran them.
Result<std::optional<CaseOutcome>> try_case(const Bench& bench, const Shape& shape, const CaseOptions& options) {
    CaseOutcome outcome;
    outcome.result.shape = shape;
    outcome.result.variant = options.variant;
    bench.program.release_all();
    auto prepared = bench.problem.prepare(bench.program, shape, contents_seed(bench.seed, shape));
    if (!prepared) return prepared.error();
    outcome.prepared = std::move(*prepared);
    outcome.prepared.variant = options.variant;
    const std::string& launcher = bench.launchers.at(shape.type);
    const std::uint64_t most = std::max(work_of_case(bench.problem.elements(shape)), options.most_warp_instructions);
    std::vector<int> outputs;
    for (std::size_t i = 0; i < outcome.prepared.layout.size(); ++i)
        if (outcome.prepared.layout[i].role == BufferRole::out) outputs.push_back(outcome.prepared.buffers[i]);
    const auto run_on = [&](std::span<const std::vector<std::byte>> arguments, bool is_judged = false) {
        vgpu::Budget own(most, bench.budget);
        vgpu::RunOptions how = run_options(bench, options, own);
        if (is_judged && options.finds_needed) how.outputs = &outputs;
        auto run = bench.program.run(launcher, arguments, how);
        outcome.work += own.spent();
        return run;
    };
    if (!outcome.prepared.previous_arguments.empty()) {
        const auto before = run_on(outcome.prepared.previous_arguments);
        if (!before) return before.error();
        if (before->result.hangs_on_order) return std::optional<CaseOutcome>();
        set_back(bench, options);
        for (DeviceProgram::Variable& variable : bench.program.changed_variables()) {
            const auto store = before->last_store ? before->last_store(variable.address) : std::nullopt;
            outcome.left_changed.emplace_back(std::move(variable), store ? store->place.line : 0);
        }
    }
    std::optional<Contents> contents;
    if (!outcome.prepared.previous_arguments.empty()) {
        auto now = contents_of(bench, outcome.prepared);
        if (!now) return now.error();
        contents = std::move(*now);
    }
    auto run = run_on(outcome.prepared.arguments, true);
    if (!run) return run.error();
    if (run->result.hangs_on_order) return std::optional<CaseOutcome>();
    outcome.run = std::move(*run);
    outcome.prepared.observed = observed(outcome.run);
    auto found = describe_findings(bench, outcome.run, outcome.prepared);
    if (!found) return found.error();
    outcome.findings = std::move(found->findings);
    if (options.variant.starts_with("THREADS="))
        for (Diagnostic& finding : outcome.findings) finding.facts.push_back("compiled with -D" + options.variant);
    const auto add_doubtful = [&] {
        outcome.findings.insert(outcome.findings.end(), found->doubtful.begin(), found->doubtful.end());
    };
    if (found->verdict != Verdict::none) {
        // What would have come of what was read is not known where the time of the check has ended the launch.
        if (!is_out_of_time(outcome.run)) add_doubtful();
        outcome.result.verdict = found->verdict;
        outcome.result.detail = found->detail;
        look_whether_it_stops(bench, outcome);
        if (found->verdict != Verdict::fault || !options.names_lines || !outcome.run.device_error.empty() ||
            reads_before_copy(outcome.run))
            return std::optional(std::move(outcome));
        if (auto status = name_cause_into(bench, outcome); !status) return status.error();
        return std::optional(std::move(outcome));
    }
    if (!outcome.run.device_error.empty()) {
        outcome.result.verdict = outcome.run.is_device_timeout ? Verdict::timeout : Verdict::fault;
        outcome.result.detail = outcome.run.device_error;
        look_whether_it_stops(bench, outcome);
        outcome.findings.push_back(device_failure(bench, outcome.run, options, shape));
        return std::optional(std::move(outcome));
    }
    if (options.counted) {
        outcome.prepared.observed.atomic_operations = options.counted->atomic_operations;
        outcome.prepared.observed.stored_floats = options.counted->stored_floats;
        const auto& counted = options.counted->launches;
        auto& launches = outcome.prepared.observed.launches;
        for (std::size_t i = 0; i < std::min(launches.size(), counted.size()); ++i)
            launches[i].longest_block = counted[i].longest_block;
    }
    if (auto status = judge_into(bench, options.names_lines, outcome); !status) return status.error();
    if (outcome.passed() && contents) {
        // A third call, with the arguments of the second one: who remembers them, or counts calls, is found out.
        if (auto status = spoil_results(bench, outcome.prepared, *contents); !status) return status.error();
        set_back(bench, options);
        const auto again = run_on(outcome.prepared.arguments);
        if (!again) return again.error();
        if (again->result.hangs_on_order) return std::optional<CaseOutcome>();
        outcome.run.last_store = nullptr;  // of the second call
        if (auto status = judge_into(bench, options.names_lines, outcome); !status) return status.error();
    }
    if (!outcome.passed()) {
        for (Diagnostic& finding : found->doubtful)
            (finding.code == "uninitialized" ? outcome.of_unset_locals : outcome.findings)
                .push_back(std::move(finding));
    }
    return std::optional(std::move(outcome));
}

// A copy of a whole structure reads bytes that nobody stored, and harms nobody: with anything else in them the same
// comes out, wrong as it is.
Result<CaseOutcome> with_other_garbage(const Bench& bench, const Shape& shape, CaseOptions options,
                                       CaseOutcome outcome) {
    constexpr std::uint32_t other_garbage = 0x4B17A5C3u;  // about 9.9 million
    const auto output_of = [&](const CaseOutcome& of) -> Result<std::vector<std::byte>> {
        auto contents = contents_of(bench, of.prepared);
        if (!contents) return contents.error();
        return std::move(contents->back());
    };
    const auto first = output_of(outcome);
    if (!first) return first.error();
    options.shared_poison = other_garbage;
    auto again = try_case(bench, shape, options);
    if (!again) return again.error();
    if (!*again) return outcome;
    const auto second = output_of(**again);
    if (!second) return second.error();
    if (*first != *second || (*again)->result.verdict != outcome.result.verdict)
        (*again)->findings.insert((*again)->findings.end(), (*again)->of_unset_locals.begin(),
                                  (*again)->of_unset_locals.end());
    return std::move(**again);
}

// Wrong in a call that is not the first: if it comes out right with one __device__ variable set back to what it begins
// with, that is what the call before should have done.
Result<CaseOutcome> with_variables_set_back(const Bench& bench, const Shape& shape, CaseOptions options,
                                            CaseOutcome outcome) {
    constexpr std::size_t most_tries = 4;
    Bench apart = bench;
    apart.budget = nullptr;
    for (std::size_t i = 0; i < std::min(most_tries, outcome.left_changed.size()); ++i) {
        const auto& [variable, line] = outcome.left_changed[i];
        options.set_back = variable.name;
        auto again = try_case(apart, shape, options);
        if (!again) return again.error();
        if (!*again || !(*again)->passed()) continue;
        outcome.wrong->facts.push_back(
            fmt::format("`{}` is not what it is in the first call: the call before has left it so; set back to that, "
                        "this call is right",
                        variable.display_name));
        outcome.wrong->help = fmt::format(
            "every call has to find `{0}` as the first one did: who is the last to use it sets it back, or the "
            "launcher does, before the launch",
            variable.display_name);
        SourceMark& mark = outcome.wrong->marks.front();
        if (mark.line != 0) break;
        const auto& all = bench.facts().definitions;
        const auto known = std::find_if(all.begin(), all.end(), [&](const source::Definition& one) {
            return one.name == variable.display_name && one.around.function < 0;
        });
        const int declared = known == all.end() ? 0 : known->at.line;
        if (line != 0)
            mark = mark_of_line(line, bench.path, bench.source, fmt::format("changes `{}`", variable.display_name));
        else if (declared != 0)
            mark = mark_of_line(declared, bench.path, bench.source, "keeps its value from call to call");
        break;
    }
    return outcome;
}

// A right outcome, unless a load that nothing orders gets what it may have got instead, and all comes out wrong.
Result<CaseOutcome> with_old_values(const Bench& bench, const Shape& shape, CaseOptions options, CaseOutcome outcome) {
    constexpr std::size_t most_tries = 4;
    Bench apart = bench;
    apart.budget = nullptr;
    const std::vector<vgpu::SourceSite> sites = outcome.run.result.may_be_old;
    for (std::size_t i = 0; i < std::min(most_tries, sites.size()); ++i) {
        options.old_values_at = sites[i];
        auto again = try_case(apart, shape, options);
        // All blocks at once may want more memory than there is: then nothing is known of it.
        if (!again && is_out_of_memory(again.error())) continue;
        if (!again) return again.error();
        if (!*again || !(*again)->run.result.old_value) continue;
        const Verdict verdict = (*again)->result.verdict;
        if (verdict == Verdict::pass) continue;
        const std::vector<LaunchInfo> launches = launches_of(outcome.run.plan);
        Diagnostic finding =
            describe(*(*again)->run.result.old_value, bench.path, bench.facts(), outcome.prepared, &launches);
        // Words that nobody has stored in this call say it more directly: whoever reads them counts on the call before,
        // or on who comes first.
        const auto unwritten = std::find_if((*again)->findings.begin(), (*again)->findings.end(), [](const auto& one) {
            return one.code == to_string(FindingKind::uninitialized);
        });
        if (unwritten != (*again)->findings.end()) {
            finding = *unwritten;
            finding.help =
                "clear what blocks tell each other by before every launch: cudaMemsetAsync, or a launch before";
        }
        const bool is_held_back = (*again)->run.result.old_value->is_held_back;
        finding.facts.push_back(fmt::format("run with {}, {}",
                                            is_held_back
                                                ? "each block held back behind its count, the last one going on first"
                                                : "what was there before in place of what this line reads",
                                            verdict == Verdict::timeout ? "the kernel does not end"
                                            : verdict == Verdict::wrong ? "the result is wrong"
                                                                        : "threads get into each other's way"));
        outcome.result.verdict = Verdict::fault;
        if (outcome.result.detail.empty())
            outcome.result.detail = fmt::format("{}, line {}", finding.title, sites[i].line);
        outcome.findings.push_back(std::move(finding));
        for (Diagnostic& race : (*again)->findings)
            if (race.code == to_string(FindingKind::race_global)) outcome.findings.push_back(std::move(race));
    }
    return outcome;
}

}  // namespace

Result<CaseOutcome> run_case(const Bench& bench, const Shape& shape, const CaseOptions& options) {
    const std::optional<vgpu::Budget> before = bench.budget != nullptr ? std::optional(*bench.budget) : std::nullopt;
    auto tried = try_case(bench, shape, options);
    if (tried && !*tried) {
        if (before) *bench.budget = *before;
        Bench in_order = bench;
        in_order.threads = 1;
        tried = try_case(in_order, shape, options);
    }
    if (!tried) return tried.error();
    if (options.tries_old_values && (*tried)->passed())
        return with_old_values(bench, shape, options, std::move(**tried));
    if ((*tried)->wrong && !(*tried)->left_changed.empty() && (*tried)->result.verdict == Verdict::wrong)
        return with_variables_set_back(bench, shape, options, std::move(**tried));
    if ((*tried)->of_unset_locals.empty()) return std::move(**tried);
    return with_other_garbage(bench, shape, options, std::move(**tried));
}

}  // namespace warpgrade
