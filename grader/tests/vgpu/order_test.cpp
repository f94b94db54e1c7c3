// What a large launch does with words of several blocks: the same with any number of threads.
#include "vgpu/execution_bench.hpp"

#include "support/catch.hpp"

using namespace execution;

namespace {

constexpr int kThreads = 256, kBlocks = 1100;  // more warps than are tracked

const char* const kText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry shift(.param .u64 p)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r5, [%rd4+4];
    add.s32 %r6, %r5, 1;
    st.global.u32 [%rd4], %r6;
    ret;
}
.visible .entry move(.param .u64 p, .param .u64 q)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r5, [%rd4+4];
    st.global.u32 [%rd5], %r5;
    ret;
}
.visible .entry stay_and_name(.param .u64 p)
{
    .reg .pred %p1;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, 0;
L:
    add.s32 %r2, %r2, 1;
    st.global.u32 [%rd2], %r2;
    setp.lt.u32 %p1, %r2, 1000;
    @%p1 bra L;
    st.global.u32 [%rd2+4], %r1;
    ret;
}
.visible .entry name_byte(.param .u64 p)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    st.global.u8 [%rd2+1], %r1;
    ret;
}
.visible .entry name_last(.param .u64 p)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    st.global.u32 [%rd2], %r1;
    ret;
}
)";

struct Seen {
    std::vector<int> values;
    std::vector<std::string> findings;
    bool operator==(const Seen&) const = default;
};

// Two launches in a session: of the second one it is known what it looks at.
Seen seen(const std::string& kernel, int threads, std::uint64_t most_work = std::uint64_t{1} << 32) {
    static const auto program = load_text(kText, "order.cu");
    Bench bench(program);
    const int place = bench.buffer("values", std::vector<int>(kThreads * kBlocks + 1, 5));
    const int other = bench.buffer("others", std::vector<int>(kThreads * kBlocks + 1, 5));
    Seen all;
    for (int launch = 0; launch < 2; ++launch) {
        RunOptions options = options_with(threads);
        options.limits.warp_instructions = most_work;
        // One block alone is in nobody's way, and leaves the kernel with a good name.
        const std::uint32_t blocks = launch == 0 && kernel != "shift" ? 1 : kBlocks;
        const RunResult result =
            bench.run(kernel, {blocks, 1, 1}, {kThreads, 1, 1}, options, bench.address(launch == 0 ? other : place));
        for (const Finding& f : result.findings)
            all.findings.push_back(std::string(to_string(f.kind)) + " " + std::to_string(f.place.line) + " " +
                                   std::to_string(f.place.block.x) + " " + std::to_string(f.place.thread.x) + " " +
                                   std::to_string(f.other.block.x) + " " + std::to_string(f.occurrences));
    }
    all.values = bench.values<int>(place);
    return all;
}

}  // namespace

TEST_CASE("where blocks look at each other's words, a large launch takes them in order") {
    const Seen alone = seen("shift", 1);
    for (int run = 0; run < 3; ++run) CHECK((seen("shift", 4) == alone));
}

TEST_CASE("of blocks that store to one word the last one stays, however many threads run them") {
    const Seen alone = seen("name_last", 1);
    CHECK(alone.values[0] == kBlocks - 1);
    CHECK(!alone.findings.empty());
    for (int run = 0; run < 3; ++run) CHECK((seen("name_last", 4) == alone));
}

TEST_CASE("a launch that is stopped is stopped at one place, and tells one race, however many threads run it",
          "[counts]") {
    const Seen alone = seen("stay_and_name", 1, 4'000'000);
    CHECK(alone.findings.size() == 3);  // the race of a block's warps, that of blocks, and the stop
    for (int run = 0; run < 3; ++run) CHECK((seen("stay_and_name", 4, 4'000'000) == alone));
}

TEST_CASE("of blocks that store to one byte the last one stays") {
    const Seen alone = seen("name_byte", 1);
    CHECK(((alone.values[0] >> 8) & 255) == ((kBlocks - 1) & 255));
    for (int run = 0; run < 3; ++run) CHECK((seen("name_byte", 4) == alone));
}

TEST_CASE("a launch that looks at what may be stored to for the first time says that its order may matter") {
    static const auto program = load_text(kText, "order.cu");
    for (const int threads : {1, 4}) {
        Bench bench(program);
        const int input = bench.buffer("in", std::vector<int>(kThreads * kBlocks + 1, 5), true, true);
        const int values = bench.buffer("values", std::vector<int>(kThreads * kBlocks + 1, 5));
        const auto shift = [&](int from, int to) {
            return bench.run("move", {kBlocks, 1, 1}, {kThreads, 1, 1}, options_with(threads), bench.address(from),
                             bench.address(to));
        };
        CHECK_FALSE(shift(input, values).hangs_on_order);
        CHECK(shift(values, values).hangs_on_order == (threads > 1));
        CHECK_FALSE(shift(values, values).hangs_on_order);  // now it is known
    }
}
