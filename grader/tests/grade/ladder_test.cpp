// What an author is told where the time model and the card disagree on the order of the solutions.
#include "grade/ladder.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

StageResult modelled(const char* stage, double gb_per_s) {
    StageResult result;
    result.assignment = "climb";
    result.stage = stage;
    Bandwidth b;
    b.origin = Origin::modelled;
    b.shape_class = "aligned";
    b.gb_per_s = gb_per_s;
    result.bandwidths.push_back(b);
    return result;
}

}  // namespace

TEST_CASE("a ladder that the model has the wrong way round is told, and so is a stage that no card has timed") {
    GpuProfile profile;
    profile.name = "A card";
    profile.references = {{"climb/naive", "aligned", "512 x 512", 100, 0.1, 0},
                          {"climb/tile", "aligned", "512 x 512", 130, 0.13, 0},
                          {"climb/open", "aligned", "512 x 512", 135, 0.14, 0}};
    const StageResult naive = modelled("naive", 110), tile = modelled("tile", 105), open = modelled("open", 104),
                      made_up = modelled("new", 1);
    const auto notes = notes_on_ladder({&naive, &tile, &open, &made_up}, profile);
    REQUIRE(notes.size() == 3);
    CHECK(notes[0] ==
          "climb/tile moves 1.3 times as much in a second as climb/naive on a measured A card, and the time model has "
          "them the other way round");
    CHECK(notes[2].find("no card has timed climb/new") == 0);
    const StageResult slow = modelled("naive", 90);
    CHECK(notes_on_ladder({&slow, &tile}, profile).empty());
}
