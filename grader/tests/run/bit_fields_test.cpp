#include "run/bit_fields.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a line that sets a bit-field is told from one that changes a word") {
    const std::string source =
        "struct Shared {\n"
        "    unsigned first : 1, last : 1;\n"
        "    unsigned rest;\n"
        "};\n"
        "s.first = 0;\n"
        "if (t == 0) p->last = 1, s.rest = 2;\n"
        "s.rest = s.rest | 1;\n"
        "s.first == 1 ? 2 : 3;\n"
        "x = t ? rest : 1;\n"
        "rest = 4;\n";
    CHECK(sets_bit_field(source, 5));
    CHECK(sets_bit_field(source, 6));
    CHECK(!sets_bit_field(source, 7));
    CHECK(!sets_bit_field(source, 8));
    CHECK(!sets_bit_field(source, 9));
    CHECK(!sets_bit_field(source, 10));
    CHECK(!sets_bit_field(source, 99));
}
