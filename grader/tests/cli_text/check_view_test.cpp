#include "cli/check_view.hpp"

#include "cli/text.hpp"
#include "cli_text/golden.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;
using warpgrade::test::check_golden;
using warpgrade::test::CurrentFolder;

namespace {

const std::string path = "assignments/transpose/4_padding.cu";

Stage padding() {
    Stage stage;
    stage.assignment = "transpose";
    stage.id = "padding";
    stage.number = 4;
    stage.title = "One more column against bank conflicts";
    stage.file = "4_padding.cu";
    stage.correctness_points = 6;
    stage.technique_points = 8;
    stage.performance_points = 2;
    stage.hints = {"nudge", "direction", "answer"};
    stage.first_step =
        "Copy your kernel of stage 3 in, launch it, and let `warpgrade check padding` count the wavefronts.";
    return stage;
}

CaseResult shape_case(std::vector<std::int64_t> extents, const std::string& shape_class, Verdict verdict,
                      const std::string& detail = "") {
    CaseResult one;
    one.shape.extents = std::move(extents);
    one.shape.shape_class = shape_class;
    one.verdict = verdict;
    one.detail = detail;
    return one;
}

TechniqueResult rule(const std::string& expression, double value, bool ok, const std::string& says = "") {
    TechniqueResult result;
    result.rule = expression;
    result.value = value;
    result.ok = ok;
    result.says = says;
    return result;
}

StageResult passing() {
    StageResult result;
    result.assignment = "transpose";
    result.stage = "padding";
    result.source_path = path;
    result.compiles = true;
    result.cases = {shape_case({1024, 1024}, "aligned", Verdict::pass), shape_case({33, 65}, "odd", Verdict::pass),
                    shape_case({1, 4096}, "thin", Verdict::pass)};
    result.technique_shape.extents = {1024, 1024};
    result.technique = {rule("global_load_sectors_per_request <= 4.1", 4, true),
                        rule("shared_load_wavefronts_per_request <= 1.1", 1, true)};
    result.score = {6, 8, 0, 14, 14, ScoreState::final, ""};
    return result;
}

Diagnostic finding(const std::string& code, int line, Severity severity = Severity::error) {
    Diagnostic d;
    d.blame = Blame::learner;
    d.code = code;
    d.severity = severity;
    d.title = "what happened at line " + std::to_string(line);
    d.marks = {{path, line, 5, 4, ""}};
    d.facts = {"thread (1,0,0) of block (2,2,0), shape 33 x 65"};
    d.help = "one thing to try";
    d.shape = "33x65";
    return d;
}

CheckView view_of() {
    CheckView view;
    view.command = "./grader/warpgrade";
    view.argument = "transpose/padding";
    view.next_path = "assignments/transpose/5_coarsening.cu";
    return view;
}

std::string shown(const StageResult& result, const CheckView& view = view_of()) {
    CurrentFolder folder;
    std::string source;
    for (int line = 1; line <= 40; ++line) source += "    line" + std::to_string(line) + "(a, b);\n";
    folder.write(path, source);
    const std::string text = render_stage(result, Assignment{}, padding(), view);
    for (const std::string& line : split_lines(text)) {
        INFO(line);
        CHECK(display_width(line) <= 80);
    }
    return text;
}

}  // namespace

TEST_CASE("a stage that passes says what comes next") { check_golden("check_pass", shown(passing())); }

TEST_CASE("a stage that was checked on some shapes only is not called done") {
    CheckView view = view_of();
    view.has_all_shapes = false;
    const std::string text = shown(passing(), view);
    CHECK(text.find("this stage is done") == std::string::npos);
    CHECK(text.find("then: `./grader/warpgrade check transpose/padding`, on every shape") != std::string::npos);
}

TEST_CASE("wrong shapes are named with their class") {
    StageResult result = passing();
    result.cases[1] = shape_case({33, 65}, "odd", Verdict::fault, "read past the end of `in`");
    result.cases[2] = shape_case({1, 4096}, "thin", Verdict::wrong,
                                 "rows and columns are swapped: out[1] should be in[65], and it holds in[1]");
    for (int i = 0; i < 4; ++i)
        result.cases.push_back(shape_case({100 + i, 7}, "odd", Verdict::wrong, "128 of 700 elements are wrong"));
    result.cases.push_back(shape_case({0, 7}, "empty", Verdict::skipped));
    result.findings = {finding("out_of_bounds", 14)};
    result.score = {2, 8, 0, 10, 14, ScoreState::final, ""};
    check_golden("check_wrong", shown(result));
}

TEST_CASE("next names the shape that the first message is about, and that failure stands first") {
    StageResult result = passing();
    result.cases = {shape_case({64, 96}, "aligned", Verdict::wrong, "only the square corner is written"),
                    shape_case({1, 67}, "thin", Verdict::wrong, "the grid is the wrong way round")};
    result.cases[1].title = result.cases[1].detail;
    result.findings = {finding("not_written", 0)};
    result.findings[0].title = "the grid is the wrong way round";
    result.findings[0].shape = "1x67";
    const std::string text = shown(result);
    CHECK(text.find("next         start with shape 1x67\n") != std::string::npos);
    CHECK(text.find("alone: `./grader/warpgrade check transpose/padding --shape 1x67`") != std::string::npos);
    CHECK(text.find("wrong  the grid") < text.find("wrong  only the square corner"));
    // Where --shape cannot give it, no other shape is named in its place.
    result.findings[0].shape.clear();
    CHECK(shown(result).find("alone:") == std::string::npos);
}

TEST_CASE("next says fix only of a line that is known to be the cause") {
    StageResult result = passing();
    result.cases[1].verdict = Verdict::fault;
    result.findings = {finding("out_of_bounds", 19)};
    CHECK(shown(result).find("next         start at line 19\n") != std::string::npos);
    result.findings[0].mend_line = 17;  // "the test in line 17 lets cols through"
    CHECK(shown(result).find("next         fix line 17 first\n") != std::string::npos);
    result.findings[0].help = "which values does `i` take, by line 17?";
    CHECK(shown(result).find("next         start at line 17\n") != std::string::npos);
}

TEST_CASE("three findings in full, then a line for the rest") {
    StageResult result = passing();
    result.findings = {finding("bank_conflict", 30, Severity::advice),
                       finding("out_of_bounds", 14),
                       finding("race_shared", 20),
                       finding("uncoalesced_store", 25, Severity::warning),
                       finding("uncoalesced_store", 26, Severity::warning),
                       finding("uninitialized", 9)};
    result.cases[1].verdict = Verdict::fault;
    check_golden("check_many_findings", shown(result));
}

TEST_CASE("a missed rule shows its value and what it means") {
    StageResult result = passing();
    result.technique[1] =
        rule("shared_load_wavefronts_per_request <= 1.1", 32, false,
             "a warp's shared load takes more than one wavefront: its words share a bank. Make the rows of "
             "the tile one float longer.");
    result.bandwidth = Bandwidth{Origin::modelled, "8192 x 8192", 0.001, 1234.4, 2000, 1800, 0, 1, "shared memory"};
    result.score = {6,
                    4,
                    0.5,
                    10.5,
                    16,
                    ScoreState::provisional,
                    "no reference solution here; the profile's share of the copy stands in"};
    check_golden("check_technique", shown(result));
}

TEST_CASE("bandwidths of several shape classes are rows") {
    StageResult result = passing();
    const auto one = [](const char* kind, const char* shape, double seconds, Verdict verdict) {
        Bandwidth b{Origin::measured, shape, seconds, 1700.2, 4145, 1701, 0, 15, ""};
        b.shape_class = kind;
        b.verdict = verdict;
        b.share_of_reference = 0.9996;
        return b;
    };
    result.bandwidths = {one("aligned", "8192 x 8192", 0.001, Verdict::ok),
                         one("odd", "8191 x 8193", 0.001, Verdict::noisy),
                         one("thin", "100 x 671088", 0, Verdict::wrong)};
    result.bandwidths[0].throttled_by = {"power cap"};
    result.bandwidth = result.bandwidths[0];
    result.score = {6, 8, 2, 16, 16, ScoreState::noisy, "the times of 8191 x 8193 vary too much: check again"};
    check_golden("check_bandwidths", shown(result));
}

TEST_CASE("modelled bandwidths of several shape classes say for what they are and what limits the first") {
    StageResult result = passing();
    for (const auto& [kind, shape] : {std::pair{"aligned", "2048 x 2048"}, std::pair{"odd", "2047 x 2049"}}) {
        Bandwidth b{Origin::modelled, shape, 0.001, 238.2, 248, 240, 0, 1, "DRAM bandwidth: the memory gives no more"};
        b.shape_class = kind;
        b.share_of_reference = 0.9925;
        b.modelled_gpu = "Tesla T4";
        b.error_band = 0.3;
        result.bandwidths.push_back(b);
    }
    result.bandwidth = result.bandwidths[0];
    result.score = {6, 8, 2, 16, 16, ScoreState::provisional, "the bandwidth is modelled, not measured"};
    check_golden("check_modelled_bandwidths", shown(result));
}

TEST_CASE("rules that were not measured are not repeated") {
    StageResult result = passing();
    const std::string why = "not measured: the output is wrong on the technique shape";
    for (TechniqueResult& one : result.technique) {
        one = rule(one.rule, 0, false, why);
        one.is_measured = false;
    }
    result.cases = {shape_case({64, 96}, "aligned", Verdict::wrong, "nothing was written to `out`"),
                    shape_case({33, 65}, "odd", Verdict::wrong, "nothing was written to `out`"), result.cases[0]};
    result.score = {2, 0, 0, 2, 16, ScoreState::final, ""};
    check_golden("check_unmeasured", shown(result));
}

TEST_CASE("compile errors come first, and nothing else is claimed") {
    StageResult result;
    result.assignment = "transpose";
    result.stage = "padding";
    result.source_path = path;
    result.compiler_messages = {{Severity::warning, path, 3, 0, "variable \"a\" was declared but never referenced"},
                                {Severity::error, path, 12, 0, "identifier \"colls\" is undefined"}};
    result.score = {0, 0, 0, 0, 16, ScoreState::final, ""};
    check_golden("check_compile_error", shown(result));
}

TEST_CASE("an untouched stub shows the first step, briefly") {
    StageResult result = passing();
    result.is_untouched_stub = true;
    for (CaseResult& one : result.cases) one.verdict = Verdict::wrong;
    check_golden("check_stub", shown(result));
    CheckView view = view_of();
    view.is_only_stage = false;
    check_golden("check_stub_of_several", shown(result, view));
}

TEST_CASE("a defect of the kit asks nothing of the student") {
    StageResult result = passing();
    result.score = {0, 0, 0, 0, 16, ScoreState::internal_error, "not supported: wgmma.mma_async at line 30"};
    const std::string text = shown(result);
    CHECK(text.find("nothing to change in this file") != std::string::npos);
}

TEST_CASE("what the kernels printed is escaped and short") {
    StageResult result = passing();
    result.output = "hello \x1b[2J\n2\n3\n4\n5\n6\n7\n8\n";
    check_golden("check_output", shown(result));
}

TEST_CASE("points left in performance are said when all else is done") {
    StageResult result = passing();
    result.bandwidth = Bandwidth{Origin::measured, "8192 x 8192", 0.001, 1500, 2000, 1800, 0, 20, ""};
    result.score = {6, 8, 1.25, 15.25, 16, ScoreState::final, ""};
    CheckView view = view_of();
    view.next_path.clear();
    check_golden("check_performance", shown(result, view));
    // With most of them left it is not called done.
    result.score = {6, 8, 0.75, 14.75, 16, ScoreState::final, ""};
    const std::string slow = shown(result);
    CHECK(slow.find("next         right, but slow: 1.25 of 2 performance points are still to earn\n") !=
          std::string::npos);
    CHECK(slow.find("             or go on with assignments/transpose/5_coarsening.cu\n") != std::string::npos);
    CHECK(slow.find("done") == std::string::npos);
    result.score.state = ScoreState::impossible;
    CHECK(shown(result).find("next         no points for a bandwidth that cannot be, until a person has looked") !=
          std::string::npos);
}

TEST_CASE("a stage with open points is not called done, and what is open is said with its reason") {
    StageResult result = passing();
    result.why_untimed = "blocks wait for others";
    result.score = {6, 8, 0, 14, 16, ScoreState::provisional, ""};
    const std::string text = shown(result);
    CHECK(text.find("done") == std::string::npos);
    CHECK(text.find("next         right, but 2 of 2 performance points are open: blocks wait for\n") !=
          std::string::npos);
    CHECK(text.find("             or go on with ") != std::string::npos);
}

TEST_CASE("right shapes whose launches alone were checked are told apart where others are wrong") {
    StageResult result = passing();
    result.cases[0].is_planned = true;
    CHECK(shown(result).find("3 of 3 shapes right\n") != std::string::npos);
    result.cases[1].verdict = Verdict::wrong;
    CHECK(shown(result).find("2 of 3 shapes right (only the launches of 1 of them were checked)\n") !=
          std::string::npos);
}

TEST_CASE("several stages end in a table") {
    const Stage stage = padding();
    Stage example = padding();
    example.id = "copy";
    example.is_graded = false;
    StageResult stub = passing();
    stub.is_untouched_stub = true;
    stub.score = {0, 0, 0, 0, 16, ScoreState::final, ""};
    StageResult broken = stub;
    broken.compiles = false;
    broken.is_untouched_stub = false;
    broken.cases.clear();
    broken.technique.clear();
    StageResult technique = passing();
    technique.technique[0].ok = false;
    technique.score = {6, 4, 0, 10, 16, ScoreState::provisional, ""};
    SummaryRow missing;
    missing.stage = &stage;
    missing.failure = "no_such_file";
    const std::vector<SummaryRow> rows{summary_of(example, passing()), summary_of(stage, passing()),
                                       summary_of(stage, stub),        summary_of(stage, broken),
                                       summary_of(stage, technique),   missing};
    check_golden("check_summary", render_summary(rows, {}));
}

TEST_CASE("a row of the table comes from another process, or is none") {
    const Stage stage = padding();
    const SummaryRow row = summary_of(stage, passing());
    const auto back = row_from(to_fields(row), stage);
    REQUIRE(back);
    CHECK(back->state == row.state);
    CHECK(back->right == row.right);
    CHECK(back->points == row.points);
    CHECK(back->passes == row.passes);
    for (std::size_t field = 0; field < to_fields(row).size(); ++field) {
        for (const char* nonsense : {"", "-1", "1e300", "99999999999", "x"}) {
            wire::Fields fields = to_fields(row);
            fields[field] = nonsense;
            if (const auto read = row_from(fields, stage)) CHECK(read->points <= stage.max_points());
        }
    }
    CHECK_FALSE(row_from({}, stage));
    wire::Fields rich = to_fields(row);
    rich[5] = rich[6] = "1000000";
    CHECK_FALSE(row_from(rich, stage));
}
