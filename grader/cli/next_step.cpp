#include <fmt/format.h>

#include <algorithm>

#include "cli/check_view.hpp"
#include "cli/text.hpp"
#include "grade/triage.hpp"

namespace warpgrade::cli {
namespace {

std::int64_t elements_of(const Shape& shape) {
    std::int64_t all = 1;
    for (const std::int64_t extent : shape.extents) all *= extent;
    return all;
}

// Of those that fail like the one with this argument, the smallest, where that one takes long.
std::string quicker_shape(const StageResult& result, const std::string& shape) {
    constexpr std::int64_t quick = 1 << 17;  // elements
    const auto is_it = [&](const CaseResult& one) {
        return one.variant.empty() && one.verdict != Verdict::pass && one.verdict != Verdict::skipped &&
               shape_argument(one.shape) == shape;
    };
    const auto first = std::find_if(result.cases.begin(), result.cases.end(), is_it);
    if (shape.empty() || first == result.cases.end() || elements_of(first->shape) <= quick) return shape;
    const CaseResult* best = &*first;
    for (const CaseResult& one : result.cases)
        if (one.verdict == first->verdict && one.detail == first->detail && one.variant.empty() &&
            one.shape.type == first->shape.type && !shape_argument(one.shape).empty() && elements_of(one.shape) != 0 &&
            elements_of(one.shape) < elements_of(best->shape))
            best = &one;
    return shape_argument(best->shape);
}

// The shape that the first message is about; without a message, the first that fails. "": --shape cannot give it.
std::string first_shape(const StageResult& result, const CaseResult& failing) {
    for (const Diagnostic& finding : all_findings(result))
        if (finding.severity == Severity::error) return quicker_shape(result, finding.shape);
    return quicker_shape(result, shape_argument(failing.shape));
}

// "fix line 19 first", of the first message, where a change or a certain fact names the line; the line where something
// only showed is where to start. "" where it has no line: those of others would lead away from it.
std::string first_place(const StageResult& result) {
    for (const Diagnostic& finding : all_findings(result)) {
        if (finding.severity != Severity::error && !finding.names_cause) continue;
        const int line = finding.mend_line != 0  ? finding.mend_line
                         : finding.marks.empty() ? 0
                                                 : finding.marks.front().line;
        if (line == 0) return "";
        return is_sure_of_line(finding) ? fmt::format("fix line {} first", line)
                                        : fmt::format("start at line {}", line);
    }
    return "";
}

std::string or_go_on(const CheckView& view) {
    return view.next_path.empty() ? "" : "\nor go on with " + view.next_path;
}

std::string counted_points(double points) { return number(points) + (points == 1 ? " point" : " points"); }

}  // namespace

std::string hint_line(const Stage& stage, const CheckView& view) {
    return stage.hints.empty() ? "" : fmt::format("\nhint: `{} hint {}`", view.command, stage.name());
}

std::string next_step(const StageResult& result, const Stage& stage, const CheckView& view) {
    if (result.score.state == ScoreState::internal_error)
        return "nothing to change in this file: the kit failed, and no points were taken. Report what is shown above.";

    const std::string fix = first_place(result);
    if (!result.compiles)
        return (fix.empty() ? "fix the first error" : fix) +
               fmt::format("\nthen: `{} check {}`", view.command, view.argument);

    const auto failing = std::find_if(result.cases.begin(), result.cases.end(), [](const CaseResult& c) {
        return c.verdict != Verdict::pass && c.verdict != Verdict::skipped;
    });
    if (failing != result.cases.end()) {
        const std::string shape = first_shape(result, *failing);
        if (result.is_program)
            return (fix.empty() ? "start with the first run that fails" : fix) + hint_line(stage, view);
        std::string text = !fix.empty()    ? fix
                           : shape.empty() ? "start with the first shape that fails"
                                           : "start with shape " + shape;
        if (result.cases.size() > 1 && !shape.empty())
            text += fmt::format("\nalone: `{} check {} --shape {}`", view.command, view.argument, shape);
        return text + hint_line(stage, view);
    }
    if (!fix.empty()) return fix + hint_line(stage, view);
    // What kept it from running stands in no line of the file.
    const bool has_run = std::any_of(result.cases.begin(), result.cases.end(),
                                     [](const CaseResult& c) { return c.verdict != Verdict::skipped; });
    if (!result.cases.empty() && !has_run) return "fix the first error" + hint_line(stage, view);

    const std::string look = fmt::format("\nlook: `{} explain {}`", view.command, view.argument);
    const auto broken =
        std::find_if(result.technique.begin(), result.technique.end(), [](const TechniqueResult& t) { return !t.ok; });
    if (broken != result.technique.end())
        return stage.is_program()
                   ? "the output is right; now the first rule that does not hold" + hint_line(stage, view)
                   : "the answer is right; now the way it moves through memory" + look + hint_line(stage, view);

    if (!view.has_all_shapes)
        return fmt::format("right on what was asked for\nthen: `{} check {}`, on every shape", view.command,
                           view.argument);
    if (result.score.state == ScoreState::impossible)
        return "no points for a bandwidth that cannot be, until a person has looked at it\n"
               "does every launch do all of its work, on large shapes too?" +
               look;
    const bool is_open = !result.bandwidth && result.score.state == ScoreState::provisional;
    const double lost = result.bandwidth || is_open ? stage.performance_points - result.score.performance : 0;
    if (is_open && lost > 0)
        return fmt::format("right, but {} of {} performance points are open: {}", number(lost),
                           number(stage.performance_points),
                           result.why_untimed.empty() ? "bandwidth was not measured" : escape(result.why_untimed)) +
               look + or_go_on(view);
    const std::string to_earn =
        fmt::format("{} of {} performance points are still to earn", number(lost), number(stage.performance_points));
    const bool is_compared = result.bandwidth && result.bandwidth->reference_gb_per_s > 0;
    if (is_compared && lost > stage.performance_points / 2)
        return "right, but slow: " + to_earn + look + hint_line(stage, view) + or_go_on(view);
    for (const Diagnostic& finding : result.findings)
        if (finding.code == "index_overflow" && !finding.marks.empty() &&
            result.score.correctness < stage.correctness_points)
            return fmt::format("right on every shape that was run; fix the index in line {}, it costs {}",
                               finding.marks.front().line,
                               counted_points(stage.correctness_points - result.score.correctness)) +
                   hint_line(stage, view) + or_go_on(view);
    std::string text = "this stage is done";
    text += view.next_path.empty() ? fmt::format(", and it is the last of {}", stage.assignment)
            : view.is_last_of_assignment
                ? fmt::format(", the last of {}; go on with {}", stage.assignment, view.next_path)
                : "; go on with " + view.next_path;
    if (lost > 0.005) text += "\n" + to_earn + look;
    return text;
}

}  // namespace warpgrade::cli
