// Instructions whose operands do not fit are refused before anything looks at them, as the learner's fault where they
// come from an asm(), and what NVIDIA's assembler takes is not called a fault.
#include "vgpu/operand_forms.hpp"

#include <set>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/ops/table.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;

namespace {

std::string module_with(const std::string& lines, bool in_asm) {
    return R"(.version 8.7
.target sm_90
.address_size 64
.global .align 4 .b8 table[64];
.func (.param .b32 result) twice(.param .b32 value)
{
    .reg .b32 %r<2>;
    ld.param.b32 %r0, [value];
    add.s32 %r0, %r0, %r0;
    st.param.b32 [result], %r0;
    ret;
}
.visible .entry other()
{
    ret;
}
.visible .entry k(.param .u64 p_out, .param .u32 p_n)
{
    .reg .pred %p<4>;
    .reg .b8 %b<4>;
    .reg .b16 %rs<4>;
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<8>;
    .reg .f64 %fd<4>;
    .reg .b128 %q<2>;
    .shared .align 16 .b8 room[1024];
    .local .align 16 .b8 own[64];
    .param .b32 argument, answer;
    .param .b8 bytes[12];
)" + std::string(in_asm ? "    // begin inline asm\n" : "") +
           lines + std::string(in_asm ? "\n    // end inline asm" : "") + "\n    ret;\n}\n";
}

// The code and the blame of what load() says, or "".
std::string answer(const std::string& lines, bool in_asm = true) {
    const auto module = ptx::parse(module_with(lines, in_asm));
    if (!module.ok()) return "does not parse: " + module.error().title;
    const auto program = vgpu::load(*module, "k.cu");
    if (program.ok()) return {};
    return program.error().code + (program.error().blame == Blame::learner ? " learner" : " kit");
}

// As it stands, or with one of the words that a row's key goes without.
bool is_spelled(ptx::Instruction in) {
    if (vgpu::spelling_problem(in).empty()) return true;
    for (const char* word : {"rn", "approx", "full", "clamp", "wrap", "b32", "aligned"}) {
        in.modifiers.insert(in.modifiers.begin(), word);
        if (vgpu::spelling_problem(in).empty()) return true;
        in.modifiers.erase(in.modifiers.begin());
    }
    return false;
}

}  // namespace

TEST_CASE("operands that do not fit are the fault of who wrote the asm") {
    for (const char* line : {
             "mov.u32 1, 2;",
             "mov.u32 %r1;",
             "mov.u32;",
             "mov %r1, 5;",
             "mov.foo %r1, 5;",
             "mov.u8 %b1, 1;",
             "mov.u64 %r1, 5;",
             "mov.u32 %r1, %rd1;",
             "mov.u32 %p1, 1;",
             "mov.u64 %p1, 1;",
             "mov.pred %r1, 1;",
             "mov.pred %r1, %p1;",
             "mov.b64 %rd1, {};",
             "mov.b64 %rd1, {%r1};",
             "mov.b64 %rd1, {%r1, %r2, %r3};",
             "mov.b64 %rd1, {%rs1, %rs2};",
             "mov.b16 %rs1, {%b0, %b1, %b2, %b3};",
             "mov.b64 {%r1, %rs2}, %rd1;",
             "mov.b64 {%r1, 5}, %rd1;",
             "mov.b64 {%r1, %p1}, %rd1;",
             "mov.b32 %r1, {%rs1, _};",
             "mov.f32 %f1, 1;",
             "mov.b32 %r1, 1.5;",
             "mov.u32 %r1, [%rd1];",
             "mov.u32 %r1, !%r2;",
             "mov.u64 %rd1, %tid.x;",
             "mov.u32 %r1, %laneindex;",
             "mov.u32 _, 5;",
             "mov.b32 %q1, 5;",
             "add.u32 %rd1, %r1, %r2;",
             "add.u32 %r1, %rs1, %r2;",
             "add.u32 %r1, %r2;",
             "add.u32 %r1, %r2, %r3, %r1;",
             "add.u32 %r1, %p1, 5;",
             "add.u32 %p1, %r1, 5;",
             "add.u32 %r1, {%r2, %r3}, 5;",
             "add.u32 %r1, %tid.x, 5;",
             "add.u32 %r1, room, 5;",
             "add.f32 %f1, %f2, 1;",
             "add.u32 %r1, %r2, 1.0;",
             "add.u32 %r1, _, 5;",
             "mul.wide.u32 %r1, %r2, 5;",
             "shl.b64 %rd1, %rd2, %rd3;",
             "cvt.u64.u32 %rd1, %rs2;",
             "cvt.u32.u64 %p1, %rd1;",
             "setp.eq.u32 1, 2, 3;",
             "setp.eq.u32 %r1, %r2, 3;",
             "setp.eq.u32 %p1|%r1, %r2, 3;",
             "setp.eq.and.u32 %p1, %r1, 3, %r2;",
             "selp.b32 %r1, 1, 2, %r2;",
             "not.pred %r1, %p1;",
             "and.pred %p1, %p2, %r1;",
             "cvta.shared.u64 1, %rd2;",
             "cvta.shared.u64 %r1, %rd2;",
             "cvta.shared.u64 %rd1, %r2;",
             "cvta.u64 %rd1, %rd2;",
             "cvta.shared.u64 %p1, %rd2;",
             "isspacep %p1, %rd1;",
             "isspacep.shared %r1, %rd1;",
             "isspacep.shared %p1, %rs1;",
             "isspacep.shared;",
             "shfl.sync.idx.b32 %rd1, %r2, 1, 31, -1;",
             "shfl.sync.idx.b32 %r1, %r2, 1, 31;",
             "shfl.sync.idx.b32 %r1|%r3, %r2, 1, 31, -1;",
             "shfl.sync.idx.b32 1, 2, 3, 4, 5;",
             "shfl.sync.idx.b32;",
             "vote.sync.ballot.b32 1, 2, 3;",
             "vote.sync.any.pred 1, 2, 3;",
             "vote.sync.any.pred %r1, %p1, -1;",
             "vote.sync.ballot.b32 %p1, %p2, -1;",
             "vote.sync.any.pred %p1, %r1, -1;",
             "vote.sync.any.pred;",
             "match.any.sync.b64 %r1, %r2, -1;",
             "match.all.sync.b32 %r1|%r2, %r3, -1;",
             "match.any.sync.b32;",
             "redux.sync.add.s32 %rd1, %r2, -1;",
             "redux.sync.add.s32 %r1, %rd2, -1;",
             "elect.sync %p1, -1;",
             "elect.sync %r1, -1;",
             "elect.sync %r1|%r2, -1;",
             "elect.sync;",
             "elect.sync %p2|%p1, -1;",
             "activemask.b32 %p1;",
             "activemask.b32;",
             "bar.sync;",
             "bar.sync %rd1;",
             "bar.sync 0, 1, 2;",
             "bar.arrive 0;",
             "bar.red.popc.u32;",
             "bar.red.popc.u32 %p1, 0, %p2;",
             "bar.red.popc.u32 1, 0, %p2;",
             "bar.red.and.pred %r1, 0, %p2;",
             "bar.red.and.pred;",
             "bar.red.or.pred %p1, 0, %r1;",
             "bar.warp.sync;",
             "bar.warp.sync %rd1;",
             "barrier.sync;",
             "bra 7;",
             "bra %r1;",
             "bra room;",
             "bra;",
             "brx.idx %r1, 5;",
             "brx.idx 5, room;",
             "@%r1 ret;",
             "@%rd1 add.u32 %r1, %r2, 1;",
             "ret 5;",
             "exit 5;",
             "trap 5;",
             "membar.gl 5;",
             "call;",
             "call 5;",
             "call room;",
             "call table;",
             "call other;",
             "call twice;",
             "call (answer), twice;",
             "call (answer), twice, (argument, argument);",
             "call (answer), twice, (room);",
             "call (answer, argument), twice, (argument);",
             "call (answer), %r1, (argument);",
             "call (answer), %p1, (argument);",
             "call (5);",
             "nanosleep.u32 %rd1;",
             "ld.global.u32 %rs1, [%rd2];",
             "ld.global.u32 %p1, [%rd2];",
             "ld.global.u32 1, [%rd2];",
             "ld.global.u32 %r1, 5;",
             "ld.global.u32 %r1, %rd1;",
             "ld.global.u32 %r1, [%p1];",
             "ld.global.u32 %r1, [%rs1];",
             "ld.global.u32 _, [%rd1];",
             "ld.global %r1, [%rd1];",
             "ld.global.u32 %r1;",
             "ld.global.u32;",
             "ld.global.v2.u32 %r1, [%rd1];",
             "ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];",
             "ld.global.v4.u32 {%r1, %r2}, [%rd1];",
             "ld.global.v2.u32 {%r1, 5}, [%rd1];",
             "ld.global.u32 {}, [%rd1];",
             "ld.global.u32 {%r1, %r2}, [%rd1];",
             "ld.global.u32 %r1, [room];",
             "ld.shared.u32 %r1, [own];",
             "ld.shared.u32 %r1, [table];",
             "ld.local.u32 %r1, [room];",
             "ld.shared.u32 %r1, [p_out];",
             "ld.param.u32 %r1, [room];",
             "ld.param.u32 %r1, [table];",
             "st.param.u32 [p_n], 5;",
             "st.global.u32 [%rd1], %p1;",
             "st.global.u32 [%rd1], %rs1;",
             "st.global.u32 [%rd1], 1.5;",
             "st.global.v2.u32 [%rd1], {1};",
             "st.global.u32 [%rd1], room;",
             "st.global.u32 5, 5;",
             "st.global.u32 [%rd1];",
             "ld.param.u64 %rd1, [p_n];",
             "ld.param.u32 %r1, [p_n+4];",
             "ld.param.u64 %rd1, [p_out+8];",
             "ld.param.u32 %r1, [p_out+-4];",
             "ld.param.u32 %r1, [p_out+65536];",
             "ld.param.u32 %r1, [p_out+18446744073709551612];",
             "st.param.b32 [argument+4], %r1;",
             "st.param.b64 [argument], %rd1;",
             "st.param.b32 [argument+-4], %r1;",
             "st.param.b32 [bytes+12], %r1;",
             "st.param.b32 [bytes+9223372036854775807], %r1;",
             "st.param.v2.b32 [bytes+8], {%r1, %r2};",
             "ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [bytes];",
             "ld.param.b32 %r1, [bytes+2147483648];",
             "atom.global.add.u32 %rd1, [%rd1], 5;",
             "atom.global.add.u32 %r1, [%rd1], %rd2;",
             "atom.global.add.u32 %p1, [%rd1], 5;",
             "atom.global.add.u32 1, [%rd1], 5;",
             "atom.global.cas.b32 %r1, [%rd1], 5;",
             "atom.global.add.u32 %r1, [%rd1], 5, 6;",
             "atom.global.add.u32 %r1, %rd1, 5;",
             "atom.global.add %r1, [%rd1], 5;",
             "atom.global.add.f32 %f1, [%rd1], 1;",
             "red.global.add.u32 [%rd1], 5, 6;",
             "red.global.add.u32 [%rd1], %p1;",
             "red.global.add.u32;",
             "mbarrier.init.shared.b64 [%r1];",
             "mbarrier.init.shared.b64 %r1, 5;",
             "mbarrier.init.shared.b64 [%r1], %rd1;",
             "mbarrier.arrive.shared.b64 %r2, [%r1];",
             "mbarrier.arrive.shared.b64 %p2, [%r1];",
             "mbarrier.arrive.shared.b64 [%r1];",
             "mbarrier.test_wait.shared.b64 %r1, [%r1], %rd1;",
             "mbarrier.test_wait.shared.b64 %p1, [%r1], %r1;",
             "mbarrier.try_wait.parity.shared.b64 %p1, [%r1];",
             "mbarrier.init;",
             "cp.async.ca.shared.global [%r1], [%rd1], %r2;",
             "cp.async.ca.shared.global [%r1], [%rd1], 5;",
             "cp.async.ca.shared.global [%r1], [%rd1];",
             "cp.async.ca.shared.global %r1, %rd1, 4;",
             "cp.async.wait_group %r1;",
             "cp.async.wait_group;",
             "cp.async.wait_all 5;",
             "cp.async.ca.shared.global [%r1], [%rd1], 4294967300;",
             "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %rd1;",
             "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1];",
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16;",
             "prefetch.global.L1 %rd1;",
             "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];",
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%rd1}, [%r2];",
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, %r2;",
             "stmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];",
             "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %rd2;",
             "createpolicy.fractional.L2::evict_last.b64 %r1, 1.0;",
             "ld.global.L2::cache_hint.u32 %r1, [%rd1], %r2;",
             "frobnicate.u32 %r1;",
             "addd.s32 %r1, %r2, 5;",
             "add.s33x %r1, %r2, 5;",
             "ld.global.foo.u32 %r1, [%rd1];",
         }) {
        INFO(line);
        CHECK(answer(line) == "ptx_syntax learner");
        // Outside of an asm, such a thing was not written by the learner.
        const std::string other = answer(line, false);
        CHECK((other == "ptx_syntax kit" || other == "unsupported kit" || other.empty()));
    }
}

TEST_CASE("what the assembler takes is not called a fault") {
    for (const char* line : {
             "mov.u32 %r1, 5;",
             "mov.b32 %r1, 0f3F800000;",
             "mov.f64 %fd1, 0f3F800000;",
             "mov.f32 %f1, 0d3FF0000000000000;",
             "mov.u16 %rs1, %tid.x;",
             "mov.u32 %r1, %gridid;",
             "mov.u32 %r1, room;",
             "mov.u64 %rd1, room;",
             "mov.u64 %rd1, room+4;",
             "mov.u64 %rd1, table;",
             "mov.u64 %rd1, twice;",
             "mov.b64 %rd1, {%r1, 5};",
             "mov.b64 {%r1, _}, %rd1;",
             "mov.b32 %r1, {%b1, %b2, %b3, %b0};",
             "mov.b32 {%rs1, %rs2}, %r1;",
             "mov.b32 {%rs1, %rs2}, %f1;",
             "mov.pred %p1, !%p2;",
             "mov.pred %p1, 1;",
             "mov.u64 %rd1, %clock64;",
             "mov.u32 %r1, %clock;",
             "add.f32 %r1, %r2, 0f3F800000;",
             "add.f32 %f1, %f2, 1.0;",
             "cvt.u64.u32 %rd1, %rd2;",
             "cvt.u32.u8 %r1, %r2;",
             "cvt.u64.u32 %rd1, %tid.x;",
             "cvt.u32.u16 %r1, 5;",
             "setp.eq.u32 _|%p2, %r1, 5;",
             "setp.eq.u32 %p1|_, %r1, 5;",
             "setp.eq.u32 _, %r1, 5;",
             "setp.eq.and.u32 %p1, %r1, 3, !%p2;",
             "setp.eq.and.u32 %p1, %r1, 3, 1;",
             "selp.b32 %r1, 1, 2, !%p1;",
             "cvta.shared.u64 %rd1, room;",
             "cvta.to.shared.u64 %rd1, %rd2;",
             "cvta.shared.u64 %rd1, 5;",
             "isspacep.shared %p1, %rd1;",
             "isspacep.global %p1, %r1;",
             "shfl.sync.idx.b32 %f1, %f2, 1, 31, -1;",
             "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;",
             "shfl.sync.idx.b32 %r1|_, %r2, 1, 31, -1;",
             "shfl.sync.idx.b32 %r1, 5, 1, 31, -1;",
             "vote.sync.any.pred %p1, !%p2, -1;",
             "vote.sync.ballot.b32 %r1, 1, -1;",
             "match.all.sync.b32 %r1|%p1, %r2, -1;",
             "match.all.sync.b32 %r1, %r2, -1;",
             "match.any.sync.b64 %r1, %rd2, -1;",
             "redux.sync.add.s32 %r1, 5, -1;",
             "elect.sync _|%p1, -1;",
             "bar.sync %r1, 64;",
             "bar.red.popc.u32 %r1, 0, !%p1;",
             "bar.red.popc.u32 %r1, 0, 64, %p1;",
             "bar.red.popc.u32 %r1, 0, 1;",
             "bar.red.and.pred %p1, 0, %p2;",
             "bar.warp.sync -1;",
             "barrier.sync.aligned 0;",
             "@!%p1 bra away; away:",
             "bra.uni away; away:",
             "membar.gl;",
             "fence.sc.gpu;",
             "fence.proxy.async;",
             "nanosleep.u32 5;",
             "prefetch.global.L1 [%rd1];",
             "brkpt;",
             "pmevent 1;",
             "ld.global.u32 %rd1, [%rd2];",
             "ld.global.u8 %b1, [%rd2];",
             "ld.global.f32 %rd1, [%rd2];",
             "ld.global.b32 %f1, [%rd2];",
             "ld.global.u32 {%r1}, [%rd1];",
             "ld.global.v2.u32 {%r1, _}, [%rd1];",
             "ld.shared.u32 %r1, [%r2];",
             "ld.shared.u32 %r1, [%rd2];",
             "ld.shared.u32 %r1, [room+8];",
             "ld.global.u32 %r1, [table];",
             "ld.local.u32 %r1, [16];",
             "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd1];",
             "ld.global.nc.L2::cache_hint.u32 %r1, [%rd1], %rd2;",
             "st.global.u8 [%rd1], %r1;",
             "st.global.v2.u32 [%rd1], {1, 2};",
             "st.global.u32 [%rd1], {5};",
             "st.param.b32 [bytes+8], %r1;",
             "ld.param.u32 %r1, [p_out+4];",
             "ld.param.u32 %r1, [p_n];",
             "st.param.b32 [argument], %r1; call (answer), twice, (argument); ld.param.b32 %r1, [answer];",
             "atom.global.add.u32 _, [%rd1], 5;",
             "atom.global.cas.b32 %r1, [%rd1], 5, 6;",
             "red.global.add.f32 [%rd1], 0f3F800000;",
             "mbarrier.arrive.shared.b64 _, [%r1];",
             "mbarrier.arrive.shared.b64 %rd1, [%r1], 5;",
             "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 1, 100;",
             "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 16;",
             "cp.async.ca.shared.global [%r1], [%rd1], 4, %r2;",
             "cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16;",
             "cp.async.wait_group 1;",
             "cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [%r1+32], 16;",
             "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [room], 16;",
             "cp.async.bulk.wait_group.read 0;",
             "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 4, %rd2;",
             "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 4, %r2, %rd2;",
             "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;",
             "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %rd1;",
             "ld.global.L2::cache_hint.v2.u32 {%r1, %r2}, [%rd1], %rd2;",
             "st.global.L2::cache_hint.u32 [%rd1], %r2, %rd2;",
             "mbarrier.arrive_drop.shared.b64 _, [%r1];",
             "mbarrier.arrive_drop.shared.b64 %rd1, [%r1], 2;",
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];",
             "ldmatrix.sync.aligned.m8n8.x4.trans.b16 {%r1, %r2, %r3, %r4}, [%rd1];",
             "stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [%r1], {%r2, %r3};",
             "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;",
         }) {
        INFO(line);
        CHECK(answer(line) == "");
    }
}

TEST_CASE("what PTX has no spelling for is not called a gap of the virtual GPU") {
    for (const char* line : {
             "add.u32.u32.u32.u32 %r1, %r2, %r3;",
             "add.u32.s32 %r1, %r2, %r3;",
             "add %r1, %r2, %r3;",
             "add.u8 %b1, %b2, %b3;",
             "add.b32 %r1, %r2, %r3;",
             "add.rz.u32 %r1, %r2, %r3;",
             "add.sat.u32 %r1, %r2, %r3;",
             "add.lo.u32 %r1, %r2, %r3;",
             "add.relu.u32 %r1, %r2, %r3;",
             "add.rn.rz.f32 %f1, %f2, %f3;",
             "add.approx.f32 %f1, %f2, %f3;",
             "add.ftz.f64 %fd1, %fd2, %fd3;",
             "add.global.u32 %r1, %r2, %r3;",
             "add.u32 %f1, %f2, %f3;",
             "add.u32 5, %r1, %r2;",
             "mul.u32 %r1, %r2, %r3;",
             "mul.wide.u64 %rd1, %rd2, %rd3;",
             "mul.lo.hi.u32 %r1, %r2, %r3;",
             "mul.lo.f32 %f1, %f2, %f3;",
             "mad.u32 %r1, %r2, %r3, %r4;",
             "fma.f32 %f1, %f2, %f3, %f0;",
             "fma.rn.u32 %r1, %r2, %r3, %r4;",
             "div.approx.u32 %r1, %r2, %r3;",
             "div.f32 %f1, %f2, %f3;",
             "rem.f32 %f1, %f2, %f3;",
             "sqrt.f32 %f1, %f2;",
             "rsqrt.f32 %f1, %f2;",
             "sin.f32 %f1, %f2;",
             "sin.approx.f64 %fd1, %fd2;",
             "abs.u32 %r1, %r2;",
             "min.b32 %r1, %r2, %r3;",
             "and.u32 %r1, %r2, %r3;",
             "not.f32 %f1, %f2;",
             "shl.u32 %r1, %r2, %r3;",
             "shf.b32 %r1, %r2, %r3, %r4;",
             "popc.u32 %r1, %r2;",
             "brev.u32 %r1, %r2;",
             "selp.pred %p1, %p2, %p3, %p0;",
             "setp.u32 %p1, %r1, %r2;",
             "setp.lo.s32 %p1, %r1, %r2;",
             "setp.lt.b32 %p1, %r1, %r2;",
             "setp.ltu.u32 %p1, %r1, %r2;",
             "set.eq.u32 %r1, %r2, %r3;",
             "cvt.u8.f32 %r1, %f2;",
             "cvt.s32.f32 %r1, %f2;",
             "cvt.rn.s32.f32 %r1, %f2;",
             "cvt.f32.s32 %f1, %r2;",
             "cvt.rni.f32.s32 %f1, %r2;",
             "cvt.f32.f64 %f1, %fd2;",
             "cvt.rn.u32.u16 %r1, %rs2;",
             "cvt.u32 %r1, %r2;",
             "cvt.b32.u32 %r1, %r2;",
             "ld.global.rn.u32 %r1, [%rd1];",
             "ld.global.shared.u32 %r1, [%rd1];",
             "ld.relaxed.global.u32 %r1, [%rd1];",
             "ld.shared.nc.u32 %r1, [%r2];",
             "ld.shared.u32 %r1, [16];",
             "ld.global.v2.v4.u32 {%r1, %r2}, [%rd1];",
             "st.global.nc.u32 [%rd1], %r1;",
             "st.acquire.gpu.global.u32 [%rd1], %r1;",
             "st.global.u32 [%rd1], %f1;",
             "ld.global.L2::cache_hint.u32 %r1, [%rd1];",
             "atom.global.u32 %r1, [%rd1], %r2;",
             "atom.global.sub.u32 %r1, [%rd1], %r2;",
             "red.global.exch.b32 [%rd1], %r2;",
             "red.global.cas.b32 [%rd1], %r2, %r3;",
             "bar %r1;",
             "bar.red.u32 %r1, 0, %p1;",
             "shfl.idx.b32 %r1, %r2, 1, 31;",
             "shfl.sync.b32 %r1, %r2, 1, 31, -1;",
             "shfl.sync.idx.u32 %r1, %r2, 1, 31, -1;",
             "vote.any.pred %p1, %p2;",
             "vote.sync.any.b32 %r1, %p2, -1;",
             "match.any.b32 %r1, %r2;",
             "redux.sync.add.b32 %r1, %r2, -1;",
             "activemask.u32 %r1;",
             "cp.async.shared.global [%r1], [%rd1], 4;",
             "mbarrier.arrive.shared _, [%r1];",
             "ldmatrix.m8n8.x1.shared.b16 {%r1}, [%r2];",
             "fence.sc;",
             "membar.shared;",
         }) {
        INFO(line);
        CHECK(answer(line) == "ptx_syntax learner");
    }
    // What PTX has, and the virtual GPU does not; the assembler reads modifiers in other orders, too.
    for (const char* line :
         {"add.rn.f32x2 %rd1, %rd2, %rd3;", "add.u32.cc %r1, %r2, %r3;", "add.f32.f16 %f1, %rs2, %f3;",
          "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;", "cvt.rna.tf32.f32 %r1, %f1;",
          "cvt.pack.sat.u16.s32 %r1, %r2, %r3;", "mul.rn.f32x2 %rd1, %rd2, %rd3;",
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r1], 16;",
          "mbarrier.pending_count.b64 %r1, %rd1;", "mov.b128 {%rd1, %rd2}, %q1;",
          "fma.rn.oob.f16 %rs1, %rs2, %rs3, %rs0;"}) {
        INFO(line);
        CHECK(answer(line) == "unsupported kit");
    }
}

TEST_CASE("a gap of the virtual GPU is not the learner's") {
    for (const char* line :
         {"wgmma.fence.sync.aligned;", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
          "cp.async.ca.shared.global [%r1], [%rd1], 4, %p1;", "mov.v2.u32 {%r1, %r2}, {%r3, %r4};",
          "ld.u32 %r1, [room];", "call (%r1), twice, (%r2);",
          "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd0}, {%fd1, %fd2};"}) {
        INFO(line);
        CHECK(answer(line) == "unsupported kit");
    }
    // Wider than anything that is kept for a lane, wherever its value would come from.
    for (const char* line : {"ld.param.u32 %q0, [p_n];", "ld.param.u64 %q1, [p_out];", "@%p0 ld.param.u32 %q0, [p_n];"})
        CHECK(answer(line) == "unsupported kit");
    for (const char* line :
         {"mov.u32 %q0, %tid.x;", "mov.u32 %q0, %nctaid.x;", "cvt.u64.u32 %q0, %r0;", "ld.shared.b32 %q0, [room];",
          "mov.b32 %q0, 7;", "add.u32 %r0, %q0, 1;", "ld.global.v2.b32 {%q0, %r1}, [%rd0];"})
        CHECK_FALSE(answer(line).empty());
}

TEST_CASE("PTX has every word of the opcode table") {
    // Rows that lowering names by itself.
    const std::set<std::string> own{"frame", "generic", "resize",  "pack",    "unpack", "guard",   "divisor",
                                    "poll",  "tell",    "special", "nothing", "clock",  "clock64", "begin",
                                    "end",   "wait",    "shared",  "global",  "cluster"};
    for (const vgpu::OpEntry* row : vgpu::op_table().rows()) {
        ptx::Instruction in;
        std::string word;
        for (const char c : row->key + ".") {
            if (c != '.') {
                word += c;
                continue;
            }
            if (in.opcode.empty())
                in.opcode = word;
            else if (!own.contains(word))
                in.modifiers.push_back(word);
            word.clear();
        }
        if (own.contains(in.opcode)) continue;
        INFO(row->key);
        CHECK(vgpu::unknown_word(in) == "");
        // Rows that are spelled as PTX is, but for what lowering leaves out: the default rounding and the like.
        if (row->signature.find('=') != std::string::npos) CHECK(is_spelled(in));
    }
}

TEST_CASE("what asks for more than there is, is refused with what it asks for") {
    const auto refused = [](const std::string& text) {
        const auto module = ptx::parse(".version 8.7\n.target sm_90\n.address_size 64\n" + text);
        if (!module.ok()) return "does not parse: " + module.error().title;
        const auto program = vgpu::load(*module, "k.cu");
        if (program.ok()) return std::string();
        CHECK(program.error().blame == Blame::learner);
        return program.error().code;
    };
    CHECK(refused(".entry k() { .local .b8 a[524289]; ret; }") == "too_large");
    CHECK(refused(".entry k() { .local .b8 a[524288]; ret; }") == "");
    CHECK(refused(".entry k() { .local .b8 a[400000], b[400000]; ret; }") == "too_large");
    CHECK(refused(".entry k() { .local .b8 a[4294967297]; ret; }") == "too_large");
    CHECK(refused(".entry k() { .shared .b8 a[4294967297]; ret; }") == "too_large");
    CHECK(refused(".entry k() { .shared .b8 a[200000], b[200000]; ret; }") == "too_large");
    CHECK(refused(".entry k() { .shared .align 65536 .b8 a; ret; }") == "");
    // The largest power of two that is read, and the first above what there is.
    for (const std::string align : {"9223372036854775808", "1048576"}) {
        INFO(align);
        const std::string aligned = ".align " + align + " .b8 a[1]; ";
        const std::string parameters = "(.param .b8 b, .param .align " + align + " .b8 a[1])";
        CHECK(refused(".entry k() { .shared " + aligned + "ret; }") == "too_large");
        CHECK(refused(".shared .b8 b; .extern .shared .align " + align +
                      " .b8 a[]; .entry k() { .reg .b32 %r; mov.u32 %r, b; mov.u32 %r, a; ret; }") == "too_large");
        CHECK(refused(".entry k() { .local " + aligned + "ret; }") == "too_large");
        CHECK(refused(".const " + aligned) == "too_large");
        CHECK(refused(".entry k" + parameters + " { ret; }") == "too_large");
        CHECK(refused(".func f" + parameters + " { ret; }") == "too_large");
    }
    CHECK(refused(".global .align 9223372036854775808 .b8 a[1];") == "too_large");
    CHECK(refused(".global .align 268435456 .b8 a[1];") == "");
    CHECK(refused(".entry k() { .shared .align 131072 .b8 a, b; ret; }") == "");
    CHECK(refused(".entry k() { .shared .align 131072 .b8 a, b, c; ret; }") == "too_large");
    CHECK(refused(".global .align 48 .b8 a[1];").starts_with("does not parse"));
    CHECK(refused(".entry k(.param .b8 p[32764]) { ret; }") == "");
    CHECK(refused(".entry k(.param .b8 p[32765]) { ret; }") == "too_large");
    CHECK(refused(".entry k(.param .b8 p[20000], .param .b8 q[20000]) { ret; }") == "too_large");
    CHECK(refused(".func f(.param .b8 p[4294967297]) { ret; }") == "too_large");
    CHECK(refused(".entry k() { .param .b8 p[134217730]; ret; }") == "too_large");
    CHECK(refused(".global .b8 a[268435456];") == "");
    CHECK(refused(".global .b8 a[1073741825];") == "too_large");
    CHECK(refused(".global .b8 a[17179869184];") == "too_large");
    CHECK(refused(".global .b8 a[600000000]; .global .b8 b[600000000];") == "too_large");
    CHECK(refused(".const .b8 a[65537];") == "too_large");
    std::string many = ".entry k() { .reg .b64 %r<80000>;\n";
    for (int i = 0; i < 80000; ++i) many += "mov.u64 %r" + std::to_string(i) + ", %clock64;\n";
    CHECK(refused(many + "ret; }") == "too_large");
    many = ".entry k() {\n";
    for (int i = 0; i < 600; ++i) many += ".param .b8 p" + std::to_string(i) + "[32000];\n";
    CHECK(refused(many + "ret; }") == "too_large");
    CHECK(refused(".shared .pred p; .entry k() { ret; }").starts_with("does not parse"));
}
