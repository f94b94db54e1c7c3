// What of a run its output needs, on kernels small enough to be followed by hand. One block of 64 threads each: two
// warps. `in` holds 1, 2, 3 ...; a kernel's parameters are in and out.
#include "vgpu/need_slice.hpp"

#include <numeric>

#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

// %r1 is the thread's number, %rd3 and %rd4 point at its elements of in and out.
std::string kernel(const std::string& name, const std::string& body) {
    return ".visible .entry " + name +
           "(.param .u64 a, .param .u64 b)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<30>;\n.reg .f32 %f<9>;\n"
           ".reg .b64 %rd<9>;\n.shared .align 4 .b8 s[1024];\n"
           "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r1, %tid.x;\n"
           "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd3, %rd1, %rd5;\nadd.s64 %rd4, %rd2, %rd5;\n"
           "mov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r4, %r2, %r3;\nsub.s32 %r5, 252, %r3;\n"
           "add.s32 %r6, %r2, %r5;\n" +
           body + "ret;\n}\n";
}

struct Slice {
    Needed needed;
    Counters counters;
};

constexpr std::size_t threads = 64;

Slice slice_of(const std::string& body, int launches = 1) {
    const std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n" + kernel("k", body);
    Bench bench(load_text(ptx, "need.cu"));
    std::vector<int> values(threads);
    std::iota(values.begin(), values.end(), 1);
    const int in = bench.buffer("in", values, true, true), out = bench.buffer("out", std::vector<int>(threads));
    NeedTrace trace(std::make_shared<const NeedPlan>(*bench.program()));
    RunOptions options = options_with();
    options.need = &trace;
    Slice slice;
    for (int i = 0; i < launches; ++i) {
        const RunResult run =
            bench.run("k", {1, 1, 1}, {threads, 1, 1}, options, bench.address(in), bench.address(out));
        CHECK(findings_of(run) == "");
        slice.counters += run.counters;
    }
    slice.needed = find_needed(trace, bench.memory, {out});
    return slice;
}

}  // namespace

TEST_CASE("a load is needed if what it brings is stored") {
    const Slice s =
        slice_of("ld.global.u32 %r7, [%rd3];\nld.volatile.global.u32 %r8, [%rd3];\nst.global.u32 [%rd4], %r7;\n");
    CHECK(s.counters.global_load_requests == 4);
    CHECK(s.needed.whole.global_load_requests == 2);
    CHECK(s.needed.whole.global_load_sectors == 8);
    CHECK(s.needed.whole.global_store_requests == 2);
    REQUIRE(s.needed.launches.size() == 1);
    CHECK(s.needed.launches[0].warps == 2);
    CHECK(s.needed.launches[0].threads == threads);
    CHECK(s.needed.launches[0].input_bytes == 4 * threads);
}

TEST_CASE("of stores to one place the last is needed, and of launches the last that stores") {
    const std::string stores = "st.global.u32 [%rd4], %r1;\nld.global.u32 %r7, [%rd3];\nst.global.u32 [%rd4], %r7;\n";
    const Slice s = slice_of(stores);
    CHECK(s.counters.global_store_requests == 4);
    CHECK(s.needed.whole.global_store_requests == 2);
    const Slice twice = slice_of(stores, 2);
    REQUIRE(twice.needed.launches.size() == 2);
    CHECK_FALSE(twice.needed.launches[0].is_needed());
    CHECK(twice.needed.launches[1].is_needed());
    // What is added to is needed, whoever adds.
    const Slice sums = slice_of("ld.global.u32 %r7, [%rd3];\nred.global.add.u32 [%rd4], %r7;\n", 2);
    CHECK(sums.needed.launches[0].is_needed());
    CHECK(sums.needed.exact.global_atomic_operations == 2 * threads);
}

TEST_CASE("what is added to nothing, or adds nothing, is not needed") {
    // The first warp adds 0.
    const Slice s = slice_of(
        "shr.u32 %r7, %r1, 5;\nred.global.add.u32 [%rd4], %r7;\nld.global.u32 %r8, [%rd3];\n"
        "and.b32 %r9, %r8, 0;\nadd.s32 %r10, %r9, %r1;\nred.global.add.u32 [%rd4], %r10;\n");
    CHECK(s.counters.global_atomic_operations == 2 * threads);
    CHECK(s.needed.exact.global_atomic_operations == threads / 2 + threads - 1);  // thread 0 adds 0 the second time
    CHECK(s.needed.whole.global_load_requests == 0);                              // always and-ed with 0
}

TEST_CASE("a branch that always goes one way needs nothing, one that decides what is stored does") {
    const std::string test = "ld.global.u32 %r7, [%rd3];\nsetp.gt.u32 %p1, %r7, ";
    const std::string rest = ";\n@%p1 bra L;\nst.global.u32 [%rd4], %r1;\nL:\n";
    CHECK(slice_of(test + "100" + rest).needed.whole.global_load_requests == 0);
    const Slice s = slice_of(test + "40" + rest);
    CHECK(s.needed.whole.global_load_requests == 2);
    CHECK(s.counters.divergent_branches == 1);
    CHECK(s.needed.exact.divergent_branches == 1);
    // A branch round nothing diverges for nothing.
    const Slice round_nothing = slice_of(
        "setp.gt.u32 %p1, %r1, 40;\n@%p1 bra L;\nnanosleep.u32 0;\nL:\n"
        "st.global.u32 [%rd4], %r1;\n");
    CHECK(round_nothing.counters.divergent_branches == 1);
    CHECK(round_nothing.needed.exact.divergent_branches == 0);
}

TEST_CASE("of barriers between two accesses one is needed, and none between a thread's own") {
    const std::string load = "ld.global.u32 %r7, [%rd3];\nst.shared.u32 [%r4], %r7;\n";
    const std::string barriers = "bar.sync 0;\nbar.sync 0;\nbar.sync 0;\n";
    // Thread t reads what thread 63 - t has stored.
    const Slice turned = slice_of(load + barriers + "ld.shared.u32 %r8, [%r6];\nst.global.u32 [%rd4], %r8;\n");
    CHECK(turned.counters.barriers == 6);
    REQUIRE(turned.needed.launches.size() == 1);
    CHECK(turned.needed.launches[0].barriers == 6);
    CHECK(turned.needed.launches[0].needed_barriers == 4);  // the first, and the last for its loop
    CHECK(turned.needed.whole.shared_load_requests == 2);
    const Slice own = slice_of(load + barriers + "ld.shared.u32 %r8, [%r4];\nst.global.u32 [%rd4], %r8;\n");
    CHECK(own.needed.launches[0].needed_barriers == 0);
    CHECK(own.needed.is_shared_private);
    CHECK(own.needed.whole.shared_load_requests == 0);
    // It is stored to again: a barrier before the load, and one after it.
    const Slice again =
        slice_of(load + "bar.sync 0;\nld.shared.u32 %r8, [%r6];\nbar.sync 0;\nst.shared.u32 [%r4], %r8;\n" +
                 "bar.sync 0;\nld.shared.u32 %r9, [%r6];\nst.global.u32 [%rd4], %r9;\n");
    CHECK(again.needed.launches[0].needed_barriers == 6);
}

TEST_CASE("a load by a register that holds 0 is needed where what it brings is") {
    const std::string store = "ld.global.u32 %r7, [%rd3];\nst.shared.u32 [%r4], %r7;\nbar.sync 0;\n";
    const std::string rest = "st.global.u32 [%rd4], %r8;\n";
    CHECK(slice_of(store + "ld.shared.u32 %r8, [s+8];\n" + rest).needed.whole.shared_load_requests == 2);
    CHECK(slice_of(store + "ld.shared.u32 %r8, [%r2+8];\n" + rest).needed.whole.shared_load_requests == 2);
}

TEST_CASE("a branch round what changes nothing diverges for nothing") {
    // Thread t adds 0 if t is above 40.
    const std::string load =
        "ld.global.u32 %r7, [%rd3];\nsetp.gt.u32 %p1, %r1, 40;\nshr.u32 %r9, %r1, 6;\n@!%p1 bra L;\n";
    const std::string rest = "L:\nst.global.u32 [%rd4], %r7;\n";
    CHECK(slice_of(load + "add.s32 %r7, %r7, %r9;\n" + rest).needed.exact.divergent_branches == 0);
    CHECK(slice_of(load + "add.s32 %r7, %r7, %r1;\n" + rest).needed.exact.divergent_branches == 1);
}

TEST_CASE("lanes that are not needed are in no conflict") {
    // All lanes of a warp read one bank; only lane 0 stores.
    const Slice s = slice_of(
        "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nshl.b32 %r10, %r1, 7;\nand.b32 %r11, %r10, 255;\n"
        "add.s32 %r12, %r2, %r11;\nld.shared.u32 %r13, [%r12];\nand.b32 %r14, %r1, 31;\nsetp.ne.u32 %p1, %r14, 1;\n"
        "@%p1 bra L;\nst.global.u32 [%rd4], %r13;\nL:\n");
    CHECK(s.counters.shared_load_wavefronts == 4);
    CHECK(s.needed.whole.shared_load_wavefronts == 4);
    CHECK(s.needed.exact.shared_load_wavefronts == 2);
}

TEST_CASE("a shuffle is needed if its value is, and is another lane's") {
    const std::string load = "ld.global.u32 %r7, [%rd3];\n", store = "st.global.u32 [%rd4], %r8;\n";
    CHECK(slice_of(load + "shfl.sync.bfly.b32 %r8|%p1, %r7, 1, 31, -1;\n" + store).needed.exact.shuffles == 2);
    CHECK(slice_of(load + "shfl.sync.bfly.b32 %r8|%p1, %r7, 0, 31, -1;\n" + store).needed.exact.shuffles == 0);
    CHECK(slice_of(load + "shfl.sync.bfly.b32 %r9|%p1, %r7, 1, 31, -1;\nmov.u32 %r8, %r7;\n" + store)
              .needed.exact.shuffles == 0);
}
