#include "grade/dispatch_thresholds.hpp"

#include "problem/fake_device.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
using warpgrade::test::FakeProgram;

TEST_CASE("what a launcher does with sizes that nobody ran is asked for within a budget") {
    const std::string path = "stage.cu", source;
    const std::map<std::string, std::string> launchers{{"float", "launcher"}};
    const Problem& problem = test::kit_problem("transpose");
    std::vector<Shape> checked{problem.technique_shape()}, timed{*problem.parse_shape("8192x8192")};
    for (std::vector<Shape>* shapes : {&checked, &timed}) shapes->front().type = "float";
    const auto plans_at = [&](std::uint64_t work) {
        FakeProgram program([](test::FakeCall&) {});
        program.work_of_plan = work;
        REQUIRE(unchecked_dispatches({problem, program, launchers, path, source, 7, 1}, checked, timed, "").ok());
        return program.plans;
    };
    CHECK(plans_at(2000) > 300);
    // A launcher with thousands of variables beside it.
    CHECK(plans_at(1'000'000) < 40);
}
