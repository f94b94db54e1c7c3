#include "cli/check_formats.hpp"

#include <regex>

#include "cli/text.hpp"
#include "cli_text/golden.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;
using warpgrade::test::check_golden;

namespace {

const std::string place = "assignments/transpose/4_padding.cu";

StageResult checked() {
    StageResult result;
    result.source_path = place;
    result.source = "// first\n__global__ void padded() {\n    // TODO 1\n    load(a);\n}\n";
    result.compiles = true;
    return result;
}

CaseResult failing(std::vector<std::int64_t> extents, Verdict verdict, const std::string& detail) {
    CaseResult one;
    one.shape.extents = std::move(extents);
    one.shape.shape_class = "odd";
    one.verdict = verdict;
    one.detail = detail;
    return one;
}

Diagnostic found(const std::string& code, Severity severity, std::vector<SourceMark> marks) {
    Diagnostic finding;
    finding.blame = Blame::learner;
    finding.code = code;
    finding.severity = severity;
    finding.title = "what happened";
    finding.marks = std::move(marks);
    finding.help = "one thing to try";
    return finding;
}

// Every line is one that an editor can read.
std::string lines_of(const StageResult& result) {
    Stage stage;
    stage.assignment = "transpose";
    stage.id = "padding";
    stage.first_step = "Run `warpgrade check padding`.";
    CheckView view;
    view.command = "./grader/warpgrade";
    const std::string text = message_lines(result, Assignment{}, stage, view);
    const std::regex readable(R"((.+?):([1-9]\d*):([1-9]\d*): (error|warning|note)(\[\w+\])?: (.+))");
    std::vector<std::string> lines = split_lines(text);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    for (const std::string& line : lines) {
        INFO(line);
        CHECK(std::regex_match(line, readable));
    }
    return text;
}

}  // namespace

TEST_CASE("every format has a name, a meaning and something to write") {
    for (const CheckFormat& format : check_formats()) {
        INFO(format.name);
        CHECK_FALSE(format.meaning.empty());
        CHECK((format.of_stage != nullptr || format.of_all != nullptr));
        CHECK((!format.can_watch || format.of_stage != nullptr));
        CHECK(check_format(format.name).name == format.name);
    }
    CHECK(check_format_names() ==
          std::vector<std::string>{"text", "json", "line", "github", "junit", "sarif", "gradescope", "prairielearn"});
}

TEST_CASE("a stage with nothing left to do has no line") { CHECK(lines_of(checked()).empty()); }

TEST_CASE("a message is one line with its place, and the other place of a race is a note after it") {
    StageResult result = checked();
    result.findings = {
        found("race_shared", Severity::error, {{place, 4, 0, 1, "this store"}, {place, 3, 9, 1, "this load"}}),
        found("uncoalesced_store", Severity::warning, {{place, 99, 0, 1, ""}}),
        found("bank_conflict", Severity::advice, {})};
    result.cases = {failing({33, 65}, Verdict::wrong, "said by the error above")};
    check_golden("check_lines", lines_of(result));
}

TEST_CASE("compile errors are lines") {
    StageResult result = checked();
    result.compiles = false;
    result.compiler_messages = {{Severity::error, place, 2, 12, "identifier \"colls\" is undefined\nsecond line"},
                                {Severity::note, place, 4, 0, "declared here"}};
    check_golden("check_lines_compile", lines_of(result));
}

TEST_CASE("an untouched stub has one note, at its first TODO") {
    StageResult result = checked();
    result.is_untouched_stub = true;
    result.findings = {found("not_written", Severity::error, {})};
    CHECK(lines_of(result) ==
          place + ":3:5: note[not_attempted]: not attempted yet. Run `./grader/warpgrade check padding`.\n");
}

TEST_CASE("what fails without a message of its own has a line all the same") {
    StageResult result = checked();
    result.cases = {failing({33, 65}, Verdict::wrong, "128 of 700 elements are wrong"),
                    failing({1, 7}, Verdict::wrong, "128 of 700 elements are wrong"),
                    failing({2, 7}, Verdict::timeout, "no end"), failing({0, 7}, Verdict::skipped, "")};
    TechniqueResult rule;
    rule.rule = "global_load_sectors_per_request <= 4.1";
    rule.value = 32;
    rule.says = "its threads read from different rows";
    result.technique = {rule};
    result.score.state = ScoreState::impossible;
    result.score.why = "faster than the memory";
    check_golden("check_lines_bare", lines_of(result));
    result.cases.clear();
    result.technique = {rule, rule};
    for (TechniqueResult& one : result.technique) {
        one.is_measured = false;
        one.has_value = false;
        one.says = "not measured: the output is wrong";
    }
    const std::string text = lines_of(result);
    CHECK(text.find("not measured") == text.rfind("not measured"));
}

TEST_CASE("a defect of the kit is a line that asks nothing of the student") {
    StageResult result = checked();
    result.score.state = ScoreState::internal_error;
    result.score.why = "not supported: wgmma at line 30";
    CHECK(lines_of(result) == place + ":1:1: error[internal_error]: not supported: wgmma at line 30\n");
}

TEST_CASE("text of a submission stays on its line") {
    StageResult result = checked();
    result.source_path = "a\nb.cu:1:1: error: forged\x1b[2J";
    result.findings = {
        found("wrong_output", Severity::error, {{result.source_path, 4, 0, 1, "x\ny.cu:1:1: error: forged"}})};
    result.findings[0].title = "\x1b[31mred\r\nfile.cu:7:7: error: forged";
    const std::string text = lines_of(result);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("a stage is told in one line beside a format for programs") {
    Stage stage;
    stage.assignment = "transpose";
    stage.id = "padding";
    SummaryRow row;
    row.stage = &stage;
    row.state = StageState::wrong;
    row.right = 3;
    row.shapes = 30;
    row.held = 1;
    row.rules = 3;
    row.points = 2;
    row.most = 14;
    CHECK(summary_line(row) == "transpose/padding: wrong, 3 of 30 shapes right, 1 of 3 rules holds, 2 of 14 points");
    row.state = StageState::not_attempted;
    CHECK(summary_line(row) == "transpose/padding: not attempted");
    row.failure = "no_such_file";
    CHECK(summary_line(row) == "transpose/padding: no_such_file");
}
