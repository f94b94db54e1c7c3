#include "grade/advice.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string source = "line one\n    out[x * rows + y] = in[y * cols + x];\n";

vgpu::LineCounters strided_store() {
    vgpu::LineCounters line;
    line.line = 2;
    line.counters.warp_instructions = 1000;
    line.counters.global_load_requests = 100;
    line.counters.global_load_sectors = line.counters.global_load_sectors_ideal = 400;
    line.counters.global_store_requests = 100;
    line.counters.global_store_sectors = 3200;
    line.counters.global_store_sectors_ideal = 400;
    return line;
}

Stage with_rule(const std::string& left, const std::string& op, double right) {
    Stage stage;
    TechniqueRule rule;
    rule.left = left;
    rule.op = op;
    rule.right = right;
    stage.technique = {rule};
    return stage;
}

}  // namespace

TEST_CASE("a line well above its ideal gets advice") {
    const auto advice = performance_advice(with_rule("global_store_sectors_per_request", "<=", 4.1), {}, "a.cu", source,
                                           {strided_store()});
    REQUIRE(advice.size() == 1);
    CHECK(advice[0].code == "uncoalesced_store");
    CHECK(advice[0].severity == Severity::advice);
    CHECK(advice[0].marks.at(0).line == 2);
    CHECK(advice[0].marks.at(0).column == 5);
    CHECK(advice[0].marks.at(0).label == "32 sectors a request, 4 at best");
}

TEST_CASE("what the stage asks for is no advice") {
    CHECK(performance_advice(with_rule("global_store_sectors_per_request", ">=", 7.9), {}, "a.cu", source,
                             {strided_store()})
              .empty());
}

TEST_CASE("what the stage leaves open is left to a later one, but not in an open stage") {
    CHECK(performance_advice(with_rule("shared_load_requests", ">", 0), {}, "a.cu", source, {strided_store()}).empty());
    CHECK(performance_advice(Stage{}, {}, "a.cu", source, {strided_store()}).size() == 1);
}

TEST_CASE("a line of few requests is not worth a word") {
    vgpu::LineCounters rare = strided_store();
    vgpu::LineCounters busy = strided_store();
    busy.line = 1;
    busy.counters.global_store_sectors = 400;
    busy.counters.global_load_requests = 1000000;
    CHECK(performance_advice(Stage{}, {}, "a.cu", source, {busy, rare}).empty());
}

TEST_CASE("bank conflicts and divergence") {
    vgpu::LineCounters line;
    line.line = 2;
    line.counters.warp_instructions = 1000;
    line.counters.shared_load_requests = line.counters.shared_load_wavefronts_ideal = 100;
    line.counters.shared_load_wavefronts = 3200;
    line.counters.branches = 100;
    line.counters.divergent_branches = 80;
    line.counters.thread_instructions = 8000;
    const auto advice = performance_advice(Stage{}, {}, "a.cu", source, {line});
    REQUIRE(advice.size() == 2);
    CHECK(advice[0].code == "bank_conflict");
    CHECK(advice[0].marks.at(0).label == "32 wavefronts a request, 1 at best");
    CHECK(advice[1].code == "divergence");
    // The interleaved tree of the reduction is divergent on purpose.
    CHECK(performance_advice(with_rule("divergent_branches_per_warp", ">=", 5), {}, "a.cu", source, {line}).empty());
}

TEST_CASE("the words of a rule that does not hold are what is to be tried, once") {
    const Stage stage = with_rule("global_store_sectors_per_request", "<=", 4.1);
    TechniqueResult rule;
    rule.says = "walk along a row";
    vgpu::LineCounters store = strided_store();
    store.counters.thread_instructions = 32 * store.counters.warp_instructions;
    vgpu::LineCounters again = store;
    again.line = 1;
    const auto advice = performance_advice(stage, {rule}, "a.cu", source, {store, again});
    REQUIRE(advice.size() == 2);
    CHECK(advice[0].help == "walk along a row");
    CHECK(advice[0].marks.at(0).column == 5);  // out
    CHECK(advice[0].marks.at(0).length == 3);
    CHECK(advice[1].help == "let neighbouring threads (threadIdx.x) write neighbouring elements");
    rule.ok = true;
    CHECK(performance_advice(stage, {rule}, "a.cu", source, {strided_store()}).at(0).help != "walk along a row");
}

TEST_CASE("one thread that does the work of all is told where a rule does not hold") {
    vgpu::LineCounters alone, rest;
    alone.line = 2;
    alone.counters.warp_instructions = alone.counters.thread_instructions = 800;
    rest.line = 1;
    rest.counters.warp_instructions = 200;
    rest.counters.thread_instructions = 6400;
    TechniqueResult rule;
    const auto advice = performance_advice(Stage{}, {rule}, "a.cu", source, {rest, alone});
    REQUIRE(advice.size() == 1);
    CHECK(advice[0].code == "one_thread");
    CHECK(advice[0].marks.at(0).label == "80 % of all instructions");
    rule.ok = true;
    CHECK(performance_advice(Stage{}, {rule}, "a.cu", source, {rest, alone}).empty());
}
