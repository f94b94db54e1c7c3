// Barriers that not every thread reaches the same way, and that are right nevertheless.
#include "vgpu/execution_bench.hpp"

using namespace execution;

TEST_CASE("a barrier does not wait for threads that have exited") {
    for (const std::uint32_t threads : {32u, 100u, 256u}) {
        std::vector<int> in = numbers(threads, 4, 3);
        for (std::uint32_t i = 64; i < threads && i < 96; ++i) in[i] = 0;  // a whole warp leaves
        const Outcome got = run_in_out("early_exit", {1, 1, 1}, {threads, 1, 1}, in, threads);
        CHECK(findings_of(without_ended(got.result)) == "");
        const int left = static_cast<int>(std::count_if(in.begin(), in.end(), [](int v) { return v > 0; }));
        for (std::uint32_t i = 0; i < threads; ++i) CHECK(got.out[i] == (in[i] == 0 ? -12345 : left * 1000 + in[i]));
    }
}

TEST_CASE("one half of a block arrives at a named barrier, the other waits there") {
    const std::vector<int> in = numbers(64, 6, 1000);
    for (const std::uint64_t schedule : {0u, 1u, 2u}) {
        const Outcome got = run_in_out("named_barriers", {1, 1, 1}, {128, 1, 1}, in, 64, options_with(1, schedule));
        CHECK(findings_of(got.result) == "");
        for (int i = 0; i < 64; ++i) CHECK(got.out[at(i)] == in[at(63 - i)] * 3);
    }
}

TEST_CASE("whole warps may meet at two places, the lanes of one may not") {
    for (const std::uint64_t schedule : {0u, 1u, 2u}) {
        const Outcome got = run_in_out("meet_apart", {1, 1, 1}, {128, 1, 1}, {32}, 64, options_with(1, schedule));
        CHECK(findings_of(without_ended(got.result)) == "");
        for (int i = 0; i < 64; ++i) CHECK(got.out[at(i)] == 64 + i);
        const Outcome torn = run_in_out("meet_apart", {1, 1, 1}, {128, 1, 1}, {16}, 64, options_with(1, schedule));
        const RunResult told = without_ended(torn.result);
        REQUIRE(!told.findings.empty());
        CHECK(told.findings[0].kind == FindingKind::barrier_divergence);
        CHECK(told.findings[0].place.line == line_named("meets_within"));
    }
}

TEST_CASE("warps that meet the others once more than those meet them are a finding") {
    for (const std::uint64_t schedule : {0u, 1u, 2u}) {
        Bench bench;
        const int out = bench.buffer("out", std::vector<int>(128));
        const RunResult result = without_ended(
            bench.run("meet_once_more", {1, 1, 1}, {128, 1, 1}, options_with(1, schedule), bench.address(out)));
        REQUIRE(result.findings.size() == 1);
        const Finding& f = result.findings[0];
        CHECK(f.kind == FindingKind::barrier_divergence);
        const int second = line_named("meet_once_more");
        CHECK(std::max(f.place.line, f.other.line) == second);
        CHECK(std::min(f.place.line, f.other.line) == second - 1);
    }
}
