// What grading the course's own files shows: each way to break a stub, a solution or a rule, in a copy of the course.
#include "grade/course_check.hpp"

#include <algorithm>

#include "grade/course_copy.hpp"

using namespace warpgrade;
using test::CourseCopy;

namespace {

const std::string toml = "assignments/transpose/assignment.toml";

// Without the wrong programs of the stages: tests that break something else do not need them.
struct SmallCourse : CourseCopy {
    SmallCourse() { std::filesystem::remove_all(root() / "solutions/transpose/wrong"); }
};

// "stage: code" of what is found of these stages of the transpose.
std::vector<std::string> problems_of(const CourseCopy& copy, const std::vector<std::string>& ids) {
    const auto course = copy.load();
    CourseCheckOptions options;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (assignment.name == "transpose" && std::find(ids.begin(), ids.end(), stage.id) != ids.end())
                options.stages.push_back(&stage);
    REQUIRE(options.stages.size() == ids.size());
    const auto check = check_course(copy.root().string(), course, options);
    INFO((check ? "" : check.error().title));
    REQUIRE(check);
    CHECK(check->problems.empty());
    CHECK(check->stages.size() == ids.size());
    std::vector<std::string> words;
    for (const StageCheck& row : check->stages)
        for (const Diagnostic& found : row.problems) {
            words.push_back(row.stage->id + ": " + found.code);
            for (const std::string& fact : found.facts) words.back() += "; " + fact;
        }
    CHECK(check->has_found_nothing() == words.empty());
    return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a stage that is as it should be is left alone", "[eighth_5]") {
    if (test::lacks_nvrtc()) return;
    CHECK(problems_of(CourseCopy(), {"copy", "naive_read", "padding"}) == Words{});
}

TEST_CASE("a stub that passes, does not compile, or cannot be run is named", "[eighth_3]") {
    if (test::lacks_nvrtc()) return;
    const SmallCourse copy;
    const std::string read = "assignments/transpose/1_naive_read.cu", write = "assignments/transpose/2_naive_write.cu",
                      pad = "assignments/transpose/4_padding.cu";
    // The answer in place of the stub, with the digest recorded anew: reading alone cannot tell.
    copy.write(read, "// TODO 1: `warpgrade check`\n" + copy.read("solutions/transpose/1_naive_read.cu"));
    copy.record_digest(read);
    copy.replace(write, "const dim3 grid", "const dim4 grid");
    copy.record_digest(write);
    copy.replace(pad, "void transpose(const float* in, float* out, int rows, int cols)",
                 "void transpose(const float* in, float* out, long rows, int cols)");
    copy.record_digest(pad);
    const Words found = problems_of(copy, {"naive_read", "naive_write", "padding"});
    REQUIRE(found.size() == 3);
    CHECK(found[0].starts_with("naive_read: stub_passes"));
    CHECK(found[1].starts_with("naive_write: stub_does_not_compile; line "));
    CHECK(found[2].starts_with("padding: stub_cannot_run; launcher_parameters"));
}

TEST_CASE("a solution that is wrong, or shows another technique, is named") {
    if (test::lacks_nvrtc()) return;
    const SmallCourse copy;
    copy.replace("solutions/transpose/1_naive_read.cu", "x < cols && y < rows", "x < cols && y + 1 < rows");
    copy.replace("solutions/transpose/4_padding.cu", "TILE + PADDING", "TILE");
    const Words found = problems_of(copy, {"naive_read", "padding"});
    REQUIRE(found.size() == 2);
    CHECK(found[0].starts_with("naive_read: solution_falls_short; not_written"));
    CHECK(found[1] == "padding: solution_falls_short; shared_load_wavefronts_over_ideal <= 1.1 is 32");
}

TEST_CASE("rules that let another stage's solution pass are named, and lists that promise too much", "[eighth_2]") {
    if (test::lacks_nvrtc()) return;
    const SmallCourse copy;
    copy.replace(toml, "also_passes = [\"padding\", \"coarsening\", \"dynamic_tile\", \"open\"]", "");
    copy.replace(toml, "id = \"naive_read\"", "id = \"naive_read\"\nalso_passes = [\"padding\"]");
    const Words found = problems_of(copy, {"naive_read", "corner_turning", "padding"});
    REQUIRE(found.size() == 2);
    CHECK(found[0] ==
          "naive_read: also_passes; global_store_sectors_per_request >= 7.9 is 4; "
          "shared_load_requests == 0 is 3.277e+04");
    CHECK(found[1].starts_with("corner_turning: rules_too_wide; global_load_sectors_over_ideal <= 1.1 is 1;"));
}

TEST_CASE("rules are put to solutions that could be handed in for the stage") {
    const CourseCopy copy;
    copy.replace(toml, "also_passes = [\"padding\", \"coarsening\", \"dynamic_tile\", \"open\"]",
                 "also_passes = [\"any_type\"]");
    const auto course = copy.load();
    const Assignment& transpose =
        *std::find_if(course.begin(), course.end(), [](const Assignment& a) { return a.name == "transpose"; });
    const auto row_of = [&](std::size_t number) {
        StageCheck row;
        row.assignment = &transpose;
        row.stage = &transpose.stages[number];
        Measured good;
        good.counters.global_load_requests = good.counters.global_store_requests = good.counters.shared_load_requests =
            100;
        good.counters.global_load_sectors = good.counters.global_store_sectors = 400;
        good.counters.global_load_sectors_ideal = good.counters.global_store_sectors_ideal = 400;
        row.solution.measured.assign(row.stage->types.size(), good);
        return row;
    };
    StageCheck copying = row_of(0), corner = row_of(3), padding = row_of(4), template_ = row_of(7);
    std::vector<StageCheck*> rows{&copying, &corner, &padding, &template_};
    compare_rules(rows);
    // Of three solutions with the same numbers one is of this problem and these types.
    CHECK(corner.also_passed == Words{"padding"});
    REQUIRE(corner.problems.size() == 2);
    CHECK(corner.problems[0].code == "rules_too_wide");
    CHECK(corner.problems[1].code == "also_passes");
    CHECK(corner.problems[1].facts == Words{"its launcher has other types, so that it cannot be handed in here"});
    CHECK(copying.also_passed.empty());
}

TEST_CASE("a solution that was measured has to earn its points for performance") {
    const CourseCopy copy;
    const auto course = copy.load();
    const auto padding = find_stage(course, "transpose/padding");
    REQUIRE(padding);
    const Stage& stage = *padding->stage;
    StageResult solution;
    solution.compiles = true;
    solution.cases.resize(1);
    solution.cases[0].verdict = Verdict::pass;
    CHECK(problems_of_solution(stage, solution).empty());  // not measured
    solution.bandwidth.emplace();
    solution.score.performance = stage.performance_points;
    CHECK(problems_of_solution(stage, solution).empty());
    solution.score.performance = stage.performance_points / 2;
    const auto found = problems_of_solution(stage, solution);
    REQUIRE(found.size() == 1);
    CHECK(found[0].code == "solution_is_slow");
}

TEST_CASE("a course without solutions cannot be verified") {
    const CourseCopy copy;
    test::fs::remove_all(copy.root() / "solutions");
    const auto check = check_course(copy.root().string(), copy.load(), {});
    REQUIRE(!check);
    CHECK(check.error().blame == Blame::course);
    CHECK(check.error().code == "no_solutions");
}
