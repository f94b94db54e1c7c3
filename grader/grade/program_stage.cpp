#include "grade/program_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/make_diagnostic.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "explain/say.hpp"
#include "grade/case_series.hpp"
#include "grade/score.hpp"
#include "grade/triage.hpp"
#include "host/program.hpp"
#include "source/numbers.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

constexpr std::string_view number_mark = "{number}";

// A line with {number} in it: what stands there has to be a number above 0.
bool fits_line(std::string_view found, std::string_view expected) {
    for (;;) {
        const std::size_t mark = expected.find(number_mark);
        if (mark == expected.npos) return found == expected;
        if (!found.starts_with(expected.substr(0, mark))) return false;
        found.remove_prefix(mark);
        expected.remove_prefix(mark + number_mark.size());
        double value = 0;
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
        if (error != std::errc() || !(value > 0)) return false;
        found.remove_prefix(static_cast<std::size_t>(end - found.data()));
    }
}

std::vector<std::string> output_lines(const std::string& text) {
    const auto pieces = split(text, '\n');
    std::vector<std::string> lines(pieces.begin(), pieces.end());
    for (std::string& line : lines) line.erase(line.find_last_not_of(" \t\r") + 1);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

// As a case: the arguments are its extents where they are numbers.
Shape shape_of(const ProgramCase& run) {
    Shape shape;
    shape.type = "";
    shape.shape_class = "run";
    std::string words;
    for (const std::string& argument : run.arguments) {
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), extent);
        if (error == std::errc() && end == argument.data() + argument.size()) shape.extents.push_back(extent);
        words += (words.empty() ? "" : " ") + argument;
    }
    if (shape.extents.size() == run.arguments.size() && !words.empty()) return shape;
    shape.extents.clear();
    shape.contents = words.empty() ? "without arguments" : words;
    return shape;
}

std::string command_of(const Stage& stage, const ProgramCase& run) {
    std::string text = "./" + std::filesystem::path(stage.file).stem().string();
    for (const std::string& argument : run.arguments) text += " " + argument;
    return text;
}

// By the first error.
void judge(const std::vector<Diagnostic>& findings, CaseResult& one) {
    one.verdict = Verdict::pass;
    const auto error = std::ranges::find(findings, Severity::error, &Diagnostic::severity);
    if (error == findings.end()) return;
    one.fail_by(error->title);
    one.verdict = error->code == "timeout"          ? Verdict::timeout
                  : error->code == "invalid_launch" ? Verdict::launch_error
                                                    : Verdict::fault;
}

// What reports and `explain` show.
void keep_counters(StageResult& result, const ProgramCase& asked, host::ProgramRun&& run) {
    for (const host::Launched& launched : run.launches)
        result.launches.push_back(
            {launched.kernel, launched.grid, launched.block, launched.shared_bytes, launched.line});
    result.counters_shape = shape_of(asked);
    result.counters = run.counters;
    result.by_line = std::move(run.by_line);
    result.trace = std::move(run.trace);
    result.trace_ends = std::move(run.trace_ends);
    result.trace_is_cut = run.trace_is_cut;
}

class ProgramGrading {
public:
    ProgramGrading(const Stage& stage, Device& device, const GradeOptions& options, StageResult& result)
        : stage_(stage), device_(device), options_(options), result_(result) {}

    // For `explain`: the first run alone.
    void explain() { explains_ = true; }

    Status run_all() {
        auto compiled =
            host::compile_program(host::text_of_file(result_.source_path, result_.source), device_.info().limits);
        if (!compiled) return compiled.error();
        result_.compiles = compiled->ok;
        result_.compile_seconds = compiled->seconds;
        result_.compiler_messages.insert(result_.compiler_messages.end(), compiled->messages.begin(),
                                         compiled->messages.end());
        if (!compiled->ok) {
            skip_all("the program does not compile");
            return Nothing{};
        }
        for (const ProgramCase& run : stage_.runs) {
            if (auto status = run_one(*compiled, run); !status) return status;
            if (explains_) return Nothing{};
            if (options_.on_shape) options_.on_shape(result_.cases.size(), stage_.runs.size());
        }
        apply_program_rules();
        return Nothing{};
    }

    void skip_all(const std::string& why) {
        for (const ProgramCase& run : stage_.runs) {
            CaseResult& skipped = result_.cases.emplace_back();
            skipped.shape = shape_of(run);
            skipped.verdict = Verdict::skipped;
            skipped.detail = why;
        }
        why_unmeasured_ = why;
        apply_program_rules();
    }

private:
    struct Printed {
        std::string output, errors;
    };

    Status run_one(const CompileOutput& compiled, const ProgramCase& asked) {
        host::Program program;
        program.ptx = compiled.ptx;
        program.text = host::text_of_file(result_.source_path, result_.source);
        program.arguments = {"./" + std::filesystem::path(stage_.file).stem().string()};
        program.arguments.insert(program.arguments.end(), asked.arguments.begin(), asked.arguments.end());
        program.gpu = device_.info().limits;
        program.gpu_name = device_.info().name;
        program.cuda_major = std::atoi(compiled.nvrtc_version.c_str());
        host::ProgramLimits limits;
        limits.is_time_over = &work_time_is_over();
        limits.output_bytes = most_output;
        limits.traces = result_.cases.empty() && (options_.traces || explains_);
        limits.traces_whole_blocks = limits.traces && options_.traces_whole_blocks;
        limits.traced_block = options_.traced_block;
        Printed printed;
        bool is_read = false;
        const host::Outside outside{[&](host::Outside::Stream stream, std::string_view text) {
                                        (stream == host::Outside::Stream::output ? printed.output : printed.errors) +=
                                            text;
                                    },
                                    [&] { return std::exchange(is_read, true) ? std::string() : asked.input; }};
        auto run = host::run_program(program, limits, outside);
        if (!run) {
            if (run.error().blame != Blame::learner) return run.error();
            host::ProgramRun refused;
            refused.exit_code = 1;
            return take(asked, refused, {run.error()}, printed);
        }
        for (const vgpu::Finding& finding : run->findings)
            if (finding.kind == vgpu::FindingKind::unsupported)
                return make_error(Blame::kit, "unsupported", "the virtual GPU does not know " + finding.detail,
                                  {{result_.source_path, finding.place.line, 0, 1, ""}}, {}, "please report it");
        auto findings = host::findings_of(*run, result_.source_path, result_.source);
        if (result_.cases.empty()) keep_counters(result_, asked, std::move(*run));
        return take(asked, *run, std::move(findings), printed);
    }

    // What is wrong with what the program prints, in words.
    std::optional<Diagnostic> difference(const ProgramCase& asked, int exit_code, const Printed& printed) const {
        const auto wrong = [&](std::string title, std::vector<std::string> facts, std::string help) {
            facts.insert(facts.begin(), "run as `" + command_of(stage_, asked) + "`");
            return make_diagnostic(Blame::learner, Severity::error, "wrong_output", std::move(title),
                                   {{result_.source_path, 0, 0, 1, ""}}, std::move(facts), std::move(help));
        };
        if (const auto line = first_difference(printed.output, asked.output)) {
            std::vector<std::string> facts;
            if (!line->is_unexpected) facts.push_back(fmt::format("expected `{}`", line->expected));
            facts.push_back(line->is_missing ? "found nothing" : fmt::format("found `{}`", line->found));
            return wrong(fmt::format("line {} of the output is {}", line->number,
                                     line->is_missing      ? "missing"
                                     : line->is_unexpected ? "not expected"
                                                           : "wrong"),
                         std::move(facts), say("compare_program_prints_stage"));
        }
        if (printed.errors.find(asked.errors) == std::string::npos)
            return wrong(say("standard_error_program_does"), {fmt::format("expected in it `{}`", asked.errors)},
                         say("print_text_error_fprintf"));
        if (exit_code == asked.exit_code) return std::nullopt;
        Diagnostic ended = wrong(say("program_ends_exit_code", exit_code, asked.exit_code), {},
                                 asked.exit_code == 0 ? "return 0 from main()" : say("end_exit_exit_failure_after"));
        if (const int line = line_of_exit(exit_code); line != 0)
            ended.marks = {{result_.source_path, line, 0, 1, fmt::format("ends with {}", exit_code)}};
        return ended;
    }

    // The only call of exit() with this code; 0: there is none, or several.
    int line_of_exit(int code) const {
        source::Reading reading;
        const source::Facts& facts = reading.of(result_.source);
        int found = 0;
        for (const source::Call& call : facts.calls) {
            if (call.name != "exit" && call.name != "std::exit") continue;
            if (call.arguments.size() != 1 || number_of(*facts.tree, call.arguments[0], facts.numbers) != code)
                continue;
            if (found != 0) return 0;
            found = call.line;
        }
        return found;
    }

    Status take(const ProgramCase& asked, const host::ProgramRun& run, std::vector<Diagnostic> findings,
                const Printed& printed) {
        CaseResult one;
        one.shape = shape_of(asked);
        const auto wrong = explains_ ? std::nullopt : difference(asked, run.exit_code, printed);
        // A run that is meant to fail: that the program notices is what is asked for, and how it ends then.
        const bool notices = run.exit_code == asked.exit_code ||
                             (!asked.errors.empty() && printed.errors.find(asked.errors) != std::string::npos);
        if (asked.exit_code != 0 && notices) findings.clear();
        judge(findings, one);
        if (one.verdict == Verdict::pass && wrong) {
            one.verdict = Verdict::wrong;
            one.fail_by(wrong->title);
            findings.push_back(*wrong);
        }
        for (Diagnostic& finding : findings) {
            finding.shape = shape_argument(one.shape);
            add_finding(result_.findings, std::move(finding));
        }
        // What a run that failed has not done says nothing of the program.
        const bool is_complete = one.verdict == Verdict::pass || one.verdict == Verdict::wrong;
        if (asked.exit_code == 0 && is_complete) measured_.push_back(run.numbers);
        if (result_.output.empty()) result_.output = escape_output(printed.output);
        result_.cases.push_back(std::move(one));
        return Nothing{};
    }

    void apply_program_rules() {
        for (const TechniqueRule& rule : stage_.technique) {
            TechniqueResult& applied = result_.technique.emplace_back();
            applied.rule = rule.expression;
            applied.says = measured_.empty() ? why_unmeasured_ : rule.says;
            applied.is_measured = !measured_.empty();
            applied.ok = !measured_.empty();
            const auto number = std::ranges::find(program_numbers(), rule.left, &ProgramNumber::name);
            for (const ProgramNumbers& run : measured_) {
                const double value = run.*(number->value);
                const bool holds = compare(value, rule.op, rule.right);
                if (&run == &measured_.front() || (applied.ok && !holds)) applied.value = value;
                applied.ok = applied.ok && holds;
            }
            if (applied.ok) applied.says.clear();  // it says what is missing
        }
        const auto points = rule_points(stage_.technique, stage_.technique_points);
        for (std::size_t i = 0; i < points.size(); ++i) result_.technique[i].points = points[i];
    }

    static constexpr std::uint64_t most_output = std::uint64_t{1} << 18;
    const Stage& stage_;
    Device& device_;
    const GradeOptions& options_;
    StageResult& result_;
    bool explains_ = false;
    std::vector<ProgramNumbers> measured_;
    std::string why_unmeasured_ = "no run of the program was complete";
};

Score score_of_program(const Stage& stage, const StageResult& result) {
    const bool is_right =
        std::ranges::all_of(result.cases, [](const CaseResult& one) { return one.verdict == Verdict::pass; });
    return score_of(stage, result, is_right, false);
}

}  // namespace

std::optional<DifferentLine> first_difference(const std::string& found, const std::string& expected) {
    const std::vector<std::string> have = output_lines(found), want = output_lines(expected);
    for (std::size_t i = 0; i < std::max(have.size(), want.size()); ++i) {
        if (i < have.size() && i < want.size() && fits_line(have[i], want[i])) continue;
        return DifferentLine{i + 1, i < have.size() ? have[i] : "", i < want.size() ? want[i] : "", i >= have.size(),
                             i >= want.size()};
    }
    return std::nullopt;
}

namespace {

Result<StageResult> look_at_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                    Device& device, const GradeOptions& options, bool explains) {
    StageResult result = blank_result(assignment, stage, source_path);
    ProgramGrading grading(stage, device, options, result);
    if (explains) grading.explain();
    auto source = read_source_file(source_path);
    if (!source) {
        if (source.error().blame != Blame::learner) return source.error();
        result.findings.push_back(source.error());
        grading.skip_all("the program cannot be read");
    } else {
        result.source = std::move(source->text);
        result.compiler_messages = std::move(source->notes);
        result.sha256 = sha256_hex(result.source);
        result.is_untouched_stub = stage.is_graded && stage.is_stub(result.source);
        if (auto status = grading.run_all(); !status) return status.error();
    }
    triage(result.findings, {});
    if (!explains) result.score = score_of_program(stage, result);
    return result;
}

}  // namespace

Result<StageResult> grade_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                  Device& device, const GradeOptions& options) {
    return look_at_program(assignment, stage, source_path, device, options, false);
}

Result<StageResult> explain_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                    Device& device, const GradeOptions& options) {
    return look_at_program(assignment, stage, source_path, device, options, true);
}

StageResult shown_program(const Assignment& assignment, const Stage& stage, const host::ProgramText& text,
                          host::ProgramRun&& run, std::vector<Diagnostic> findings) {
    StageResult result = blank_result(assignment, stage, text.path);
    result.source = text.text;
    result.sha256 = sha256_hex(text.text);
    result.compiles = true;
    result.findings = std::move(findings);
    CaseResult& one = result.cases.emplace_back();
    one.shape = shape_of(stage.runs.front());
    judge(result.findings, one);
    keep_counters(result, stage.runs.front(), std::move(run));
    return result;
}

StageResult stopped_program(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                            Diagnostic why) {
    StageResult result = blank_result(assignment, stage, source_path);
    if (const std::string* source = text_read_ahead(source_path)) result.source = *source;
    result.sha256 = sha256_hex(result.source);
    result.compiles = true;  // as far as is known
    const auto device = make_virtual_device();
    ProgramGrading(stage, *device, {}, result).skip_all(why.title);
    for (CaseResult& one : result.cases) one.verdict = Verdict::timeout;
    why.marks.push_back({source_path, 0, 0, 1, ""});
    result.findings.push_back(std::move(why));
    result.score = score_of_program(stage, result);
    return result;
}

}  // namespace warpgrade
