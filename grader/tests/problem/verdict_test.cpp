#include "problem/verdict.hpp"

#include "base/diagnostic.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("the words of verdicts and severities are read as they are written") {
    for (int i = 1; i <= static_cast<int>(Verdict::impossible); ++i)
        CHECK(verdict_named(to_string(static_cast<Verdict>(i))) == static_cast<Verdict>(i));
    CHECK(to_string(Verdict::launch_error) == "launch_error");
    CHECK_FALSE(verdict_named(""));  // none is no word
    CHECK_FALSE(verdict_named("passed"));
    for (int i = 0; i <= static_cast<int>(Severity::advice); ++i)
        CHECK(severity_named(to_string(static_cast<Severity>(i))) == static_cast<Severity>(i));
    CHECK_FALSE(severity_named("fatal"));
    CHECK(to_string(Origin::profile) == "profile");
}
