// What a launch reports: output, ends before the end, findings with their place, counters; and that none of it depends
// on how the work is spread.
#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

// The one finding of a kernel that has one.
const Finding& only_finding(const RunResult& result) {
    INFO(findings_of(result));
    REQUIRE(result.findings.size() == 1);
    return result.findings[0];
}

bool is_place(const ThreadPlace& place, Dim3 block, Dim3 thread, int line) {
    return place.block == block && place.thread == thread && place.line == line;
}

struct Spread {
    int threads;
    std::uint64_t schedule;
};
const std::vector<Spread> kSpreads{{1, 0}, {2, 0}, {4, 0}, {1, 1}, {1, 77}, {3, 5}};

}  // namespace

TEST_CASE("printf knows C's conversions and flags") {
    Bench bench;
    const int in = bench.buffer("in", std::vector<int>{-42, -1, 48879});
    const RunResult result = bench.run("prints", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(in));
    CHECK(findings_of(result) == "");
    const std::string first = "-42 -1 4294967295 beef BEEF 137357|  -42|-42  |-0042|-42\n";
    const std::string second = "1.500000 0.667 1.23e+04 1e-05|ok|text|%|-1099511627776 18446744073709551615 ff 4 7\n";
    CHECK(result.output == first + first + second + second + "thread 0\nthread 1\n");
}

TEST_CASE("output is cut at its limit, and the launch goes on") {
    Bench bench;
    RunOptions options = options_with();
    options.limits.output_bytes = 100;
    const RunResult result = bench.run("prints_much", {1, 1, 1}, {32, 1, 1}, options);
    CHECK(result.output.size() == 100);
    CHECK(result.output.substr(0, 41) == "0123456789012345678901234567890123456789\n");
    CHECK(result.is_complete);
}

TEST_CASE("a failed assertion ends the launch and says where and what") {
    std::vector<int> in(96, 1);
    in[75] = 100;
    const Outcome got = run_in_out("asserts", {3, 1, 1}, {32, 1, 1}, in, 96);
    const Finding& f = only_finding(got.result);
    CHECK(f.kind == FindingKind::assertion);
    CHECK(f.detail == "in[i] < 100");
    CHECK(is_place(f.place, {2, 0, 0}, {11, 0, 0}, line_named("assert")));
    CHECK(f.kernel == "asserts");
    CHECK_FALSE(got.result.is_complete);
    in[75] = 99;
    const Outcome good = run_in_out("asserts", {3, 1, 1}, {32, 1, 1}, in, 96);
    CHECK(good.result.findings.empty());
    CHECK(good.result.is_complete);
    CHECK(good.out == std::vector<int>(96, 1));
}

TEST_CASE("a trap ends the launch and names the first thread that reached it") {
    Bench bench;
    std::vector<int> in(64, 0);
    in[40] = in[50] = 7;
    const int from = bench.buffer("in", in);
    const RunResult result = bench.run("traps", {1, 1, 1}, {64, 1, 1}, options_with(), bench.address(from));
    const Finding& f = only_finding(result);
    CHECK(f.kind == FindingKind::trap);
    CHECK(is_place(f.place, {0, 0, 0}, {8 + 32, 0, 0}, line_named("trap")));
    CHECK_FALSE(result.is_complete);
}

TEST_CASE("an endless loop ends with the instruction budget") {
    for (const int threads : {1, 4}) {
        Bench bench;
        const int flag = bench.buffer("flag", std::vector<int>{0});
        RunOptions options = options_with(threads);
        options.limits.warp_instructions = 2'000'000;
        const RunResult result = bench.run("endless", {8, 1, 1}, {64, 1, 1}, options, bench.address(flag));
        const Finding& f = only_finding(result);
        CHECK(f.kind == FindingKind::timeout);
        CHECK(f.limit == 2'000'000);
        CHECK(f.place.line == line_named("endless"));
        CHECK(f.kernel == "endless");
        CHECK_FALSE(result.is_complete);
        // Not far past the budget, in which a load counts for more than an addition.
        CHECK(result.counters.warp_instructions >= 40'000);
        CHECK(result.counters.warp_instructions < 4'000'000);
    }
}

TEST_CASE("a write past the end names kernel, thread, line, buffer and offset, and changes nothing else") {
    Bench bench;
    const int out = bench.buffer("out", std::vector<int>(70, -1));
    const RunResult result = bench.run("writes_past", {2, 1, 1}, {35, 1, 1}, options_with(), bench.address(out), 70);
    const Finding& f = only_finding(result);
    CHECK(f.kind == FindingKind::out_of_bounds);
    CHECK(f.access == AccessKind::write);
    CHECK(f.kernel == "writes_past");
    CHECK(is_place(f.place, {1, 0, 0}, {34, 0, 0}, line_named("writes_past")));
    CHECK(f.place.column > 0);
    CHECK(f.buffer == "out");
    CHECK(f.offset_bytes == 280);
    CHECK(f.buffer_bytes == 280);
    CHECK(f.width_bytes == 4);
    CHECK(f.element_bytes == 4);
    CHECK(f.address == bench.address(out) + 280);
    CHECK(f.occurrences == 1);
    CHECK(result.is_complete);  // the lane's store is dropped, the others count
    for (int i = 0; i < 69; ++i) CHECK(bench.values<int>(out)[at(i)] == i);
    CHECK(bench.values<int>(out)[69] == -1);
}

TEST_CASE("a read before the start has a negative offset, and counts its occurrences") {
    const Outcome got = run_in_out("reads_before", {1, 1, 1}, {32, 1, 1}, numbers(32, 1, 100), 32);
    const Finding& f = only_finding(got.result);
    CHECK(f.kind == FindingKind::out_of_bounds);
    CHECK(f.access == AccessKind::read);
    CHECK(is_place(f.place, {0, 0, 0}, {0, 0, 0}, line_named("reads_before")));
    CHECK(f.buffer == "in");
    CHECK(f.offset_bytes == -8);
    CHECK(f.occurrences == 2);
    for (int i = 2; i < 32; ++i) CHECK(got.out[at(i)] == numbers(32, 1, 100)[at(i - 2)]);
}

TEST_CASE("a misaligned read names the lane that made it") {
    Bench bench;
    const int in = bench.buffer("in", std::vector<char>(200, 3)), out = bench.buffer("out", std::vector<int>(32));
    const RunResult result =
        bench.run("misaligned", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(in), bench.address(out));
    const Finding& f = only_finding(result);
    CHECK(f.kind == FindingKind::misaligned);
    CHECK(is_place(f.place, {0, 0, 0}, {9, 0, 0}, line_named("misaligned")));
    CHECK(f.buffer == "in");
    CHECK(f.offset_bytes == 38);
    CHECK(f.width_bytes == 4);
    CHECK(f.element_bytes == 1);
    CHECK(bench.values<int>(out)[8] == 0x03030303);
}

TEST_CASE("shared memory has an end too, and so has a local array") {
    Bench bench;
    const int out = bench.buffer("out", std::vector<int>(64));
    const RunResult shared = bench.run("shared_past", {1, 1, 1}, {64, 1, 1}, options_with(), bench.address(out), 2);
    const Finding& f = only_finding(shared);
    CHECK(f.kind == FindingKind::out_of_bounds_shared);
    CHECK(f.access == AccessKind::read);
    CHECK(is_place(f.place, {0, 0, 0}, {62, 0, 0}, line_named("shared_past")));
    CHECK(f.buffer == "tile");
    CHECK(f.offset_bytes == 256);
    CHECK(f.buffer_bytes == 256);
    CHECK(f.occurrences == 2);
    CHECK(bench.values<int>(out)[61] == 63);

    const RunResult local = bench.run("local_past", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out), 1 << 20);
    const Finding& g = only_finding(local);
    CHECK(g.kind == FindingKind::out_of_bounds_local);
    CHECK(g.access == AccessKind::read);
    CHECK(g.place.line == line_named("local_past"));
    CHECK(findings_of(bench.run("local_past", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out), 3)) == "");
    CHECK(bench.values<int>(out)[31] == 3 + 9);
}

TEST_CASE("reading what nothing wrote is a finding, in global and in shared memory") {
    Bench bench;
    const int scratch = bench.buffer("scratch", std::vector<int>(64), false),
              out = bench.buffer("out", std::vector<int>(32));
    const RunResult global =
        bench.run("unwritten", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(scratch), bench.address(out));
    const Finding& f = only_finding(global);
    CHECK(f.kind == FindingKind::uninitialized);
    CHECK(is_place(f.place, {0, 0, 0}, {0, 0, 0}, line_named("unwritten")));
    CHECK(f.buffer == "scratch");
    CHECK(f.offset_bytes == 12);
    CHECK(f.occurrences == 32);

    const RunResult shared = bench.run("unwritten_shared", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out));
    const Finding& g = only_finding(shared);
    CHECK(g.kind == FindingKind::uninitialized);
    CHECK(is_place(g.place, {0, 0, 0}, {31, 0, 0}, line_named("unwritten_shared")));
    CHECK(g.buffer == "tile");
    CHECK(g.offset_bytes == 124);
    CHECK(bench.values<int>(out)[31] == static_cast<int>(0xCDCDCDCDu));  // the poison
}

TEST_CASE("a store into an input is a finding, it is done all the same, as on a GPU") {
    Bench bench;
    const int in = bench.buffer("in", std::vector<int>(64, 5), true, true);
    const RunResult result = bench.run("writes_past", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(in), 64);
    const Finding& f = only_finding(result);
    CHECK(f.kind == FindingKind::write_to_input);
    CHECK(f.buffer == "in");
    CHECK(f.access == AccessKind::write);
    CHECK(is_place(f.place, {0, 0, 0}, {0, 0, 0}, line_named("writes_past")));
    CHECK(bench.values<int>(in)[31] == 31);
    CHECK(bench.values<int>(in)[32] == 5);
}

TEST_CASE("a freed buffer is named, not its neighbour") {
    Bench bench;
    const int out = bench.buffer("out", std::vector<int>(64)), later = bench.buffer("later", std::vector<int>(64));
    const std::uint64_t address = bench.address(out);
    bench.memory.release(out);
    const RunResult result = bench.run("writes_past", {1, 1, 1}, {32, 1, 1}, options_with(), address, 64);
    const Finding& f = only_finding(result);
    CHECK(f.kind == FindingKind::out_of_bounds);
    CHECK(f.buffer == "out");
    CHECK(f.is_freed);
    CHECK(f.offset_bytes == 0);
    CHECK(f.occurrences == 32);
    CHECK(bench.values<int>(later) == std::vector<int>(64));
}

TEST_CASE("a barrier in a branch and a shuffle from a lane that is not there are findings") {
    Bench bench;
    const int out = bench.buffer("out", std::vector<int>(32));
    const RunResult barrier =
        without_ended(bench.run("half_barrier", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out)));
    const Finding& f = only_finding(barrier);
    CHECK(f.kind == FindingKind::barrier_divergence);
    CHECK(f.place.line == line_named("half_barrier"));
    CHECK(f.mask == 0x0000FFFFu);

    const RunResult shuffle = bench.run("inactive_shuffle", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out));
    const Finding& g = only_finding(shuffle);
    CHECK(g.kind == FindingKind::inactive_lane);
    CHECK(is_place(g.place, {0, 0, 0}, {0, 0, 0}, line_named("inactive_shuffle")));
    CHECK(g.lane == 12);
    CHECK(g.mask == 0xFFu);
}

TEST_CASE("results and counters do not depend on host threads or on the schedule") {
    struct Case {
        std::string kernel;
        Dim3 grid, block;
        std::size_t in_count, out_count;
        int range;
    };
    const std::vector<Case> cases{
        {"nested_ifs", {9, 1, 1}, {96, 1, 1}, 864, 864, 16},    {"collatz", {9, 1, 1}, {64, 1, 1}, 576, 576, 5000},
        {"block_sum", {12, 1, 1}, {256, 1, 1}, 3072, 12, 1000}, {"histogram", {9, 1, 1}, {128, 1, 1}, 1152, 16, 1000},
        {"switches", {9, 1, 1}, {64, 1, 1}, 576, 576, 10},      {"local_arrays", {9, 1, 1}, {64, 1, 1}, 64, 64, 100}};
    for (const Case& c : cases) {
        const std::vector<int> in = numbers(c.in_count, 3, c.range);
        // Blocks of local_arrays all write the same: one block would do, and is all that is right.
        const Dim3 grid = c.kernel == "local_arrays" ? Dim3{1, 1, 1} : c.grid;
        const Outcome first = run_in_out(c.kernel, grid, c.block, in, c.out_count);
        INFO(c.kernel << " " << findings_of(first.result));
        CHECK(first.result.findings.empty());
        CHECK(first.result.counters.warp_instructions > 0);
        for (const Spread& spread : kSpreads) {
            const Outcome other =
                run_in_out(c.kernel, grid, c.block, in, c.out_count, options_with(spread.threads, spread.schedule));
            INFO(spread.threads << " host threads, schedule " << spread.schedule);
            CHECK(other.out == first.out);
            CHECK(other.result.findings.empty());
            for (const CounterField& field : counter_fields()) {
                INFO(field.name);
                CHECK(other.result.counters.*field.field == first.result.counters.*field.field);
            }
            CHECK(other.result.by_line.size() == first.result.by_line.size());
        }
    }
}

TEST_CASE("a transpose of any element is right, counted alike, and its lines add up to the whole") {
    const int rows = 77, cols = 130;
    const Dim3 grid{5, 3, 1}, block{32, 8, 1};
    const auto check = [&]<class T>(const std::string& kernel, T) {
        std::vector<T> in(static_cast<std::size_t>(rows * cols)), expected(in.size());
        for (int i = 0; i < rows * cols; ++i) in[at(i)] = static_cast<T>(i * 7 + 1);
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < cols; ++x) expected[at(x * rows + y)] = in[at(y * cols + x)];
        }
        Counters first;
        for (const Spread& spread : kSpreads) {
            Bench bench;
            const int from = bench.buffer("in", in, true, true),
                      to = bench.buffer("out", std::vector<T>(in.size()), false);
            const RunResult result = bench.run(kernel, grid, block, options_with(spread.threads, spread.schedule),
                                               bench.address(from), bench.address(to), rows, cols);
            INFO(kernel << " " << findings_of(result));
            CHECK(result.findings.empty());
            CHECK(bench.values<T>(to) == expected);
            CHECK(bench.memory.is_written(to, 0, in.size() * sizeof(T)));
            Counters sum;
            int line = -1;
            for (const LineCounters& l : result.by_line) {
                CHECK(l.line > line);
                line = l.line;
                sum += l.counters;
            }
            CHECK(sum == result.counters);
            if (&spread == &kSpreads[0]) first = result.counters;
            CHECK(result.counters == first);
        }
        return first;
    };
    const Counters words = check("transpose_int", int{});
    check("transpose_double", double{});
    check("transpose_byte", static_cast<unsigned char>(0));
    // 77 rows of 5 warp-wide pieces; 130 rows of 3.
    CHECK(words.global_load_requests == 77u * 5);
    CHECK(words.global_store_requests == 130u * 3);
    CHECK(words.shared_load_wavefronts == words.shared_load_requests);  // the padding works
    CHECK(words.barriers == 15u * 8);
}

TEST_CASE("printed lines come in the order of blocks, whatever the host threads") {
    std::string expected;
    for (int b = 0; b < 24; ++b) expected += "block " + std::to_string(b) + "\n";
    for (const int threads : {1, 2, 4}) {
        Bench bench;
        const RunResult result = bench.run("prints_by_block", {24, 1, 1}, {1, 1, 1}, options_with(threads));
        CHECK(result.output == expected);
    }
}

TEST_CASE("findings do not depend on host threads") {
    for (const int threads : {1, 2, 4}) {
        Bench bench;
        const int out = bench.buffer("out", std::vector<int>(32));
        const RunResult result =
            bench.run("unwritten_shared", {16, 1, 1}, {32, 1, 1}, options_with(threads), bench.address(out));
        REQUIRE(result.findings.size() >= 1);
        CHECK(result.findings[0].kind == FindingKind::uninitialized);
        CHECK(is_place(result.findings[0].place, {0, 0, 0}, {31, 0, 0}, line_named("unwritten_shared")));
        CHECK(result.findings[0].occurrences == 16);
    }
}
