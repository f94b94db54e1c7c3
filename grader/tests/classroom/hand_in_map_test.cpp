#include "classroom/hand_in_map.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

TEST_CASE("what is no map of hand-ins is shown by its first row") {
    const auto said = [](const char* text) {
        const auto map = parse_hand_in_map(text, "out/map.csv");
        REQUIRE_FALSE(map);
        return map.error().title + "; " + map.error().facts.at(0);
    };
    CHECK(said("") == "`map.csv` is no map of hand-ins: it has no column `hand_in`; it is empty");
    CHECK(said("hand_in,file\nx,y\n") ==
          "`map.csv` is no map of hand-ins: it has no column `student`; its first row is hand_in,file");
    CHECK(said("%PDF-1.4 garbage\nmore\n") ==
          "`map.csv` is no map of hand-ins: it has no column `hand_in`; its first row is %PDF-1.4 garbage");
    CHECK(parse_hand_in_map("student;hand_in\nann;x1\n", "map.csv")->student_of({"x1"}) == "ann");
}
