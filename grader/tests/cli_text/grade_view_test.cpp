#include "cli/grade_view.hpp"

#include "cli_text/golden.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;
using warpgrade::test::check_golden;

namespace {

StageMark mark(const std::string& stage, double total, double max) {
    StageMark one;
    one.stage = stage;
    one.total = total;
    one.max = max;
    one.state = ScoreState::final;
    return one;
}

StudentMarks student(const Submission& submission, std::vector<StageMark> stages, Standing standing) {
    StudentMarks marks;
    marks.submission = &submission;
    marks.stages = std::move(stages);
    marks.standing = standing;
    return marks;
}

}  // namespace

TEST_CASE("a class in a table: what nobody tried has no mean, and who has no mark is listed") {
    Submission ann, ben, eve;
    ann.student.id = "ann";
    ben.student.id = "ben";
    eve.student.id = "eve";
    eve.problem = "no file of it has the name of a stage's file";
    StageMark stub = mark("transpose/padding", 0, 14), absent = mark("transpose/open", 0, 12);
    stub.is_untouched = true;
    absent.is_handed_in = false;
    StageMark failed = mark("transpose/naive_read", 0, 10);
    failed.state = ScoreState::internal_error;
    failed.why = "it took too long";
    BatchOutcome outcome;
    outcome.students = {student(ann, {mark("transpose/naive_read", 10, 10), stub, absent}, Standing::graded),
                        student(ben, {failed, stub, absent}, Standing::review), student(eve, {}, Standing::unreadable)};
    check_golden("grade_class", cli::render_class(outcome, {}));
}

TEST_CASE("the exit code of grade says whether everybody has marks, not which") {
    const Submission ann;
    const auto code = [&](ScoreState state, Standing standing, bool is_defect = false) {
        StageMark one = mark("transpose/padding", 0, 14);
        one.state = state;
        one.is_defect = is_defect;
        BatchOutcome outcome;
        outcome.students = {student(ann, {one}, standing)};
        return cli::exit_code_of(outcome);
    };
    CHECK(code(ScoreState::final, Standing::graded) == 0);
    CHECK(code(ScoreState::provisional, Standing::provisional) == 0);
    CHECK(code(ScoreState::final, Standing::missing) == 0);
    CHECK(code(ScoreState::noisy, Standing::review) == 1);
    CHECK(code(ScoreState::impossible, Standing::review) == 1);
    CHECK(code(ScoreState::final, Standing::unreadable) == 1);
    CHECK(code(ScoreState::internal_error, Standing::review) == 1);  // an instruction that the kit has not
    CHECK(code(ScoreState::internal_error, Standing::review, true) == 70);
}
