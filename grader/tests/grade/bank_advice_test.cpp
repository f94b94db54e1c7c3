#include "grade/bank_advice.hpp"

#include <string>

#include "source/questions.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

LaunchInfo block_of(std::uint32_t x, std::uint32_t y) { return {"k", {32, 32, 1}, {x, y, 1}, 0, 3}; }

// Of the access to `tile` in line 4.
std::string said(const std::string& declared, const std::string& index, double by, const LaunchInfo& launch) {
    const std::string source = "constexpr int TILE = 32, PADDING = 1;\nconstexpr int SIDE = 33;\n__shared__ " +
                               declared + ";\n    float a = tile" + index + ";\n";
    source::Reading reading;
    return advice_on_banks(reading.of(source), 4, "tile", by, launch).text;
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the length of a row says which banks a column lies in, where it explains the count") {
    const LaunchInfo square = block_of(32, 32);
    CHECK(mentions(said("float tile[32][32]", "[threadIdx.x][threadIdx.y]", 32, square),
                   "in line 3 make its second dimension 33"));
    CHECK(mentions(said("float tile[32][34]", "[threadIdx.x][threadIdx.y]", 2, square), "16 of the 32 banks"));
    CHECK(mentions(said("float tile[32 * SIDE]", "[threadIdx.x * 32 + threadIdx.y]", 32, square),
                   "write 33 in its index, on every line that uses it; its 1056 elements are room enough"));
    CHECK(mentions(said("float tile[32 * 32]", "[threadIdx.x * 32 + threadIdx.y]", 32, square),
                   "on every line that uses it, and give it room for that"));
    CHECK(mentions(said("float tile[33][32]", "[threadIdx.x][threadIdx.y]", 32, square),
                   "33; the first dimension is the number of rows"));
    CHECK(mentions(said("float tile[32][64]", "[threadIdx.x][threadIdx.y]", 32, square),
                   "65, or 33 where 32 columns are enough"));
    CHECK(mentions(said("float tile[16][17]", "[threadIdx.x][threadIdx.y]", 2, block_of(16, 16)),
                   "two rows of the tile"));
}

TEST_CASE("what the length of a row does not explain is not put down to it") {
    const LaunchInfo square = block_of(32, 32);
    CHECK(said("float tile[32][33]", "[threadIdx.x][threadIdx.y]", 32, square).empty());
    CHECK(said("float tile[32][32]", "[threadIdx.x][threadIdx.y]", 4, square).empty());
    CHECK(said("double tile[32][32]", "[threadIdx.x][threadIdx.y]", 32, square).empty());
    CHECK(said("float other[32][32]", "[threadIdx.x][threadIdx.y]", 32, square).empty());
}

TEST_CASE("rows that wide accesses use keep their beginning at multiples of what these take") {
    const LaunchInfo square = block_of(32, 32);
    const std::string wide = ";\n    float4 b = reinterpret_cast<float4*>(tile)[0]";
    CHECK(mentions(said("float tile[32][32]", "[threadIdx.x][threadIdx.y]" + wide, 32, square),
                   "let its second dimension (line 3) be 36, so that only 4 rows lie in one bank"));
    CHECK(mentions(said("float tile[32][36]", "[threadIdx.x][threadIdx.y]" + wide, 4, square),
                   "4 rows in a bank are the least"));
    CHECK(mentions(said("float tile[32][32]",
                        "[threadIdx.x][threadIdx.y]; asm(\"cp.async.bulk.shared::cluster.global\")", 32, square),
                   "let its second dimension (line 3) be 36"));
    const std::string two = ";\n    float2 b = *reinterpret_cast<float2*>(&tile[0][0])";
    CHECK(mentions(said("float tile[32][32]", "[threadIdx.x][threadIdx.y]" + two, 32, square),
                   "begin at multiples of 8 bytes: let its second dimension (line 3) be 34"));
}
