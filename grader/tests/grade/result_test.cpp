#include "grade/result.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json& json) {
    std::vector<std::string> names;
    for (const auto& [key, value] : json.items()) names.push_back(key);
    return names;
}

// The contract's keys come first and in its order; others may follow.
void check_starts_with(const Json& json, const std::vector<std::string>& expected) {
    auto found = keys(json);
    REQUIRE(found.size() >= expected.size());
    found.resize(expected.size());
    CHECK(found == expected);
}

RunReport report() {
    RunReport r;
    r.tool_version = "1.0";
    r.device_kind = "virtual";
    r.seed = 7;
    StageResult s;
    s.assignment = "transpose";
    s.stage = "padding";
    s.source_path = "4_padding.cu";
    s.compiles = true;
    s.compiler_messages.push_back({Severity::warning, "4_padding.cu", 3, 1, "unused"});
    CaseResult one;
    one.shape.extents = {33, 31};
    one.shape.shape_class = "odd";
    one.verdict = Verdict::pass;
    s.cases = {one, one};
    s.cases[1].verdict = Verdict::wrong;
    s.cases[1].judgement = Judgement{};
    s.cases[1].judgement->pattern = "not_transposed";
    Diagnostic race;
    race.code = "race_shared";
    race.severity = Severity::error;
    race.title = "two threads";
    race.marks.resize(2);
    race.marks[0].line = 17;
    race.marks[1].line = 26;
    s.findings = {race};
    s.launches = {{"padded", {4, 2, 1}, {32, 8, 1}, 0, 40}};
    s.counters_shape.extents = {1024, 1024};
    s.counters.global_load_requests = 32768;
    s.by_line = {{17, s.counters}};
    s.useful_bytes = 8388608;
    s.elements = 1048576;
    s.technique = {{"global_load_sectors_per_request <= 4.1", 4, true, "", "", 2}};
    s.bandwidth = Bandwidth{};
    s.bandwidth->elements = 67108864;
    s.score = {6, 8, 0, 14, 16, ScoreState::provisional, "no bandwidth"};
    s.source = "first\n\nlast";
    s.correctness_points = 6;
    s.performance_points = 2;
    s.band = {0.4, 0.85};
    r.stages = {s, s};
    return r;
}

}  // namespace

TEST_CASE("the result has the contract's keys in the contract's order") {
    const Json json = json_of(report());
    check_starts_with(json, {"schema", "tool", "device", "seed", "stages", "score"});
    CHECK(json["schema"] == "warpgrade.result/1");
    check_starts_with(json["tool"], {"version", "git", "nvrtc"});
    check_starts_with(json["device"], {"kind", "name", "profile"});
    const Json& stage = json["stages"][0];
    check_starts_with(stage, {"assignment", "stage", "source", "sha256", "compile", "correctness", "findings",
                              "launches", "counters", "technique", "bandwidth", "score"});
    check_starts_with(stage["compile"], {"ok", "seconds", "diagnostics"});
    check_starts_with(stage["compile"]["diagnostics"][0], {"severity", "line", "column", "message"});
    check_starts_with(stage["correctness"], {"passed", "total", "cases"});
    check_starts_with(stage["correctness"]["cases"][0], {"shape", "type", "class", "verdict", "detail"});
    check_starts_with(stage["findings"][0], {"kind", "severity", "line", "other_line", "message", "help"});
    check_starts_with(stage["launches"][0], {"kernel", "grid", "block", "shared_bytes"});
    const std::vector<std::string> counters{"warp_instructions",
                                            "thread_instructions",
                                            "global_load_requests",
                                            "global_load_sectors",
                                            "global_store_requests",
                                            "global_store_sectors",
                                            "shared_load_requests",
                                            "shared_load_wavefronts",
                                            "shared_store_requests",
                                            "shared_store_wavefronts",
                                            "barriers"};
    auto with_shape = counters;
    with_shape.insert(with_shape.begin(), "shape");
    check_starts_with(stage["counters"], with_shape);
    auto with_line = counters;
    with_line.insert(with_line.begin(), "line");
    check_starts_with(stage["counters"]["by_line"][0], with_line);
    check_starts_with(stage["technique"][0], {"rule", "value", "ok"});
    check_starts_with(stage["bandwidth"], {"origin", "shape", "seconds", "gb_per_s", "copy_gb_per_s",
                                           "reference_gb_per_s", "samples", "iqr_seconds", "limiter"});
    check_starts_with(stage["score"], {"correctness", "technique", "performance", "total", "max", "state"});
    check_starts_with(json["score"], {"total", "max"});
}

TEST_CASE("the result holds what was found") {
    const Json json = json_of(report());
    const Json& stage = json["stages"][0];
    CHECK(stage["correctness"]["passed"] == 1);
    CHECK(stage["correctness"]["total"] == 2);
    CHECK(stage["correctness"]["cases"][0]["shape"] == Json::array({33, 31}));
    CHECK(stage["correctness"]["cases"][1]["diagnosis"]["pattern"] == "not_transposed");
    CHECK(stage["findings"][0]["line"] == 17);
    CHECK(stage["findings"][0]["other_line"] == 26);
    CHECK(stage["launches"][0]["grid"] == Json::array({4, 2, 1}));
    CHECK(stage["counters"]["by_line"][0]["global_load_requests"] == 32768);
    CHECK(stage["counters"]["useful_bytes"] == 8388608);
    CHECK(stage["counters"]["elements"] == 1048576);
    CHECK(stage["bandwidth"]["elements"] == 67108864);
    CHECK(json["score"]["total"] == 28.0);
    CHECK(json["score"]["max"] == 32.0);
}

TEST_CASE("the result holds what reports need of the course and of the file") {
    RunReport r = report();
    vgpu::Access access;
    access.line = 17;
    access.kind = vgpu::AccessKind::write;
    access.addresses = {0, 128};
    r.stages[0].trace = {access};
    r.stages[1].performance_points = 0;
    const Json json = json_of(r);
    const Json& stage = json["stages"][0];
    CHECK(stage["source_lines"] == Json::array({"first", "", "last"}));
    CHECK(stage["points"] == Json{{"correctness", 6.0}, {"technique", 0.0}, {"performance", 2.0}});
    CHECK(stage["band"] == Json{{"none", 0.4}, {"full", 0.85}});
    CHECK(stage["technique"][0]["points"] == 2.0);
    CHECK(stage["trace"][0]["kind"] == "write");
    CHECK(stage["trace"][0]["addresses"][1] == 128);
    CHECK(!json["stages"][1].contains("band"));
    CHECK(!json["stages"][1].contains("trace"));
}

TEST_CASE("the result says how large the device is where that is known") {
    RunReport r = report();
    CHECK(!json_of(r)["device"].contains("multiprocessors"));
    r.multiprocessors = 132;
    r.sm_clock_mhz = 1980;
    r.dram_peak_gb_per_s = 4800;
    CHECK(json_of(r)["device"]["multiprocessors"] == 132);
    CHECK(json_of(r)["device"]["dram_peak_gb_per_s"] == 4800);
    CHECK(!json_of(r)["device"].contains("error_band"));
    r.error_band = 0.2;
    CHECK(json_of(r)["device"]["error_band"] == 0.2);
}

TEST_CASE("every counter is in the result") {
    const Json json = json_of(report());
    for (const vgpu::CounterField& field : vgpu::counter_fields())
        CHECK(json["stages"][0]["counters"].contains(std::string(field.name)));
}

TEST_CASE("a stage that never ran has no counters") {
    RunReport r = report();
    r.stages[0].launches.clear();
    r.stages[0].bandwidth.reset();
    CHECK(json_of(r)["stages"][0]["counters"].is_null());
    CHECK(json_of(r)["stages"][0]["bandwidth"].is_null());
}

TEST_CASE("a stage passes when nothing is left to do") {
    StageResult s = report().stages[0];
    CHECK(!s.passes());
    s.cases.pop_back();
    CHECK(!s.passes());
    s.findings[0].severity = Severity::warning;
    CHECK(s.passes());
    s.technique[0].ok = false;
    CHECK(!s.passes());
    s.technique[0].ok = true;
    s.compiles = false;
    CHECK(!s.passes());
    s.compiles = true;
    s.cases.clear();
    CHECK(!s.passes());
}
