// The microbenchmarks on the made-up card: the virtual GPU runs their kernels, so a fault in one would end them, and
// what the made-up card's clock makes of sectors and launches is known.
#include "calibrate/microbenchmarks.hpp"
#include "calibrate/microbenchmark_kernels.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "calibrate/calibrate.hpp"
#include "compile/support.hpp"
#include "model/parameters.hpp"
#include "support/catch.hpp"
#include "support/made_up_card.hpp"
#include "timing/modelled.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

GpuProfile h200() {
    auto profile = load_profile(root + "/grader/profiles/h200.toml");
    REQUIRE(profile);
    return std::move(*profile);
}

GpuProfile profile_of(const Card& card) {
    GpuProfile profile;
    profile.slug = "made_up_gpu";
    profile.name = card.facts().name;
    profile.is_calibrated = true;
    profile.run = {"2026-11-22", profile.name, "", "13.0", "warpgrade calibrate"};
    profile.device = device_facts(card.facts());
    return profile;
}

std::unique_ptr<Card> open_card() {
    auto card = Card::open();
    REQUIRE(card);
    return std::move(*card);
}

void no_progress(std::size_t, std::size_t) {}

}  // namespace

TEST_CASE("each parameter of the model is measured, or on the list of those that cannot be") {
    std::set<std::string_view> measured;
    for (const Microbenchmark& row : microbenchmarks()) {
        INFO(row.parameter);
        CHECK(measured.insert(row.parameter).second);
    }
    std::vector<std::string_view> others;
    for (const ModelField& field : model_fields())
        if (measured.erase(field.name) == 0) others.push_back(field.name);
    CHECK(measured.empty());
    CHECK(others == std::vector<std::string_view>{"dram_queue_random", "l1_bytes", "store_buffer_lines",
                                                  "special_register_cycles", "issue_scale", "launch_us",
                                                  "next_launch_us"});
}

TEST_CASE("the microbenchmarks' kernels assemble for every card, and let it fill up with threads") {
    if (test::lacks_nvrtc()) return;
    for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
        CompileRequest request;
        request.path = "microbenchmarks.cu";
        request.source = microbenchmark_source();
        request.arch = arch;
        request.reports_registers = true;
        const auto compiled = compile(request);
        REQUIRE(compiled);
        INFO(arch << (compiled->messages.empty() ? "" : ": " + compiled->messages.front().message));
        REQUIRE(compiled->ok);
        // 65,536 registers for 2048 threads.
        for (const char* kernel : {"read_1x4", "read_2x4", "read_4x4", "read_1x16", "read_2x16", "read_4x16",
                                   "copy_1x4", "copy_1x16", "barriers", "stamp"}) {
            INFO(kernel);
            CHECK(compiled->registers.at(kernel) <= 32);
        }
    }
}

TEST_CASE("the microbenchmarks run without a fault, and give what the card's clock says") {
    if (test::lacks_nvrtc()) return;
    const test::MadeUpCard made_up;
    const auto card = open_card();
    const GpuProfile other = h200();
    GpuProfile own = profile_of(*card);
    own.model["launch_us"] = {2, "us", "known of the made-up card"};
    own.model["l2_latency"] = {30, "cycles", "a guess"};
    own.model["dram_read_run"] = {1, "bytes", "none: the made-up DRAM asks for no more than is read"};
    std::vector<std::size_t> told;
    const auto found = run_microbenchmarks(*card, own, &other, "2026-11-22, Made-up GPU",
                                           [&](std::size_t done, std::size_t) { told.push_back(done); });
    if (!found) FAIL(found.error().title << " " << found.error().facts.at(0));
    CHECK(told.size() == microbenchmarks().size());
    CHECK(std::is_sorted(told.begin(), told.end()));
    REQUIRE(found->size() == model_fields().size());
    std::map<std::string, CalibratedParameter> by_name;
    for (std::size_t i = 0; i < found->size(); ++i) {
        CHECK((*found)[i].name == model_fields()[i].name);
        by_name[(*found)[i].name] = (*found)[i];
    }
    const auto value = [&](const char* name) {
        INFO(name);
        CHECK(by_name.at(name).is_measured);
        return by_name.at(name).now.value;
    };
    // 1e9 bytes a second in sectors of 32, and 2 us a launch; 7 multiprocessors of 1 GHz; an L2 of 64 KiB.
    const double mib_2 = 2 << 20;
    CHECK(value("dram_copy_gb_per_s") == Approx(2 * mib_2 / (2e-6 + 2 * mib_2 / 1e9) / 1e9).epsilon(1e-3));
    CHECK(value("dram_read_gb_per_s") == Approx(1).epsilon(2e-3));
    CHECK(value("l2_read_sector_ps") == Approx(32000).epsilon(1e-3));
    CHECK(value("l2_read_line_ps") == Approx(32000).epsilon(1e-3));
    CHECK(value("l2_write_sector_ps") == Approx(32000).epsilon(1e-3));
    CHECK(value("l2_far_partial_ps") < 200);  // nothing of the 320 ns that 10 sectors take
    CHECK(value("store_sector_cycles") == Approx(32).epsilon(2e-3));
    CHECK(value("store_packet_cycles") == Approx(4 * 32).epsilon(2e-3));
    CHECK(value("dram_least_read_run") == Approx(48).epsilon(0.02));  // 32 and 64 bytes, and no more
    CHECK(value("dram_least_write_run") == Approx(48).epsilon(0.02));
    CHECK(value("block_interval_ns") == Approx(2e3 / 2048).epsilon(1e-3));
    CHECK(value("atomic_address_ns") == Approx(2e3 / (7 * 256 * 16)).epsilon(1e-3));
    for (const char* chain : {"dram_latency", "l2_latency", "l1_latency", "shared_latency", "alu_latency",
                              "shuffle_latency", "barrier_latency", "barrier_warp_cycles"})
        CHECK(value(chain) > 1);
    CHECK(by_name.at("dram_copy_gb_per_s").now.unit == "GB/s");
    CHECK(by_name.at("dram_copy_gb_per_s").now.source ==
          "microbenchmark dram_copy: memcpy of 2 MiB: 0.9995 GB/s, float4 a thread: 0.9995 GB/s, median of 7, "
          "2026-11-22, Made-up GPU");
    CHECK(by_name.at("l2_latency").before == 30);
    CHECK_FALSE(by_name.at("l1_latency").before);

    // Not measurable: its own profile's word, else the other's under its name.
    CHECK_FALSE(by_name.at("launch_us").is_measured);
    CHECK(by_name.at("launch_us").now.source == "known of the made-up card");
    const CalibratedParameter& fitted = by_name.at("store_buffer_lines");
    CHECK_FALSE(fitted.is_measured);
    CHECK(fitted.failure.empty());
    CHECK(fitted.now.value == other.model.at("store_buffer_lines").value);
    CHECK(fitted.now.source == "as of NVIDIA H200, not measured here: " + other.model.at("store_buffer_lines").source);
    CHECK(fitted.now.source.find("fit on") != std::string::npos);

    // Measured, and senseless: the virtual GPU's clock knows no bank conflicts, and its DRAM is always as busy.
    const CalibratedParameter& conflict = by_name.at("shared_conflict_cycles");
    CHECK_FALSE(conflict.is_measured);
    CHECK(conflict.failure.starts_with("microbenchmark shared_latency gave 0: stride 32: "));
    CHECK(conflict.now.value == other.model.at("shared_conflict_cycles").value);
    CHECK(by_name.at("dram_queue_read").failure ==
          "microbenchmark in_flight gave no number: no loop kept DRAM 60 to 95 % busy");

    // What is written is read again, and the model works with it.
    for (const auto& [name, one] : by_name) own.model[name] = one.now;
    const test::TemporaryFolder folder;
    const std::string path = (std::filesystem::path(folder.path()) / "made_up_gpu.toml").string();
    std::ofstream(path) << to_toml(own);
    const auto loaded = load_profile(path);
    if (!loaded) FAIL(loaded.error().title);
    REQUIRE(loaded->model.size() == model_fields().size());
    const auto parameters = parameters_of(*loaded);
    REQUIRE(parameters);
    for (const ModelField& field : model_fields()) {
        INFO(field.name);
        CHECK((*parameters).*field.field == by_name.at(std::string(field.name)).now.value);
    }
    GpuProfile with_reference = *loaded;
    with_reference.references = {{"transpose/padding", "aligned", "256 x 256", 0.9, 0.9, 0}};
    const auto course = load_course(root);
    REQUIRE(course);
    const auto modelled = model_references(with_reference, *course, no_progress);
    if (!modelled) FAIL(modelled.error().title);
    REQUIRE(modelled->size() == 1);
    CHECK((*modelled)[0].stage == "transpose/padding");
    // An L2 that takes 32 ns for a sector read and as much for one written: 64 bytes in 64 ns.
    CHECK((*modelled)[0].modelled_gb_per_s == Approx(1).epsilon(0.15));
}

TEST_CASE("what no microbenchmark gives and no profile says is asked for") {
    if (test::lacks_nvrtc()) return;
    const test::MadeUpCard made_up;
    const auto card = open_card();
    GpuProfile some = h200();
    some.model.erase("store_buffer_lines");
    const auto found = run_microbenchmarks(*card, profile_of(*card), &some, "", no_progress);
    REQUIRE_FALSE(found);
    CHECK(found.error().blame == Blame::course);
    CHECK(found.error().title == "no profile has the model's parameter `store_buffer_lines`, and it was not measured");
    CHECK(found.error().facts.at(0) == "no microbenchmark gives it");
    CHECK_FALSE(run_microbenchmarks(*card, profile_of(*card), nullptr, "", no_progress));
}

TEST_CASE("a card without room for the buffers is this machine's matter") {
    if (test::lacks_nvrtc()) return;
    const test::MadeUpCard made_up("WARPGRADE_MADE_UP_BYTES", "3000000");
    const auto card = open_card();
    const GpuProfile other = h200();
    const auto found = run_microbenchmarks(*card, profile_of(*card), &other, "", no_progress);
    REQUIRE_FALSE(found);
    CHECK(found.error().blame == Blame::host);
    CHECK(found.error().code == "out_of_memory");
}

TEST_CASE("the error band is what nine of ten references are within, or none where that is good") {
    const auto off_by = [](std::vector<double> errors) {
        std::vector<ModelledReference> references;
        for (const double error : errors) references.push_back({"stage", "shape", 100 * (1 + error), 100});
        return error_band_of(references);
    };
    CHECK(off_by({0.05, -0.1, 0.2}) == 0);
    CHECK(off_by({-0.4, 0.4, 0.4}) == Approx(0.4));
    CHECK(off_by({}) == 0);
}
