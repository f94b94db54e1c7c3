// Sizes that are not run: what is said of them, and what they count.
#include <algorithm>

#include "build/submission.hpp"
#include "compile/compiler.hpp"
#include "compile/support.hpp"
#include "corpus/program.hpp"
#include "grade/planned_sizes.hpp"
#include "grade/sampled_sizes.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

StageResult graded(const std::string& stage, const std::string& path) {
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, stage);
    REQUIRE(match);
    const auto device = make_virtual_device();
    auto result = grade_stage(*match->assignment, *match->stage, path, *device, {});
    if (!result) FAIL(result.error().title);
    return std::move(*result);
}

std::vector<CaseResult> planned(const StageResult& result) {
    std::vector<CaseResult> all;
    std::copy_if(result.cases.begin(), result.cases.end(), std::back_inserter(all),
                 [](const CaseResult& one) { return one.is_planned; });
    return all;
}

}  // namespace

TEST_CASE("a right program is planned for sizes above those that are run, and the result says up to which") {
    if (test::lacks_nvrtc()) return;
    const StageResult result = graded("histogram/open", root + "/solutions/histogram/4_open.cu");
    CHECK(result.passes());
    const auto cases = planned(result);
    REQUIRE(cases.size() == 3);
    CHECK(cases[0].variant == planned_variant);
    CHECK(cases[2].variant == sampled_variant);
    CHECK(result.score.correctness == Approx(result.correctness_points));
    CHECK(result.run_up_to == (1u << 20) + 1);
    CHECK(result.planned_up_to >= (1u << 30) + 4099);
    const auto json = json_of(result);
    CHECK(json["correctness"]["run_up_to"] == result.run_up_to);
    CHECK(json["correctness"]["planned_up_to"] == result.planned_up_to);
    CHECK(json["correctness"]["cases"].back()["planned"] == true);
}

TEST_CASE("a launcher that is wrong for a size that is not run loses that size's share, with its line") {
    if (test::lacks_nvrtc()) return;
    const std::string folder = root + "/grader/tests/submissions/";
    const StageResult rows = graded("stencil/five_points", folder + "invalid_launch/a_row_of_blocks_for_each_row.cu");
    const auto of_rows = planned(rows);
    REQUIRE(of_rows.size() == 4);
    CHECK(of_rows[0].verdict == Verdict::launch_error);
    CHECK(of_rows[1].verdict == Verdict::pass);
    CHECK_FALSE(rows.passes());
    CHECK(rows.score.correctness < rows.correctness_points);
    CHECK(rows.score.correctness > 0.8 * rows.correctness_points);

    const StageResult bytes = graded("transpose/naive_read", folder + "size_overflow/bytes_in_an_int.cu");
    const auto of_bytes = planned(bytes);
    REQUIRE(of_bytes.size() == 2);
    CHECK(of_bytes[0].verdict != Verdict::pass);
    CHECK(of_bytes[1].verdict != Verdict::pass);
    REQUIRE(!bytes.findings.empty());
    CHECK(bytes.findings.front().code == "size_overflow");
    CHECK(bytes.findings.front().facts.front() ==
          "with 23171 x 23173 the size should be 2147766332, but 32 bits give -2147200964");
}

TEST_CASE("counters of 16 bits that run over are found in one block, and named") {
    if (test::lacks_nvrtc()) return;
    const std::string folder = root + "/grader/tests/submissions/";
    for (const char* file : {"wrong_output/half_words_run_over.cu", "wrong_output/sixteen_bits_lose_counts.cu",
                             "wrong_output/half_words_of_few_blocks.cu"}) {
        INFO(file);
        const StageResult result = graded("histogram/open", folder + file);
        const auto cases = planned(result);
        REQUIRE(cases.size() == 3);
        CHECK(cases[2].verdict == Verdict::wrong);
        CHECK(cases[2].variant == sampled_variant);
        REQUIRE(!result.findings.empty());
        CHECK(result.findings.front().title.find("a counter runs over") != std::string::npos);
    }
    CHECK(graded("histogram/open", folder + "right/half_words_emptied_in_time.cu").passes());
}

TEST_CASE("right programs are right at the sizes that are planned", "[eighth_1]") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const test::Part part = test::part_of(5, "right programs whose launchers are planned");
    std::size_t number = 0, planned_programs = 0;
    for (const corpus::Program& program : corpus::all_programs(root + "/grader/tests/submissions/right")) {
        if (!part.is_in(number++)) continue;
        const auto match = find_stage(*course, program.stage);
        REQUIRE(match);
        const Stage& stage = *match->stage;
        const Problem& problem = *find_problem(stage.problem);
        const auto source = read_submission(program.path);
        REQUIRE(source);
        BuildOptions with;
        with.is_optimised = false;
        const auto built = compile_stage(stage, problem, program.path, *source, with);
        if (!built || !built->compiled.ok || !built->failures.empty()) continue;
        const auto device = make_virtual_device();
        const auto loaded = device->load(built->compiled.ptx, program.path);
        if (!loaded) continue;
        const Bench bench{problem, **loaded, built->launchers, program.path, *source, 1, 1};
        for (const Shape& shape : problem.planned_shapes(built->launchers.begin()->first)) {
            INFO(program.name << " " << to_string(shape));
            const auto outcome = plan_case(bench, shape, built->compiled.ptx);
            REQUIRE(outcome);
            INFO(outcome->result.detail);
            CHECK(outcome->passed());
        }
        ++planned_programs;
    }
    CHECK(planned_programs * part.parts >= 150);
}
