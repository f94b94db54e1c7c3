// What `verify` prints: a line a stage, and problems with their place.
#include "cli/verify_view.hpp"

#include "cli_text/golden.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// Three stages: as it should be, with a stub that passes, without a solution.
CourseCheck made_up(Assignment& assignment) {
    assignment.name = "transpose";
    assignment.stages.resize(3);
    CourseCheck check;
    const char* ids[] = {"naive_read", "padding", "open"};
    for (int i = 0; i < 3; ++i) {
        Stage& stage = assignment.stages[static_cast<std::size_t>(i)];
        stage.assignment = "transpose";
        stage.id = ids[i];
        stage.correctness_points = 10 + i;
        stage.performance_points = 2;
        StageCheck row;
        row.assignment = &assignment;
        row.stage = &stage;
        row.solution.stage = row.stub.stage = stage.id;
        row.solution.compiles = row.stub.compiles = true;
        row.solution.cases.resize(30);
        row.stub.cases.resize(30);
        for (CaseResult& one : row.solution.cases) one.verdict = Verdict::pass;
        for (CaseResult& one : row.stub.cases) one.verdict = Verdict::wrong;
        row.solution.technique.resize(2);
        for (TechniqueResult& rule : row.solution.technique) rule.ok = true;
        check.stages.push_back(std::move(row));
    }
    return check;
}

Diagnostic problem(const std::string& code, const std::string& title, const std::string& path) {
    Diagnostic found;
    found.blame = Blame::course;
    found.code = code;
    found.title = title;
    found.marks.push_back({path, 0, 0, 1, ""});
    found.help = "mend it";
    return found;
}

}  // namespace

TEST_CASE("a course that is as it should be") {
    Assignment assignment;
    CourseCheck check = made_up(assignment);
    test::check_golden("verify", cli::render_course_check(check, {}));
    for (StageCheck& row : check.stages) {
        row.solution.bandwidth.emplace();
        row.solution.bandwidth->origin = Origin::modelled;
        row.solution.bandwidth->modelled_gpu = "Tesla T4";
        row.solution.bandwidth->error_band = 0.5;
    }
    CHECK(cli::render_course_check(check, {}).ends_with(
        "Performance is modelled for Tesla T4, not measured; times may be 50 % off.\n"));
    const auto json = cli::json_of(check, {});
    CHECK(json["schema"] == "warpgrade.verify/1");
    CHECK(json["ok"] == true);
    CHECK(json["stages"][1]["stage"] == "padding");
    CHECK(json["stages"][1]["solution"]["cases_passed"] == 30);
}

TEST_CASE("a course with problems") {
    Assignment assignment;
    CourseCheck check = made_up(assignment);
    for (CaseResult& one : check.stages[1].stub.cases) one.verdict = Verdict::pass;
    check.stages[1].problems.push_back(problem("stub_passes",
                                               "the stub of transpose/padding passes: nothing is left to do",
                                               "assignments/transpose/4_padding.cu"));
    check.stages[2].solution = {};
    check.stages[2].problems.push_back(
        problem("missing_solution", "the solution of transpose/open is not there", "solutions/transpose/8_open.cu"));
    check.problems.push_back(
        problem("stray_file", "`notes.txt` belongs to no stage", "assignments/transpose/notes.txt"));
    test::check_golden("verify_problems", cli::render_course_check(check, {}));
    const auto json = cli::json_of(check, {});
    CHECK(json["ok"] == false);
    CHECK(json["stages"][1]["problems"][0]["kind"] == "stub_passes");
    CHECK(json["stages"][2]["solution"] == nullptr);
    CHECK(json["problems"][0]["path"] == "assignments/transpose/notes.txt");
}
