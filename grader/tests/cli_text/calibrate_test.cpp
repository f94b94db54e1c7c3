// `calibrate` as a person types it, on the made-up card and on none.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "calibrate/calibrate.hpp"
#include "cli/calibrate_view.hpp"
#include "cli/program.hpp"
#include "cli/text.hpp"
#include "cli_text/golden.hpp"
#include "cli_text/outcome.hpp"
#include "compile/compiler.hpp"
#include "device/card.hpp"
#include "model/parameters.hpp"
#include "support/made_up_card.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

using test::Outcome;

Outcome run(const fs::path& course, const std::vector<const char*>& words) {
    Outcome outcome = test::outcome_of(course.string(), "warpgrade", words);
    for (const std::string& line : cli::split_lines(outcome.out + outcome.err)) {
        INFO(line);
        CHECK(cli::display_width(line) <= 80);
    }
    return outcome;
}

// The kit's course with profiles of its own: the H200's, and the made-up card's with two references on small shapes.
struct CourseWithMadeUpCard {
    test::CurrentFolder folder;
    CourseWithMadeUpCard() {
        const fs::path kit = WARPGRADE_SOURCE_DIR;
        fs::create_directories(profiles());
        for (const char* part : {"assignments", "solutions", "grader/compile"})
            fs::create_symlink(kit / part, folder.path() / part);
        fs::copy_file(kit / "grader/profiles/h200.toml", profiles() / "h200.toml");
        const auto card = Card::open();
        REQUIRE(card);
        GpuProfile profile;
        profile.name = "Made-up GPU";
        profile.is_calibrated = true;
        profile.error_band = 0.5;
        profile.run = {"2026-11-01", "Made-up GPU", "", "13.0", "warpgrade calibrate"};
        profile.device = device_facts((*card)->facts());
        profile.bandwidths = {{"copy", "256 x 256", 0.99, 0.01, 31}};
        profile.references = {{"transpose/padding", "aligned", "256 x 256", 0.9, 0.9, 0},
                              {"reduction/first_add", "aligned", "65536", 0.5, 0.5, 0}};
        profile.model["dram_read_gb_per_s"] = {1.1, "GB/s", "a guess"};
        std::ofstream(profiles() / "made_up_gpu.toml") << to_toml(profile);
    }
    fs::path profiles() const { return folder.path() / "grader/profiles"; }
};

}  // namespace

TEST_CASE("calibrating asks for a card") {
    setenv("WARPGRADE_LIBCUDA", "/no/such/libcuda.so", 1);
    const Outcome none = run(WARPGRADE_SOURCE_DIR, {"calibrate", "--microbenchmarks"});
    unsetenv("WARPGRADE_LIBCUDA");
    CHECK(none.code == 3);
    CHECK(none.out.empty());
    CHECK(none.err ==
          "error[no_driver]: no NVIDIA driver on this machine\n"
          "   = /no/such/libcuda.so: cannot open shared object file: No such file or\n"
          "     directory\n"
          "   = try: run `calibrate` on the machine with the GPU; `warpgrade doctor` there\n"
          "          says what it lacks\n");
    const Outcome virtual_gpu = run(WARPGRADE_SOURCE_DIR, {"calibrate", "--microbenchmarks", "--device", "virtual"});
    CHECK(virtual_gpu.code == 2);
    CHECK(virtual_gpu.err.find("`calibrate` measures a real GPU") != std::string::npos);
    test::check_golden("help_calibrate", run(WARPGRADE_SOURCE_DIR, {"calibrate", "--help"}).out);
}

TEST_CASE("microbenchmarks fill the card's profile and leave its bandwidths") {
    if (!find_nvrtc().ok()) {
        WARN("skipped: no NVRTC on this machine");
        return;
    }
    const test::MadeUpCard made_up;
    const CourseWithMadeUpCard course;
    const Outcome outcome = run(course.folder.path(), {"calibrate", "--microbenchmarks"});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    INFO(outcome.out);
    CHECK(std::regex_search(outcome.out, std::regex("\ndram_read_gb_per_s +0\\.998[0-9] +1\\.100 +-9\\.2 %  GB/s\n")));
    CHECK(std::regex_search(outcome.out, std::regex("\nKept, as no microbenchmark gives it:\n"
                                                    "  dram_queue_random, [0-9.]+ cycles: as of")));
    CHECK(outcome.out.find("\nKept, as what was measured makes no sense:\n") != std::string::npos);
    CHECK(outcome.out.find("\ntranspose/padding    256 x 256") != std::string::npos);
    CHECK(outcome.out.find("\nreduction/first_add  65536") != std::string::npos);
    CHECK(outcome.out.find("Made-up GPU: written to grader/profiles/made_up_gpu.toml\n") != std::string::npos);

    const auto profile = load_profile((course.profiles() / "made_up_gpu.toml").string());
    if (!profile) FAIL(profile.error().title);
    CHECK(parameters_of(*profile));
    CHECK(profile->run.date == "2026-11-01");
    CHECK(profile->bandwidths.size() == 1);
    CHECK(profile->references.size() == 2);
    CHECK(profile->error_band != 0.5);
    const ModelParameter& read = profile->model.at("dram_read_gb_per_s");
    CHECK(
        std::regex_match(read.source, std::regex("microbenchmark in_flight: 2048 threads x 4 x 16 bytes: 0\\.998[0-9] "
                                                 "GB/s, median of 7, [0-9-]{10}, Made-up GPU")));
    // And again, elsewhere: what was measured is what the profile has.
    const Outcome again = run(course.folder.path(), {"calibrate", "--microbenchmarks", "--out", "again.toml"});
    REQUIRE(again.code == 0);
    CHECK(std::regex_search(again.out, std::regex("\ndram_read_gb_per_s +(0\\.998[0-9]) +\\1 +\\+0\\.0 %  GB/s\n")));
    CHECK(load_profile("again.toml"));
}

TEST_CASE("what calibrate says of parameters and of references") {
    std::vector<CalibratedParameter> parameters(5);
    parameters[0] = {"dram_copy_gb_per_s", {4239.4, "GB/s", "microbenchmark"}, 4260, true, ""};
    parameters[1] = {"l1_latency", {38.71, "cycles", "microbenchmark"}, {}, true, ""};
    parameters[2] = {"dirty_bytes", {0, "bytes", "microbenchmark"}, 3e7, true, ""};
    parameters[3] = {"launch_us",
                     {3.8, "us", "fit on the half \"fit\" of grader/tests/model/kernels.csv, 2026-11-22"},
                     3.8,
                     false,
                     ""};
    parameters[4] = {"dram_queue_read",
                     {100, "cycles", "of old"},
                     100,
                     false,
                     "microbenchmark in_flight gave no number: no loop kept DRAM 60 to 95 % busy"};
    std::string text = cli::render_parameters(parameters, {}) + "\n";
    const std::vector<ModelledReference> good{{"transpose/padding", "8192 x 8192", 1734.3, 1701.2},
                                              {"reduction/open", "134217728", 3913.5, 4099}};
    const std::vector<ModelledReference> bad{{"transpose/padding", "8192 x 8192", 1734.3, 1200}};
    text += cli::render_references(good, 0, {}) + "\n" + cli::render_references(bad, 0.4453, {}) + "\n" +
            cli::render_references({}, 0, {});
    test::check_golden("calibrate_parameters", text);
}
