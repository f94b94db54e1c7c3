#include "base/wire.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a message comes back as it was sent, whatever its bytes") {
    const wire::Fields fields{"", std::string("\0\xff\n", 3), std::string(70'000, 'x')};
    CHECK(wire::unpack(wire::pack(fields)) == fields);
    CHECK(wire::unpack(wire::pack({})) == wire::Fields{});
}

TEST_CASE("a message cut short or padded is not a message") {
    const std::string message = wire::pack({"one", "two"});
    for (std::size_t size = 0; size < message.size(); ++size) {
        CHECK_FALSE(wire::unpack(message.substr(0, size)).has_value());
        CHECK_FALSE(wire::is_complete(message.substr(0, size)));
    }
    CHECK(wire::is_complete(message));
    CHECK_FALSE(wire::unpack(message + "x").has_value());
    std::string lying = message;
    lying[12] = '\x7f';  // the first field's length
    CHECK_FALSE(wire::unpack(lying).has_value());
}
