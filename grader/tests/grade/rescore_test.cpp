#include "grade/rescore.hpp"

#include "grade/result.hpp"
#include "grade/score.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

Stage stage_with(double correctness, double technique, double performance) {
    Stage stage;
    stage.assignment = "transpose";
    stage.id = "padding";
    stage.title = "Padding";
    stage.correctness_points = correctness;
    stage.technique_points = technique;
    stage.performance_points = performance;
    stage.technique.push_back({"a <= 1", "a", "<=", 1, "walk along a row", 0, 0});
    stage.technique.push_back({"b <= 1", "b", "<=", 1, "leave it out", 0, 0});
    return stage;
}

// As a grading leaves it: three of four shapes right, one rule of two, half of the band.
StageResult result_of(const Stage& stage) {
    StageResult result;
    result.assignment = stage.assignment;
    result.stage = stage.id;
    result.title = stage.title;
    result.compiles = true;
    for (const Verdict verdict : {Verdict::pass, Verdict::pass, Verdict::pass, Verdict::wrong}) {
        CaseResult one;
        one.verdict = verdict;
        one.shape.shape_class = "aligned";
        result.cases.push_back(one);
    }
    result.technique = {{"a <= 1", 3, false, "float: walk along a row"}, {"b <= 1", 0, true, ""}};
    Bandwidth b;
    b.origin = Origin::modelled;
    b.shape = "1024 x 1024";
    b.shape_class = "aligned";
    b.seconds = 1;
    b.gb_per_s = 60;
    b.reference_gb_per_s = 100;
    b.share_of_reference = 0.6;
    result.bandwidths = {b};
    result.bandwidth = b;
    result.measured.resize(1);  // the technique shape came out right
    result.correctness_points = stage.correctness_points;
    result.technique_points = stage.technique_points;
    result.performance_points = stage.performance_points;
    result.band = stage.band;
    const auto points = rule_points(stage.technique, stage.technique_points);
    for (std::size_t i = 0; i < 2; ++i) result.technique[i].points = points[i];
    if (!result.technique[0].ok) result.technique[0].says = "float: " + stage.technique[0].says;
    result.score = score_of(stage, result, true, false);
    return result;
}

nlohmann::ordered_json stored(const Stage& stage) {
    auto json = json_of(result_of(stage));
    json["marking"] = marking_of(stage);
    return json;
}

}  // namespace

TEST_CASE("a stored result with other points is what grading with them gives") {
    const Stage before = stage_with(5, 4, 1);
    Stage weights = stage_with(4, 3, 7), words = before, band = before, quiz_like = stage_with(2, 8, 0.5);
    words.title = "Another title";
    words.technique[0].says = "other words";
    words.hints = {"look"};
    band.band = {0.5, 0.7};
    quiz_like.technique[1].points = 6;
    for (const Stage& after : {weights, words, band, quiz_like}) {
        auto json = stored(before);
        if (after.hints.empty() || after.title != before.title) CHECK(rescore(json, after));
        CHECK(json == stored(after));
    }
}

TEST_CASE("a stored result whose stage is as it was stays as it is") {
    const Stage stage = stage_with(5, 4, 1);
    auto json = stored(stage);
    CHECK_FALSE(rescore(json, stage));
    Stage hinted = stage;
    hinted.hints = {"another hint"};
    CHECK_FALSE(rescore(json, hinted));
    CHECK(json == stored(stage));
}

TEST_CASE("what is run and measured has another text, and what is made of it has not") {
    const Stage stage = stage_with(5, 4, 1);
    Stage other = stage_with(4, 5, 1);
    other.title = "x";
    other.hints = {"x"};
    other.technique[0].says = "x";
    other.band = {0.1, 0.2};
    CHECK(measuring_text(stage, false) == measuring_text(other, false));
    CHECK(measuring_text(stage, true) != measuring_text(other, true));
    other = stage;
    other.technique[0].expression = "a <= 2";
    CHECK(measuring_text(stage, false) != measuring_text(other, false));
    CHECK(measuring_text(stage, false) != measuring_text(stage_with(5, 5, 0), false));
}
