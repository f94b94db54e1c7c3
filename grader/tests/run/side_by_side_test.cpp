#include "run/side_by_side.hpp"

#include <new>

#include "grade/case_series.hpp"
#include "problem/fake_device.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
using warpgrade::test::FakeCall;
using warpgrade::test::FakeProgram;

namespace {

const std::string path = "stage.cu", source = "one\ntwo in[3]\n";
const std::map<std::string, std::string> launchers{{"float", "launcher"}};

std::vector<Shape> shapes_of(std::int64_t count) {
    std::vector<Shape> all;
    for (std::int64_t i = 0; i < count; ++i) all.emplace_back().extents = {20 + i, 30};
    return all;
}

// A transpose that is wrong from `wrong_from` rows on; notes the rows that it was asked for, once a case.
class Noted {
public:
    explicit Noted(std::int64_t wrong_from = 1 << 20, std::uint64_t work = 0)
        : program([this, wrong_from, work](FakeCall& call) {
              const auto rows = call.value<std::int32_t>(2), cols = call.value<std::int32_t>(3);
              if (seen.empty() || seen.back() != rows) seen.push_back(rows);
              if (vgpu::Budget* budget = program.last_options.limits.budget) budget->spend(work);
              for (int r = 0; r < rows; ++r)
                  for (int c = 0; c < cols; ++c)
                      call.store(1, static_cast<std::uint64_t>(c * rows + r),
                                 call.load<float>(0, static_cast<std::uint64_t>(r * cols + c)) +
                                     (rows < wrong_from ? 0.0f : 1.0f));
          }) {}
    std::vector<int> seen;
    FakeProgram program;
};

std::vector<CaseToRun> cases_of(const std::vector<Shape>& shapes) {
    std::vector<CaseToRun> cases;
    for (const Shape& shape : shapes) cases.push_back({shape, {}});
    return cases;
}

struct SeriesRun {
    std::vector<std::pair<Verdict, std::string>> cases;
    std::uint64_t left = 0;
    bool operator==(const SeriesRun&) const = default;
};

SeriesRun series_of(std::int64_t wrong_from, std::uint64_t work, std::uint64_t budget_of_all, bool has_beside,
                    int threads) {
    Noted one(wrong_from, work), other(wrong_from, work);
    vgpu::Budget budget(budget_of_all);
    StageResult result;
    CaseSeries series(result);
    const Bench bench{test::kit_problem("transpose"),       one.program, launchers, path, source, 7, threads, &budget,
                      has_beside ? &other.program : nullptr};
    REQUIRE(series.run(bench, shapes_of(20)));
    CHECK(other.seen.empty() != has_beside);
    SeriesRun run{{}, budget.left()};
    for (const CaseResult& each : result.cases) run.cases.emplace_back(each.verdict, each.detail);
    return run;
}

}  // namespace

TEST_CASE("of cases side by side each has its program, on one thread or on several") {
    for (const int threads : {1, 2, 5}) {
        Noted one, other;
        const Bench bench{
            test::kit_problem("transpose"), one.program, launchers, path, source, 7, threads, nullptr, &other.program};
        const auto runs = run_side_by_side(bench, cases_of(shapes_of(7)));
        REQUIRE(runs.size() == 7);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            REQUIRE(runs[i].outcome);
            CHECK(runs[i].outcome->passed());
            CHECK(runs[i].outcome->result.shape.extents.front() == 20 + static_cast<std::int64_t>(i));
        }
        CHECK(one.seen == std::vector<int>{20, 22, 24, 26});
        CHECK(other.seen == std::vector<int>{21, 23, 25});
    }
}

TEST_CASE("nothing is said of cases behind the first that did not pass") {
    for (const int threads : {1, 2}) {
        Noted one(23), other(23);
        const Bench bench{
            test::kit_problem("transpose"), one.program, launchers, path, source, 7, threads, nullptr, &other.program};
        const auto runs = run_side_by_side(bench, cases_of(shapes_of(7)));
        REQUIRE(runs.size() == 4);
        CHECK(runs[2].outcome->passed());
        CHECK(runs[3].outcome->result.verdict == Verdict::wrong);
    }
}

TEST_CASE("a series finds and spends the same with a second program beside the first") {
    struct Kind {
        std::int64_t wrong_from;
        std::uint64_t work, budget;
    };
    constexpr std::uint64_t m = 1'000'000;
    for (const Kind& kind : {Kind{1000, 0, 1300 * m}, Kind{1000, m, 1300 * m}, Kind{31, m, 1300 * m},
                             Kind{24, m, 1300 * m}, Kind{1000, 10 * m, 300 * m}, Kind{1000, 30 * m, 1300 * m}}) {
        INFO("wrong from " << kind.wrong_from << ", work " << kind.work << " of " << kind.budget);
        const SeriesRun alone = series_of(kind.wrong_from, kind.work, kind.budget, false, 2);
        CHECK(alone.cases.size() == 20);
        for (const int threads : {1, 2})
            CHECK(series_of(kind.wrong_from, kind.work, kind.budget, true, threads) == alone);
    }
}

TEST_CASE("no case runs ahead that would have next to nothing if those before it took all they may") {
    struct Kind {
        std::uint64_t left;
        std::vector<int> beside;
    };
    for (const Kind& kind : {Kind{25'350'000, {}}, Kind{25'550'000, {21, 23, 25, 27}}}) {
        Noted one, other;
        vgpu::Budget budget(kind.left);
        StageResult result;
        CaseSeries series(result);
        for (std::ptrdiff_t i = 0; i < CaseSeries::enough_to_go_by; ++i) {
            CaseOutcome passed;
            passed.result.verdict = Verdict::pass;
            series.add(std::move(passed));
        }
        const Bench bench{
            test::kit_problem("transpose"), one.program, launchers, path, source, 7, 2, &budget, &other.program};
        REQUIRE(series.run(bench, shapes_of(8)));
        CHECK(other.seen == kind.beside);
        CHECK(result.cases.size() == 11);
    }
}

TEST_CASE("where there is no memory for two cases, one at least is run alone") {
    for (const int threads : {1, 2}) {
        int tries = 0;
        const auto runs_out = [&](FakeCall&) {
            if (++tries == 1) throw std::bad_alloc();
        };
        FakeProgram one(runs_out), other([](FakeCall&) { throw std::bad_alloc(); });
        const Bench bench{test::kit_problem("transpose"), one, launchers, path, source, 7, threads, nullptr, &other};
        const auto runs = run_side_by_side(bench, cases_of(shapes_of(4)));
        REQUIRE(runs.size() == 1);
        REQUIRE(runs[0].outcome);
        CHECK(runs[0].outcome->result.shape.extents.front() == 20);
        CHECK(runs[0].outcome->result.verdict == Verdict::wrong);  // it stores nothing
    }
}
