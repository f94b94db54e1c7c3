#include "grade/case_series.hpp"

#include "explain/telling.hpp"
#include "problem/fake_device.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
using warpgrade::test::FakeCall;
using warpgrade::test::FakeProgram;

namespace {

const std::string path = "stage.cu", source = "one\ntwo in[3]\n";
const std::map<std::string, std::string> launchers{{"float", "launcher"}};

Bench bench_of(FakeProgram& program) {
    return {test::kit_problem("transpose"), program, launchers, path, source, 7, 1};
}

Shape shape_of(std::int64_t rows, std::int64_t cols) {
    Shape shape;
    shape.extents = {rows, cols};
    return shape;
}

void transpose(FakeCall& call) {
    const auto rows = call.value<std::int32_t>(2), cols = call.value<std::int32_t>(3);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            call.store(1, static_cast<std::uint64_t>(c * rows + r),
                       call.load<float>(0, static_cast<std::uint64_t>(r * cols + c)));
}

void report(FakeCall& call, vgpu::FindingKind kind, int line = 2) {
    vgpu::Finding finding;
    finding.kind = kind;
    finding.place.line = line;
    finding.buffer = "in";
    finding.element_bytes = 4;
    finding.offset_bytes = 4000;
    call.run.result.findings.push_back(finding);
}

CaseOutcome outcome_of(const std::function<void(FakeCall&)>& kernel, const CaseOptions& options = {}) {
    FakeProgram program(kernel);
    auto outcome = told_case(bench_of(program), shape_of(33, 65), options);
    REQUIRE(outcome);
    return std::move(*outcome);
}

StageResult series_of(const std::function<void(FakeCall&)>& kernel, int shapes) {
    FakeProgram program(kernel);
    StageResult result;
    CaseSeries series(result);
    std::vector<Shape> all;
    for (int i = 0; i < shapes; ++i) all.push_back(shape_of(20 + i, 30));
    REQUIRE(series.run(bench_of(program), all));
    series.wrong().report();
    return result;
}

int count(const StageResult& result, Verdict verdict) {
    return static_cast<int>(std::count_if(result.cases.begin(), result.cases.end(),
                                          [&](const CaseResult& c) { return c.verdict == verdict; }));
}

}  // namespace

TEST_CASE("a right case passes without findings") {
    const CaseOutcome outcome = outcome_of(transpose);
    CHECK(outcome.passed());
    CHECK(outcome.findings.empty());
    CHECK(!outcome.wrong);
}

TEST_CASE("a case whose outcome hangs on the order of blocks is run again, from the start, on one thread") {
    int runs = 0;
    FakeProgram program([&](FakeCall& call) {
        transpose(call);
        call.run.result.hangs_on_order = ++runs == 1;
        if (runs == 1) report(call, vgpu::FindingKind::race_global);
    });
    Bench bench = bench_of(program);
    vgpu::Budget budget(1000);
    bench.threads = 4;
    bench.budget = &budget;
    const auto outcome = told_case(bench, shape_of(33, 65));
    REQUIRE(outcome);
    CHECK(outcome->passed());
    CHECK(outcome->findings.empty());
    CHECK(runs == 2);
    CHECK(program.last_options.threads == 1);
}

TEST_CASE("findings decide the verdict before the output does") {
    using vgpu::FindingKind;
    const auto verdict = [](FindingKind kind) {
        return outcome_of([&](FakeCall& call) {
                   transpose(call);
                   report(call, kind);
               })
            .result.verdict;
    };
    CHECK(verdict(FindingKind::out_of_bounds) == Verdict::fault);
    CHECK(verdict(FindingKind::race_shared) == Verdict::fault);
    CHECK(verdict(FindingKind::barrier_divergence) == Verdict::fault);
    CHECK(verdict(FindingKind::write_to_input) == Verdict::fault);
    CHECK(verdict(FindingKind::timeout) == Verdict::timeout);
    CHECK(verdict(FindingKind::deadlock) == Verdict::timeout);
    CHECK(verdict(FindingKind::invalid_launch) == Verdict::launch_error);
    // A refused launch explains the fault that follows.
    CHECK(outcome_of([](FakeCall& call) {
              report(call, FindingKind::out_of_bounds);
              report(call, FindingKind::invalid_launch);
          }).result.verdict == Verdict::launch_error);
}

TEST_CASE("a read of unwritten memory is an error only if the output suffers") {
    const CaseOutcome harmless = outcome_of([](FakeCall& call) {
        transpose(call);
        report(call, vgpu::FindingKind::uninitialized);
    });
    CHECK(harmless.passed());
    REQUIRE(harmless.findings.size() == 1);
    CHECK(harmless.findings[0].severity == Severity::warning);
    const CaseOutcome harmful = outcome_of([](FakeCall& call) { report(call, vgpu::FindingKind::uninitialized); });
    CHECK(harmful.result.verdict == Verdict::wrong);
    CHECK(harmful.findings[0].severity == Severity::error);
}

TEST_CASE("a race of equal values is a warning and the output is judged") {
    const CaseOutcome outcome = outcome_of([](FakeCall& call) {
        transpose(call);
        report(call, vgpu::FindingKind::race_shared);
        call.run.result.findings.back().is_same_value = true;
    });
    CHECK(outcome.passed());
    CHECK(outcome.findings.at(0).severity == Severity::warning);
}

TEST_CASE("what the virtual GPU cannot do is this machine's limit, never a verdict") {
    FakeProgram program([](FakeCall& call) { report(call, vgpu::FindingKind::unsupported); });
    const auto outcome = told_case(bench_of(program), shape_of(3, 3));
    REQUIRE(!outcome);
    CHECK(outcome.error().blame == Blame::host);
}

TEST_CASE("a wrong case says where in the variant it went wrong") {
    CaseOptions options;
    options.variant = "THREADS=64";
    const CaseOutcome outcome = outcome_of([](FakeCall&) {}, options);
    CHECK(outcome.result.verdict == Verdict::wrong);
    CHECK(outcome.result.judgement->pattern == "nothing_written");
    CHECK(outcome.result.variant == "THREADS=64");
    CHECK(outcome.wrong->facts.back() == "THREADS=64");
}

TEST_CASE("wrong output names the store of its first element, what is missing the launch") {
    const CaseOutcome outcome = outcome_of([](FakeCall& call) {
        transpose(call);
        call.store(1, 5, 1e9f);
        const std::uint64_t odd = 5 * sizeof(float), out = call.value<std::uint64_t>(1);
        call.run.last_store = [=](std::uint64_t address) -> std::optional<LastStore> {
            if (address != out + odd) return std::nullopt;
            LastStore store{"kernel", {}};
            store.place.line = 2;
            store.place.thread = {3, 0, 0};
            return store;
        };
    });
    REQUIRE(outcome.wrong);
    CHECK(outcome.wrong->marks[0].line == 2);
    CHECK(outcome.wrong->marks[0].label == "thread (3,0,0) of block (0,0,0) stores the first wrong one");

    const CaseOutcome missing = outcome_of([](FakeCall& call) {
        PlannedLaunch launch;
        launch.line = 2;
        launch.display_name = "kernel";
        launch.launch.grid = {3, 2, 1};
        launch.launch.block = {32, 8, 1};
        call.run.plan.steps.emplace_back(launch);
    });
    REQUIRE(missing.wrong);
    CHECK(missing.wrong->code == "not_written");
    CHECK(missing.wrong->marks[0].line == 2);
    CHECK(missing.wrong->marks[0].label == "launched with 3 x 2 blocks of 32 x 8 threads");
}

TEST_CASE("who asks for a verdict alone gets no words, and nobody looks for a line") {
    bool was_asked = false;
    CaseOptions options;
    options.is_told = false;
    const CaseOutcome outcome = outcome_of(
        [&](FakeCall& call) {
            transpose(call);
            call.store(1, 5, 1e9f);
            call.run.last_store = [&](std::uint64_t) -> std::optional<LastStore> {
                was_asked = true;
                return std::nullopt;
            };
        },
        options);
    CHECK(outcome.result.verdict == Verdict::wrong);
    CHECK_FALSE(outcome.wrong);
    CHECK_FALSE(was_asked);
}

TEST_CASE("a large move is judged without a second copy of its input, and as a small one") {
    constexpr std::size_t rows = 3000, cols = 2999;
    const auto outcome_of_large = [](const std::function<void(FakeCall&)>& spoil) {
        FakeProgram* of_call = nullptr;
        FakeProgram program([&](FakeCall& call) {
            test::FakeBuffer& in = of_call->at_address(call.value<std::uint64_t>(0));
            test::FakeBuffer& out = of_call->at_address(call.value<std::uint64_t>(1));
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < cols; ++c)
                    std::memcpy(&out.data[(c * rows + r) * 4], &in.data[(r * cols + c) * 4], 4);
            out.written.assign(out.written.size(), true);
            spoil(call);
        });
        of_call = &program;
        auto outcome = told_case(bench_of(program), shape_of(rows, cols), {});
        REQUIRE(outcome);
        return std::move(*outcome);
    };
    CHECK(outcome_of_large([](FakeCall&) {}).passed());
    const CaseOutcome wrong = outcome_of_large([](FakeCall& call) { call.store(1, 8'000'001, 1e9f); });
    CHECK(wrong.result.verdict == Verdict::wrong);
    CHECK(wrong.result.judgement->facts.front().find("out[2666][2001] is 1e+09") != std::string::npos);
    const CaseOutcome changed = outcome_of_large([](FakeCall& call) { call.store(0, 8'000'001, 1e9f); });
    CHECK(changed.wrong->code == "write_to_input");
    CHECK(changed.wrong->facts.back().find("in[2667][1668]") != std::string::npos);
}

TEST_CASE("of very many findings the first of each kind are described") {
    const CaseOutcome outcome = outcome_of([](FakeCall& call) {
        transpose(call);
        for (int line = 1; line <= 500; ++line) report(call, vgpu::FindingKind::out_of_bounds, line);
        report(call, vgpu::FindingKind::misaligned, 501);
    });
    CHECK(outcome.result.verdict == Verdict::fault);
    CHECK(outcome.findings.size() < 100);
    CHECK(outcome.findings.front().marks.front().line == 1);
    CHECK(outcome.findings.back().marks.front().line == 501);
}

TEST_CASE("options reach the device") {
    FakeProgram program(transpose);
    CaseOptions options;
    options.schedule = 5;
    options.shared_poison = 0x1234;
    options.trace_first_warp = true;
    REQUIRE(told_case(bench_of(program), shape_of(10, 10), options));
    CHECK(program.last_options.schedule == 5);
    CHECK(program.last_options.shared_poison == 0x1234);
    CHECK(program.last_options.trace_first_warp);
    const auto small = program.last_options.limits.warp_instructions;
    REQUIRE(told_case(bench_of(program), shape_of(500, 500)));
    CHECK(program.last_options.limits.warp_instructions > small);
    CHECK(small > 1'000'000);
}

TEST_CASE("contents follow the seed, so that a run can be replayed") {
    std::vector<float> first;
    const auto note = [&](FakeCall& call) { first.push_back(call.load<float>(0, 0)); };
    FakeProgram program(note);
    for (const std::uint64_t seed : {7u, 7u, 8u}) {
        Bench bench = bench_of(program);
        bench.seed = seed;
        REQUIRE(told_case(bench, shape_of(10, 10)));
    }
    CHECK(first[0] == first[1]);
    CHECK(first[0] != first[2]);
}

TEST_CASE("a series stops after three faults, three slow ones or one without an end, not for wrong output") {
    const StageResult faults = series_of([](FakeCall& call) { report(call, vgpu::FindingKind::out_of_bounds); }, 6);
    CHECK(count(faults, Verdict::fault) == 3);
    CHECK(count(faults, Verdict::skipped) == 3);
    CHECK(faults.cases.back().detail == "the submission failed on 20 x 30 and two more shapes");
    const StageResult slow = series_of([](FakeCall& call) { report(call, vgpu::FindingKind::timeout); }, 4);
    CHECK(count(slow, Verdict::timeout) == 3);
    CHECK(slow.cases.back().detail == "the submission took too much work on 20 x 30 and two more shapes");
    const StageResult timeouts = series_of(
        [](FakeCall& call) {
            report(call, vgpu::FindingKind::timeout);
            call.run.result.findings.back().is_endless = true;
        },
        4);
    CHECK(count(timeouts, Verdict::timeout) == 1);
    CHECK(count(timeouts, Verdict::skipped) == 3);
    CHECK(timeouts.cases.back().detail == "the submission did not end on 20 x 30");
    CHECK(count(series_of([](FakeCall&) {}, 6), Verdict::wrong) == 6);
}

TEST_CASE("the same finding on many shapes is one finding") {
    const StageResult result = series_of(
        [](FakeCall& call) {
            report(call, vgpu::FindingKind::out_of_bounds, 2);
            report(call, vgpu::FindingKind::out_of_bounds, 1);
        },
        3);
    CHECK(result.findings.size() == 2);
}

TEST_CASE("a race told from either side is one race") {
    std::vector<Diagnostic> findings;
    Diagnostic race;
    race.code = "race_shared";
    race.marks.resize(2);
    race.marks[0].line = 17;
    race.marks[1].line = 26;
    add_finding(findings, race);
    std::swap(race.marks[0], race.marks[1]);
    add_finding(findings, race);
    CHECK(findings.size() == 1);
    race.marks[0].line = 30;
    add_finding(findings, race);
    CHECK(findings.size() == 2);
}

TEST_CASE("a finding knows its shape, as --shape takes it") {
    const StageResult faults = series_of([](FakeCall& call) { report(call, vgpu::FindingKind::out_of_bounds); }, 2);
    CHECK(faults.findings.at(0).shape == "20x30");
    const StageResult wrong = series_of(
        [](FakeCall& call) {
            if (call.value<std::int32_t>(2) > 20) return;
            transpose(call);
        },
        3);
    CHECK(wrong.findings.at(0).shape == "21x30");
    Shape special = shape_of(20, 30);
    special.previous = {30, 20};
    CHECK(shape_argument(special).empty());
}

TEST_CASE("wrong outputs are summed up by what they have in common") {
    const StageResult result = series_of([](FakeCall&) {}, 5);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].code == "not_written");
    CHECK(result.findings[0].facts.back() == "5 shapes are wrong in this way");
}

TEST_CASE("a recognised mistake hides the vague ones") {
    const StageResult result = series_of(
        [](FakeCall& call) {
            const auto rows = call.value<std::int32_t>(2), cols = call.value<std::int32_t>(3);
            if (rows == 21) return;  // nothing written
            transpose(call);
            call.store(1, 5, 1.0f),
                call.store(1, static_cast<std::uint64_t>(rows * cols - 2), 2.0f);  // odd values here and there
        },
        4);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].title == "nothing was written to `out`");
}

TEST_CASE("launches and sizes of dynamic shared memory are noted") {
    FakeProgram program([](FakeCall& call) {
        transpose(call);
        call.launch({3, 2, 1}, {32, 8, 1}, call.value<std::int32_t>(2) > 20 ? 4224 : 16640);
    });
    StageResult result;
    CaseSeries series(result);
    REQUIRE(series.run(bench_of(program), {shape_of(20, 30), shape_of(21, 30), shape_of(22, 30)}));
    CHECK(series.dynamic_shared_sizes() == std::set<std::uint32_t>{4224, 16640});
    CHECK(series.all_passed());
}
