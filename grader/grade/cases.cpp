#include "grade/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "grade/counted_elements.hpp"
#include "grade/source_text.hpp"
#include "grade/wording.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

namespace {

using vgpu::FindingKind;

// A single thread that does everything takes some 12 instructions an element; a matrix of one column keeps 1 lane of 32
// busy. Both fit; an endless loop on a small shape ends within half a second.
std::uint64_t budget_for(std::uint64_t elements) { return (std::uint64_t{32} << 20) + 192 * elements; }

Verdict verdict_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::timeout:
        case FindingKind::deadlock: return Verdict::timeout;
        case FindingKind::invalid_launch: return Verdict::launch_error;
        default: return Verdict::fault;
    }
}

// The verdict is the first error's, but a refused launch explains what follows it.
int rank(Verdict verdict) { return verdict == Verdict::launch_error ? 0 : verdict == Verdict::timeout ? 1 : 2; }

struct Found {
    std::vector<Diagnostic> findings;
    Verdict verdict = Verdict::none;  // no error
    std::string detail;
    std::vector<Diagnostic> doubtful;  // no fault if the output is right
};

// A value from a lane outside of the mask is undefined, and harms nobody who does not use it. The virtual GPU gives one
// that spoils what is made of it.
bool harms_who_uses_it(const vgpu::Finding& finding) {
    return finding.kind == FindingKind::inactive_lane && finding.access == vgpu::AccessKind::read && finding.detail.empty();
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
    for (const vgpu::Finding& finding : findings) {
        // Where no dynamic shared memory was asked for, each line that uses it would say the same.
        if (has_no_dynamic_bytes(finding, launches) && !without_bytes.insert(finding.kernel).second) continue;
        Diagnostic diagnostic = describe(finding, bench.path, bench.source, prepared, &launches);
        if (diagnostic.blame != Blame::learner) return diagnostic;
        // An error if the output is wrong.
        if (finding.kind == FindingKind::uninitialized && finding.detail != "awaits a copy") diagnostic.severity = Severity::warning;
        if (harms_who_uses_it(finding)) {
            found.doubtful.push_back(std::move(diagnostic));
            continue;
        }
        if (diagnostic.severity == Severity::error) {
            const Verdict verdict = verdict_of(finding.kind);
            if (found.verdict == Verdict::none || rank(verdict) < rank(found.verdict)) {
                found.verdict = verdict;
                found.detail = finding.place.line != 0
                                   ? fmt::format("{}, line {}", diagnostic.title, finding.place.line)
                                   : diagnostic.title;
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
    run.limits.budget = &budget;
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

// What is missing in the output leaves several causes open; the launch tells which of them it is.
void look_at_launch(Judgement& judgement, const std::vector<LaunchInfo>& launches) {
    const bool nothing = judgement.pattern == "nothing_written";
    if (nothing && launches.empty()) {
        judgement.help = "no kernel was launched for this shape: is there a <<< >>> that is reached?";
        return;
    }
    if (launches.size() != 1) return;
    const LaunchInfo& launch = launches.front();
    const vgpu::Dim3 &grid = launch.grid, &block = launch.block;
    if (nothing) {
        judgement.help = "the kernel runs and no thread stores: is the store there, and whom does the test before it let "
                         "through?";
    } else if (judgement.pattern == "rows_skipped" && block.y == 1 && block.z == 1) {
        judgement.help = fmt::format("the block is {} x 1 threads, so threadIdx.y is 0 in all of them: is it a dim3 with two "
                                     "extents, dim3(TILE, TILE)?",
                                     block.x);
    } else if (judgement.pattern == "part_of_each_tile" && block.x == block.y) {
        judgement.help = fmt::format("the block has {} x {} threads, and the next one begins a tile further on: make them one "
                                     "size, or let each thread move several elements",
                                     block.x, block.y);
    } else if (judgement.pattern == "rows_skipped" && block.x == block.y) {
        judgement.help = fmt::format("the block has {} x {} threads: do both threadIdx.x and threadIdx.y enter the index?",
                                     block.x, block.y);
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1) {
        judgement.help = fmt::format("the grid has {} layers in z, and the kernel does not look at blockIdx.z: add "
                                     "blockIdx.z * gridDim.y to blockIdx.y",
                                     grid.z);
    } else if (judgement.pattern == "only_first_block" && grid.count() > 1) {
        judgement.help = fmt::format("{} blocks were launched and all did the work of the first: blockIdx is missing in the "
                                     "index",
                                     grid.count());
    } else if (judgement.pattern == "only_first_block") {
        judgement.help = "the launch has one block: round the number of blocks up, so that all elements have one";
    }
}

// Whether what is missing hangs on the grid and the block of the launch, and not on an index or a test in the kernel.
bool hangs_on_grid(const Judgement& judgement, const LaunchInfo& launch) {
    static constexpr std::array of_kernel{"last_line_missing", "guard_rows_cols_swapped", "square_corner", "only_first_element",
                                          "some_not_written"};
    const std::string& pattern = judgement.pattern;
    if (pattern == "only_first_block") return launch.grid.count() == 1;
    if (pattern == "rows_skipped") return launch.block.y == 1;
    return std::find(of_kernel.begin(), of_kernel.end(), pattern) == of_kernel.end();
}

// Where a sum goes wrong, by what is missing or too much in it: at the loads of the input, the steps of the tree, or the
// shuffles; 0 where the pattern does not say.
int line_of_sum(const std::string& pattern, const DeviceRun& run) {
    using Field = std::uint64_t vgpu::Counters::*;
    struct Part {
        const char* pattern;
        Field made_of;
    };
    static constexpr std::array parts{Part{"first_block_repeated", &vgpu::Counters::global_load_requests},
                                      Part{"blocks_overlap", &vgpu::Counters::global_load_requests},
                                      Part{"second_load_beside", &vgpu::Counters::global_load_requests},
                                      Part{"second_load_missing", &vgpu::Counters::global_load_requests},
                                      Part{"first_load_missing", &vgpu::Counters::global_load_requests},
                                      Part{"head_missing", &vgpu::Counters::global_load_requests},
                                      Part{"tail_missing", &vgpu::Counters::global_load_requests},
                                      Part{"tree_incomplete", &vgpu::Counters::shared_load_requests},
                                      Part{"lanes_lost", &vgpu::Counters::shuffles}};
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return pattern == one.pattern; });
    if (part == parts.end()) return 0;
    int found = 0;
    std::uint64_t most = 0;
    for (const vgpu::LineCounters& line : run.result.by_line)
        if (line.counters.*(part->made_of) > most) {
            most = line.counters.*(part->made_of);
            found = line.line;
        }
    return found;
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

// Where to look: at the store of the first wrong element; where none was stored, at the launch that was to do it.
void place(const Bench& bench, const Judgement& judgement, CaseOutcome& outcome) {
    SourceMark& mark = outcome.wrong->marks.front();
    if (const int line = line_of_sum(judgement.pattern, outcome.run); line != 0) {
        mark = mark_of_line(line, bench.path, bench.source, "");
        return;
    }
    // A sum is stored where it is stored, whatever it was made of.
    const bool is_one_number = !outcome.prepared.layout.empty() && outcome.prepared.layout.back().elements() == 1;
    if (judgement.first_wrong && outcome.run.last_store && (!is_one_number || judgement.pattern == "divided")) {
        const std::uint64_t out = bench.program.address(outcome.prepared.buffers.back());
        if (const auto store = outcome.run.last_store(out + *judgement.first_wrong))
            mark = mark_of_store(*store, bench.path, bench.source, outcome.prepared);
    }
    const auto launches = launches_of(outcome.run.plan);
    if (judgement.pattern == "extents_exchanged" && launches.size() == 1) {
        const SourceMark launch = mark_of_launch(launches.front(), bench.path, bench.source);
        outcome.wrong->marks.insert(outcome.wrong->marks.begin(), launch);
        return;
    }
    if (judgement.code != "not_written" || launches.size() != 1) return;
    const int line = hangs_on_grid(judgement, launches.front()) ? 0 : only_storing_line(outcome.run);
    if (line == 0)
        mark = mark_of_launch(launches.front(), bench.path, bench.source);
    else
        mark = mark_of_line(line, bench.path, bench.source, "the only store");
}

Status judge_into(const Bench& bench, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement) return judgement.error();
    if (!judgement->is_right) look_at_launch(*judgement, launches_of(outcome.run.plan));
    if (judgement->is_right) {
        outcome.result.verdict = Verdict::pass;
        return Nothing{};
    }
    outcome.result.verdict = Verdict::wrong;
    outcome.result.detail = judgement->title;
    for (Diagnostic& finding : outcome.findings)
        if (finding.code == to_string(FindingKind::uninitialized)) finding.severity = Severity::error;
    outcome.wrong = describe(*judgement, bench.path, outcome.prepared);
    place(bench, *judgement, outcome);
    if (!outcome.result.variant.empty()) outcome.wrong->facts.push_back(outcome.result.variant);
    outcome.result.judgement = std::move(*judgement);
    return Nothing{};
}

// A fault is often the consequence of what the output shows: an index of the wrong row length leaves the buffer as well.
Status name_cause_into(const Bench& bench, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement) return judgement.error();
    if (judgement->is_right || !judgement->is_recognised || !is_cause(judgement->pattern)) return Nothing{};
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

bool is_cause(std::string_view pattern) {
    static constexpr std::array patterns{"rows_cols_swapped", "extents_exchanged", "tile_not_moved",
                                         "tile_not_transposed_inside", "not_transposed", "rows_skipped",
                                         "part_of_each_tile", "narrowed"};
    return std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
}

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

// A loop without an end is one on every shape; what is only slow may be quick enough on the next.
std::string why_stop(const Bench& bench, const CaseOutcome& outcome) {
    if (outcome.result.verdict != Verdict::timeout) return "";
    const std::string shape = describe_case(outcome.result.shape);
    const auto is_endless = [](const vgpu::Finding& f) {
        return f.kind == FindingKind::deadlock ||
               (f.kind == FindingKind::timeout &&
                (f.is_endless || f.detail == "waits" || f.detail == "recursion" || f.detail == "launches"));
    };
    const auto all = all_findings(outcome.run);
    if (outcome.run.is_device_timeout || std::any_of(all.begin(), all.end(), is_endless))
        return "the submission did not end on " + shape;
    if (bench.budget != nullptr && bench.budget->is_spent())
        return "a check does no more work than was done up to " + shape;
    return "";
}

}  // namespace

Result<CaseOutcome> run_case(const Bench& bench, const Shape& shape, const CaseOptions& options) {
    CaseOutcome outcome;
    outcome.result.shape = shape;
    outcome.result.variant = options.variant;
    bench.program.release_all();
    auto prepared = bench.problem.prepare(bench.program, shape, contents_seed(bench.seed, shape));
    if (!prepared) return prepared.error();
    outcome.prepared = std::move(*prepared);
    const std::string& launcher = bench.launchers.at(shape.type);
    const std::uint64_t most = std::max(budget_for(bench.problem.elements(shape)), options.most_warp_instructions);
    const auto run_on = [&](std::span<const std::vector<std::byte>> arguments) {
        vgpu::Budget own(most, bench.budget);
        return bench.program.run(launcher, arguments, run_options(bench, options, own));
    };
    if (!outcome.prepared.previous_arguments.empty()) {
        const auto before = run_on(outcome.prepared.previous_arguments);
        if (!before) return before.error();
    }
    std::optional<Contents> contents;
    if (!outcome.prepared.previous_arguments.empty()) {
        auto now = contents_of(bench, outcome.prepared);
        if (!now) return now.error();
        contents = std::move(*now);
    }
    auto run = run_on(outcome.prepared.arguments);
    if (!run) return run.error();
    outcome.run = std::move(*run);
    outcome.prepared.observed = observed(outcome.run);
    auto found = describe_findings(bench, outcome.run, outcome.prepared);
    if (!found) return found.error();
    outcome.findings = std::move(found->findings);
    const auto add_doubtful = [&] {
        outcome.findings.insert(outcome.findings.end(), found->doubtful.begin(), found->doubtful.end());
    };
    if (found->verdict != Verdict::none) {
        add_doubtful();
        outcome.result.verdict = found->verdict;
        outcome.result.detail = found->detail;
        outcome.stops = why_stop(bench, outcome);
        if (found->verdict != Verdict::fault || !outcome.run.device_error.empty()) return outcome;
        if (auto status = name_cause_into(bench, outcome); !status) return status.error();
        return outcome;
    }
    if (!outcome.run.device_error.empty()) {
        outcome.result.verdict = outcome.run.is_device_timeout ? Verdict::timeout : Verdict::fault;
        outcome.result.detail = outcome.run.device_error;
        outcome.stops = why_stop(bench, outcome);
        outcome.findings.push_back(device_failure(bench, outcome.run, options, shape));
        return outcome;
    }
    if (options.counted) {
        outcome.prepared.observed.atomic_operations = options.counted->atomic_operations;
        outcome.prepared.observed.stored_floats = options.counted->stored_floats;
        const auto& counted = options.counted->launches;
        auto& launches = outcome.prepared.observed.launches;
        for (std::size_t i = 0; i < std::min(launches.size(), counted.size()); ++i)
            launches[i].longest_block = counted[i].longest_block;
    }
    if (auto status = judge_into(bench, outcome); !status) return status.error();
    if (outcome.passed() && contents) {
        // A third call, with the arguments of the second one: who remembers them, or counts calls, is found out.
        if (auto status = spoil_results(bench, outcome.prepared, *contents); !status) return status.error();
        const auto again = run_on(outcome.prepared.arguments);
        if (!again) return again.error();
        outcome.run.last_store = nullptr;  // of the second call
        if (auto status = judge_into(bench, outcome); !status) return status.error();
    }
    if (!outcome.passed()) add_doubtful();
    return outcome;
}

void add_finding(std::vector<Diagnostic>& findings, Diagnostic diagnostic) {
    // Lines in order, so that a race told from either side is one race.
    const auto lines = [](const Diagnostic& d) {
        std::set<int> all;
        for (const SourceMark& mark : d.marks) all.insert(mark.line);
        return all;
    };
    const auto is_placed = [&](const Diagnostic& d) { return !d.marks.empty() && *lines(d).rbegin() != 0; };
    // Where it was stopped may be known for one shape and not for another.
    if (diagnostic.code == "timeout")
        for (Diagnostic& known : findings)
            if (known.code == diagnostic.code && known.title == diagnostic.title && is_placed(known) != is_placed(diagnostic)) {
                if (!is_placed(known)) known = std::move(diagnostic);
                return;
            }
    for (Diagnostic& known : findings) {
        if (known.code != diagnostic.code || lines(known) != lines(diagnostic)) continue;
        // Places in the source tell findings apart; where there is none, what was found does.
        if (!is_placed(known) && known.title != diagnostic.title) continue;
        if (known.severity == Severity::warning && diagnostic.severity == Severity::error) known = std::move(diagnostic);
        return;
    }
    findings.push_back(std::move(diagnostic));
}

void drop_consequences(std::vector<Diagnostic>& findings) {
    const auto has = [&](std::string_view code, int line) {
        return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& d) {
            return d.code == code && d.severity == Severity::error &&
                   (line == 0 || std::any_of(d.marks.begin(), d.marks.end(),
                                             [&](const SourceMark& mark) { return mark.line == line; }));
        });
    };
    // Decided before anything is removed: what is dropped may itself have been a cause.
    std::vector<bool> is_consequence;
    for (const Diagnostic& d : findings) {
        const int line = d.marks.empty() ? 0 : d.marks.front().line;
        const bool by_race = d.code == "uninitialized" && (has("race_shared", 0) || has("barrier_divergence", 0));
        // A barrier that not all reach orders nobody; and who is stopped in a loop reaches none.
        const bool by_barrier = d.code == "race_shared" && has("barrier_divergence", 0) && !has("timeout", 0);
        const bool by_stop = d.code == "barrier_divergence" && has("timeout", 0);
        const bool by_bounds =
            line != 0 && d.code == "uninitialized" && has("out_of_bounds", line);
        // What another block writes is not written yet in one order of blocks, and is in another.
        const bool by_order = line != 0 && d.code == "uninitialized" && has("race_global", line);
        is_consequence.push_back(by_race || by_bounds || by_order || by_barrier || by_stop);
    }
    const auto goes_outside_too = [&](const Diagnostic& d) {
        return d.code == "race_global" && !d.marks.empty() && d.marks.front().line != 0 && has("out_of_bounds", d.marks.front().line);
    };
    for (Diagnostic& d : findings)
        if (goes_outside_too(d)) d.help = "mend what goes outside on this line first, then look whether this one is still there";
    std::size_t i = 0;
    std::erase_if(findings, [&](const Diagnostic&) { return is_consequence[i++]; });
    for (auto race = findings.begin(); race != findings.end(); ++race) {
        if (!goes_outside_too(*race)) continue;
        const int line = race->marks.front().line;
        const auto outside = std::find_if(race, findings.end(), [&](const Diagnostic& d) {
            return d.code == "out_of_bounds" && !d.marks.empty() && d.marks.front().line == line;
        });
        if (outside != findings.end()) std::rotate(race, outside, outside + 1);
    }
}

// What the first message explains needs no advice of its own, which would be about something else.
void follow(std::vector<Diagnostic>& findings) {
    for (Diagnostic& finding : findings)
        if (finding.code == "out_of_bounds" || finding.code == "uninitialized" || finding.code == "race_global")
            finding.help = "mend the first message, then look whether this one is still there";
}

void CaseSeries::add(CaseOutcome outcome) {
    for (const LaunchInfo& launch : launches_of(outcome.run.plan))
        if (launch.shared_bytes != 0) dynamic_shared_sizes_.insert(launch.shared_bytes);
    const Verdict verdict = outcome.result.verdict;
    const std::string shape = describe_case(outcome.result.shape);
    if (verdict == Verdict::timeout && timeouts_ == 0) first_timeout_ = shape;
    if (verdict == Verdict::timeout && ++timeouts_ == 3)
        stop_reason_ = fmt::format("the submission took too much work on {} and two more shapes", first_timeout_);
    if (!outcome.stops.empty() && stop_reason_.empty()) stop_reason_ = outcome.stops;
    if (verdict == Verdict::fault && faults_ == 0) first_fault_ = shape;
    if (verdict == Verdict::fault && ++faults_ == 3)
        stop_reason_ = fmt::format("the submission failed on {} and two more shapes", first_fault_);
    for (Diagnostic& finding : outcome.findings) finding.shape = shape_argument(outcome.result.shape);
    if (outcome.wrong) outcome.wrong->shape = shape_argument(outcome.result.shape);
    for (Diagnostic& finding : outcome.findings) add_finding(result_.findings, std::move(finding));
    if (outcome.wrong) note_wrong(*outcome.result.judgement, std::move(*outcome.wrong), outcome.result.shape);
    if (outcome.passed() && outcome.result.variant.empty())
        observed_.emplace_back(outcome.result.shape, outcome.prepared.observed);
    if (result_.output.empty()) note_output(outcome);
    result_.cases.push_back(std::move(outcome.result));
}

void CaseSeries::note_output(const CaseOutcome& outcome) {
    result_.output = outcome.run.result.output;
    const std::string shape = ", on " + describe_case(outcome.result.shape);
    if (!outcome.run.plan.output.empty())
        result_.printed.push_back({"the launcher" + shape, escape_output(outcome.run.plan.output)});
    const auto launches = launches_of(outcome.run.plan);
    for (const DeviceRun::Printed& printed : outcome.run.printed)
        result_.printed.push_back({fmt::format("{}, launch {} of {}{}", launches[printed.launch].kernel,
                                               printed.launch + 1, launches.size(), shape),
                                   escape_output(printed.text)});
}

void CaseSeries::note_wrong(const Judgement& judgement, Diagnostic diagnostic, const Shape& shape) {
    const int is_general = shape.shape_class != "thin" && shape.shape_class != "small";
    constexpr std::int64_t large = 1 << 18;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape.extents) elements *= extent;
    const bool is_certain = is_general != 0 && is_cause(judgement.pattern) && elements >= large;
    for (Mistake& known : mistakes_) {
        if (known.pattern != judgement.pattern) continue;
        ++known.cases;
        known.general_cases += is_general;
        known.is_certain = known.is_certain || is_certain;
        return;
    }
    mistakes_.push_back(
        {judgement.pattern, judgement.is_recognised, 1, is_general, is_certain, std::move(diagnostic)});
}

namespace {

// What follows from any mistake in a sum, and so names none.
bool is_weak(const std::string& pattern) {
    return pattern == "inaccurate" || pattern == "special_lost" || pattern == "element_lost" ||
           pattern == "element_repeated";
}

}  // namespace

void CaseSeries::explain_counts(const Bench& bench) {
    const auto open = std::find_if(mistakes_.begin(), mistakes_.end(), [](const Mistake& m) { return !m.is_recognised; });
    if (open == mistakes_.end() || std::any_of(result_.findings.begin(), result_.findings.end(),
                                               [](const Diagnostic& d) { return d.severity == Severity::error; }))
        return;
    std::vector<Shape> wrong;
    for (const CaseResult& one : result_.cases)
        if (one.verdict == Verdict::wrong && one.variant.empty()) wrong.push_back(one.shape);
    std::stable_sort(wrong.begin(), wrong.end(),
                     [&](const Shape& a, const Shape& b) { return bench.problem.elements(a) < bench.problem.elements(b); });
    for (const Shape& shape : wrong) {
        const auto counted = counted_elements(bench, shape);
        if (!counted) continue;
        open->diagnostic.facts.push_back(fmt::format("of {} elements it counts {}", describe_case(shape), counted->text));
        if (open->pattern == "odd_block") return;  // that says why
        open->diagnostic.help = fmt::format("follow in[{}], of {} elements: which threads add it, and in which steps?",
                                            counted->first_odd, describe_case(shape));
        return;
    }
}

void CaseSeries::explain_rounding(const NarrowValue& value, const std::string& path) {
    const auto is_off = [](const Mistake& m) { return m.pattern == "inaccurate" || m.pattern == "rounded" || m.pattern == "overflowed"; };
    const auto first = std::find_if(mistakes_.begin(), mistakes_.end(), is_off);
    if (first == mistakes_.end()) return;
    Mistake narrowed = std::move(*first);
    narrowed.pattern = "narrowed";
    narrowed.is_recognised = true;
    narrowed.diagnostic.title =
        fmt::format("values are turned into {}, and the sum is off by more than additions of floats are", value.into);
    narrowed.diagnostic.marks = {{path, value.line, 0, 1, "here"}};
    narrowed.diagnostic.help = "keep them in float, from the load to out[0]";
    mistakes_.erase(first);
    // Of contents that are made to show such things the rest is a consequence: those cannot be given by --shape.
    for (const Mistake& m : mistakes_)
        if (is_off(m) || m.diagnostic.shape.empty()) narrowed.cases += m.cases;
    std::erase_if(mistakes_, [&](const Mistake& m) { return is_off(m) || m.diagnostic.shape.empty(); });
    mistakes_.insert(mistakes_.begin(), std::move(narrowed));
}

void CaseSeries::report_wrong() {
    const auto drop = [&](auto&& is_dropped) { std::erase_if(mistakes_, is_dropped); };
    const auto any = [&](auto&& is_it) { return std::any_of(mistakes_.begin(), mistakes_.end(), is_it); };
    // What a read outside brings in is nobody's value either.
    const bool reads_outside =
        std::any_of(result_.findings.begin(), result_.findings.end(), [](const Diagnostic& d) {
            return d.severity == Severity::error && (d.code == "out_of_bounds" || d.code == "out_of_bounds_shared");
        });
    if (reads_outside) drop([](const Mistake& m) { return m.pattern == "poison_included"; });
    int all = 0;
    for (const Mistake& m : mistakes_) all += m.cases;
    // One that fits a few shapes, and not the many others that are wrong, fits by chance.
    const bool has_general = any([](const Mistake& m) { return !m.is_recognised && m.general_cases > 0; });
    if (has_general)
        drop([&](const Mistake& m) {
            return m.is_recognised && !m.is_certain && !is_weak(m.pattern) && (8 * m.cases < all || m.general_cases == 0);
        });
    if (any([](const Mistake& m) { return !is_weak(m.pattern); }))
        drop([](const Mistake& m) { return is_weak(m.pattern); });
    if (any([](const Mistake& m) { return m.is_recognised; }))
        drop([](const Mistake& m) { return !m.is_recognised; });
    // Where nothing at all is written, every mistake in what is written looks alike.
    const auto is_nothing = [](const Mistake& m) { return m.pattern == "nothing_written"; };
    const bool tells_more =
        any([&](const Mistake& m) { return m.diagnostic.code == "not_written" && !is_nothing(m); });
    const auto nothing = std::find_if(mistakes_.begin(), mistakes_.end(), is_nothing);
    if (tells_more && nothing != mistakes_.end() && 2 * nothing->cases < all) drop(is_nothing);
    // What the wrong elements hold says less than where they come from.
    const auto is_symptom = [](const Mistake& m) {
        return m.pattern == "zeros" || m.pattern == "not_a_number" || m.pattern == "constant";
    };
    std::stable_sort(mistakes_.begin(), mistakes_.end(), [&](const Mistake& a, const Mistake& b) {
        return is_symptom(a) != is_symptom(b) ? is_symptom(b) : a.cases > b.cases;
    });
    // A cause seen on most shapes explains what the others look like.
    all = 0;
    for (const Mistake& m : mistakes_) all += m.cases;
    if (!mistakes_.empty() && is_cause(mistakes_.front().pattern) && 2 * mistakes_.front().cases >= all)
        mistakes_.resize(1);
    // What is not written can look like another mistake on the few shapes that do not tell them apart.
    int most = 0;
    for (const Mistake& m : mistakes_)
        if (m.diagnostic.code == "not_written") most = std::max(most, m.cases);
    drop([&](const Mistake& m) { return m.diagnostic.code == "not_written" && 2 * m.cases < most; });
    if (mistakes_.size() > 2) mistakes_.resize(2);
    // Nobody stores on shapes of whole tiles, and who is outside does on others: the test lets the wrong ones through.
    const auto stores_nothing = std::find_if(mistakes_.begin(), mistakes_.end(), is_nothing);
    if (reads_outside && stores_nothing != mistakes_.end()) {
        for (Diagnostic& finding : result_.findings)
            if (finding.code == "out_of_bounds")
                finding.help = fmt::format("on {} no thread stores at all, and here one that is outside does: is the test the "
                                           "wrong way round?",
                                           stores_nothing->diagnostic.shape);
        mistakes_.erase(stores_nothing);
    }
    // A grid whose extents are exchanged leaves threads out; only a test lets others through that are outside.
    const auto corner = std::find_if(mistakes_.begin(), mistakes_.end(), [](const Mistake& m) { return m.pattern == "square_corner"; });
    const bool lets_others_through = reads_outside && corner != mistakes_.end();
    if (lets_others_through) {
        corner->diagnostic.help = "look at the bounds test: rows and cols are taken for each other, so that it keeps out threads "
                                  "that have an element, and lets through others that have none";
        for (const Diagnostic& finding : result_.findings)
            if (finding.code == "out_of_bounds" && !finding.marks.empty()) {
                corner->diagnostic.marks = {finding.marks.front()};
                corner->diagnostic.marks.front().label = "let through here";
                break;
            }
        std::rotate(mistakes_.begin(), corner, corner + 1);
    }
    const bool leads = lets_others_through || (!mistakes_.empty() && is_cause(mistakes_.front().pattern));
    if (leads) follow(result_.findings);
    auto place = result_.findings.end();
    if (leads) place = result_.findings.begin();
    for (Mistake& mistake : mistakes_) {
        if (mistake.cases > 1)
            mistake.diagnostic.facts.push_back(mistake.pattern == "block_size_fixed"
                                                   ? fmt::format("the same on {} shapes", mistake.cases)
                                                   : fmt::format("{} shapes come out wrong in this way", mistake.cases));
        place = result_.findings.insert(place, std::move(mistake.diagnostic)) + 1;
    }
    mistakes_.clear();
}

void CaseSeries::skip(const std::vector<Shape>& shapes, const std::string& variant, const std::string& why) {
    for (const Shape& shape : shapes) {
        CaseResult skipped;
        skipped.shape = shape;
        skipped.variant = variant;
        skipped.verdict = Verdict::skipped;
        skipped.detail = why;
        result_.cases.push_back(std::move(skipped));
    }
}

Status CaseSeries::run(const Bench& bench, const std::vector<Shape>& shapes, const CaseOptions& options) {
    for (const Shape& shape : shapes) {
        if (has_stopped()) {
            skip({shape}, options.variant, stop_reason_);
            continue;
        }
        auto outcome = run_case(bench, shape, options);
        if (!outcome) return outcome.error();
        add(std::move(*outcome));
    }
    return Nothing{};
}

const ObservedRun* CaseSeries::observed(const Shape& shape) const {
    for (const auto& [known, run] : observed_)
        if (known == shape) return &run;
    return nullptr;
}

bool CaseSeries::may_be_timed() const {
    const auto passed = std::count_if(result_.cases.begin(), result_.cases.end(),
                                      [](const CaseResult& c) { return c.verdict == Verdict::pass; });
    return !has_stopped() && 3 * passed >= 2 * std::ssize(result_.cases);
}

bool CaseSeries::all_passed() const {
    return std::all_of(result_.cases.begin(), result_.cases.end(),
                       [](const CaseResult& c) { return c.verdict == Verdict::pass; });
}

}  // namespace warpgrade
