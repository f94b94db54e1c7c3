// The microbenchmarks on the card of this machine: each finds something, and finds again what the profile has of it.
#include "calibrate/microbenchmarks.hpp"

#include <cstdlib>
#include <iostream>
#include <set>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

constexpr double tolerance = 0.05;
// Of 16 MiB some lies in the far half of L2, and how much depends on the pages: 4.35 and 4.61 ps in two runs on an
// H200.
constexpr double tolerance_of_l2_halves = 0.1;
// What is left of one figure when others are taken away from it scatters more than they do.
constexpr double tolerance_of_differences = 0.25;
const std::set<std::string> differences{"dram_spread",        "dram_queue_read",    "dram_queue_write",
                                        "dram_read_run",      "dram_write_run",     "dirty_bytes",
                                        "l2_write_packet_ps", "l2_write_sector_ps", "l2_far_partial_ps",
                                        "barrier_latency",    "block_turnover",     "barrier_warp_cycles"};

}  // namespace

TEST_CASE("microbenchmarks find again what the profile of this card has from them") {
    setenv("WARPGRADE_WORKER", WARPGRADE_BINARY, 1);
    const auto card = Card::open();
    if (!card) {
        if (card.error().blame != Blame::host) FAIL(card.error().title << ": " << card.error().facts.at(0));
        std::cout << "skipped: " << card.error().title << "\n";
        return;
    }
    const auto profiles = load_profiles(WARPGRADE_SOURCE_DIR "/grader/profiles");
    REQUIRE(profiles);
    const GpuProfile* own = profile_of_card(*profiles, (*card)->facts().name);
    if (!own) {
        std::cout << "skipped: there is no profile of " << (*card)->facts().name << "\n";
        return;
    }
    const auto turn = (*card)->take_turn();
    const auto found = run_microbenchmarks(**card, *own, nullptr, "now", [](std::size_t, std::size_t) {});
    if (!found) FAIL(found.error().title << " " << found.error().facts.at(0));
    int compared = 0;
    for (const CalibratedParameter& one : *found) {
        INFO(one.name << ": " << one.now.value << ", was " << one.before.value_or(0) << "; " << one.now.source);
        CHECK(one.failure.empty());
        // Figures of other programs, and what was kept, are not for this test.
        if (!one.is_measured || own->model.at(one.name).source.find(", median of ") == std::string::npos) continue;
        ++compared;
        const double allowed = differences.contains(one.name)    ? tolerance_of_differences
                               : one.name == "l2_read_sector_ps" ? tolerance_of_l2_halves
                                                                 : tolerance;
        CHECK(one.now.value == Approx(*one.before).epsilon(allowed));
    }
    std::cout << compared << " parameters compared with the profile " << own->slug
              << (compared == 0 ? ": none of its figures is from these microbenchmarks\n" : "\n");
}
