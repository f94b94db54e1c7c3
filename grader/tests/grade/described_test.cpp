// A problem that a folder describes, graded as any other: its solution passes, and its wrong programs get what they
// say.
#include <algorithm>
#include <filesystem>

#include "compile/support.hpp"
#include "course/scaffold.hpp"
#include "grade/course_check.hpp"
#include "grade/stage_grader.hpp"
#include "grade/wrong_programs.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const std::string tiny = std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/courses/tiny";

void show_all(const CourseCheck& check) {
    const auto show = [](const std::vector<Diagnostic>& problems) {
        for (const Diagnostic& each : problems) {
            UNSCOPED_INFO(each.code << ": " << each.title);
            for (const std::string& fact : each.facts) UNSCOPED_INFO("    " << fact);
        }
    };
    show(check.problems);
    for (const StageCheck& row : check.stages) show(row.problems);
}

}  // namespace

TEST_CASE("a course with a described problem verifies, wrong programs and all") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(tiny);
    if (!course) FAIL(course.error().title);
    CHECK(find_problem("vadd") != nullptr);
    const auto check = check_course(tiny, *course, {});
    if (!check) FAIL(check.error().title);
    show_all(*check);
    CHECK(check->has_found_nothing());
    CHECK(check->wrong_programs == 4);
    CHECK(check->proved_problems == 1);
    CHECK(check->stages.front().solution.passes());
}

TEST_CASE("the words on a wrong output of a described problem") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(tiny);
    REQUIRE(course);
    const auto device = make_virtual_device();
    const auto result = grade_stage(course->front(), course->front().stages.front(),
                                    tiny + "/solutions/vadd/wrong/next_of_b.cu", *device, {});
    REQUIRE(result);
    const auto found = std::find_if(result->findings.begin(), result->findings.end(),
                                    [](const Diagnostic& d) { return d.code == "wrong_output"; });
    REQUIRE(found != result->findings.end());
    CHECK(found->title == "b[i + 1] is added instead of b[i]");
    CHECK(found->help == "give both arrays the same index");
    REQUIRE(found->facts.size() >= 2);
    CHECK(std::any_of(found->facts.begin(), found->facts.end(),
                      [](const std::string& fact) { return fact.starts_with("sum["); }));
}

TEST_CASE("a first line that expects what cannot be is an error with a near name") {
    const auto course = load_course(tiny);
    REQUIRE(course);
    const struct {
        const char* line;
        const char* title;
        const char* help;
    } cases[] = {
        {"// nothing", "this wrong program does not say what it must get",
         "begin it with // expect: stage=tile verdict=fault kind=out_of_bounds line=17"},
        {"// expect: stage=plian verdict=wrong", "vadd has no stage `plian`", "did you mean `plain`?"},
        {"// expect: stage=plain verdict=wrogn", "`wrogn` is not a verdict", "did you mean `wrong`?"},
        {"// expect: stage=plain verdict=wrong knid=x", "`knid=x` is nothing to expect", "did you mean `kind`?"},
        {"// expect: stage=plain verdict=wrong line=x", "`x` is not a line", ""},
        {"// expect: stage=plain verdict=wrong line=3", "a line without a kind", ""},
    };
    for (const auto& [line, title, help] : cases) {
        const auto program = read_expectation(course->front(), "wrong/a.cu", std::string(line) + "\nint x;\n");
        REQUIRE_FALSE(program);
        CHECK(program.error().title == title);
        if (*help != 0) CHECK(program.error().help == help);
        CHECK(program.error().marks.front().line == 1);
    }
    const auto right =
        read_expectation(course->front(), "a.cu", "// expect: stage=plain verdict=fault kind=race_shared line=17\n");
    REQUIRE(right);
    CHECK((right->stage == "plain" && right->verdict == "fault" && right->kind == "race_shared" && right->line == 17));
}

TEST_CASE("what `new` makes verifies") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    const auto write = [&](const std::vector<ScaffoldFile>& files) {
        for (const ScaffoldFile& file : files) {
            fs::create_directories((folder.path() / file.path).parent_path());
            folder.write(file.path, file.text);
        }
    };
    const auto problem = new_problem({}, "running_max");
    REQUIRE(problem);
    write(*problem);
    auto course = load_course(folder.path().string());
    if (!course) FAIL(course.error().title);
    CourseCheckOptions with;
    with.stages = {&course->front().stages.front()};
    auto check = check_course(folder.path().string(), *course, with);
    REQUIRE(check);
    show_all(*check);
    CHECK(check->has_found_nothing());
    CHECK(check->wrong_programs == 1);

    CHECK_FALSE(new_problem(*course, "running_max"));
    CHECK_FALSE(new_problem(*course, "Running-Max"));
    CHECK_FALSE(new_stage(*course, "runing_max", "fast"));
    const auto stage = new_stage(*course, "running_max", "fast");
    REQUIRE(stage);
    write(*stage);
    course = load_course(folder.path().string());
    if (!course) FAIL(course.error().title);
    REQUIRE(course->front().stages.size() == 2);
    with.stages = {&course->front().stages.back()};
    check = check_course(folder.path().string(), *course, with);
    REQUIRE(check);
    // But for the TODOs: its points.
    for (const StageCheck& row : check->stages)
        for (const Diagnostic& each : row.problems)
            CHECK((each.code == "no_points" || each.code == "no_performance_points"));
}
