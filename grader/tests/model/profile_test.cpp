#include "model/profile.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

constexpr const char* device_text = R"([device]
compute_capability = "8.6"
multiprocessors = 16
sm_clock_mhz = 1500
memory_clock_mhz = 6001.5
registers_per_sm = 65536
shared_bytes_per_sm = 102400
shared_bytes_per_block = 101376
max_threads_per_sm = 1536
max_blocks_per_sm = 16
l2_bytes = 2097152
dram_bytes = 4294967296
dram_peak_gb_per_s = 192
)";

// A folder of its own, gone at the end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("warpgrade_profiles_" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return (path / name).string();
    }
};

GpuProfile full_profile() {
    GpuProfile profile;
    profile.slug = "full";
    profile.name = "NVIDIA \"Made Up\" GPU";
    profile.is_calibrated = true;
    profile.error_band = 0.125;
    profile.run = {"2026-11-20", "NVIDIA Made Up", "580.1", "13.0", "./grader/warpgrade calibrate"};
    profile.device = {"9.0", 132, 1980, 3201, 65536, 233472, 232448, 2048, 32, 62914560, 150754820096, 4917.3};
    profile.bandwidths = {{"copy", "8192 x 8192", 3998.2, 1.25, 15}, {"read", "134217728", 4584, 0.5, 15}};
    profile.references = {{"transpose/padding", "aligned", "8192 x 8192", 1751, 0.4141, 0.0012}};
    profile.cannot_tell_apart = {{{"reduction/strided", "reduction/sequential"}, "aligned"}};
    profile.errors = {{"transpose", 131, 0.062, 0.24, "unseen.md"}};
    profile.model["dram_latency"] = {612.5, "cycles", "microbenchmark chase, 2026-11-20"};
    return profile;
}

}  // namespace

TEST_CASE("a profile that is written is read back") {
    const Folder folder;
    const GpuProfile written = full_profile();
    auto read = load_profile(folder.write("full.toml", to_toml(written)));
    if (!read) FAIL(read.error().title);
    CHECK(read->slug == "full");
    CHECK(read->name == written.name);
    CHECK(read->is_calibrated);
    CHECK(read->error_band == 0.125);
    CHECK(read->run.command == written.run.command);
    CHECK(read->device.l2_bytes == 62914560);
    CHECK(read->device.dram_bytes == 150754820096);
    CHECK(read->device.dram_peak_gb_per_s == 4917.3);
    REQUIRE(read->bandwidth("copy", "8192 x 8192") != nullptr);
    CHECK(read->bandwidth("copy", "8192 x 8192")->gb_per_s == 3998.2);
    CHECK(read->bandwidth("memcpy", "8192 x 8192") == nullptr);
    REQUIRE(read->error_of("transpose") != nullptr);
    CHECK(read->error_of("transpose")->rows == 131);
    CHECK(read->error_of("transpose")->median == 0.062);
    CHECK(read->error_of("transpose")->nine_of_ten == 0.24);
    CHECK(read->error_of("transpose")->source == "unseen.md");
    CHECK(read->error_of("scan") == nullptr);
    REQUIRE(read->reference("transpose/padding", "aligned") != nullptr);
    CHECK(read->reference("transpose/padding", "aligned")->share_of_copy == 0.4141);
    CHECK(read->reference("transpose/padding", "odd") == nullptr);
    REQUIRE(read->cannot_tell_apart.size() == 1);
    CHECK(read->cannot_tell_apart[0].stages[1] == "reduction/sequential");
    CHECK(read->parameter("dram_latency") == 612.5);
    CHECK_FALSE(read->parameter("dram_latncy"));
    CHECK(to_toml(*read) == to_toml(written));
}

TEST_CASE("parameters are written in the order of the model, others behind them") {
    GpuProfile profile = full_profile();
    for (const char* name : {"another", "alu_latency"}) profile.model[name] = {1, "cycles", "made up"};
    const std::string text = to_toml(profile);
    const auto place = [&](const char* name) { return text.find(std::string("[model.") + name + "]"); };
    CHECK(place("dram_latency") < place("alu_latency"));
    CHECK(place("alu_latency") < place("another"));
    CHECK(place("another") != std::string::npos);
}

TEST_CASE("a misspelt key of a profile names the one that was meant") {
    const Folder folder;
    auto bad = load_profile(folder.write(
        "bad.toml", std::string("name = \"X\"\nstate = \"uncalibrated\"\n") + device_text + "l2_byts = 3\n"));
    REQUIRE_FALSE(bad);
    CHECK(bad.error().blame == Blame::course);
    CHECK(bad.error().title == "[device] has an unknown key `l2_byts`");
    CHECK(bad.error().help == "did you mean `l2_bytes`?");
    CHECK(bad.error().marks.at(0).line == 16);
}

TEST_CASE("what a profile must have is asked for") {
    const Folder folder;
    const std::string start = "name = \"X\"\nstate = \"calibrated\"\n";
    auto no_run = load_profile(folder.write("a.toml", start + device_text));
    REQUIRE_FALSE(no_run);
    CHECK(no_run.error().title == "a calibrated profile has no [run]");
    auto no_device = load_profile(folder.write("b.toml", "name = \"X\"\nstate = \"uncalibrated\"\n"));
    REQUIRE_FALSE(no_device);
    CHECK(no_device.error().title == "the profile has no [device]");
    auto state = load_profile(folder.write("c.toml", std::string("name = \"X\"\nstate = \"tuned\"\n") + device_text));
    REQUIRE_FALSE(state);
    CHECK(state.error().title == "`tuned` is none of: calibrated, uncalibrated");
    auto source = load_profile(folder.write("d.toml", std::string("name = \"X\"\nstate = \"uncalibrated\"\n") +
                                                          device_text + "[model.latency]\nvalue = 3\nunit = \"s\"\n"));
    REQUIRE_FALSE(source);
    CHECK(source.error().title == "[model.latency] has no `source`");
}

TEST_CASE("a card finds its profile by the driver's name") {
    CHECK(profile_slug("NVIDIA H200") == "h200");
    CHECK(profile_slug("NVIDIA GeForce RTX 3050 Laptop GPU") == "geforce_rtx_3050_laptop_gpu");
    CHECK(profile_slug("") == "gpu");
    std::vector<GpuProfile> profiles(2);
    profiles[0].name = "NVIDIA L4";
    profiles[1].name = "NVIDIA H200";
    CHECK(profile_of_card(profiles, "NVIDIA H200") == &profiles[1]);
    CHECK(profile_of_card(profiles, "NVIDIA H100") == nullptr);
}

TEST_CASE("every profile of the kit can be read") {
    auto profiles = load_profiles(WARPGRADE_SOURCE_DIR "/grader/profiles");
    if (!profiles) FAIL(profiles.error().marks.at(0).path << ": " << profiles.error().title);
    for (const GpuProfile& profile : *profiles) {
        INFO(profile.slug);
        CHECK((profile.is_calibrated || profile.error_band > 0 || profile.references.empty()));
        for (const ProfileReference& one : profile.references) CHECK(one.share_of_copy > 0);
    }
}
