#include "grade/proved_change.hpp"

#include <algorithm>
#include <fstream>

#include "base/files.hpp"
#include "compile/support.hpp"
#include "corpus/program.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

struct Wrong {
    std::string stage, solution, found, other;  // what of the solution is written otherwise
};

StageResult graded(const Wrong& wrong, bool shows_change = false) {
    const auto course = load_course(root);
    const auto rules = explain::load_rules(root + "/grader/explain/rules");
    REQUIRE(course);
    REQUIRE(rules);
    const auto match = find_stage(*course, wrong.stage);
    REQUIRE(match);
    auto text = read_whole_file(root + "/solutions/" + wrong.solution);
    REQUIRE(text);
    const std::size_t at = text->find(wrong.found);
    REQUIRE(at != text->npos);
    text->replace(at, wrong.found.size(), wrong.other);
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "mine.cu").string();
    std::ofstream(path) << *text;
    const auto device = make_virtual_device();
    GradeOptions options;
    options.rules = &*rules;
    Assignment assignment = *match->assignment;
    assignment.shows_changes = shows_change;
    auto result = grade_stage(assignment, *match->stage, path, *device, options);
    if (!result) FAIL(result.error().title);
    return std::move(*result);
}

int line_of(const Wrong& wrong) {
    const auto text = read_whole_file(root + "/solutions/" + wrong.solution);
    return 1 + static_cast<int>(std::count(text->begin(),
                                           text->begin() + static_cast<std::ptrdiff_t>(text->find(wrong.found)), '\n'));
}

}  // namespace

TEST_CASE("a change that makes a wrong program right names the line, and all shapes were tried") {
    if (test::lacks_nvrtc()) return;
    const Wrong wrong = GENERATE(
        Wrong{"transpose/naive_read", "transpose/1_naive_read.cu", "x < cols && y < rows", "x <= cols && y < rows"},
        Wrong{"transpose/naive_read", "transpose/1_naive_read.cu", "x < cols && y < rows", "x < rows && y < cols"},
        Wrong{"transpose/naive_read", "transpose/1_naive_read.cu", "(y) * cols + x", "(y) * rows + x"});
    INFO(wrong.other);
    const StageResult result = graded(wrong);
    REQUIRE_FALSE(result.findings.empty());
    const Diagnostic& first = result.findings.front();
    CHECK(first.mend_line == line_of(wrong));
    CHECK(first.shapes_with_change > 30);
    CHECK(result.changes_tried > 0);
    const auto json = json_of(result)["findings"][0];
    CHECK(json["tried"]["line"] == first.mend_line);
    CHECK(json["tried"]["shapes_right"] == first.shapes_with_change);
}

TEST_CASE("the text of a change is for courses that want it shown") {
    if (test::lacks_nvrtc()) return;
    const Wrong wrong{"transpose/naive_read", "transpose/1_naive_read.cu", "x < cols && y < rows",
                      "x <= cols && y < rows"};
    CHECK(graded(wrong).findings.front().help.find("x < cols") == std::string::npos);
    CHECK(graded(wrong, true).findings.front().help.find("x < cols") != std::string::npos);
}

TEST_CASE("what was found stays what is said, with the kind of the change and its line") {
    if (test::lacks_nvrtc()) return;
    const Diagnostic first =
        graded({"transpose/naive_read", "transpose/1_naive_read.cu", "x < cols && y < rows", "x <= cols && y < rows"})
            .findings.front();
    CHECK(std::any_of(first.facts.begin(), first.facts.end(), [](const std::string& fact) {
        return fact.find(": another comparison than `<=`, and") != fact.npos;
    }));
    CHECK(!first.title.ends_with("is equal to `cols`"));
}

TEST_CASE("a store that a needless test forbids is found by taking the test away") {
    if (test::lacks_nvrtc()) return;
    const Wrong never{"transpose/naive_read", "transpose/1_naive_read.cu", "out[", "if (y % 3) out["};
    const StageResult result = graded(never);
    REQUIRE_FALSE(result.findings.empty());
    CHECK(result.findings.front().code == "not_written");
    CHECK(result.findings.front().mend_line == line_of(never));
    CHECK(result.findings.front().shapes_with_change > 30);
}

TEST_CASE("a right program is not changed, and what no change makes right is told as before") {
    if (test::lacks_nvrtc()) return;
    const StageResult right = graded({"transpose/naive_read", "transpose/1_naive_read.cu", "x < cols", "x < cols"});
    CHECK(right.passes());
    CHECK(right.changes_tried == 0);
    const StageResult lost = graded({"transpose/naive_read", "transpose/1_naive_read.cu", "= in[", "= -in["});
    REQUIRE_FALSE(lost.findings.empty());
    CHECK(lost.findings.front().shapes_with_change == 0);
}
