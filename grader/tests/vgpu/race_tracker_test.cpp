// What is a race in global memory and what is not, and that both lines are named: the kernels of
// tests/data/race_kernels.cu.
#include <algorithm>
#include <random>

#include "support/catch.hpp"
#include "vgpu/execution_bench.hpp"
#include "vgpu/race_tracker.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;
using execution::Bench;
using execution::findings_of;
using execution::options_with;

namespace {

std::shared_ptr<const Program> race_program() {
    static const auto program = execution::load_text(execution::read_text("race_kernels.ptx"), "race_kernels.cu");
    return program;
}
int line_of(const std::string& name) { return execution::line_named(name, "race_kernels.cu"); }

struct Ran {
    RunResult result;
    std::vector<int> data;
};
Ran run(const std::string& kernel, Dim3 grid, Dim3 block, std::uint64_t schedule = 0, int argument = 0) {
    Bench bench(race_program());
    const int data = bench.buffer("data", std::vector<int>(grid.count() * block.count() + 256)),
              flags = bench.buffer("flags", std::vector<int>(grid.count() + 1));
    Ran ran;
    ran.result =
        bench.run(kernel, grid, block, options_with(2, schedule), bench.address(data), bench.address(flags), argument);
    ran.data = bench.values<int>(data);
    return ran;
}

// The two lines of the race that was found, the smaller first. It may be told from either side.
std::pair<int, int> lines_of(const RunResult& result) {
    INFO(findings_of(result));
    REQUIRE(!result.findings.empty());
    const auto lines = std::minmax({result.findings[0].place.line, result.findings[0].other.line});
    for (const Finding& f : result.findings) {
        CHECK(f.kind == FindingKind::race_global);
        CHECK(f.has_other);
        CHECK(std::minmax({f.place.line, f.other.line}) == lines);
    }
    return lines;
}
std::pair<int, int> marked(const std::string& one, const std::string& other) {
    return std::minmax({line_of(one), line_of(other)});
}

}  // namespace

TEST_CASE("two blocks that store to one place race, and both are named") {
    for (const std::uint64_t schedule : {0, 1}) {
        const Ran ran = run("same_place", {4, 1, 1}, {1, 1, 1}, schedule);
        CHECK(lines_of(ran.result) == marked("same_place", "same_place"));
        const Finding& f = ran.result.findings[0];
        CHECK(f.place.block.x != f.other.block.x);
        CHECK(f.crosses_blocks);
        CHECK(f.buffer == "data");
        CHECK(f.offset_bytes == 0);
        CHECK(!f.is_same_value);
        CHECK(f.occurrences == 3);
    }
    CHECK(run("same_value", {4, 1, 1}, {1, 1, 1}).result.findings.at(0).is_same_value);
}

TEST_CASE("stores of two blocks to one place are told apart by their value in launches too large to be tracked") {
    for (const int blocks : {10000, 40000}) {
        const auto same = run("same_value", {static_cast<std::uint32_t>(blocks), 1, 1}, {1, 1, 1}).result.findings;
        REQUIRE(same.size() == 1);
        CHECK(same[0].is_same_value);
        const auto other = run("same_place", {static_cast<std::uint32_t>(blocks), 1, 1}, {1, 1, 1}).result.findings;
        REQUIRE(other.size() == 1);
        CHECK(!other[0].is_same_value);
    }
}

TEST_CASE("a read races with a store of another block, whichever of them runs first") {
    for (const std::uint64_t schedule : {0, 1}) {
        CHECK(lines_of(run("read_before_write", {2, 1, 1}, {1, 1, 1}, schedule).result) ==
              marked("early read", "late write"));
        CHECK(lines_of(run("read_after_write", {2, 1, 1}, {1, 1, 1}, schedule).result) ==
              marked("early write", "late read"));
    }
}

TEST_CASE("bytes of one word may belong to several blocks") {
    Bench bench(race_program());
    const int data = bench.buffer("data", std::vector<signed char>(64));
    const RunResult result = bench.run("own_places", {64, 1, 1}, {1, 1, 1}, options_with(), bench.address(data));
    INFO(findings_of(result));
    CHECK(result.findings.empty());
}

TEST_CASE("warps of a block are ordered by its barriers") {
    Bench bench(race_program());
    const int data = bench.buffer("data", std::vector<int>(128));
    CHECK(
        bench.run("warps_of_a_block", {1, 1, 1}, {64, 1, 1}, options_with(), bench.address(data), 1).findings.empty());
    CHECK(lines_of(bench.run("warps_of_a_block", {1, 1, 1}, {64, 1, 1}, options_with(), bench.address(data), 0)) ==
          marked("own word", "other warp's word"));
}

TEST_CASE("the last block may read what the others stored before a fence, and only then") {
    for (const std::uint64_t schedule : {0, 1}) {
        const Ran right = run("last_block", {5, 1, 1}, {64, 1, 1}, schedule, 1);
        INFO(findings_of(right.result));
        CHECK(right.result.findings.empty());
        CHECK(right.data[320] == 5);
        const Ran wrong = run("last_block", {5, 1, 1}, {64, 1, 1}, schedule, 0);
        CHECK(lines_of(wrong.result) == marked("stored", "summed"));
    }
}

TEST_CASE("order travels by fences, flags, releases, and from block to block") {
    for (const std::uint64_t schedule : {0, 1}) {
        for (const char* kernel : {"fence_of_one", "release_and_acquire", "by_way_of_another"}) {
            const Dim3 grid{kernel == std::string("by_way_of_another") ? 3u : 2u, 1, 1};
            const Dim3 block{kernel == std::string("fence_of_one") ? 64u : 1u, 1, 1};
            const Ran ran = run(kernel, grid, block, schedule);
            INFO(kernel << ": " << findings_of(ran.result));
            CHECK(ran.result.is_complete);
            CHECK(ran.result.findings.empty());
            CHECK(ran.data[block.x] == 3);
        }
    }
}

TEST_CASE("a fence of the block alone, and one that comes too early, order nothing") {
    CHECK(lines_of(run("fence_of_the_block", {2, 1, 1}, {1, 1, 1}).result) ==
          marked("behind a block's fence", "read behind a block's fence"));
    // Which of the two comes first is the schedule's.
    const auto found = run("stored_after_the_fence", {2, 1, 1}, {1, 1, 1}).result;
    CHECK(lines_of(found) == marked("too late", "not covered"));
}

TEST_CASE("a launch too large to track names one line, and both once its word is watched") {
    Bench bench(race_program());
    const std::uint32_t blocks = 10000;
    const int data = bench.buffer("data", std::vector<int>(256));
    RunOptions options = options_with();
    bench.run("read_after_write", {1, 1, 1}, {1, 1, 1}, options,
              bench.address(data));  // tracked: the first part is not
    const RunResult first = bench.run("read_after_write", {blocks, 1, 1}, {1, 1, 1}, options, bench.address(data));
    REQUIRE(first.findings.size() == 1);
    CHECK(first.findings[0].place.line == line_of("late read"));
    CHECK(first.findings[0].other.block.x == 0);
    CHECK(first.findings[0].other.line == 0);
    options.watched_words = {first.findings[0].address & ~std::uint64_t{3}};
    CHECK(lines_of(bench.run("read_after_write", {blocks, 1, 1}, {1, 1, 1}, options, bench.address(data))) ==
          marked("early write", "late read"));
}

TEST_CASE("what runs in launches too large to track alone is tracked in a part of one") {
    Bench bench(race_program());
    const int data = bench.buffer("data", std::vector<int>(std::size_t{1} << 19));
    const auto run_it = [&] {
        return bench.run("warps_of_a_block", {1, 1, 1}, {64, 1, 1}, options_with(), bench.address(data), 0);
    };
    CHECK(lines_of(run_it()) == marked("own word", "other warp's word"));
    CHECK(run_it().findings.empty());  // all of it has been looked at
}

TEST_CASE("a launch tells which of its lines meet in a buffer, and whether all that they do was followed") {
    Bench bench(race_program());
    const int small = bench.buffer("data", std::vector<int>(128));
    const auto run_it = [&](const char* kernel, std::uint32_t threads, int data) {
        return bench.run(kernel, {1, 1, 1}, {threads, 1, 1}, options_with(), bench.address(data), 0).meetings;
    };
    const int store = line_of("own word"), load = line_of("other warp's word");
    const auto all = run_it("warps_of_a_block", 64, small);
    REQUIRE(all.size() == 2);
    for (const int line : {store, load}) {
        const Meeting& meeting = all.at({"warps_of_a_block", line});
        CHECK(meeting.buffer == "data");
        CHECK(meeting.is_followed);
    }
    // The first part of a launch that is too large may be all that it does.
    const int large = bench.buffer("data", std::vector<int>(std::size_t{1} << 19));
    Bench apart(race_program());
    const int alone = apart.buffer("data", std::vector<int>(std::size_t{1} << 19));
    const auto of_part =
        apart.run("warps_of_a_block", {1, 1, 1}, {64, 1, 1}, options_with(), apart.address(alone), 0).meetings;
    CHECK(of_part.at({"warps_of_a_block", load}).is_followed);
    // Its code was followed before.
    CHECK(!run_it("warps_of_a_block", 64, large).at({"warps_of_a_block", load}).is_followed);
    // All that is done there is one store.
    CHECK(run_it("same_place", 1, large).at({"same_place", line_of("same_place")}).is_followed);
    CHECK(run_it("same_place", 1, large).empty());
}

TEST_CASE("parts of a warp wait for their own lanes, and for no others") {
    std::vector<int> expected(64);
    for (int t = 0; t < 64; ++t) expected[static_cast<std::size_t>(t)] = t ^ 7;
    for (const char* kernel : {"late_to_a_barrier", "late_to_a_shuffle"}) {
        for (std::uint64_t schedule = 0; schedule < 8; ++schedule) {
            INFO(kernel << ", order " << schedule);
            Ran ran = run(kernel, {1, 1, 1}, {64, 1, 1}, schedule);
            CHECK(findings_of(ran.result) == "");
            ran.data.resize(64);
            CHECK(ran.data == expected);
        }
    }
}

// The same by the definition: who meets learns all that any of the others knew.
struct PlainOrder {
    std::array<std::array<std::uint32_t, 32>, 32> known{};
    void meet(std::uint32_t lanes, std::uint32_t now) {
        std::array<std::uint32_t, 32> together{};
        for (std::size_t i = 0; i < 32; ++i)
            for (std::size_t k = 0; k < 32; ++k)
                if (((lanes >> i) & 1) != 0) together[k] = std::max(together[k], known[i][k]);
        for (std::size_t i = 0; i < 32; ++i)
            if (((lanes >> i) & 1) != 0) together[i] = now;
        for (std::size_t i = 0; i < 32; ++i)
            if (((lanes >> i) & 1) != 0) known[i] = together;
    }
};

TEST_CASE("lanes that meet in any groups know of each other what the definition says", "[vgpu]") {
    std::mt19937 source(7);
    const auto random = [&] { return static_cast<std::uint32_t>(source()); };
    for (int round = 0; round < 200; ++round) {
        LaneOrder order;
        PlainOrder plain;
        for (int turn = 0; turn < 40; ++turn) {
            const std::uint32_t groups[] = {
                random(), 0x0000ffffu,         0xffff0000u, 3u << (random() % 31), 1u << random() % 32,
                0u,       random() & random(), ~0u};
            const std::uint32_t lanes = groups[random() % (round % 2 == 0 ? 7 : 8)];
            plain.meet(lanes, order.step);
            order.meet(lanes, ~0u);
            for (int lane = 0; lane < 32; ++lane)
                for (int other = 0; other < 32; ++other) {
                    const std::uint32_t known =
                        plain.known[static_cast<std::size_t>(lane)][static_cast<std::size_t>(other)];
                    if (order.is_ordered(lane, other, known) && !order.is_ordered(lane, other, known + 1)) continue;
                    FAIL("turn " << turn << ", lane " << lane << " of " << other);
                }
        }
    }
}

TEST_CASE("what orders blocks does so in a launch too large to track as well") {
    for (const char* kernel : {"release_and_acquire", "by_exchange", "by_way_of_another", "strong_stores"}) {
        Bench bench(race_program());
        const int data = bench.buffer("data", std::vector<int>(256)),
                  flags = bench.buffer("flags", std::vector<int>(3));
        bench.buffer("large", std::vector<int>(1 << 19));
        const std::uint32_t blocks = kernel == std::string("by_way_of_another") ? 3 : 2;
        const RunResult result =
            bench.run(kernel, {blocks, 1, 1}, {1, 1, 1}, options_with(), bench.address(data), bench.address(flags));
        INFO(kernel << ": " << findings_of(result));
        CHECK(result.is_complete);
        CHECK(result.findings.empty());
        CHECK(bench.values<int>(data)[1] == (kernel == std::string("strong_stores") ? 1 : 3));
    }
}

TEST_CASE("a second order of warps is the first turned round, in every block") {
    // Thread 0 sets a value and tells; thread 32 looks once whether it was told, and reads the value all the same.
    const auto program = execution::load_text(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p)
{
    .reg .pred %p<3>;
    .reg .b32 %r<5>;
    .shared .align 4 .b8 value[4];
    .shared .align 4 .b8 flag[4];
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra MEET;
    st.shared.u32 [value], 0;
    st.shared.u32 [flag], 0;
MEET:
    bar.sync 0;
    @%p0 bra OTHER;
    st.shared.u32 [value], 7;
    membar.cta;
    atom.shared.add.u32 %r1, [flag], 1;
OTHER:
    setp.ne.u32 %p1, %r0, 32;
    @%p1 bra END;
    atom.shared.add.u32 %r2, [flag], 0;
    membar.cta;
    ld.shared.u32 %r3, [value];
END:
    ret;
}
)",
                                              "order.cu");
    Bench bench(program);
    const int data = bench.buffer("data", std::vector<int>(1));
    const auto found = [&](std::uint64_t schedule) {
        return bench.run("kernel", {8, 1, 1}, {64, 1, 1}, options_with(1, schedule), bench.address(data)).findings;
    };
    CHECK(found(0).empty());
    const auto turned = found(1);
    REQUIRE(turned.size() == 1);
    CHECK(turned[0].kind == FindingKind::race_shared);
    CHECK(turned[0].occurrences == 8);
}
