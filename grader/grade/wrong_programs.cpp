#include "grade/wrong_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "explain/say.hpp"
#include "grade/triage.hpp"

namespace warpgrade {

namespace fs = std::filesystem;

namespace {

constexpr std::array verdicts{"compile_error", "launch_error", "fault", "timeout", "wrong", "pass"};

Diagnostic bad_expectation(const std::string& path, std::string title, std::string help) {
    return make_error(Blame::course, "bad_expectation", std::move(title), {{path, 1, 0, 1, ""}}, {}, std::move(help));
}

std::string near(std::string_view word, const std::vector<std::string>& known) {
    return near_or(word, known, fmt::format("there are: {}", fmt::join(known, ", ")));
}

bool is_of_line(const Diagnostic& finding, int line) {
    return line == 0 || std::ranges::any_of(finding.marks, [&](const SourceMark& mark) { return mark.line == line; });
}

// "wrong; out_of_bounds, line 17; race_shared, line 20"
std::vector<std::string> what_was_said(const StageResult& result) {
    std::vector<std::string> facts{"verdict: " + verdict_of_program(result)};
    for (const Diagnostic& finding : result.findings) {
        if (facts.size() == 4) break;
        facts.push_back(code_and_title(finding));
    }
    std::string patterns;
    for (const CaseResult& one : result.cases) {
        if (!one.judgement || patterns.find(one.judgement->pattern) != patterns.npos) continue;
        patterns += (patterns.empty() ? "" : ", ") + one.judgement->pattern;
    }
    if (!patterns.empty()) facts.push_back("patterns of wrong outputs: " + patterns);
    return facts;
}

}  // namespace

Result<WrongProgram> read_expectation(const Assignment& assignment, const std::string& path, std::string_view text) {
    const std::string first(text.substr(0, std::min(text.find('\n'), text.size())));
    const std::string example = say("expect_stage_tile_verdict");
    constexpr std::string_view mark = "// expect:";
    if (!first.starts_with(mark))
        return bad_expectation(path, say("wrong_program_does_say"), "begin it with " + example);
    WrongProgram program;
    program.path = path;
    std::istringstream words(first.substr(mark.size()));
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        const std::string key = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
        if (key == "stage")
            program.stage = value;
        else if (key == "verdict")
            program.verdict = value;
        else if (key == "kind")
            program.kind = value;
        else if (key == "pattern")
            program.pattern = value;
        else if (key == "rule")
            program.rule = value;
        else if (key == "line") {
            const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), program.line);
            if (code != std::errc() || end != value.data() + value.size() || program.line < 1)
                return bad_expectation(path, fmt::format("`{}` is not a line", value), "write it as in " + example);
        } else {
            return bad_expectation(path, fmt::format("`{}` is nothing to expect", word),
                                   near(key, {"stage", "verdict", "kind", "line", "pattern", "rule"}));
        }
    }
    std::vector<std::string> stages;
    for (const Stage& stage : assignment.stages) stages.push_back(stage.id);
    if (std::ranges::find(stages, program.stage) == stages.end())
        return bad_expectation(path, fmt::format("{} has no stage `{}`", assignment.name, program.stage),
                               near(program.stage, stages));
    if (std::ranges::find(verdicts, program.verdict) == verdicts.end())
        return bad_expectation(path, fmt::format("`{}` is not a verdict", program.verdict),
                               near(program.verdict, {verdicts.begin(), verdicts.end()}));
    if (program.line != 0 && program.kind.empty())
        return bad_expectation(path, "a line without a kind", say("say_kind_finding_there"));
    return program;
}

Result<std::vector<WrongProgram>> wrong_programs(const Assignment& assignment) {
    std::vector<WrongProgram> all;
    if (assignment.solutions.empty()) return all;
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(assignment.solutions) / "wrong", error))
        if (entry.path().extension() == ".cu") paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
        const auto text = read_whole_file(path, 1 << 20);
        if (!text) return text.error();
        auto program = read_expectation(assignment, path.string(), *text);
        if (!program) return program.error();
        all.push_back(std::move(*program));
    }
    return all;
}

std::string verdict_of_program(const StageResult& result) {
    if (!result.compiles) return "compile_error";
    for (const char* verdict : verdicts)
        if (std::ranges::any_of(result.cases, [&](const CaseResult& one) { return to_string(one.verdict) == verdict; }))
            return verdict;
    // Nothing was run: no launcher, say.
    return "compile_error";
}

std::optional<Diagnostic> disappointment(const WrongProgram& program, const StageResult& result) {
    const auto refuse = [&](std::string title) {
        Diagnostic diagnostic = bad_expectation(program.path, std::move(title), "fix the program, or what it expects");
        diagnostic.code = "wrong_program_differs";
        diagnostic.facts = what_was_said(result);
        return diagnostic;
    };
    if (verdict_of_program(result) != program.verdict)
        return refuse(say("verdict_program", verdict_of_program(result), program.verdict));
    if (!program.kind.empty() && std::ranges::none_of(result.findings, [&](const Diagnostic& finding) {
            return finding.code == program.kind && is_of_line(finding, program.line);
        }))
        return refuse(fmt::format("there is no {}{} in this program", program.kind,
                                  program.line != 0 ? fmt::format(" of line {}", program.line) : ""));
    if (!program.pattern.empty() && std::ranges::none_of(result.cases, [&](const CaseResult& one) {
            return one.judgement && one.judgement->pattern == program.pattern;
        }))
        return refuse(say("wrong_output_recognised", program.pattern));
    if (program.rule.empty()) return std::nullopt;
    if (std::ranges::none_of(result.technique, [&](const TechniqueResult& rule) {
            return !rule.ok && rule.rule.starts_with(program.rule + " ");
        }))
        return refuse(say("rule_about_fails_program", program.rule));
    if (const double more = result.score.technique + result.score.performance; more > 0)
        return refuse(say("program_earns_points_more", more));
    return std::nullopt;
}

}  // namespace warpgrade
