#include "grade/program_stage.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("the output of a program is compared line by line") {
    CHECK_FALSE(first_difference("a\nb \n\n", "a\nb"));
    CHECK_FALSE(first_difference("", ""));
    const auto wrong = first_difference("a\nc\n", "a\nb\n");
    REQUIRE(wrong);
    CHECK(wrong->number == 2);
    CHECK(wrong->found == "c");
    CHECK(wrong->expected == "b");
    CHECK(first_difference("a\n", "a\nb\n")->is_missing);
    CHECK(first_difference("a\nb\n", "a\n")->is_unexpected);
}

TEST_CASE("a number stands for any above 0") {
    CHECK_FALSE(first_difference("took 0.25 ms, 3e2 GB/s", "took {number} ms, {number} GB/s"));
    CHECK(first_difference("took 0.000 ms", "took {number} ms"));
    CHECK(first_difference("took -1 ms", "took {number} ms"));
    CHECK(first_difference("took nan ms", "took {number} ms"));
    CHECK(first_difference("took ms", "took {number} ms"));
}
