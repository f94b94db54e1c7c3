#include "cli/check_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cli/course.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

constexpr std::size_t full_findings = 3;
constexpr std::size_t shown_failures = 3;
constexpr std::size_t shown_shapes = 4;

}  // namespace

std::vector<Failure> failures_of(const StageResult& result) {
    std::vector<Failure> failures;
    for (const CaseResult& one : result.cases) {
        if (one.verdict == Verdict::pass || one.verdict == Verdict::skipped) continue;
        auto same = std::find_if(failures.begin(), failures.end(), [&](const Failure& f) {
            return f.first->verdict == one.verdict && f.first->detail == one.detail;
        });
        if (same == failures.end()) same = failures.insert(failures.end(), Failure{&one, {}, 0});
        ++same->cases;
        const std::string name = one.shape.shape_class + " " + describe_case(one.shape);
        if (std::find(same->shapes.begin(), same->shapes.end(), name) == same->shapes.end())
            same->shapes.push_back(name);
    }
    const std::vector<Diagnostic> findings = all_findings(result);
    if (!findings.empty() && findings.front().severity == Severity::error)
        std::stable_partition(failures.begin(), failures.end(),
                              [&](const Failure& failure) { return failure.first->title == findings.front().title; });
    return failures;
}

bool is_said(const std::vector<Diagnostic>& shown, const TechniqueResult& rule) {
    return std::any_of(shown.begin(), shown.end(), [&](const Diagnostic& finding) {
        // Of banks it says what they are in this file.
        const char* of_banks = finding.code != "bank_conflict" ? ""
                               : finding.kind == "store"       ? "shared_store_wavefronts"
                                                               : "shared_load_wavefronts";
        return finding.help == rule.says || (*of_banks != '\0' && rule.rule.starts_with(of_banks));
    });
}

namespace {

std::string correctness_block(const StageResult& result, const RenderStyle& style) {
    if (result.cases.empty() || !result.compiles) return "";
    const auto count = [&](auto is_counted) {
        return static_cast<std::size_t>(std::count_if(result.cases.begin(), result.cases.end(), is_counted));
    };
    const std::size_t passed = count([](const CaseResult& c) { return c.verdict == Verdict::pass; });
    const std::size_t skipped = count([](const CaseResult& c) { return c.verdict == Verdict::skipped; });
    const std::size_t total = result.cases.size();
    std::string headline =
        fmt::format("{} of {} right", passed,
                    result.is_program ? counted(total, "run", "runs") : counted(total, "shape", "shapes"));
    const std::size_t launched = count([](const CaseResult& c) { return c.is_planned && c.verdict == Verdict::pass; });
    if (launched > 0 && passed < total)
        headline += fmt::format(" (only the launches of {} of them were checked)", launched);
    if (const std::size_t proved = count([](const CaseResult& c) { return c.is_proved; }); proved > 0)
        headline += fmt::format(", {} by proof", proved);
    if (skipped > 0) headline += fmt::format(", {} not run", skipped);
    if (result.run_up_to > 0)
        headline += fmt::format("{}not run above {}", skipped > 0 ? "; " : ", ",
                                counted(result.run_up_to, "element", "elements"));
    std::string out =
        labelled("correctness", paint(headline, passed == total ? Paint::green : Paint::red, style), style);

    const std::string indent(label_columns, ' ');
    const std::vector<Failure> failures = failures_of(result);
    for (std::size_t i = 0; i < std::min(shown_failures, failures.size()); ++i) {
        const Failure& failure = failures[i];
        out += wrap_after(indent + paint(std::string(to_string(failure.first->verdict)), Paint::red, style) + "  ",
                          escape(failure.first->detail), style.columns);
        std::string shapes;
        for (std::size_t s = 0; s < std::min(shown_shapes, failure.shapes.size()); ++s)
            shapes += (s > 0 ? ", " : "") + escape(failure.shapes[s]);
        if (const std::size_t shown = std::min(shown_shapes, failure.shapes.size()); failure.cases > shown)
            shapes += fmt::format(" and {} more", failure.cases - shown);
        out += wrap_after(indent + "  ", shapes, style.columns);
    }
    if (failures.size() > shown_failures)
        out += indent + fmt::format("and {}\n", counted(failures.size() - shown_failures, "more kind of failure",
                                                        "more kinds of failure"));
    return out;
}

// Where nothing is proved, nothing is said of it.
std::string proof_block(const StageResult& result, const RenderStyle& style) {
    if (!result.proof) return "";
    const auto& rows = result.proof->rows;
    const bool is_any = std::any_of(rows.begin(), rows.end(), [](const proof::Row& row) { return row.is_proved; });
    if (result.refuted)
        return labelled("proof",
                        fmt::format("it fails on {}, which is none of the shapes above; no points are lost for that",
                                    escape(result.refuted->at)),
                        style) +
               "\n" + render_findings({result.refuted->finding}, 1, style) + "\n";
    return is_any ? labelled("proof", escape(proof::line_of(*result.proof)), style) : "";
}

std::string technique_block(const StageResult& result, const RenderStyle& style) {
    if (result.technique.empty() || !result.compiles) return "";
    const auto held = static_cast<std::size_t>(
        std::count_if(result.technique.begin(), result.technique.end(), [](const TechniqueResult& t) { return t.ok; }));
    std::string headline = fmt::format("{} of {} {}", held, counted(result.technique.size(), "rule", "rules"),
                                       held == 1 ? "holds" : "hold");
    headline = paint(headline, held == result.technique.size() ? Paint::green : Paint::red, style);
    if (!result.technique_shape.extents.empty()) headline += ", on " + escape(to_string(result.technique_shape));
    std::string out = labelled("technique", headline, style);
    const std::string indent(label_columns, ' ');
    if (!result.technique.front().is_measured)
        return out + wrap_after(indent, escape_lines(result.technique.front().says), style.columns);
    std::vector<Diagnostic> shown = all_findings(result);
    shown.resize(std::min(shown.size(), full_findings));
    for (const TechniqueResult& rule : result.technique) {
        const std::string mark = rule.ok ? "ok      " : "not ok  ";
        const std::string value = rule.has_value ? "is " + number(rule.value) : "no value";
        const int room = style.columns - label_columns - 8 - display_width(value) - 2;
        out += indent + paint(mark, rule.ok ? Paint::green : Paint::red, style) +
               pad_right(cut(escape(rule.rule), room), std::min(room, 46)) + "  " + value + "\n";
        if (!rule.ok && !rule.says.empty() && !is_said(shown, rule))
            out += wrap_after(indent + "        ", escape_lines(rule.says), style.columns);
    }
    return out;
}

// One row a shape class; the first is the one that most points are for.
std::string bandwidth_rows(const StageResult& result, const RenderStyle& style) {
    const Bandwidth& shown = result.bandwidths.front();
    Table table({{"class"},
                 {"shape", false, true},
                 {std::string(shown.rate_unit()), true},
                 {fmt::format("of {}", words_of(shown.yardstick)), true},
                 {"of reference", true},
                 {""}},
                label_columns);
    for (const Bandwidth& b : result.bandwidths) {
        std::vector<Cell> row{{b.shape_class}, {escape(b.shape)}};
        if (b.seconds > 0) {
            row.push_back({rate_text(b)});
            row.push_back({b.copy_gb_per_s > 0 ? fmt::format("{:.0f} %", 100 * b.gb_per_s / b.copy_gb_per_s) : ""});
            row.push_back({b.share_of_reference > 0 ? fmt::format("{:.0f} %", 100 * b.share_of_reference) : ""});
        } else {
            row.insert(row.end(), {{"-"}, {"-"}, {"-"}});
        }
        row.push_back({std::string(b.verdict != Verdict::ok ? to_string(b.verdict)
                                   : b.is_capped            ? "capped"
                                                            : ""),
                       Paint::red});
        table.add(std::move(row));
    }
    Bandwidth first = result.bandwidths.front();
    const bool is_modelled = first.origin == Origin::modelled;
    first.is_capped =
        std::any_of(result.bandwidths.begin(), result.bandwidths.end(), std::mem_fn(&Bandwidth::is_capped));
    std::string headline = is_modelled ? modelled_text(first) : std::string(to_string(first.origin));
    for (const std::string& reason : first.throttled_by) headline += ", slowed down by " + reason;
    return labelled("bandwidth", escape(headline), style) + table.text(style) +
           (is_modelled && !first.limiter.empty()
                ? labelled("limit", escape(first.shape_class + ": " + limit_text(first)), style)
                : "");
}

std::string bandwidth_block(const StageResult& result, const RenderStyle& style) {
    if (result.bandwidths.size() > 1) return bandwidth_rows(result, style);
    if (!result.bandwidth) return "";
    const Bandwidth& b = *result.bandwidth;
    if (b.is_launching)
        return labelled("bandwidth",
                        "not said: " + escape(b.shape) + " is so small that launching takes most of the time", style);
    const std::string rate = b.rate() < 10 ? fmt::format("{:.2g}", b.rate()) : number(std::round(b.rate()));
    const bool is_modelled = b.origin == Origin::modelled;
    std::string text =
        fmt::format("{} {}", rate, b.rate_unit()) + (is_modelled ? "" : fmt::format(" {}", to_string(b.origin)));
    if (!b.shape.empty()) text += " on " + b.shape;
    if (b.copy_gb_per_s > 0)
        text += fmt::format(", {:.0f} % of the {}", 100 * b.gb_per_s / b.copy_gb_per_s, words_of(b.yardstick));
    if (b.reference_gb_per_s > 0)
        text += fmt::format(", {:.0f} % of the reference", 100 * b.gb_per_s / b.reference_gb_per_s);
    if (!is_modelled) {
        if (!b.limiter.empty()) text += "; limited by " + b.limiter;
        return labelled("bandwidth", escape(text), style);
    }
    return labelled("bandwidth", escape(text + "; " + modelled_text(b)), style) +
           labelled("limit", escape(limit_text(b)), style);
}

std::string share(const char* name, double earned, double most) {
    if (most <= 0) return "";
    return fmt::format("{} {}/{}", name, number(earned), number(most));
}

std::string score_block(const StageResult& result, const Stage& stage, const CheckView& view) {
    const RenderStyle& style = view.style;
    if (!stage.is_graded || stage.max_points() <= 0)
        return labelled("score", stage.is_graded ? "none: an exercise without points" : "none: a worked example",
                        style);
    if (!view.has_all_shapes)
        return labelled("score",
                        fmt::format("not given for shapes of one's own: `{} check {}`", view.command, view.argument),
                        style);
    const Score& score = result.score;
    std::string text = fmt::format("{} of {}", number(score.total), number(score.max));
    std::string parts;
    for (const std::string& part : {share("correctness", score.correctness, stage.correctness_points),
                                    share("technique", score.technique, stage.technique_points),
                                    share("performance", score.performance, stage.performance_points),
                                    share("quiz", score.quiz, stage.quiz_points)})
        if (!part.empty()) parts += (parts.empty() ? ": " : ", ") + part;
    std::string out = labelled("score", text + parts, style);
    const std::string state = score.state == ScoreState::final ? "" : std::string(to_string(score.state));
    const std::string why = state + (state.empty() || score.why.empty() ? "" : ": ") + escape_lines(score.why);
    if (!why.empty()) out += wrap_after(std::string(label_columns, ' '), why, style.columns);
    return out;
}

std::string quiz_block(const StageResult& result, const CheckView& view) {
    if (!result.quiz) return "";
    const QuizMark& quiz = *result.quiz;
    std::string text = quiz.is_of_old_code ? "the answers in the file are about earlier code, and count no more"
                       : quiz.answered == 0
                           ? "no answers in the file yet"
                           : fmt::format("{} of {} right", quiz.right, counted(quiz.questions, "answer", "answers"));
    if (quiz.answered < quiz.questions) text += fmt::format("; `{} quiz {} --keep` asks", view.command, view.argument);
    return labelled("quiz", text, view.style);
}

// The shape whose values are shown: the first that fails, or the first.
std::string values_block(const StageResult& result, const RenderStyle& style) {
    const CaseResult* shown = nullptr;
    for (const CaseResult& one : result.cases) {
        if (one.seen.empty() || (shown && (shown->verdict != Verdict::pass || one.verdict == Verdict::pass))) continue;
        shown = &one;
    }
    if (!shown) return "";
    std::string out =
        labelled("values", escape(describe_case(shown->shape)) + " of 0, 1, 2, ...; * wrong, -- not written", style);
    for (const std::string& line : shown->seen) out += "  " + escape(line) + "\n";
    return out + "\n";
}

std::string output_block(const StageResult& result, const CheckView& view) {
    if (result.output.empty()) return "";
    std::vector<PrintedPart> parts = result.printed;
    if (parts.empty()) parts.push_back({"", result.output});
    std::string out;
    const std::string indent(label_columns, ' ');
    std::size_t shown = 0, more = 0;
    for (const PrintedPart& part : parts) {
        std::vector<std::string> lines = split_lines(part.text);
        while (!lines.empty() && lines.back().empty()) lines.pop_back();
        if (shown < view.prints && !part.by.empty())
            out += (out.empty() ? pad_right("printed", label_columns) : indent) +
                   cut("by " + escape(part.by) + ":", view.style.columns - label_columns) + "\n";
        for (const std::string& line : lines) {
            if (shown++ < view.prints)
                out += (out.empty() ? pad_right("printed", label_columns) : indent) +
                       cut(escape(line), view.style.columns - label_columns) + "\n";
            else
                ++more;
        }
    }
    if (more > 0)
        out += indent +
               fmt::format("and {} more: --prints {} shows all that is kept\n", counted(more, "line", "lines"), shown);
    return out;
}

std::string stub_text(const Stage& stage, const CheckView& view) {
    std::string text = "Not attempted yet.";
    if (!stage.first_step.empty()) text += " " + stage.first_step;
    text = with_command(text, view.command);
    if (!view.is_only_stage) return wrap_after("  ", escape(text), view.style.columns);
    return wrap_after("  ", escape(text), view.style.columns) + "\n" +
           labelled(
               "next",
               fmt::format("edit the file\nthen: `{} check {}`", view.command, view.argument) + hint_line(stage, view),
               view.style);
}

}  // namespace

std::string labelled(const std::string& label, const std::string& text, const RenderStyle& style) {
    return wrap_after(pad_right(label, label_columns), text, style.columns);
}

std::string stage_header(const std::string& name, const std::string& path, const RenderStyle& style) {
    const std::string shown = escape(path);
    const bool fits = display_width(name) + 2 + display_width(shown) <= style.columns;
    return paint(name, Paint::bold, style) + (fits ? "  " : "\n  ") + shown + "\n";
}

std::string render_stage(const StageResult& result, const Assignment&, const Stage& stage, const CheckView& view) {
    const RenderStyle& style = view.style;
    std::string out = stage_header(stage.name(), result.source_path, style);
    const bool is_looked_at = stage.is_repair && view.is_only_stage;
    if (result.is_untouched_stub && stage.is_graded && result.compiles && !is_looked_at)
        return out + stub_text(stage, view);

    const std::string findings = render_findings(all_findings(result), full_findings, style);
    if (!findings.empty()) out += "\n" + findings;
    std::string blocks = values_block(result, style) + correctness_block(result, style) +
                         technique_block(result, style) + bandwidth_block(result, style) + output_block(result, view) +
                         quiz_block(result, view) + proof_block(result, style) + score_block(result, stage, view);
    out += "\n" + blocks + labelled("next", with_command(next_step(result, stage, view), view.command), style);
    return out;
}

}  // namespace warpgrade::cli
