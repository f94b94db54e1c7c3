// Copies and arrivals of a warp's lanes: one by one, or several that are side by side as one, the same comes of them.
#include <cstddef>

#include "vgpu/execution_bench.hpp"
#include "vgpu/runtime.hpp"

#include "support/catch.hpp"

using namespace execution;

namespace {

constexpr int kLanes = 32, kRoom = 64, kBefore = 0x77;

const char* const kText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u64 bytes, .param .u64 in, .param .u64 out,
                     .param .u32 lanes)
{
    .reg .pred %p<3>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    .shared .align 16 .b8 room[256];
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    ld.param.u64 %rd3, [bytes];
    ld.param.u64 %rd4, [in];
    ld.param.u64 %rd5, [out];
    ld.param.u32 %r1, [lanes];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, room;
    shl.b32 %r4, %r2, 2;
    add.u32 %r5, %r3, %r4;
    mov.u32 %r6, 0x77;
    st.shared.u32 [%r5], %r6;
    st.shared.u32 [%r5+128], %r6;
    bar.sync 0;
    cvt.u64.u32 %rd6, %r4;
    add.u64 %rd7, %rd1, %rd6;
    ld.global.u32 %r7, [%rd7];
    add.u64 %rd7, %rd2, %rd6;
    ld.global.u32 %r8, [%rd7];
    add.u64 %rd7, %rd3, %rd6;
    ld.global.u32 %r9, [%rd7];
    add.u32 %r10, %r3, %r7;
    cvt.u64.u32 %rd8, %r8;
    add.u64 %rd9, %rd4, %rd8;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra skip;
    cp.async.ca.shared.global [%r10], [%rd9], 4, %r9;
skip:
    cp.async.wait_all;
    bar.sync 0;
    ld.shared.u32 %r11, [%r5];
    ld.shared.u32 %r12, [%r5+128];
    add.u64 %rd10, %rd5, %rd6;
    st.global.u32 [%rd10], %r11;
    st.global.u32 [%rd10+128], %r12;
    ret;
}
.visible .entry arrive(.param .u64 which, .param .u64 out, .param .u32 count)
{
    .reg .pred %p<3>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    .shared .align 8 .b8 objects[16];
    ld.param.u64 %rd1, [which];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, objects;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra set;
    mbarrier.init.shared.b64 [%r3], %r1;
    mbarrier.init.shared.b64 [%r3+8], %r1;
set:
    bar.sync 0;
    shl.b32 %r4, %r2, 2;
    cvt.u64.u32 %rd3, %r4;
    add.u64 %rd4, %rd1, %rd3;
    ld.global.u32 %r5, [%rd4];
    shl.b32 %r6, %r5, 3;
    add.u32 %r7, %r3, %r6;
    mbarrier.arrive.shared.b64 %rd5, [%r7];
    mbarrier.test_wait.shared.b64 %p2, [%r7], %rd5;
    selp.u32 %r8, 1, 0, %p2;
    shr.u64 %rd6, %rd5, 42;
    cvt.u32.u64 %r9, %rd6;
    shl.b32 %r9, %r9, 1;
    or.b32 %r9, %r9, %r8;
    add.u64 %rd7, %rd2, %rd3;
    st.global.u32 [%rd7], %r9;
    ret;
}
)";

std::shared_ptr<const Program> program() {
    static const auto loaded = load_text(kText, "async.cu");
    return loaded;
}

struct Copies {
    std::vector<int> to, from, bytes;  // of each lane
    int lanes = kLanes;
};

// Lane by lane, as PTX says it.
std::vector<int> expected(const Copies& copies, const std::vector<int>& in) {
    std::vector<int> room(kRoom, kBefore);
    for (int lane = 0; lane < copies.lanes; ++lane) {
        int value = 0;
        std::memcpy(&value, reinterpret_cast<const char*>(in.data()) + copies.from[at(lane)],
                    static_cast<std::size_t>(copies.bytes[at(lane)]));
        room[at(copies.to[at(lane)] / 4)] = value;
    }
    return room;
}

template <class F>
std::vector<int> each_lane(F&& f) {
    std::vector<int> values(kLanes);
    for (int lane = 0; lane < kLanes; ++lane) values[at(lane)] = f(lane);
    return values;
}

}  // namespace

TEST_CASE("what cp.async brings is the same whether its lanes' bytes are side by side or not") {
    const std::vector<int> in = numbers(256, 5, 1 << 30);
    const auto row = each_lane([](int lane) { return 4 * lane; });
    const auto whole = each_lane([](int) { return 4; }), none = each_lane([](int) { return 0; });
    const std::vector<Copies> all{
        {row, row, whole},
        {row, row, none},
        {row, row, whole, 19},
        {row, row, none, 7},
        {each_lane([](int lane) { return 4 * (63 - lane); }), row, whole},
        {row, each_lane([](int lane) { return 4 * (7 * lane % 200); }), whole},
        {row, row, each_lane([](int lane) { return lane < 11 ? 4 : 0; })},
        {row, row, each_lane([](int lane) { return lane % 5; })},
        {each_lane([](int lane) { return 4 * (lane + (lane > 8 ? 3 : 0) + (lane > 20 ? 9 : 0)); }), row, whole, 30},
        {each_lane([](int lane) { return 4 * (lane ^ 1); }), row, each_lane([](int lane) { return lane % 3 ? 4 : 0; })},
        {row, each_lane([](int) { return 12; }), whole},
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO("copies " << i);
        const Copies& one = all[i];
        Bench bench(program());
        const int out = bench.buffer("out", std::vector<int>(kRoom, -1));
        const int to = bench.buffer("to", one.to), from = bench.buffer("from", one.from),
                  bytes = bench.buffer("bytes", one.bytes), source = bench.buffer("in", in);
        const RunResult result =
            bench.run("copy", {1, 1, 1}, {kLanes, 1, 1}, options_with(), bench.address(to), bench.address(from),
                      bench.address(bytes), bench.address(source), bench.address(out), one.lanes);
        CHECK(findings_of(result).empty());
        CHECK(bench.values<int>(out) == expected(one, in));
    }
}

TEST_CASE("lanes that go on where others end are one copy, and each of them is what it was alone") {
    const char source[64]{};
    const auto copy_of = [&](std::uint32_t to, int from, int lane, std::uint32_t bytes = 4) {
        return AsyncCopy{to, 4, bytes, 9, from < 0 ? nullptr : source + from, lane};
    };
    AsyncCopy copies = copy_of(16, 8, 3);
    CHECK(copies.take(copy_of(20, 12, 4)));
    CHECK_FALSE(copies.take(copy_of(28, 16, 5)));     // not side by side in shared memory
    CHECK_FALSE(copies.take(copy_of(24, 20, 5)));     // nor here in global memory
    CHECK_FALSE(copies.take(copy_of(24, 16, 6)));     // a lane between them does something else
    CHECK_FALSE(copies.take(copy_of(24, 16, 5, 2)));  // reads less
    CHECK_FALSE(copies.take(copy_of(24, -1, 5, 0)));
    CHECK(copies.take(copy_of(24, 16, 5)));
    CHECK(copies.lanes == 3);
    CHECK(copies.end() == 28);
    const AsyncCopy last = copies.of_lane(2);
    CHECK((last.to == 24 && last.from == source + 16 && last.lane == 5 && last.lanes == 1 && last.site == 9));

    AsyncCopy parts = copy_of(16, 8, 3, 2);
    CHECK_FALSE(parts.take(copy_of(20, 12, 4, 2)));
    AsyncCopy zeros = copy_of(16, -1, 3, 0);
    CHECK(zeros.take(copy_of(20, -1, 4, 0)));
    CHECK(zeros.of_lane(1).from == nullptr);
}

TEST_CASE("lanes arrive one after the other, at whichever mbarrier, and a phase may end between two of them") {
    struct Kind {
        const char* name;
        std::vector<int> which;  // object of each lane
        int count;               // of arrivals that a phase waits for
    };
    for (const Kind& kind : {Kind{"one object", each_lane([](int) { return 0; }), 32},
                             Kind{"halves", each_lane([](int l) { return l / 16; }), 16},
                             Kind{"in turn", each_lane([](int l) { return l % 2; }), 16},
                             Kind{"three phases", each_lane([](int) { return 0; }), 10},
                             Kind{"in turn, three phases", each_lane([](int l) { return l % 2; }), 6}}) {
        INFO(kind.name);
        Bench bench(program());
        const int which = bench.buffer("which", kind.which), out = bench.buffer("out", std::vector<int>(kLanes, -1));
        const RunResult result = bench.run("arrive", {1, 1, 1}, {kLanes, 1, 1}, options_with(), bench.address(which),
                                           bench.address(out), kind.count);
        CHECK(findings_of(result).empty());
        // [phase : 1][0][pending arrivals : 20] before its own arrival, and whether that phase has ended when all are
        // there.
        int arrived[2]{}, ended[2]{};
        std::vector<int> before(kLanes), phase(kLanes);
        for (std::size_t lane = 0; lane < before.size(); ++lane) {
            const int object = kind.which[lane];
            phase[lane] = arrived[object] / kind.count;
            before[lane] = (phase[lane] % 2) << 21 | (kind.count - arrived[object] % kind.count);
            ended[object] = ++arrived[object] / kind.count;
        }
        for (std::size_t lane = 0; lane < before.size(); ++lane) {
            // One bit tells the phases apart: two later looks like none.
            const int is_over = (ended[kind.which[lane]] - phase[lane]) % 2;
            before[lane] = before[lane] << 1 | is_over;
        }
        CHECK(bench.values<int>(out) == before);
    }
}

TEST_CASE("an atomic operation draws where something comes of its value") {
    const auto drawing = load_text(R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "draws.cu"
.visible .entry draw(.param .u64 p)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<5>;
    .loc 1 11 3
    ld.param.u64 %rd1, [p];
    .loc 1 12 3
    atom.global.add.u32 %r1, [%rd1], 1;
    .loc 1 13 3
    atom.global.add.u32 %r2, [%rd1+4], 1;
    .loc 1 14 3
    st.global.u32 [%rd1+8], %r2;
    .loc 1 15 3
    red.global.add.u32 [%rd1+12], 1;
    ret;
}
)",
                                   "draws.cu");
    CHECK(lines_that_draw(*drawing) == std::set<int>{13});
}
