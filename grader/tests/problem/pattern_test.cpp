#include "problem/pattern.hpp"

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("elements of a float pattern are finite, printable and all different") {
    const Pattern pattern(ElementType::f32, 7);
    std::set<std::uint32_t> seen;
    for (std::uint64_t i = 0; i < 200000; ++i) {
        float value;
        std::memcpy(&value, pattern.element(i).data(), sizeof value);
        REQUIRE(std::fabs(value) >= 0.5f);
        REQUIRE(std::fabs(value) < 128.0f);
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        seen.insert(bits);
    }
    CHECK(seen.size() == 200000);
}

TEST_CASE("special values are zero first, and what is not special is the usual pattern") {
    const Pattern usual(ElementType::f32, 7), special(ElementType::f32, 7, true);
    const auto value = [&](std::uint64_t i) {
        float made;
        std::memcpy(&made, special.element(i).data(), sizeof made);
        return made;
    };
    CHECK(value(0) == 0.0f);
    CHECK(std::signbit(value(1)));
    CHECK(std::isnan(value(2)));
    CHECK(std::isinf(value(3)));
    CHECK(std::fpclassify(value(4)) == FP_SUBNORMAL);
    for (const std::uint64_t i : {5u, 6u, 7u, 13u}) CHECK(special.element(i) == usual.element(i));
    std::vector<std::byte> bytes(4 * 100);
    special.fill(bytes);
    CHECK(!special.first_difference(bytes));
    CHECK(usual.first_difference(bytes) == 0);
}

TEST_CASE("another seed gives other contents, the same seed the same") {
    const Pattern a(ElementType::f32, 1), b(ElementType::f32, 2), c(ElementType::f32, 1);
    int same = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        same += a.element(i) == b.element(i);
        CHECK(a.element(i) == c.element(i));
    }
    CHECK(same < 3);
}

TEST_CASE("a double that went through a float is not the same double") {
    const Pattern pattern(ElementType::f64, 1);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        double value;
        std::memcpy(&value, pattern.element(i).data(), sizeof value);
        CHECK(static_cast<double>(static_cast<float>(value)) != value);
    }
}

TEST_CASE("fill and first_difference agree for every type") {
    for (const ElementType type :
         {ElementType::u8, ElementType::u16, ElementType::f32, ElementType::f64, ElementType::f32x4}) {
        const Pattern pattern(type, 5);
        std::vector<std::byte> buffer(static_cast<std::size_t>(size_bytes(type)) * 100);
        pattern.fill(buffer);
        CHECK(!pattern.first_difference(buffer));
        buffer[buffer.size() - 1] ^= std::byte{1};
        CHECK(pattern.first_difference(buffer) == 99u);
    }
}

TEST_CASE("numbers are printed as long as it takes to tell them apart") {
    const float a = 17.25f, b = std::nextafter(17.25f, 18.0f), c = 3.0f;
    const auto bytes = [](const float& value) { return reinterpret_cast<const std::byte*>(&value); };
    CHECK(print_element(ElementType::f32, bytes(a), bytes(c)) == "17.25");
    CHECK(print_element(ElementType::f32, bytes(b), bytes(a)) != print_element(ElementType::f32, bytes(a), bytes(b)));
}
