#include "base/toml_reader.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a number outside its range is refused, and nobody computes with it") {
    for (const char* value : {"-167936", "1e300", "nan", "inf", "9223372036854775807"}) {
        INFO(value);
        const toml::table source = toml::parse(std::string("bytes = ") + value);
        TomlErrors errors("profile.toml");
        TomlTable table(source, "[device]", errors);
        CHECK(table.required_number("bytes", 1, 1000) == 1);
        CHECK(table.number("bytes", 7, 1, 1000) == 7);
        REQUIRE(errors.first());
        CHECK(errors.first()->code == "out_of_range");
    }
}
