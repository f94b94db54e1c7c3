#include "problem/value_grid.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

std::vector<std::string> numbers(int count) {
    std::vector<std::string> cells;
    for (int i = 0; i < count; ++i) cells.push_back(std::to_string(i));
    return cells;
}

}  // namespace

TEST_CASE("grids stand beside one another, and a wrong cell has its mark") {
    const auto lines = side_by_side(
        {{"in", 3, numbers(6), {}}, {"found", 2, {"0", "3", "1", not_written}, {false, false, false, true}}});
    CHECK(lines == std::vector<std::string>{"in         found", " 0  1  2    0  3", " 3  4  5    1 --*"});
}

TEST_CASE("three grids of 8 x 8 fit the width of a terminal, whatever is in them") {
    auto strange = numbers(64);
    strange[9] = "-4.31602e+08";
    const auto lines =
        side_by_side({{"in", 8, numbers(64), {}}, {"expected", 8, numbers(64), {}}, {"found", 8, strange, {}}});
    CHECK(lines.size() == 1 + 8 + 1);
    CHECK(std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return line.size() <= 78; }));
    CHECK(lines[2].find("??") != std::string::npos);
    CHECK(lines.back() == "the first ?? is -4.31602e+08, in `found`");
}
