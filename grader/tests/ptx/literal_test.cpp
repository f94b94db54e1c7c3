#include "ptx/constant.hpp"

#include <bit>
#include <string>

#include "ptx/cursor.hpp"
#include "support/catch.hpp"

namespace {

using namespace warpgrade::ptx;

std::int64_t constant(std::string_view text) {
    Cursor cursor(text);
    const Literal literal = parse_constant(cursor);
    INFO(std::string(text));
    REQUIRE_FALSE(cursor.failed());
    REQUIRE(cursor.at_end());
    REQUIRE(literal.kind == Literal::Kind::integer);
    return static_cast<std::int64_t>(literal.bits);
}

bool fails(std::string_view text) {
    Cursor cursor(text);
    parse_constant(cursor);
    return cursor.failed();
}

}  // namespace

TEST_CASE("integers in every base") {
    CHECK(read_literal("42")->bits == 42);
    CHECK(read_literal("0")->bits == 0);
    CHECK(read_literal("017")->bits == 15);
    CHECK(read_literal("0x1FU")->bits == 31);
    CHECK(read_literal("0XfF")->bits == 255);
    CHECK(read_literal("0b101U")->bits == 5);
    CHECK(read_literal("18446744073709551615")->bits == ~0ULL);
}

TEST_CASE("floating point as bits and as decimals") {
    CHECK(read_literal("0f3F800000")->kind == Literal::Kind::f32);
    CHECK(read_literal("0f3F800000")->bits == 0x3F800000);
    CHECK(read_literal("0d3FF0000000000000")->kind == Literal::Kind::f64);
    CHECK(read_literal("0dBFF0000000000000")->bits == 0xBFF0000000000000);
    CHECK(read_literal("1.5e-3")->bits == std::bit_cast<std::uint64_t>(1.5e-3));
    CHECK(read_literal("2.")->bits == std::bit_cast<std::uint64_t>(2.0));
}

TEST_CASE("malformed literals are refused") {
    for (const char* text : {"0x", "0xG", "08", "12a", "0f3F80", "0f3F8000000", "0d3FF", "1.5.2", "1e", "0b2", "U",
                             "18446744073709551616", "0x10000000000000000", ""}) {
        INFO(text);
        CHECK_FALSE(read_literal(text).has_value());
    }
}

TEST_CASE("constant expressions follow C") {
    CHECK(constant("-4") == -4);
    CHECK(constant("3*4+1") == 13);
    CHECK(constant("1+2*3") == 7);
    CHECK(constant("(1+2)*3") == 9);
    CHECK(constant("10-4-3") == 3);
    CHECK(constant("1 << 4 | 7 & 3 ^ 1") == 18);
    CHECK(constant("-7 / 2") == -3);
    CHECK(constant("-7 % 4") == -3);
    CHECK(constant("~0") == -1);
    CHECK(constant("!0") == 1);
    CHECK(constant("1 << 64") == 0);
    CHECK(constant("-9223372036854775808 / -1") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("constant expressions without a value are refused") {
    CHECK(fails("1/0"));
    CHECK(fails("1 % 0"));
    CHECK(fails("1+"));
    CHECK(fails("(1"));
    CHECK(fails("1.5+1"));
    CHECK(fails(std::string(100000, '(')));
    CHECK(fails(std::string(100000, '-')));
}

TEST_CASE("a sign flips floating-point constants and keeps their kind") {
    Cursor cursor("-0f3F800000");
    const Literal literal = parse_constant(cursor);
    CHECK(literal.kind == Literal::Kind::f32);
    CHECK(literal.bits == 0xBF800000);
}

TEST_CASE("offsets are sums of signed terms") {
    for (const auto& [text, value] : {std::pair{"+-4]", -4}, {"+8]", 8}, {"-4+2*3]", 2}, {"]", 0}, {"+0x10]", 16}}) {
        Cursor cursor(text);
        CHECK(parse_offset(cursor) == value);
        CHECK(cursor.peek().is(']'));
    }
}
