#include "problem/gathered.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

constexpr std::int64_t rows = 40, cols = 160;

// left + right + above + below - 4 times the element, with other factors for some.
struct Matrices {
    std::vector<float> in, out, expected;
    std::vector<std::size_t> wrong;

    template <class Factors>
    explicit Matrices(Factors&& factors) {
        for (std::int64_t i = 0; i < rows * cols; ++i)
            in.push_back(static_cast<float>((i * i * 31 + i * 17) % 103 - 50));
        const auto at = [&](std::int64_t y, std::int64_t x) {
            return y < 0 || x < 0 || y >= rows || x >= cols ? 0.0f : in[static_cast<std::size_t>(y * cols + x)];
        };
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < cols; ++x) {
                const auto [left, own] = factors(y, x);
                const float rest = at(y, x + 1) + at(y - 1, x) + at(y + 1, x);
                expected.push_back(at(y, x - 1) + rest - 4 * at(y, x));
                out.push_back(left * at(y, x - 1) + rest + own * at(y, x));
                if (out.back() != expected.back()) wrong.push_back(out.size() - 1);
            }
    }
    Gathered gathered() const { return {rows, cols, in, out, expected, "in", "out"}; }
};

}  // namespace

TEST_CASE("which neighbour counts wrongly is worked out of the wrong elements") {
    const Matrices all([](auto, auto) { return std::pair{0.0f, -4.0f}; });
    const auto told = wrong_weights(all.gathered(), all.wrong);
    REQUIRE(told);
    CHECK(told->title == "the left neighbour does not count");
    CHECK(told->facts.size() == 4);
    const Matrices twice([](auto, auto) { return std::pair{1.0f, -3.0f}; });
    const auto own = wrong_weights(twice.gathered(), twice.wrong);
    REQUIRE(own);
    CHECK(own->title == "the element itself counts times -3, not times -4");
}

TEST_CASE("wrong elements of one column are looked at by themselves") {
    const Matrices some([](auto, std::int64_t x) { return std::pair{x % 32 == 0 ? 0.0f : 1.0f, -4.0f}; });
    const auto told = wrong_weights(some.gathered(), some.wrong);
    REQUIRE(told);
    CHECK(told->title == "the left neighbour does not count");
    CHECK(where_wrong(rows, cols, some.wrong).text == "all of them in column 0 of every 32");
}

TEST_CASE("where wrong elements are") {
    const auto where = [](std::vector<std::size_t> wrong) { return where_wrong(10, 20, wrong).text; };
    CHECK(where({0, 20, 40}) == "all of them in the first column");
    CHECK(where({19, 39, 79}) == "all of them in the last column");
    CHECK(where({1, 2, 5}) == "all of them in the first row");
    CHECK(where({181, 182, 199}) == "all of them in the last row");
    CHECK(where({0, 20, 39}) == "all of them in the first and the last column");
    CHECK(where({1, 5, 185}) == "all of them in the first and the last row");
    CHECK(where({1, 20, 185}) == "all of them at the edge of the matrix");
    CHECK(where({0, 20}).empty());
    CHECK(where({25, 46, 67, 88}).empty());
}

TEST_CASE("an element and what is around it") {
    const Matrices any([](auto, auto) { return std::pair{1.0f, -4.0f}; });
    const auto lines = neighbours_of(any.gathered(), 0);
    REQUIRE(lines.size() == 6);
    CHECK(lines[0] == "around in[0][0]; - is outside:");
    CHECK(lines[1].find_first_not_of(" -") == std::string::npos);
    CHECK(lines[3] == "        -     -   -50    -2     5");
}
