#include "grade/case_series.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

CaseOutcome outcome(Verdict verdict) {
    CaseOutcome made;
    made.result.shape.extents = {33};
    made.result.verdict = verdict;
    return made;
}

}  // namespace

TEST_CASE("a series that is right so far may take half as much again, until it is not") {
    constexpr std::uint64_t elements = 1000;
    StageResult result;
    CaseSeries series(result);
    for (int cases = 0; cases < 3; ++cases) {
        CHECK(series.work_of(elements) == work_of_case(elements));
        series.add(outcome(Verdict::pass));
    }
    CHECK(series.work_of(elements) == work_of_case(elements) * 3 / 2);
    CHECK(series.work_of(elements) == most_work_of_case(elements));
    CHECK(most_work_of_case(std::uint64_t{1} << 21) < 2 * work_of_case(std::uint64_t{1} << 21));
    CHECK(most_work_of_case(std::uint64_t{1} << 30) == work_of_case(std::uint64_t{1} << 30));
    series.add(outcome(Verdict::timeout));
    CHECK(series.work_of(elements) == work_of_case(elements));
}

TEST_CASE("after a timeout a check does little more") {
    StageResult result;
    CaseSeries series(result);
    vgpu::Budget budget(1'000'000'000);
    series.add(outcome(Verdict::wrong), &budget);
    CHECK(budget.left() == 1'000'000'000);
    series.add(outcome(Verdict::timeout), &budget);
    CHECK(budget.left() == 120'000'000);
    budget.spend(100'000'000);
    series.add(outcome(Verdict::timeout), &budget);
    CHECK(budget.left() == 20'000'000);
}

TEST_CASE("where a check's work is used up, the shape that took most of it is named") {
    const auto with_work = [](std::int64_t rows, std::uint64_t work, Verdict verdict) {
        CaseOutcome made = outcome(verdict);
        made.result.shape.extents = {rows};
        made.work = work;
        return made;
    };
    const auto stopped = [&](std::uint64_t work) {
        CaseOutcome made = with_work(320, work, Verdict::timeout);
        made.is_check_spent = true;
        made.stops = "no more work";
        made.findings.emplace_back().code = "timeout";
        return made;
    };
    StageResult result;
    CaseSeries series(result);
    series.add(with_work(33, 100, Verdict::pass));
    series.add(with_work(2097121, 900, Verdict::pass));
    series.add(stopped(5));
    CHECK(series.has_stopped());
    REQUIRE(result.findings.size() == 1);
    REQUIRE(result.findings[0].facts.size() == 1);
    CHECK(result.findings[0].facts[0] ==
          "what a check does is used up: the shapes before took the work of 1000 warp instructions, 900 of it 2097121");

    StageResult own;
    CaseSeries of_own(own);
    of_own.add(with_work(33, 100, Verdict::pass));
    of_own.add(stopped(900));
    CHECK(own.findings.at(0).facts.empty());  // it took most itself
}

TEST_CASE("what ran only in launches too large to be followed is said once, where all is right") {
    const auto met = [](const std::string& kernel, int line, bool is_followed, std::int64_t n) {
        CaseOutcome made = outcome(Verdict::pass);
        made.result.shape.extents = {n};
        made.run.result.meetings[{kernel, line}] = {line == 5 ? "out" : "scratch", is_followed};
        return made;
    };
    const auto said = [](StageResult& result, CaseSeries& series) {
        series.report_unfollowed("sum.cu", "");
        return result.findings.size();
    };
    StageResult result;
    CaseSeries series(result);
    series.add(met("sum", 3, true, 100));
    series.add(met("sum", 3, false, 1 << 24));
    CHECK(said(result, series) == 0);  // the same code, on a smaller size
    series.add(met("large_sum", 3, false, 1 << 24));
    series.add(met("large_sum", 5, false, 1 << 25));
    REQUIRE(said(result, series) == 1);
    CHECK(result.findings[0].code == "not_looked_at");
    CHECK(result.findings[0].severity == Severity::warning);
    CHECK(result.findings[0].title == "not every access to `out` and `scratch` was checked for races within a block");
    CHECK(result.findings[0].facts[0] ==
          "lines 3 and 5 run only in launches too large to be followed from access to access, as on 16777216");

    StageResult wrong;
    CaseSeries of_wrong(wrong);
    of_wrong.add(met("large_sum", 3, false, 1 << 24));
    of_wrong.add(outcome(Verdict::wrong));
    CHECK(said(wrong, of_wrong) == 0);
}
