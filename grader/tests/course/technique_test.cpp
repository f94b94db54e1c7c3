#include "course/technique.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

Measured coalesced() {
    Measured m;
    m.counters.global_load_requests = 100;
    m.counters.global_load_sectors = 400;
    m.counters.global_load_sectors_ideal = 400;
    m.counters.branches = 10;
    m.counters.divergent_branches = 3;
    m.counters.barriers = 64;
    m.counters.warp_instructions = 1000;
    m.counters.thread_instructions = 16000;
    m.launches = {{"first", {4, 2, 1}, {32, 8, 1}, 4224, 10},
                  {"second", {1, 1, 1}, {64, 1, 1}, 0, 11},
                  {"first", {1, 1, 1}, {32, 1, 1}, 0, 11}};
    m.elements = 8192;
    return m;
}

TechniqueRule rule(std::string left, std::string op, double right) {
    TechniqueRule r;
    r.left = left;
    r.op = op;
    r.right = right;
    r.expression = left + " " + op + " ...";
    r.says = "change it";
    return r;
}

}  // namespace

TEST_CASE("every name has a value or a reason") {
    for (const std::string& name : technique_names()) {
        CHECK_NOTHROW(measure(name, coalesced()));
        CHECK_NOTHROW(measure(name, Measured{}));
    }
    CHECK_THROWS(measure("sectors", coalesced()));
}

TEST_CASE("the derived numbers are what their names say") {
    const Measured m = coalesced();
    CHECK(*measure("global_load_sectors_per_request", m) == 4);
    CHECK(*measure("global_load_sectors_over_ideal", m) == 1);
    CHECK(*measure("active_lanes", m) == 16);
    CHECK(*measure("elements_per_thread", m) == 4);
    CHECK(*measure("threads_per_block", m) == 256);
    CHECK(*measure("blocks", m) == 8);
    CHECK(*measure("dynamic_shared_bytes", m) == 4224);
    CHECK(*measure("launches", m) == 3);
    CHECK(*measure("kernels", m) == 2);
    // 8 blocks of 8 warps, one of 2, one of 1: 67 warps.
    CHECK(*measure("barriers_per_block", m) == Approx(64.0 / 67));
    CHECK(*measure("divergent_branches_per_warp", m) == Approx(3.0 / 67));
    CHECK(*measure("global_load_requests", m) == 100);
    CHECK(!measure("shared_load_wavefronts_per_request", m));
    CHECK(!measure("blocks_growth", m));
}

TEST_CASE("an average over accesses of no use does not count") {
    Measured m = coalesced();
    const auto loads_rule = rule("global_load_sectors_per_request", "<=", 4.1);
    m.counters.global_load_requests = m.elements / 4;
    m.counters.global_load_sectors = m.elements;  // 8 floats in each: 8 times as many as there are elements
    CHECK(apply_rules({loads_rule}, {m}, {"float"})[0].ok);
    m.counters.global_load_requests *= 40;
    m.counters.global_load_sectors *= 40;
    const TechniqueResult result = apply_rules({loads_rule}, {m}, {"float"})[0];
    CHECK(!result.ok);
    CHECK(result.value == 4);
    CHECK(result.says ==
          "the figure itself would do, but the kernel makes 320 times the accesses that the elements need: an average "
          "over so many does not count.");
    // Of a rule that does not hold anyway, its own words are the better ones; of a plain number, nothing is said.
    CHECK(apply_rules({rule("global_load_sectors_per_request", "<=", 3)}, {m}, {"float"})[0].says == "change it");
    CHECK(apply_rules({rule("global_load_requests", ">", 0)}, {m}, {"float"})[0].ok);
}

TEST_CASE("rules are about what is needed, and say what is not") {
    Measured m = coalesced();
    m.counters.barriers = 640;
    m.counters.shared_load_requests = 1;
    m.counters.double_instructions = 7;
    m.needed = vgpu::Needed{};
    m.needed->exact.barriers = 8 * 67;
    m.needed->whole.barriers = 640;
    m.needed->exact.global_load_requests = m.needed->whole.global_load_requests = 25;
    m.needed->input_bytes = 4 * m.elements;
    m.needed->launches.resize(3);
    m.needed->launches[1] = {.warps = 64, .threads = 2048, .input_bytes = 4 * m.elements};
    m.needed->launches[2] = {.warps = 1, .threads = 32};
    m.needed->unneeded = {{12, vgpu::NeedKind::shared_load, 1, 1}, {14, vgpu::NeedKind::barrier, 104, 640}};
    CHECK(*measure("elements_per_thread", as_needed(m, ">=")) == 4);
    CHECK(*measure("blocks", as_needed(m, ">=")) == 1);  // the launch that loads the input
    CHECK(*measure("launches", as_needed(m, "==")) == 2);
    CHECK(*measure("barriers_per_block", as_needed(m, ">=")) == Approx(8.0 * 67 / 65));
    CHECK(*measure("barriers_per_block", as_needed(m, "<=")) == Approx(640.0 / 65));
    CHECK(*measure("global_load_requests", as_needed(m, "<=")) == 25);
    CHECK(*measure("double_instructions", as_needed(m, "<=")) == 7);  // all: not known of each whether it is needed
    CHECK(blocks_growth(m, {{"other", {9, 1, 1}, {32, 1, 1}, 0, 0},
                            {"first", {16, 1, 1}, {32, 1, 1}, 0, 0},
                            {"second", {4, 1, 1}, {64, 1, 1}, 0, 0}}) == 13);  // "first" loads none of it
    const TechniqueResult loads = apply_rules({rule("shared_load_requests", ">", 0)}, {m}, {"float"})[0];
    CHECK(!loads.ok);
    CHECK(
        loads.says ==
        "the output does not need 1 of 1 loads from shared memory in line 12, 1 of 3 launches, so they do not count.");
    m.needed->is_whole = false;
    CHECK(!apply_rules({rule("shared_load_requests", "==", 0)}, {m}, {"float"})[0].ok);
}

TEST_CASE("wavefronts that are as many as the accesses are not put down to banks") {
    Measured m = coalesced();
    m.counters.shared_load_requests = 100;
    m.counters.shared_load_wavefronts = m.counters.shared_load_wavefronts_ideal = 200;
    const auto says = [&] { return apply_rules({rule("shared_load_wavefronts", "<=", 50)}, {m}, {"float"})[0].says; };
    CHECK(says() == "change it");
    m.counters.shared_load_wavefronts = m.counters.shared_load_wavefronts_ideal = 100;
    CHECK(says().starts_with("each of the 100 loads of a warp takes one wavefront, so there are no bank conflicts"));
}

TEST_CASE("the growth of the grid compares each launch with the same launch of the other shape") {
    Measured m = coalesced();
    m.launches = {{"sum", {16, 1, 1}, {256, 1, 1}, 0, 10}, {"sum", {1, 1, 1}, {256, 1, 1}, 0, 11}};
    m.needed = vgpu::Needed{};
    m.needed->launches = {{.warps = 128, .threads = 4096, .input_bytes = 4 * m.elements}, {.warps = 8, .threads = 256}};
    const LaunchInfo &of_input = m.launches[0], &of_sums = m.launches[1];
    CHECK(blocks_growth(m, m.launches) == 1);
    LaunchInfo grown = of_input;
    grown.grid.x = 256;
    CHECK(blocks_growth(m, {grown, of_sums}) == 16);
    CHECK(blocks_growth(m, {of_input, of_sums, of_input, of_input}) == 3);  // what is new may load it
}

TEST_CASE("a copy without a register in between is a load and a store all the same") {
    Measured m = coalesced();
    m.counters.shared_store_requests = m.counters.shared_store_wavefronts = m.counters.shared_store_wavefronts_ideal =
        10;
    m.counters.async_copy_requests = m.counters.wide_copy_requests = 100;
    m.counters.wide_copy_sectors = 3200;  // a column of the matrix
    m.counters.wide_copy_sectors_ideal = 400;
    m.counters.async_copy_wavefronts = 200;  // two-way conflicts
    m.counters.async_copy_wavefronts_ideal = 100;
    CHECK(*measure("global_load_sectors_per_request", m) == 3600.0 / 200);
    CHECK(*measure("global_load_sectors_over_ideal", m) == 3600.0 / 800);
    CHECK(*measure("shared_store_wavefronts_per_request", m) == Approx(210.0 / 110));
    CHECK(*measure("shared_store_wavefronts_over_ideal", m) == Approx(210.0 / 110));
    CHECK(*measure("global_load_requests", m) == 100);  // Nsight Compute's, as it is in the JSON

    Measured bulk;
    bulk.counters.bulk_load_requests = 1;
    bulk.counters.bulk_load_sectors = bulk.counters.bulk_store_sectors = 128;  // 4 KiB in one instruction
    CHECK(*measure("global_load_sectors_per_request", bulk) == 4);
    CHECK(*measure("global_store_sectors_over_ideal", bulk) == 1);
    CHECK(*measure("shared_store_wavefronts_per_request", bulk) == 1);
    CHECK(*measure("shared_load_wavefronts_per_request", bulk) == 1);
}

TEST_CASE("rules hold or say what to change") {
    const std::vector<std::string> types{"float"};
    const auto results = apply_rules({rule("global_load_sectors_per_request", "<=", 4.1),
                                      rule("global_load_sectors_per_request", ">", 4), rule("blocks", "==", 8)},
                                     {coalesced()}, types);
    REQUIRE(results.size() == 3);
    CHECK(results[0].ok);
    CHECK(results[0].says.empty());
    CHECK(!results[1].ok);
    CHECK(results[1].value == 4);
    CHECK(results[1].says == "change it");
    CHECK(results[2].ok);
}

TEST_CASE("a ratio of nothing to nothing fails and says so") {
    const auto results = apply_rules({rule("shared_load_wavefronts_per_request", "<=", 1.1)}, {coalesced()}, {"float"});
    CHECK(!results[0].ok);
    CHECK(!results[0].has_value);
    // What the rule says is about values that are too high.
    CHECK(results[0].says ==
          "nothing is loaded from shared memory, so `shared_load_wavefronts_per_request` has no value");
}

TEST_CASE("of several types the worst decides") {
    Measured bad = coalesced();
    bad.counters.global_load_sectors = 1600;
    const auto results = apply_rules({rule("global_load_sectors_per_request", "<=", 4.1)},
                                     {coalesced(), bad, coalesced()}, {"float", "double", "float4"});
    CHECK(!results[0].ok);
    CHECK(results[0].value == 16);
    CHECK(results[0].says.starts_with("double: "));
}

TEST_CASE("nothing measured, nothing earned") {
    const auto results = apply_rules({rule("shared_load_requests", "==", 0)}, {}, {"float"}, "it does not compile");
    CHECK(!results[0].ok);
    CHECK(results[0].says == "not measured: it does not compile");
}

TEST_CASE("points of rules add up to the stage's") {
    std::vector<TechniqueRule> rules{rule("blocks", "<", 1), rule("blocks", "<", 1), rule("blocks", "<", 1)};
    CHECK(rule_points(rules, 6) == std::vector<double>{2, 2, 2});
    rules[1].points = 4;
    CHECK(rule_points(rules, 6) == std::vector<double>{1, 4, 1});
    CHECK(rule_points({}, 0).empty());
}
