// What a report says of the GPU: of a card that runs, with and without a profile of its own, and of one that is
// modelled.
#include "cli/machine.hpp"

#include "support/catch.hpp"
#include "support/made_up_card.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;

namespace {

const Course& course() {
    static const auto opened = [] {
        setenv("WARPGRADE_ROOT", WARPGRADE_SOURCE_DIR, 1);
        return open_course();
    }();
    REQUIRE(opened);
    return *opened;
}

RunReport begun(const SharedOptions& options, const Machine& machine) {
    const auto report = begin_report(options, course(), machine);
    REQUIRE(report);
    return *report;
}

GpuProfile profile_named(const char* name) {
    GpuProfile profile;
    profile.slug = "made_up";
    profile.name = name;
    profile.device.multiprocessors = 5;
    profile.device.sm_clock_mhz = 1234;
    profile.device.dram_peak_gb_per_s = 3;
    profile.error_band = 0.25;
    return profile;
}

}  // namespace

TEST_CASE("without a card the report speaks of the modelled GPU, asked for by name or not") {
    for (const char* name : {"", "h200"}) {
        SharedOptions options;
        options.device = "virtual";
        options.profile = name;
        const auto machine = open_machine(options, course());
        REQUIRE(machine);
        const RunReport report = begun(options, *machine);
        CAPTURE(name);
        CHECK(report.profile == "h200");
        CHECK(report.device_kind == "virtual");
        CHECK(report.multiprocessors == 132);
        CHECK(report.sm_clock_mhz == 1980);
        CHECK(report.dram_peak_gb_per_s == 4800);
    }
}

TEST_CASE("with a card the report speaks of the card, as its own profile has it or as the driver does") {
    const test::MadeUpCard made_up;
    SharedOptions options;
    options.device = "cuda";
    auto machine = open_machine(options, course());
    REQUIRE(machine);

    SECTION("no profile of it: the driver's figures") {
        const RunReport report = begun(options, *machine);
        CHECK(report.device_name == "Made-up GPU");
        CHECK(report.profile.empty());
        CHECK(report.multiprocessors == 7);
        CHECK(report.sm_clock_mhz == 1000);
        CHECK(report.dram_peak_gb_per_s == 2);
        CHECK(report.error_band == 0);
    }
    SECTION("its own profile, found by its name") {
        machine->profiles = {profile_named("Made-up GPU")};
        machine->profile = &machine->profiles.front();
        const RunReport report = begun(options, *machine);
        CHECK(report.profile == "made_up");
        CHECK(report.multiprocessors == 5);
        CHECK(report.sm_clock_mhz == 1234);
        CHECK(report.dram_peak_gb_per_s == 3);
        CHECK(report.error_band == 0.25);
    }
    SECTION("--profile of another GPU: compared to that one, but run on this one") {
        machine->profiles = {profile_named("Another GPU")};
        machine->profile = &machine->profiles.front();
        const RunReport report = begun(options, *machine);
        CHECK(report.profile == "made_up");
        CHECK(report.multiprocessors == 7);
        CHECK(report.dram_peak_gb_per_s == 2);
    }
}
