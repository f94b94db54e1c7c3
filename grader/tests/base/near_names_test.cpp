#include "base/near_names.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("edit distance counts a swap of neighbours once") {
    CHECK(edit_distance("padding", "padding") == 0);
    CHECK(edit_distance("paddnig", "padding") == 1);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("a near name is offered, a far one is not") {
    const std::vector<std::string> known{"padding", "corner_turning", "naive_read"};
    CHECK(nearest_name("pading", known) == "padding");
    CHECK(nearest_name("corner_turnin", known) == "corner_turning");
    CHECK_FALSE(nearest_name("reduction", known).has_value());
    CHECK_FALSE(nearest_name("x", known).has_value());
}
