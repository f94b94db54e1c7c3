#include "grade/case_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/confined.hpp"
#include "base/listed.hpp"
#include "base/make_diagnostic.hpp"
#include "course/source_text.hpp"
#include "explain/say.hpp"
#include "explain/telling.hpp"
#include "explain/wording.hpp"
#include "grade/evidence.hpp"
#include "run/cases.hpp"

namespace warpgrade {

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
            if (known.code == diagnostic.code && known.title == diagnostic.title &&
                is_placed(known) != is_placed(diagnostic)) {
                if (!is_placed(known)) known = std::move(diagnostic);
                return;
            }
    for (Diagnostic& known : findings) {
        if (known.code != diagnostic.code || lines(known) != lines(diagnostic)) continue;
        // Places in the source tell findings apart; where there is none, what was found does.
        if (!is_placed(known) && known.title != diagnostic.title) continue;
        if (known.severity == Severity::warning && diagnostic.severity == Severity::error)
            known = std::move(diagnostic);
        return;
    }
    findings.push_back(std::move(diagnostic));
}

void CaseSeries::add(CaseOutcome outcome, vgpu::Budget* budget) {
    if (evidence_ != nullptr) evidence_->steps.push_back(step_of(outcome));
    for (const LaunchInfo& launch : launches_of(outcome.run.plan))
        if (launch.shared_bytes != 0) dynamic_shared_sizes_.insert(launch.shared_bytes);
    for (const vgpu::Finding& finding : outcome.run.result.findings)
        if (finding.reason == vgpu::FindingReason::ended)
            most_ended_before_barriers_ = std::max(most_ended_before_barriers_, finding.value);
    const Verdict verdict = outcome.result.verdict;
    const std::string shape = describe_case(outcome.result.shape);
    name_largest_in(outcome);
    work_ += outcome.work;
    if (outcome.work > largest_work_) {
        largest_work_ = outcome.work;
        largest_ = shape;
    }
    // Who needs too much once has the other shapes looked at, and no more such wait.
    constexpr std::uint64_t after_timeout = 120'000'000;
    if (verdict == Verdict::timeout && budget != nullptr && budget->left() > after_timeout)
        budget->spend(budget->left() - after_timeout);
    if (verdict == Verdict::timeout && timeouts_ == 0) first_timeout_ = shape;
    if (verdict == Verdict::timeout && ++timeouts_ == 3) stop_reason_ = say("submission_took_too_much", first_timeout_);
    if (!outcome.stops.empty() && stop_reason_.empty()) stop_reason_ = outcome.stops;
    if (verdict == Verdict::fault && faults_ == 0) first_fault_ = shape;
    if (verdict == Verdict::fault && ++faults_ == 3) stop_reason_ = say("submission_failed_two_more", first_fault_);
    const std::string argument = shape_argument(outcome.result.shape);
    if (verdict == Verdict::launch_error) refused_shapes_.insert(argument);
    for (Diagnostic& finding : outcome.findings) finding.shape = argument;
    if (outcome.wrong) outcome.wrong->shape = argument;
    wrong_.note(outcome);
    for (Diagnostic& finding : outcome.findings) add_finding(result_.findings, std::move(finding));
    if (outcome.passed() && outcome.result.variant.empty())
        observed_.emplace_back(outcome.result.shape, outcome.prepared.observed);
    for (const auto& [line, meeting] : outcome.run.result.meetings)
        if (!meeting.is_followed && !meetings_.contains(line)) unfollowed_on_[line] = shape;
    vgpu::add(meetings_, outcome.run.result.meetings);
    if (result_.output.empty()) note_output(outcome);
    result_.cases.push_back(std::move(outcome.result));
    // What ends a wrong program that is no long wait is its work, which is alike on all machines.
    constexpr std::uint64_t no_long_wait = 400'000'000;
    work_has_more_time(is_right_so_far() || work_ < no_long_wait);
    if (on_case_) on_case_(result_.cases.size());
}

// The shape on which a check stops is seldom the one that took the work.
void CaseSeries::name_largest_in(CaseOutcome& outcome) const {
    if (!outcome.is_check_spent || largest_work_ <= outcome.work) return;
    for (Diagnostic& finding : outcome.findings)
        if (finding.code == "timeout")
            finding.facts.push_back(say("check_does_used_up", work_, largest_work_, largest_));
}

void CaseSeries::report_unfollowed(const std::string& path, const std::string& source) {
    std::set<int> lines;
    std::set<std::string> buffers;
    std::string shape;
    for (const auto& [place, meeting] : meetings_) {
        if (meeting.is_followed || place.second == 0) continue;
        lines.insert(place.second);
        buffers.insert("`" + meeting.buffer + "`");
        if (shape.empty()) shape = unfollowed_on_[place];
    }
    if (lines.empty() || !all_passed()) return;
    result_.findings.push_back(make_diagnostic(Blame::learner, Severity::warning, "not_looked_at",
                                               say("done_looked_races_within", listed(buffers)),
                                               {mark_of_line(*lines.begin(), path, source, "")},
                                               {say("line_only_launches_too", lines.size() == 1 ? "" : "s",
                                                    listed(lines) + (lines.size() == 1 ? " runs" : " run"), shape),
                                                say("comes_out_right_blocks")},
                                               say("while_you_test_smaller")));
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

bool CaseSeries::is_right_so_far() const { return std::ssize(result_.cases) >= enough_to_go_by && all_passed(); }

std::uint64_t CaseSeries::work_of(std::uint64_t elements) const {
    return is_right_so_far() ? most_work_of_case(elements) : work_of_case(elements);
}

// Something that the kit cannot run is nobody's fault, and takes back nothing: what came out wrong before it stays
// wrong.
Status CaseSeries::stop_at_gap(const Diagnostic& gap) {
    const bool is_wrong = std::ranges::any_of(result_.cases, [](const CaseResult& one) {
        return one.verdict != Verdict::pass && one.verdict != Verdict::skipped;
    });
    if (gap.code != "unsupported" || !is_wrong) return gap;
    stop_reason_ = gap.title;
    return Nothing{};
}

Status CaseSeries::run(const Bench& bench, const std::vector<Shape>& shapes, const CaseOptions& options,
                       const std::function<void(const CaseOutcome&)>& look) {
    std::span<const Shape> left(shapes);
    while (!left.empty()) {
        if (has_stopped()) {
            skip({left.front()}, options.variant, stop_reason_);
            left = left.subspan(1);
            continue;
        }
        const std::vector<CaseToRun> cases = next_cases(bench, left, options);
        if (cases.size() == 1) {
            auto outcome = told_case(bench, left.front(), cases.front().options);
            if (!outcome) {
                if (auto status = stop_at_gap(outcome.error()); !status) return status;
                continue;
            }
            look(*outcome);
            add(std::move(*outcome), bench.budget);
            left = left.subspan(1);
            continue;
        }
        // What ran ahead counts as far as it would have had as much in its turn, and no more where it needed more.
        std::size_t next = 0;
        for (CaseRun& one : run_side_by_side(bench, cases)) {
            const std::uint64_t most = cases[next++].most_work;
            if (bench.budget != nullptr && one.work > bench.budget->left()) break;
            if (bench.budget != nullptr && one.work == most && most < bench.budget->left()) break;
            if (!one.outcome) return one.outcome.error();
            if (has_words(one.outcome->seen)) tell_into({bench.path, bench.facts()}, *one.outcome);
            if (bench.budget != nullptr) bench.budget->spend(one.work);
            look(*one.outcome);
            add(std::move(*one.outcome), bench.budget);
            left = left.subspan(1);
        }
    }
    return Nothing{};
}

// The first, and those that may be run before it is known what came of it. Each has what the budget has left if those
// before it take all that their elements may: what is wasted where one of them takes that much has an end.
std::vector<CaseToRun> CaseSeries::next_cases(const Bench& bench, std::span<const Shape> shapes,
                                              const CaseOptions& options) const {
    constexpr std::size_t most = 8;
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 26;  // at a time, for the memory of both
    const bool is_alone = bench.beside == nullptr || !is_right_so_far();
    std::vector<CaseToRun> cases;
    std::uint64_t all_elements = 0;
    std::uint64_t left = bench.budget == nullptr ? std::numeric_limits<std::uint64_t>::max() : bench.budget->left();
    for (const Shape& shape : shapes.first(std::min(is_alone ? 1 : most, shapes.size()))) {
        const std::uint64_t elements = bench.problem.elements(shape);
        all_elements += elements;
        if (!cases.empty() && (all_elements > most_elements || left < work_of_case(elements) / 4 * 3)) break;
        CaseToRun& next = cases.emplace_back(CaseToRun{shape, options, left});
        next.options.most_warp_instructions = std::max(options.most_warp_instructions, work_of(elements));
        left -= std::min(left, next.options.most_warp_instructions - work_of(0));
    }
    return cases;
}

const ObservedRun* CaseSeries::observed(const Shape& shape) const {
    for (const auto& [known, run] : observed_)
        if (known == shape) return &run;
    return nullptr;
}

bool CaseSeries::may_be_timed() const {
    const auto passed =
        std::ranges::count_if(result_.cases, [](const CaseResult& c) { return c.verdict == Verdict::pass; });
    return !has_stopped() && 3 * passed >= 2 * std::ssize(result_.cases);
}

bool CaseSeries::all_passed() const {
    return std::ranges::all_of(result_.cases, [](const CaseResult& c) { return c.verdict == Verdict::pass; });
}

}  // namespace warpgrade
