#include "run/loop_turns.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

using Values = std::vector<std::int64_t>;

Values values(const std::string& head, std::int64_t block_x = 0) {
    return turns_of({1, head}, "constexpr int TILE = 32;\n#define ROWS (TILE / 4)\n", block_x).values;
}

}  // namespace

TEST_CASE("what the variable of a loop is in each turn") {
    CHECK(values("int j = 0; j < TILE; j += ROWS") == Values{0, 8, 16, 24});
    CHECK(values("int s = TILE / 4; s > 0; s /= 2") == Values{8, 4, 2, 1});
    CHECK(values("unsigned int s = 4; s >= 1; s >>= 1") == Values{4, 2, 1});
    CHECK(values("int s = 1; s < 16; s *= 4") == Values{1, 4});
    CHECK(values("std::size_t i = 0; i != 3; ++i") == Values{0, 1, 2});
    CHECK(values("int i = 2; i >= 0; i--") == Values{2, 1, 0});
    CHECK(values("int s = blockDim.x / 2; s > 1; s /= 2", 16) == Values{8, 4, 2});
    CHECK(values("int i = 0; i < 0; ++i").empty());
}

TEST_CASE("a loop that no numbers are known of") {
    for (const char* head : {"int i = tid; i < 8; ++i", "int i = 0; i < n; ++i", "int i = 0; i < 8; ++j",
                             "int s = 1; s > 0; s /= 1", "int s = 1; s >= 0; s *= 2", "int i = 0; i < 65; ++i",
                             "int s = blockDim.x; s > 1; s /= 2", "int i = 0; j < 8; ++i", "; ;", ""})
        CHECK(values(head).empty());
    CHECK(turns_of({0, "int i = 0; i < 8; ++i"}, "", 0).values.empty());
}

TEST_CASE("numbers in words") {
    CHECK(listed(Values{7}) == "7");
    CHECK(listed({4, 2, 1}) == "4, 2 and 1");
}
