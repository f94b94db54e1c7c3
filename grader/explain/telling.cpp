#include "explain/telling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "explain/launcher_lines.hpp"
#include "explain/line_context.hpp"
#include "explain/placing.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "explain/wrong_place.hpp"
#include "run/faults.hpp"

namespace warpgrade {

using vgpu::FindingKind;

namespace {

struct Found {
    std::vector<Diagnostic> findings;
    std::string title;                   // of the first error of the lowest rank
    int line = 0;                        //
    bool has_error = false;              //
    std::vector<Diagnostic> doubtful{};  // no fault if the output is right
};

Found describe_findings(const Observation& seen, const Case& run, const Submitted& text) {
    // What to say of one is looked for in all of the text; the first lines are enough for any reader.
    constexpr int most_of_a_kind = 24;
    Found found;
    std::map<FindingKind, int> described;
    std::set<std::string> without_bytes;  // kernels
    int lowest = std::numeric_limits<int>::max();
    for (const vgpu::Finding& finding : seen.findings) {
        if (++described[finding.kind] > most_of_a_kind) continue;
        // Where no dynamic shared memory was asked for, each line that uses it would say the same.
        if (has_no_dynamic_bytes(finding, seen.launches) && !without_bytes.insert(finding.kernel).second) continue;
        if (finding.kind == FindingKind::uninitialized && sets_bit_field(text.facts, finding.place.line)) continue;
        Diagnostic diagnostic = describe(finding, text.path, text.facts, run, &seen.launches);
        const bool is_of_buffer = finding.kind == FindingKind::uninitialized && finding.buffer != vgpu::local_memory &&
                                  finding.reason != vgpu::FindingReason::awaits_copy;
        if (const NeverMade never = is_of_buffer ? store_never_made(text.facts, seen.by_line) : NeverMade{};
            never.line != 0)
            for (SourceMark& mark : marks_of_never(text, never, diagnostic.help))
                diagnostic.marks.push_back(std::move(mark));
        if (harms_who_uses_it(finding)) {
            found.doubtful.push_back(std::move(diagnostic));
            continue;
        }
        diagnostic.severity = is_error(finding) ? Severity::error : Severity::warning;
        if (is_error(finding) && rank(finding.kind) < lowest) {
            lowest = rank(finding.kind);
            found.has_error = true;
            found.line = diagnostic.marks.empty() ? finding.place.line : diagnostic.marks.front().line;
            found.title = diagnostic.title;
        }
        found.findings.push_back(std::move(diagnostic));
    }
    return found;
}

// A real GPU's own words: it says neither which thread nor which line.
Diagnostic device_failure(const Observation& seen, const Shape& shape, const std::string& variant,
                          const std::string& path) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = seen.is_device_timeout ? "timeout" : "gpu_fault";
    diagnostic.title = say("kernel_virtual_gpu_ran", variant);
    diagnostic.marks.push_back({path, 0, 0, 1, ""});
    diagnostic.facts = {seen.device_error, "shape " + describe_case(shape)};
    diagnostic.help = say("look_depends_order_threads");
    return diagnostic;
}

// `is_of_fault`: the output is wrong, and says why the run failed.
void tell_judgement(const Observation& seen, const Case& run, const Submitted& text, bool is_of_fault, Told& told) {
    Judgement judgement = *seen.judgement;
    look_at_text(text, seen, judgement);
    if (!is_of_fault) told.title = judgement.title;
    told.wrong = describe(judgement, text.path, run);
    place(text, seen, run.shape, judgement, *told.wrong);
    if (!is_of_fault) mark_bound_that_stops_early(text, judgement, *told.wrong);
    if (!run.variant.empty()) told.wrong->facts.push_back(run.variant);
    told.judgement = std::move(judgement);
}

// If a later call comes out right with one __device__ variable set back, that is what the call before should have done.
void tell_set_back(const SetBack& set_back, const Submitted& text, Diagnostic& wrong) {
    wrong.facts.push_back(say("first_call_call_before", set_back.variable));
    wrong.help = say("every_call_should_start", set_back.variable);
    SourceMark& mark = wrong.marks.front();
    if (mark.line != 0) return;
    const auto& all = text.facts.definitions;
    const auto known = std::ranges::find_if(
        all, [&](const source::Definition& one) { return one.name == set_back.variable && one.around.function < 0; });
    if (set_back.line != 0)
        mark = text.mark(set_back.line, fmt::format("changes `{}`", set_back.variable));
    else if (known != all.end())
        mark = text.mark(known->at.line, "keeps its value from call to call");
}

void tell_old_value(const OldValue& old, const Case& run, const Observation& seen, const Submitted& text, Told& told) {
    Diagnostic finding = describe(old.finding, text.path, text.facts, run, &seen.launches);
    Told again = tell(old.seen, run.shape, run.variant, old.verdict, text);
    // Words that nobody has stored in this call say it more directly: whoever reads them counts on the call before, or
    // on who comes first.
    const auto unwritten = std::ranges::find_if(
        again.findings, [](const auto& one) { return one.code == to_string(FindingKind::uninitialized); });
    if (unwritten != again.findings.end()) {
        finding = *unwritten;
        if (finding.mend_line == 0) finding.help = say("before_every_launch_set");
    }
    finding.facts.push_back(
        fmt::format("run with {}, {}",
                    old.finding.is_held_back ? say("every_block_stopped_after") : say("earlier_value_place_line"),
                    old.verdict == Verdict::timeout ? "the kernel does not end"
                    : old.verdict == Verdict::wrong ? "the result is wrong"
                                                    : "threads get into each other's way"));
    if (told.title.empty()) {
        told.line = finding.marks.empty() || finding.marks.front().line == 0 ? old.line : finding.marks.front().line;
        told.title = finding.title;
    }
    told.findings.push_back(std::move(finding));
    for (Diagnostic& race : again.findings)
        if (race.code == to_string(FindingKind::race_global)) told.findings.push_back(std::move(race));
}

void move_behind(std::vector<Diagnostic>& findings, std::vector<Diagnostic>& more, bool is_uninitialized) {
    for (Diagnostic& one : more)
        if ((one.code == to_string(FindingKind::uninitialized)) == is_uninitialized) findings.push_back(std::move(one));
}

}  // namespace

Told tell(const Observation& seen, const Shape& shape, const std::string& variant, Verdict verdict,
          const Submitted& text) {
    Case run;
    run.shape = shape;
    run.layout = seen.layout;
    run.variant = variant;
    Found found = describe_findings(seen, run, text);
    Told told{std::move(found.title), found.line, std::move(found.findings), {}, {}};
    if (variant.starts_with("THREADS="))
        for (Diagnostic& finding : told.findings) finding.facts.push_back("compiled with -D" + variant);
    if (found.has_error) {
        // What would have come of what was read is not known where the time of the check has ended the launch.
        if (!seen.is_out_of_time)
            told.findings.insert(told.findings.end(), found.doubtful.begin(), found.doubtful.end());
        if (seen.judgement) tell_judgement(seen, run, text, true, told);
        return told;
    }
    if (!seen.device_error.empty()) {
        told.title = seen.device_error;
        told.findings.push_back(device_failure(seen, shape, variant, text.path));
        return told;
    }
    if (verdict == Verdict::wrong) {
        for (Diagnostic& finding : told.findings)
            if (finding.code == to_string(FindingKind::uninitialized)) finding.severity = Severity::error;
        if (seen.judgement) tell_judgement(seen, run, text, false, told);
        if (seen.set_back) tell_set_back(*seen.set_back, text, *told.wrong);
        move_behind(told.findings, found.doubtful, false);
        if (seen.hangs_on_garbage) move_behind(told.findings, found.doubtful, true);
    }
    for (const OldValue& old : seen.old_values) tell_old_value(old, run, seen, text, told);
    return told;
}

void tell_into(const Submitted& text, CaseOutcome& outcome) {
    Told told = tell(outcome.seen, outcome.result.shape, outcome.result.variant, outcome.result.verdict, text);
    outcome.result.fail_by(std::move(told.title), told.line);
    outcome.findings = std::move(told.findings);
    outcome.wrong = std::move(told.wrong);
    outcome.result.judgement = std::move(told.judgement);
}

Result<CaseOutcome> told_case(const Bench& bench, const Shape& shape, const CaseOptions& options) {
    auto outcome = run_case(bench, shape, options);
    if (outcome && has_words(outcome->seen)) tell_into({bench.path, bench.facts()}, *outcome);
    return outcome;
}

}  // namespace warpgrade
