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

TEST_CASE("a series that is right so far may take three times the work, until it is not") {
    constexpr std::uint64_t elements = 1000;
    StageResult result;
    CaseSeries series(result);
    for (int cases = 0; cases < 3; ++cases) {
        CHECK(series.work_of(elements) == work_of_case(elements));
        series.add(outcome(Verdict::pass));
    }
    CHECK(series.work_of(elements) == 3 * work_of_case(elements));
    series.add(outcome(Verdict::timeout));
    CHECK(series.work_of(elements) == work_of_case(elements));
}
