// Large shapes for which a program is proved right instead of run.
#include <algorithm>

#include "base/files.hpp"
#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "proof/prove.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

StageResult graded(const std::string& stage, const std::string& path, bool runs_what_is_proved) {
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, stage);
    REQUIRE(match);
    const auto device = make_virtual_device();
    GradeOptions options;
    options.proof_share = 0.1;
    options.runs_what_is_proved = runs_what_is_proved;
    auto result = grade_stage(*match->assignment, *match->stage, path, *device, options);
    if (!result) FAIL(result.error().title);
    return std::move(*result);
}

std::vector<std::string> proved(const StageResult& result) {
    std::vector<std::string> shapes;
    for (const CaseResult& one : result.cases)
        if (one.is_proved) shapes.push_back(to_string(one.shape));
    return shapes;
}

bool lacks_isl() {
    if (proof::is_available()) return false;
    WARN("skipped: libisl.so.23 is not installed");
    return true;
}

}  // namespace

TEST_CASE("a large shape that a proof holds for is not run where that is allowed, and counts as right") {
    if (test::lacks_nvrtc() || lacks_isl()) return;
    const std::string path = root + "/solutions/transpose/4_padding.cu";
    const StageResult run = graded("transpose/padding", path, true), with = graded("transpose/padding", path, false);
    CHECK(proved(run).empty());
    CHECK(run.run_up_to == 2097121);
    CHECK(proved(with) == std::vector<std::string>{"2097121 x 1", "1 x 2097121"});
    CHECK(with.run_up_to < 2097121);
    CHECK(with.passes());
    CHECK(with.cases.size() == run.cases.size());
    CHECK(with.score.correctness == Approx(run.score.correctness));
    CHECK(with.score.technique == Approx(run.score.technique));
    const auto cases = json_of(with)["correctness"]["cases"];
    CHECK(std::ranges::count_if(cases, [](const auto& one) { return one.contains("proved"); }) == 2);
}

TEST_CASE("a large shape at which a program may be wrong is run") {
    if (test::lacks_nvrtc() || lacks_isl()) return;
    const test::TemporaryFolder folder;
    const auto text = read_whole_file(root + "/solutions/transpose/4_padding.cu");
    REQUIRE(text);
    std::string cut = *text;
    const std::string folds = "const int folds = (down - 1) / 65535 + 1;", rows = "(down - 1) / folds + 1";
    REQUIRE(cut.find(folds) != cut.npos);
    REQUIRE(cut.find(rows) != cut.npos);
    cut.replace(cut.find(folds), folds.size(), "const int folds = 1;");
    cut.replace(cut.find(rows), rows.size(), "down < 65535 ? down : 65535");
    const StageResult result = graded("transpose/padding", folder.write("4_padding.cu", cut), false);
    const auto wrong =
        std::ranges::find_if(result.cases, [](const CaseResult& one) { return to_string(one.shape) == "2097121 x 1"; });
    REQUIRE(wrong != result.cases.end());
    CHECK(wrong->verdict == Verdict::wrong);
    CHECK(proved(result).empty());
}
