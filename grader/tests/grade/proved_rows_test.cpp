// What is recorded as proved, held against what is proved now.
#include "grade/proved_rows.hpp"

#include "compile/support.hpp"
#include "proof/isl.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

using Names = std::vector<std::string>;
const Names all{"launch", "width", "barriers", "bounds", "races", "once", "covered", "values"};

Stage padding() {
    Stage stage;
    stage.assignment = "transpose";
    stage.id = "padding";
    return stage;
}

// Of which the rows from `first` on are open: line 31.
StageResult with_open(std::size_t first, const std::string& why) {
    StageResult solution;
    solution.source_path = "solutions/transpose/4_padding.cu";
    proof::Claim claim;
    claim.was_tried = true;
    for (std::size_t i = 0; i < proof::obligations; ++i)
        claim.rows.push_back({static_cast<proof::Obligation>(i), i < first, i < first ? "" : why, 31});
    solution.proof = claim;
    return solution;
}

}  // namespace

TEST_CASE("the first obligation that was lost is named, with its line and those that went with it") {
    const auto lost = lost_row(padding(), all, with_open(6, "an element of the output may not be written"));
    REQUIRE(lost);
    CHECK(lost->blame == Blame::course);
    CHECK(lost->code == "proof_lost");
    CHECK(lost->title == "`covered` was proved of the solution of transpose/padding, and is not proved any more");
    CHECK(lost->marks.at(0).path == "solutions/transpose/4_padding.cu");
    CHECK(lost->marks.at(0).line == 31);
    CHECK(lost->facts == Names{"an element of the output may not be written", "lost with it: `values`"});
    CHECK_FALSE(lost_row(padding(), Names{"launch", "once"}, with_open(6, "")));
    CHECK_FALSE(lost_row(padding(), all, with_open(proof::obligations, "")));
}

TEST_CASE("what there was no time for, or no isl, is not lost") {
    const StageResult late = with_open(6, proof::time_is_over);
    CHECK_FALSE(lost_row(padding(), all, late));
    CHECK(proved_now(all, late) == all);
    CHECK(proved_now({}, late) == Names(all.begin(), all.begin() + 6));
    StageResult untried = with_open(0, "");
    untried.proof->was_tried = false;
    CHECK_FALSE(lost_row(padding(), all, untried));
    untried.proof.reset();
    CHECK(proved_now(all, untried) == all);
}

TEST_CASE("the record is a line for each stage that it knows") {
    const test::TemporaryFolder folder;
    Assignment assignment;
    assignment.solutions = folder.path().string();
    assignment.stages = {padding(), padding()};
    assignment.stages[1].id = "open";
    CHECK(recorded_rows(assignment)->empty());
    const ProvedRows rows{{"padding", {"launch", "width"}}, {"open", {}}};
    folder.write("proved.toml", text_of(assignment, rows) + "gone = [\"launch\"]\n");
    CHECK(*recorded_rows(assignment) == rows);
    folder.write("proved.toml", "padding = [\"launch\",\n  \"cover\"]\n");
    const auto wrong = recorded_rows(assignment);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == "unknown_obligation");
    CHECK(wrong.error().marks.at(0).line == 1);
}
