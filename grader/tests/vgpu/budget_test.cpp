// What a submission may take: counted, the same for any number of threads, and told by what it was spent on.
#include "vgpu/budget.hpp"
#include "support/catch.hpp"
#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

const char* const kernels = R"(
.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[3] = {104, 105, 0};
.visible .entry counts(.param .u32 turns) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [turns];
  mov.u32 %r0, 0;
L: add.u32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, %r1;
  @%p0 bra L;
  ret;
}
.visible .entry halves(.param .u32 from) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [from];
  mov.u32 %r2, 0;
L: shr.u32 %r1, %r1, 1;
  add.u32 %r2, %r2, 1;
  setp.ge.s32 %p0, %r1, 0;
  @%p0 bra L;
  ret;
}
.visible .entry turns_inside(.param .u32 zero) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [zero];
O: mov.u32 %r0, 0;
I: add.u32 %r0, %r0, 1;
  setp.lt.u32 %p0, %r0, 7;
  @%p0 bra I;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra O;
  ret;
}
.visible .entry steps(.param .u32 from) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [from];
L: shr.u32 %r1, %r1, 1;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra L;
  ret;
}
.func (.param .b32 out) halved(.param .b32 in) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [in];
  mov.u32 %r2, 0;
L: shr.u32 %r1, %r1, 1;
  add.u32 %r2, %r2, 1;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra L;
  st.param.u32 [out], %r2;
  ret;
}
.visible .entry calls(.param .u32 turns) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [turns];
  mov.u32 %r0, 0;
L: { .param .b32 from; .param .b32 steps;
  st.param.b32 [from], %r1;
  call.uni (steps), halved, (from);
  ld.param.u32 %r2, [steps]; }
  add.u32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, %r1;
  @%p0 bra L;
  ret;
}
.visible .entry carries(.param .u32 digits) {
  .reg .u32 %r<8>; .reg .pred %p<3>;
  .shared .align 4 .b8 digit[128];
  ld.param.u32 %r1, [digits];
  mov.u32 %r3, digit;
  mov.u32 %r0, 0;
  mov.u32 %r4, 0;
Z: st.shared.u32 [%r3], %r0;
  add.u32 %r3, %r3, 4;
  add.u32 %r4, %r4, 1;
  setp.ne.u32 %p0, %r4, 32;
  @%p0 bra Z;
L: shl.b32 %r2, %r0, 2;
  mov.u32 %r3, digit;
  add.u32 %r3, %r3, %r2;
  ld.shared.u32 %r4, [%r3];
  xor.b32 %r4, %r4, 1;
  st.shared.u32 [%r3], %r4;
  setp.eq.u32 %p0, %r4, 0;
  add.u32 %r5, %r0, 1;
  selp.u32 %r0, %r5, 0, %p0;
  setp.ne.u32 %p1, %r0, %r1;
  @%p1 bra L;
  ret;
}
.func (.param .b32 out) asked(.param .b64 at) {
  .reg .u32 %r; .reg .u64 %d;
  ld.param.u64 %d, [at];
  ld.relaxed.cta.u32 %r, [%d];
  st.param.u32 [out], %r;
  ret;
}
.visible .entry waits(.param .u32 for_thread) {
  .reg .u32 %r<4>; .reg .u64 %d<2>; .reg .pred %p<3>;
  .shared .align 4 .b8 flag[4];
  ld.param.u32 %r1, [for_thread];
  mov.u32 %r0, %tid.x;
  mov.u64 %d0, flag;
  cvta.shared.u64 %d1, %d0;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 st.shared.u32 [flag], 0;
  bar.sync 0;
  setp.eq.u32 %p1, %r0, %r1;
  @!%p1 bra L;
  st.relaxed.cta.u32 [%d1], 1;
  bra.uni E;
L: { .param .b64 at; .param .b32 it;
  st.param.b64 [at], %d1;
  call.uni (it), asked, (at);
  ld.param.u32 %r2, [it]; }
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra L;
E: ret;
}
.visible .entry in_turn(.param .u32 turns) {
  .reg .u32 %r<6>; .reg .pred %p<4>;
  .shared .align 4 .b8 turn[4];
  ld.param.u32 %r1, [turns];
  mov.u32 %r0, %tid.x;
  shr.u32 %r2, %r0, 5;
  and.b32 %r3, %r0, 31;
  setp.eq.u32 %p0, %r3, 0;
  setp.eq.u32 %p1, %r0, 0;
  @%p1 st.shared.u32 [turn], 0;
  bar.sync 0;
N: setp.ge.u32 %p2, %r2, %r1;
  @%p2 bra E;
L: ld.volatile.shared.u32 %r4, [turn];
  setp.ne.u32 %p3, %r4, %r2;
  @%p3 bra L;
  add.u32 %r5, %r2, 1;
  @%p0 st.volatile.shared.u32 [turn], %r5;
  add.u32 %r2, %r2, 3;
  bra.uni N;
E: ret;
}
.visible .entry reads_unset(.param .u32 turns) {
  .reg .u32 %r<4>; .reg .pred %p<2>;
  .shared .align 4 .b8 word[4];
  ld.param.u32 %r1, [turns];
  mov.u32 %r0, 0;
L: ld.shared.u32 %r2, [word];
  add.u32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, %r1;
  @%p0 bra L;
  ret;
}
.visible .entry nothing(.param .u32 unused) { ret; }
.visible .entry owns(.param .u32 unused) {
  .local .align 4 .b8 own[60000];
  st.local.u32 [own], 1;
  ret;
}
.func deep() {
  .local .align 4 .b8 own[60000];
  st.local.u32 [own], 1;
  ret;
}
.visible .entry calls_deep(.param .u32 turns) {
  .reg .u32 %r<3>; .reg .pred %p<2>;
  ld.param.u32 %r1, [turns];
  mov.u32 %r2, %ctaid.x;
  setp.ge.u32 %p0, %r2, %r1;
  @%p0 bra E;
  call.uni deep, ();
E: ret;
}
.visible .entry prints(.param .u32 turns) {
  .reg .u32 %r<4>; .reg .u64 %d<3>; .reg .pred %p<2>;
  ld.param.u32 %r1, [turns];
  mov.u32 %r0, 0;
L: mov.u64 %d0, text;
  cvta.global.u64 %d1, %d0;
  mov.u64 %d2, 0;
  { .param .b64 f; .param .b64 a; .param .b32 r;
  st.param.b64 [f], %d1; st.param.b64 [a], %d2;
  call.uni (r), vprintf, (f, a); }
  add.u32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, %r1;
  @%p0 bra L;
  ret;
}
)";

RunResult run(const std::string& kernel, Dim3 grid, Dim3 block, Budget& budget, int argument, int threads = 1,
              const std::atomic<bool>* is_time_over = nullptr) {
    Bench bench(load_text(kernels, "budget.cu"));
    RunOptions options = options_with(threads);
    options.limits.budget = &budget;
    options.limits.output_bytes = 100;
    options.limits.is_time_over = is_time_over;
    return bench.run(kernel, grid, block, options, argument);
}

Finding only_timeout(const RunResult& result) {
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].kind == FindingKind::timeout);
    CHECK_FALSE(result.is_complete);
    return result.findings[0];
}

}  // namespace

TEST_CASE("a budget is spent as well from the whole that it is a part of") {
    Budget whole(100);
    Budget first(60, &whole), second(60, &whole);
    first.spend(50);
    CHECK(first.left() == 10);
    CHECK(second.left() == 50);
    first.spend(50);
    CHECK(first.is_spent());
    CHECK(whole.left() == 0);
    CHECK(second.is_spent());
    CHECK(second.given() == 60);
}

TEST_CASE("what a launch costs does not depend on the threads that run it", "[counts]") {
    for (const auto& [grid, turns] : {std::pair{200u, 1000}, {3u, 5}, {64u, 40'000}}) {
        std::vector<std::uint64_t> left;
        for (const int threads : {1, 2, 5}) {
            Budget budget(4'000'000);
            const RunResult result = run("counts", {grid, 1, 1}, {64, 1, 1}, budget, turns, threads);
            CHECK(result.is_complete == (turns != 40'000));
            left.push_back(budget.left());
        }
        CHECK(left[1] == left[0]);
        CHECK(left[2] == left[0]);
    }
}

TEST_CASE("a launch that would just not fit has a timeout with any number of threads", "[counts]") {
    Budget enough(100'000'000);
    REQUIRE(run("counts", {9, 1, 1}, {64, 1, 1}, enough, 20'000).is_complete);
    const std::uint64_t cost = enough.given() - enough.left();
    for (const int threads : {1, 4}) {
        Budget exact(cost), short_by_one(cost - 1);
        CHECK(run("counts", {9, 1, 1}, {64, 1, 1}, exact, 20'000, threads).is_complete);
        const Finding f = only_timeout(run("counts", {9, 1, 1}, {64, 1, 1}, short_by_one, 20'000, threads));
        CHECK(f.limit == cost - 1);
        CHECK(f.kernel == "counts");
        CHECK(short_by_one.is_spent());
    }
}

TEST_CASE("a launch ends when the time is over, says what it did by then, and leaves nothing for others") {
    const std::atomic<bool> is_over = true;
    Budget budget(1'000'000'000);
    const Finding f = only_timeout(run("counts", {4, 1, 1}, {64, 1, 1}, budget, 2'000'000'000, 1, &is_over));
    CHECK(f.reason == FindingReason::time);
    CHECK(f.limit > 0);
    CHECK(f.limit < 10'000);  // the clock is looked at in every round of a block
    CHECK(f.limit < 10'000'000);
    CHECK(budget.is_spent());
}

TEST_CASE("a loop whose state comes round is endless, and one that moves on is not called so") {
    const auto is_endless = [](const char* kernel, int argument) {
        Budget budget(500'000);
        return only_timeout(run(kernel, {4, 1, 1}, {64, 1, 1}, budget, argument)).is_endless;
    };
    CHECK_FALSE(is_endless("counts", 2'000'000'000));
    CHECK(is_endless("halves", 1000));  // a count moves in it, but nothing depends on that
    CHECK(is_endless("turns_inside", 0));
}

TEST_CASE("a loop that was left and is entered again has not come round") {
    Budget budget(500'000);
    CHECK_FALSE(
        only_timeout(run("steps", {4'000'000, 1, 1}, {32, 1, 1}, budget, 1 << 16)).is_endless);  // by other blocks
    Budget of_calls(500'000);
    CHECK_FALSE(only_timeout(run("calls", {1, 1, 1}, {32, 1, 1}, of_calls, 2'000'000'000)).is_endless);
}

TEST_CASE("a loop that decides by what it stores is not called endless by its registers") {
    Budget budget(500'000);
    CHECK_FALSE(only_timeout(run("carries", {1, 1, 1}, {1, 1, 1}, budget, 30)).is_endless);
}

TEST_CASE("a read of what nothing stored, reported before, costs little more than a read") {
    Budget budget(1'000'000);
    const RunResult result = run("reads_unset", {1, 1, 1}, {32, 1, 1}, budget, 1000);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].kind == FindingKind::uninitialized);
    CHECK(result.findings[0].occurrences == 32'000);
    CHECK(result.is_complete);
    CHECK(budget.spent() < 60'000);
}

TEST_CASE("blocks that do nothing cost something, and are named") {
    Budget budget(1'000'000);
    const Finding f = only_timeout(run("nothing", {4'000'000, 1, 1}, {32, 1, 1}, budget, 0));
    CHECK(f.reason == FindingReason::blocks);
    CHECK(f.limit == 4'000'000);
}

TEST_CASE("what each thread has of its own costs something where blocks do nothing with it, and is named") {
    Budget budget(10'000'000);
    const Finding f = only_timeout(run("owns", {200, 1, 1}, {1024, 1, 1}, budget, 0));
    CHECK(f.reason == FindingReason::local);
    CHECK(f.limit == 60'000);
}

TEST_CASE("what a function has of its own costs something where it is called, and in no other block") {
    std::vector<std::uint64_t> spent;
    for (const int calling : {0, 1, 100})
        for (const int threads : {1, 2}) {
            Budget budget(100'000'000);
            CHECK(run("calls_deep", {200, 1, 1}, {32, 1, 1}, budget, calling, threads).is_complete);
            spent.push_back(budget.given() - budget.left());
        }
    CHECK(spent[1] == spent[0]);
    CHECK(spent[3] == spent[2]);
    CHECK(spent[5] == spent[4]);
    CHECK(spent[2] - spent[0] > 60'000);
    CHECK(spent[4] - spent[0] > 99 * (spent[2] - spent[0]));
}

TEST_CASE("nothing is formatted once enough was printed, and it costs all the same") {
    Budget budget(1'000'000);
    const RunResult result = run("prints", {1, 1, 1}, {32, 1, 1}, budget, 1'000'000);
    CHECK(only_timeout(result).reason == FindingReason::prints);
    CHECK(result.output.size() == 100);
}

// A function that returns is no lane that was met: cuda::barrier asks in one, where it is not optimised.
TEST_CASE("who asks in a function for a word of shared memory gives its turn to who stores it") {
    for (const int stores : {0, 31, 33, 95}) {
        Budget budget(4'000'000);
        const RunResult result = run("waits", {1, 1, 1}, {96, 1, 1}, budget, stores);
        INFO(stores);
        CHECK(result.is_complete);
        CHECK(result.counters.warp_instructions < 20'000);
    }
}

// A barrier of many phases: each of them cost as many looks as the first.
TEST_CASE("who has waited at a place of shared memory gives its turn away sooner there") {
    Budget budget(4'000'000);
    const RunResult result = run("in_turn", {1, 1, 1}, {96, 1, 1}, budget, 300);
    CHECK(result.is_complete);
    CHECK(result.counters.warp_instructions < 15'000);
}
