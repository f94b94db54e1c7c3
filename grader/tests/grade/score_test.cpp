#include "grade/score.hpp"

#include <fstream>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

Stage stage() {
    Stage s;
    s.correctness_points = 6;
    s.technique_points = 4;
    s.performance_points = 2;
    s.technique.resize(2);
    return s;
}

StageResult result(int passed, int failed, const std::string& passed_class = "odd") {
    StageResult r;
    r.compiles = true;
    for (int i = 0; i < passed + failed; ++i) {
        CaseResult one;
        one.verdict = i < passed ? Verdict::pass : Verdict::wrong;
        one.shape.shape_class = i < passed ? passed_class : "odd";
        r.cases.push_back(one);
    }
    r.technique = {{"a", 1, true, ""}, {"b", 1, false, ""}};
    return r;
}

}  // namespace

TEST_CASE("correctness is the share of shapes that come out right") {
    CHECK(score_of(stage(), result(10, 0), true, false).correctness == 6);
    CHECK(score_of(stage(), result(5, 5), true, false).correctness == 3);
    CHECK(score_of(stage(), result(0, 5), false, false).correctness == 0);
}

TEST_CASE("empty matrices alone earn nothing") {
    CHECK(score_of(stage(), result(2, 20, "empty"), false, false).correctness == 0);
}

TEST_CASE("why right shapes earn nothing is true of all of them") {
    const auto why = [](const StageResult& r) { return score_of(stage(), r, false, false).why; };
    StageResult r = result(2, 20, "empty");
    CHECK(why(r).starts_with("the shapes that are right have no elements: "));
    r.cases[1].is_planned = true;
    r.cases[1].shape.shape_class = "odd";
    CHECK(why(r).starts_with("the shapes that are right have no elements, or only their launches were checked: "));
    r.cases[0].verdict = Verdict::wrong;
    CHECK(why(r).starts_with("of the shapes that are right only the launches were checked: "));
}

TEST_CASE("the stub as handed out earns nothing") {
    StageResult stub = result(5, 5);
    stub.is_untouched_stub = true;
    CHECK(score_of(stage(), stub, true, false).total == 0);
    CHECK(score_of(stage(), stub, true, false).max == 12);
}

TEST_CASE("technique needs a right output") {
    CHECK(score_of(stage(), result(10, 0), true, false).technique == 2);
    CHECK(score_of(stage(), result(9, 1), false, false).technique == 0);
}

TEST_CASE("without a bandwidth the performance points stay open") {
    const Score score = score_of(stage(), result(10, 0), true, false);
    CHECK(score.performance == 0);
    CHECK(score.state == ScoreState::provisional);
    CHECK(score.why == "bandwidth was not measured, so the performance points are still open");
    StageResult with_a_reason = result(10, 0);
    with_a_reason.why_untimed = "blocks wait for others";
    CHECK(score_of(stage(), with_a_reason, true, false).why ==
          "blocks wait for others, so the performance points are still open");
    Stage without = stage();
    without.performance_points = 0;
    CHECK(score_of(without, result(10, 0), true, false).state == ScoreState::final);
    // One that is mostly wrong has none to earn.
    CHECK(score_of(stage(), result(9, 1), true, false).state == ScoreState::provisional);
    CHECK(score_of(stage(), result(1, 9), true, false).state == ScoreState::final);
}

TEST_CASE("a bandwidth earns points between the ends of the band") {
    StageResult r = result(10, 0);
    r.bandwidth = Bandwidth{};
    r.bandwidth->origin = Origin::measured;
    r.bandwidth->reference_gb_per_s = 1000;
    r.bandwidth->gb_per_s = 600;
    const Score score = score_of(stage(), r, true, false);
    CHECK(score.performance == Approx(2 * (0.6 - 0.3) / 0.6));
    CHECK(score.state == ScoreState::final);
    r.bandwidth->origin = Origin::modelled;
    CHECK(score_of(stage(), r, true, false).state == ScoreState::provisional);
    // What is timed is looked at for itself: another shape that is wrong costs its share of the correctness.
    r.cases.back().verdict = Verdict::wrong;
    CHECK(score_of(stage(), r, true, false).performance == Approx(2 * (0.6 - 0.3) / 0.6));
    for (CaseResult& one : r.cases) one.verdict = Verdict::wrong;
    r.cases.front().verdict = Verdict::pass;
    CHECK(score_of(stage(), r, true, false).performance == 0);
    CHECK(score_of(stage(), r, true, false).why.find("two thirds") != std::string::npos);
}

TEST_CASE("an index that cannot reach a shape costs what a wrong shape costs") {
    StageResult r = result(9, 0);
    Diagnostic narrow;
    narrow.code = "index_overflow";
    narrow.severity = Severity::warning;
    narrow.marks.push_back({"a.cu", 7, 0, 1, ""});
    r.findings.push_back(narrow);
    CHECK(score_of(stage(), r, true, false).correctness == Approx(6 * 0.9));
    CHECK(score_of(stage(), r, true, false).why.find("line 7") != std::string::npos);
}

TEST_CASE("performance says why it is worth nothing") {
    StageResult r = result(10, 0);
    Bandwidth slow;
    slow.origin = Origin::measured;
    slow.seconds = 1;
    slow.reference_gb_per_s = 1000;
    slow.share_of_reference = 0.25;
    r.bandwidths = {slow};
    r.bandwidth = slow;
    CHECK(score_of(stage(), r, true, false).why ==
          "no performance points: 25 % of the reference, and they begin at 30 %");
    CHECK(score_of(stage(), r, false, false).why.find("technique shape") != std::string::npos);
    Stage without_rules = stage();
    without_rules.technique.clear();
    r.technique_shape.extents = {1024, 1024};
    CHECK(score_of(without_rules, r, false, false).why ==
          "no performance points before the output is right on 1024 x 1024");
}

TEST_CASE("shape classes give their shares of the points, and what is not sure says so") {
    Stage s = stage();
    s.class_weights = {{"aligned", 0.5}, {"odd", 0.25}, {"thin", 0.25}};
    StageResult r = result(10, 0);
    const auto one = [](const char* kind, double share, Verdict verdict) {
        Bandwidth b;
        b.origin = Origin::measured;
        b.shape_class = kind;
        b.verdict = verdict;
        b.seconds = 1;
        b.share_of_reference = share;
        b.reference_gb_per_s = 1000;
        return b;
    };
    r.bandwidths = {one("aligned", 1, Verdict::ok), one("odd", 0.6, Verdict::ok), one("thin", 0, Verdict::ok),
                    one("small", 0, Verdict::noisy)};
    r.bandwidth = r.bandwidths[0];
    CHECK(score_of(s, r, true, false).performance == Approx(2 * (0.5 + 0.25 * 0.5)));
    CHECK(score_of(s, r, true, false).state == ScoreState::final);  // the small class gives nothing, noisy or not
    r.bandwidths[1].verdict = Verdict::noisy;
    CHECK(score_of(s, r, true, false).performance == Approx(2 * (0.5 + 0.25 * 0.5)));
    CHECK(score_of(s, r, true, false).state == ScoreState::noisy);
    r.bandwidths[0].verdict = Verdict::impossible;
    CHECK(score_of(s, r, true, false).performance == Approx(2 * 0.25 * 0.5));
    CHECK(score_of(s, r, true, false).state == ScoreState::impossible);
    CHECK(score_of(s, r, true, true).state == ScoreState::impossible);  // shapes of one's own change nothing of it
    r.bandwidths = {one("aligned", 1, Verdict::ok), one("odd", 1, Verdict::wrong)};
    r.bandwidths[1].seconds = 0;
    CHECK(score_of(stage(), r, true, false).performance == 2);  // all for the aligned class
    CHECK(score_of(s, r, true, false).performance == Approx(2 * 0.5 / 0.75));
    r.bandwidth.reset();
    r.bandwidths = {one("aligned", 1, Verdict::timeout)};
    CHECK(score_of(s, r, true, false).performance == 0);
    CHECK(score_of(s, r, true, false).state == ScoreState::final);
}

TEST_CASE("what a person has to look at is in one list, which the reports share") {
    std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/score_states.json");
    const auto words = nlohmann::json::parse(file);
    for (const auto& [word, is_for_a_person] : words.items()) {
        const auto state = score_state_named(word);
        REQUIRE(state);
        CHECK(to_string(*state) == word);
        CHECK(needs_person(*state) == is_for_a_person);
    }
    CHECK(words.size() == static_cast<std::size_t>(ScoreState::internal_error) + 1);
    CHECK_FALSE(score_state_named("fine"));
}

TEST_CASE("the band is linear and has no cliff") {
    const PerformanceBand band{0.4, 0.9};
    CHECK(performance_share(band, 0.1) == 0);
    CHECK(performance_share(band, 0.4) == 0);
    CHECK(performance_share(band, 0.65) == Approx(0.5));
    CHECK(performance_share(band, 0.9) == Approx(1));
    CHECK(performance_share(band, 1.2) == 1);
}

TEST_CASE("marks on shapes of one's own are provisional") {
    CHECK(score_of(stage(), result(1, 0), true, true).state == ScoreState::provisional);
}
