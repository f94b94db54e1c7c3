#include "run/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/confined.hpp"
#include "device/guarded.hpp"
#include "problem/pattern.hpp"
#include "run/faults.hpp"

namespace warpgrade {

void CaseResult::fail_by(std::string finding, int line) {
    title = std::move(finding);
    detail = line != 0 ? fmt::format("{}, line {}", title, line) : title;
}

namespace {

using vgpu::FindingKind;

std::vector<vgpu::Finding> all_findings(const DeviceRun& run) {
    std::vector<vgpu::Finding> all = run.plan.findings;
    all.insert(all.end(), run.result.findings.begin(), run.result.findings.end());
    return all;
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
    run.trace_whole_blocks = options.trace_whole_blocks;
    run.traced_block = options.traced_block;
    run.check_races = options.checks_races;
    run.old_values_at = options.old_values_at;
    run.drawing_lines = options.drawing_lines;
    run.limits.budget = &budget;
    run.limits.is_time_over = &work_time_is_over();
    run.limits.warp_instructions =
        options.most_warp_instructions != 0 ? options.most_warp_instructions : budget.given();
    return run;
}

// What words are made of, where something is to be said.
void note_run(CaseOutcome& outcome) {
    outcome.seen.launches = launches_of(outcome.run.plan);
    outcome.seen.layout = outcome.prepared.layout;
    outcome.seen.by_line = outcome.run.result.by_line;
}

void note_judgement(const Bench& bench, Judgement judgement, CaseOutcome& outcome) {
    if (judgement.output) outcome.prepared.put_last(*std::exchange(judgement.output, std::nullopt));
    note_run(outcome);
    // A sum is stored where it is stored, whatever it was made of.
    const bool is_one_number = !outcome.prepared.layout.empty() && outcome.prepared.layout.back().elements() == 1;
    if (judgement.first_wrong && outcome.run.last_store && (!is_one_number || judgement.effect.is_of_value))
        outcome.seen.first_wrong =
            outcome.run.last_store(bench.program.address(outcome.prepared.buffers.back()) + *judgement.first_wrong);
    outcome.seen.judgement = std::move(judgement);
}

Status judge_into(const Bench& bench, bool is_told, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement && judgement.error().code == reference_takes_too_long) {
        outcome.result.verdict = Verdict::skipped;  // it ran, and nobody knows whether that is right
        outcome.result.fail_by(judgement.error().title);
        return Nothing{};
    }
    if (!judgement) return judgement.error();
    outcome.result.verdict = judgement->is_right ? Verdict::pass : Verdict::wrong;
    if (!judgement->is_right && is_told) note_judgement(bench, std::move(*judgement), outcome);
    return Nothing{};
}

// A fault is often the consequence of what the output shows: an index of the wrong row length leaves the buffer as
// well.
Status note_cause_of_fault(const Bench& bench, CaseOutcome& outcome) {
    auto judgement = bench.problem.judge(bench.program, outcome.prepared);
    if (!judgement) return judgement.error();
    if (!judgement->is_right && judgement->is_cause) note_judgement(bench, std::move(*judgement), outcome);
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

Measured measured_of(CaseOutcome& outcome, const Problem& problem) {
    const Shape& shape = outcome.result.shape;
    Measured measured;
    measured.counters = outcome.run.result.counters;
    measured.launches = launches_of(outcome.run.plan);
    measured.elements = problem.elements(shape);
    measured.element_bytes = static_cast<std::uint64_t>(problem.buffers(shape).front().element_bytes);
    measured.needed = std::move(outcome.run.needed);
    return measured;
}

namespace {

bool is_out_of_time(const DeviceRun& run) {
    const auto all = all_findings(run);
    return std::ranges::any_of(all, [](const vgpu::Finding& f) { return f.reason == vgpu::FindingReason::time; });
}

// Says in the outcome whether anything further is to be run. A loop without an end is one on every shape; what is only
// slow may be quick enough on the next.
void look_whether_it_stops(const Bench& bench, CaseOutcome& outcome) {
    if (outcome.result.verdict != Verdict::timeout) return;
    const std::string shape = describe_case(outcome.result.shape);
    const auto is_endless = [](const vgpu::Finding& f) {
        return f.is_waiting() || f.is_endless || f.reason == vgpu::FindingReason::recursion ||
               f.reason == vgpu::FindingReason::launches;
    };
    const auto all = all_findings(outcome.run);
    if (outcome.run.is_device_timeout || std::ranges::any_of(all, is_endless))
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
    return std::ranges::any_of(all,
                               [](const vgpu::Finding& f) { return f.reason == vgpu::FindingReason::awaits_copy; });
}

// What was counted elsewhere of the same run.
void take_counted(const ObservedRun& counted, ObservedRun& observed) {
    observed.atomic_operations = counted.atomic_operations;
    observed.stored_floats = counted.stored_floats;
    for (std::size_t i = 0; i < std::min(observed.launches.size(), counted.launches.size()); ++i)
        observed.launches[i].longest_block = counted.launches[i].longest_block;
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
    outcome.prepared.is_told = options.is_told;
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
    outcome.seen.findings = all_findings(outcome.run);
    outcome.seen.device_error = outcome.run.device_error;
    outcome.seen.is_device_timeout = outcome.run.is_device_timeout;
    if (!outcome.seen.findings.empty() || !outcome.seen.device_error.empty()) note_run(outcome);
    for (const vgpu::Finding& finding : outcome.seen.findings)
        if (finding.kind == FindingKind::unsupported) return gap_of_the_kit(finding, bench.path, bench.source);
    outcome.result.verdict = verdict_of(outcome.seen.findings);
    if (outcome.result.verdict == Verdict::none && !outcome.run.device_error.empty())
        outcome.result.verdict = outcome.run.is_device_timeout ? Verdict::timeout : Verdict::fault;
    if (outcome.result.verdict != Verdict::none) {
        outcome.seen.is_out_of_time = is_out_of_time(outcome.run);
        look_whether_it_stops(bench, outcome);
        const bool may_be_judged = outcome.result.verdict == Verdict::fault && options.is_told &&
                                   outcome.run.device_error.empty() && !reads_before_copy(outcome.run);
        if (may_be_judged)
            if (auto status = note_cause_of_fault(bench, outcome); !status) return status.error();
        return std::optional(std::move(outcome));
    }
    if (options.counted) take_counted(*options.counted, outcome.prepared.observed);
    if (auto status = judge_into(bench, options.is_told, outcome); !status) return status.error();
    if (outcome.passed() && contents) {
        // A third call, with the arguments of the second one: who remembers them, or counts calls, is found out.
        if (auto status = spoil_results(bench, outcome.prepared, *contents); !status) return status.error();
        set_back(bench, options);
        const auto again = run_on(outcome.prepared.arguments);
        if (!again) return again.error();
        if (again->result.hangs_on_order) return std::optional<CaseOutcome>();
        outcome.run.last_store = nullptr;  // of the second call
        if (auto status = judge_into(bench, options.is_told, outcome); !status) return status.error();
    }
    return std::optional(std::move(outcome));
}

bool reads_unset_locals(const Observation& seen) {
    return std::ranges::any_of(seen.findings, [](const vgpu::Finding& one) {
        return one.kind == FindingKind::uninitialized && harms_who_uses_it(one);
    });
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
    (*again)->seen.hangs_on_garbage = *first != *second || (*again)->result.verdict != outcome.result.verdict;
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
        outcome.seen.set_back = SetBack{variable.display_name, line};
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
        if (outcome.seen.launches.empty()) note_run(outcome);
        OldValue old{*(*again)->run.result.old_value, sites[i].line, verdict, std::move((*again)->seen)};
        old.seen.judgement.reset();
        outcome.seen.old_values.push_back(std::move(old));
        outcome.result.verdict = Verdict::fault;
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
    const CaseOutcome& outcome = **tried;
    if (options.tries_old_values && outcome.passed()) return with_old_values(bench, shape, options, std::move(**tried));
    if (outcome.result.verdict != Verdict::wrong) return std::move(**tried);
    if (!outcome.left_changed.empty()) return with_variables_set_back(bench, shape, options, std::move(**tried));
    if (reads_unset_locals(outcome.seen)) return with_other_garbage(bench, shape, options, std::move(**tried));
    return std::move(**tried);
}

}  // namespace warpgrade
