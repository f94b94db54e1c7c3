// Accesses far from everything: near both ends of 64 and 32 bits, before the start of each window, in rows and strides
// that wrap. Each must be a finding, whatever the state space, the width and the lanes; under the sanitizers, the proof
// that nothing else is touched.
#include "vgpu/range.hpp"

#include "support/sample.hpp"
#include "vgpu/exec.hpp"
#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

struct Form {
    const char* text;   // of `%at`, an address; results go to %a, %b, %p1
    const char* kinds;  // findings that are right
};

const Form kForms[] = {
    {"ld.global.u32 %a0, [%at];", "out_of_bounds misaligned"},
    {"ld.global.u8 %a0, [%at];", "out_of_bounds"},
    {"ld.global.v2.b64 {%b0, %b1}, [%at];", "out_of_bounds misaligned"},
    {"ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%at];", "out_of_bounds misaligned"},
    {"ld.const.u32 %a0, [%at];", "out_of_bounds misaligned"},
    {"st.global.u32 [%at], 5;", "out_of_bounds misaligned"},
    {"st.global.v4.u32 [%at], {1, 2, 3, 4};", "out_of_bounds misaligned"},
    {"ld.volatile.global.u64 %b0, [%at];", "out_of_bounds misaligned"},
    {"atom.global.add.u32 %a0, [%at], 1;", "out_of_bounds misaligned"},
    {"atom.global.cas.b64 %b0, [%at], 1, 2;", "out_of_bounds misaligned"},
    {"red.global.add.f32 [%at], 0f3F800000;", "out_of_bounds misaligned"},
    {"ld.shared.u32 %a0, [%at];", "out_of_bounds_shared misaligned"},
    {"ld.shared.u8 %a0, [%at];", "out_of_bounds_shared"},
    {"ld.shared.v4.u32 {%a0, %a1, %a2, %a3}, [%at];", "out_of_bounds_shared misaligned"},
    {"st.shared.u32 [%at], 5;", "out_of_bounds_shared misaligned"},
    {"st.shared.v2.b64 [%at], {1, 2};", "out_of_bounds_shared misaligned"},
    {"atom.shared.add.u32 %a0, [%at], 1;", "out_of_bounds_shared misaligned"},
    {"red.shared.max.u64 [%at], 1;", "out_of_bounds_shared misaligned"},
    {"ld.local.u32 %a0, [%at];", "out_of_bounds_local misaligned"},
    {"st.local.v4.u32 [%at], {1, 2, 3, 4};", "out_of_bounds_local misaligned"},
    {"ld.param.u32 %a0, [%at];", "out_of_bounds misaligned"},
    {"ld.param.v2.b64 {%b0, %b1}, [%at];", "out_of_bounds misaligned"},
    {"ld.u32 %a0, [%at];", "out_of_bounds out_of_bounds_shared out_of_bounds_local misaligned"},
    {"st.u32 [%at], 5;", "out_of_bounds out_of_bounds_shared out_of_bounds_local misaligned"},
    {"atom.add.u32 %a0, [%at], 1;", "out_of_bounds out_of_bounds_shared misaligned"},
    {"mbarrier.init.shared.b64 [%at], 5;", "out_of_bounds_shared misaligned"},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%at], 16;", "out_of_bounds_shared misaligned"},
    {"mbarrier.arrive.shared.b64 %b0, [%at];", "out_of_bounds_shared misaligned"},
    {"mbarrier.test_wait.parity.shared.b64 %p1, [%at], 0;", "out_of_bounds_shared misaligned"},
    {"cp.async.ca.shared.global [%at], [%out], 4;", "out_of_bounds_shared misaligned"},
    {"cp.async.cg.shared.global [%at], [%out], 16;", "out_of_bounds_shared misaligned"},
    {"cp.async.ca.shared.global [%room], [%at], 4;", "out_of_bounds misaligned"},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%at];", "out_of_bounds_shared misaligned"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at], [%out], 16, [%room];",
     "out_of_bounds_shared misaligned"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%room], [%at], 16, [%room];",
     "out_of_bounds misaligned"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%room], [%out], 16, [%at];",
     "out_of_bounds_shared misaligned"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%room], 5, [%at];",
     "out_of_bounds_shared misaligned"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 [%at], {1, 2}, [%room];",
     "out_of_bounds_shared misaligned"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%room], 5, [%at];",
     "out_of_bounds_shared misaligned"},
    {"mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%at], 16;", "out_of_bounds_shared misaligned"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%at], [%room], 4096;", "out_of_bounds misaligned"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%out], [%at], 4096;", "out_of_bounds_shared misaligned"},
};

std::string kernel(const std::string& form) {
    return R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_out, .param .u64 p_first, .param .u64 p_stride)
{
    .reg .pred %p<3>;
    .reg .b32 %t, %a<4>;
    .reg .b64 %wide, %at, %out, %room, %stride, %b<2>;
    .shared .align 16 .b8 room[8192];
    .local .align 16 .b8 own[64];
    ld.param.u64 %out, [p_out];
    ld.param.u64 %at, [p_first];
    ld.param.u64 %stride, [p_stride];
    mov.u32 %t, %tid.x;
    cvt.u64.u32 %wide, %t;
    mad.lo.s64 %at, %wide, %stride, %at;
    mov.u64 %room, room;
    )" + form +
           R"(
    cp.async.wait_all;
    ret;
}
)";
}

// Just before and far past every space; and, of each, both sides of where 32 and 64 bits end.
std::vector<std::uint64_t> places() {
    std::vector<std::uint64_t> all;
    const std::uint64_t ends[] = {
        0, std::uint64_t{1} << 32, std::uint64_t{1} << 63, kParamWindow, kLocalWindow, kSharedWindow};
    for (const std::uint64_t end : ends)
        for (const std::uint64_t before : {1, 4, 8, 16, 128, 4096}) all.push_back(end - before);
    all.push_back(std::uint64_t{1} << 40);
    all.push_back(0x4141414141414140);
    return all;
}

const std::uint64_t kStrides[] = {0,
                                  4,
                                  16,
                                  ~std::uint64_t{0} - 3,
                                  0x7bdef7bdef7bdef8,
                                  0x8421084210842108,
                                  std::uint64_t{1} << 63,
                                  std::uint64_t{1} << 59};

}  // namespace

TEST_CASE("a range check does not wrap") {
    const std::uint64_t end = ~std::uint64_t{0};
    CHECK(inside(0, 0, 0, 0));
    CHECK(inside(4, 4, 4, 8));
    CHECK_FALSE(inside(4, 5, 4, 8));
    CHECK_FALSE(inside(3, 1, 4, 8));
    CHECK_FALSE(inside(8, 1, 4, 8));
    CHECK(inside(8, 0, 4, 8));
    CHECK_FALSE(inside(end - 3, 4, 0, 128));
    CHECK_FALSE(inside(end - 3, 8, 0, 128));
    CHECK_FALSE(inside(16, end, 0, 128));
    CHECK_FALSE(inside(end, end, 0, 128));
    CHECK_FALSE(inside(0, 4, 1, 0));  // a cache that holds nothing yet
}

TEST_CASE("an address far from everything is a finding, in every state space") {
    const test::Part part = test::part_of(1, "addresses far from everything");
    std::size_t number = 0;
    for (const Form& form : kForms) {
        const auto program = load_text(kernel(form.text), "k.cu");
        for (const std::uint64_t place : places()) {
            for (const std::uint64_t stride : kStrides) {
                if (!part.is_in(number++)) continue;
                // A stride may lead some lanes back into a window: one fault is enough, and no crash.
                INFO(form.text << " at 0x" << std::hex << place << ", stride 0x" << stride);
                Bench bench(program);
                const int out = bench.buffer("out", std::vector<std::uint64_t>(1024), true);
                const RunResult result =
                    bench.run("k", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out), place, stride);
                REQUIRE_FALSE(result.findings.empty());
                for (const Finding& f : result.findings) {
                    const bool is_bounds =
                        f.kind == FindingKind::misaligned || to_string(f.kind).starts_with("out_of_bounds");
                    if (is_bounds) CHECK(std::string(form.kinds).find(to_string(f.kind)) != std::string::npos);
                }
            }
        }
    }
}

TEST_CASE("an index below zero is told as what it is") {
    struct Case {
        const char* setup;
        const char* access;
    };
    // 32-bit addresses, as NVRTC writes them; 64-bit ones; generic ones.
    for (const Case& c : std::vector<Case>{
             {"mov.u32 %s, tile;", "ld.shared.u32 %a, [%s+-4];"},
             {"mov.u32 %s, tile; add.s32 %s, %s, -4;", "ld.shared.u32 %a, [%s];"},
             {"mov.u32 %s, tile; add.s32 %s, %s, -8;", "st.shared.u32 [%s+4], 1;"},
             {"mov.u64 %l, tile;", "ld.shared.u32 %a, [%l+-4];"},
             {"mov.u64 %l, tile; cvta.shared.u64 %l, %l;", "st.u32 [%l+-4], 1;"},
             {"mov.u32 %s, tile;", "atom.shared.add.u32 %a, [%s+-4], 1;"},
             {"mov.u64 %l, tile; cvta.shared.u64 %l, %l; add.s64 %l, %l, -4;", "atom.add.u32 %a, [%l], 1;"}}) {
        INFO(c.setup << " " << c.access);
        const std::string text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .b32 %s, %a;
    .reg .b64 %l;
    .shared .align 4 .b8 tile[512];
    .shared .align 4 .b8 other[512];
    )" + std::string(c.setup) + "\n    " +
                                 c.access + "\n    ret;\n}\n";
        Bench bench(load_text(text, "k.cu"));
        const RunResult result = bench.run("k", {1, 1, 1}, {32, 1, 1}, options_with());
        REQUIRE(result.findings.size() >= 1);
        const Finding& f = result.findings[0];
        CHECK(f.kind == FindingKind::out_of_bounds_shared);
        CHECK(f.buffer == "tile");
        CHECK(f.offset_bytes == -4);
        CHECK(f.buffer_bytes == 512);
    }
}

TEST_CASE("shared addresses of 32 bits wrap as they do on a GPU") {
    const std::string text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_out)
{
    .reg .b32 %s, %a;
    .reg .b64 %out;
    .shared .align 4 .b8 tile[512];
    ld.param.u64 %out, [p_out];
    mov.u32 %s, tile;
    add.s32 %s, %s, -64;
    st.shared.u32 [%s+64], 77;
    bar.sync 0;
    ld.shared.u32 %a, [%s+64];
    st.global.u32 [%out], %a;
    ret;
}
)";
    Bench bench(load_text(text, "k.cu"));
    const int out = bench.buffer("out", std::vector<int>(1), false);
    CHECK(findings_of(bench.run("k", {1, 1, 1}, {1, 1, 1}, options_with(), bench.address(out))) == "");
    CHECK(bench.values<int>(out)[0] == 77);
}
