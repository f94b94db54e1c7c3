#include "problem/shapes.hpp"

#include <algorithm>
#include <numeric>

#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;

namespace {
const std::vector<std::string> only_float{"float"};
}

TEST_CASE("the same seed gives the same shapes, another seed others") {
    test::read_kit_problems();
    for (const Problem* problem : all_problems()) {
        CHECK(problem->shapes(1, only_float) == problem->shapes(1, only_float));
        CHECK(problem->shapes(1, only_float) != problem->shapes(2, only_float));
    }
}

TEST_CASE("a quick check stays quick") {
    test::read_kit_problems();
    for (const Problem* problem : all_problems()) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            std::uint64_t total = 0;
            for (const Shape& shape : problem->shapes(seed, only_float)) total += problem->elements(shape);
            CHECK(total > 100'000);
            CHECK(total < 6'500'000);
        }
    }
}

TEST_CASE("the shapes hold the traps that matter") {
    const auto shapes = test::kit_problem("transpose").shapes(0, only_float);
    const auto has = [&](std::int64_t rows, std::int64_t cols) {
        return std::any_of(shapes.begin(), shapes.end(), [&](const Shape& s) {
            return s.extents == std::vector{rows, cols};
        });
    };
    CHECK(has(0, 5));
    CHECK(has(5, 0));
    CHECK(has(1, 1));
    CHECK(has(33, 31));
    CHECK(has(2097121, 1));
    CHECK(has(1, 2097121));
    for (const int rest : {1, 2, 3})
        CHECK(std::any_of(shapes.begin(), shapes.end(),
                          [&](const Shape& s) { return s.extents[1] > 4 && s.extents[1] % 4 == rest; }));
    CHECK(std::any_of(shapes.begin(), shapes.end(), [](const Shape& s) { return s.base_offset_bytes == 4; }));
    CHECK(std::any_of(shapes.begin(), shapes.end(), [](const Shape& s) { return !s.previous.empty(); }));

    const auto sums = test::kit_problem("reduction").shapes(0, only_float);
    for (const std::int64_t n :
         {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 4097, (1 << 20) - 1, (1 << 20) + 1})
        CHECK(std::any_of(sums.begin(), sums.end(), [&](const Shape& s) { return s.extents[0] == n; }));
    CHECK(std::any_of(sums.begin(), sums.end(),
                      [](const Shape& s) { return !s.previous.empty() && s.previous[0] > s.extents[0]; }));
}

TEST_CASE("every type of a stage has shapes of its own, all of them with a class") {
    const std::vector<std::string> types{"unsigned char", "unsigned short", "float", "double", "float4"};
    const auto shapes = test::kit_problem("transpose").shapes(3, types);
    for (const std::string& type : types)
        CHECK(std::count_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.type == type; }) >= 8);
    for (const Shape& shape : shapes) {
        const std::vector<std::string> classes{"aligned", "odd", "thin", "small", "empty"};
        CHECK(std::find(classes.begin(), classes.end(), shape.shape_class) != classes.end());
    }
}

TEST_CASE("a shape on the command line is read, or refused with a reason") {
    const Problem& problem = test::kit_problem("transpose");
    CHECK(problem.parse_shape("1024x777")->extents == std::vector<std::int64_t>{1024, 777});
    CHECK(problem.parse_shape(" 3 x 5 ")->extents == std::vector<std::int64_t>{3, 5});
    CHECK(problem.parse_shape("3x5")->shape_class == "small");
    CHECK(test::kit_problem("reduction").parse_shape("1048576")->extents == std::vector<std::int64_t>{1048576});
    for (const char* text :
         {"", "x", "12", "1x2x3", "-1x4", "3x", "axb", "99999999999999999999x1", "3000000000x1", "1.5x2"}) {
        const auto shape = problem.parse_shape(text);
        REQUIRE(!shape);
        CHECK(shape.error().blame == Blame::usage);
        CHECK(shape.error().code == "bad_shape");
    }
    CHECK(problem.parse_shape("12").error().facts.at(0) == "it has 1 extent, the problem has 2");
    CHECK(test::kit_problem("reduction").parse_shape("1M").error().facts.at(0) ==
          "an extent is a whole number, written out");
}
