// Programs that are right for every shape are proved, and programs that are wrong at a shape are not: each mistake is
// one word of the same PTX, and the obligation that it breaks is the first one that is not proved.
#include <string>

#include "proof/prove.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

namespace {

using namespace warpgrade;
using proof::Claim;
using proof::Obligation;

// A transpose by tiles of 16 x 16, rows 17 words apart; rows of tiles that do not fit in grid.y fold into z.
const std::string tiled = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);
.visible .entry tiled(.param .u64 in, .param .u64 out, .param .u32 rows, .param .u32 cols)
{
.reg .pred %p<8>;
.reg .f32 %f<4>;
.reg .b32 %r<40>;
.reg .b64 %rd<40>;
.shared .align 4 .b8 tile[1088];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [rows];
ld.param.u32 %r2, [cols];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %tid.y;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %ctaid.y;
mov.u32 %r7, %ctaid.z;
mov.u32 %r8, %nctaid.y;
mad.lo.s32 %r9, %r7, %r8, %r6;
shl.b32 %r10, %r5, 4;
shl.b32 %r11, %r9, 4;
add.s32 %r12, %r10, %r3;
add.s32 %r13, %r11, %r4;
mov.u32 %r14, tile;
mad.lo.s32 %r15, %r4, 68, %r14;
shl.b32 %r16, %r3, 2;
add.s32 %r17, %r15, %r16;
setp.lt.s32 %p1, %r12, %r2;
setp.lt.s32 %p2, %r13, %r1;
and.pred %p3, %p1, %p2;
@!%p3 bra LOADED;
mul.wide.s32 %rd5, %r2, 4;
cvt.s64.s32 %rd6, %r13;
mul.lo.s64 %rd7, %rd6, %rd5;
mul.wide.s32 %rd8, %r12, 4;
add.s64 %rd9, %rd7, %rd8;
add.s64 %rd10, %rd1, %rd9;
ld.global.f32 %f1, [%rd10];
st.shared.f32 [%r17], %f1;
LOADED:
bar.sync 0;
add.s32 %r20, %r11, %r3;
add.s32 %r21, %r10, %r4;
mad.lo.s32 %r22, %r3, 68, %r14;
shl.b32 %r23, %r4, 2;
add.s32 %r24, %r22, %r23;
setp.lt.s32 %p4, %r20, %r1;
setp.lt.s32 %p5, %r21, %r2;
and.pred %p6, %p4, %p5;
@!%p6 bra DONE;
ld.shared.f32 %f2, [%r24];
cvt.s64.s32 %rd15, %r1;
cvt.s64.s32 %rd16, %r21;
mul.lo.s64 %rd17, %rd16, %rd15;
cvt.s64.s32 %rd18, %r20;
add.s64 %rd19, %rd17, %rd18;
shl.b64 %rd20, %rd19, 2;
add.s64 %rd21, %rd2, %rd20;
st.global.f32 [%rd21], %f2;
DONE:
ret;
}
.visible .func launch(.param .b64 in, .param .b64 out, .param .b32 rows, .param .b32 cols)
{
.reg .pred %p<4>;
.reg .b32 %r<20>;
.reg .b64 %rd<10>;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [rows];
ld.param.u32 %r2, [cols];
setp.eq.s32 %p1, %r1, 0;
setp.eq.s32 %p2, %r2, 0;
or.pred %p3, %p1, %p2;
@%p3 bra END;
add.s32 %r3, %r2, -1;
div.s32 %r4, %r3, 16;
add.s32 %r5, %r4, 1;
add.s32 %r6, %r1, -1;
div.s32 %r7, %r6, 16;
div.s32 %r8, %r7, 65535;
add.s32 %r9, %r8, 1;
div.s32 %r10, %r7, %r9;
add.s32 %r11, %r10, 1;
mov.u64 %rd3, tiled;
{
.param .b64 param0;
st.param.b64 [param0+0], %rd3;
.param .align 4 .b8 param1[12];
st.param.b32 [param1+0], %r5;
st.param.b32 [param1+4], %r11;
st.param.b32 [param1+8], %r9;
.param .align 4 .b8 param2[12];
st.param.b32 [param2+0], 16;
st.param.b32 [param2+4], 16;
st.param.b32 [param2+8], 1;
.param .b32 param3;
st.param.b32 [param3+0], 0;
.param .b64 retval0;
call.uni (retval0), __cudaCDP2GetParameterBufferV2, (param0, param1, param2, param3);
ld.param.b64 %rd4, [retval0+0];
}
st.u64 [%rd4], %rd1;
st.u64 [%rd4+8], %rd2;
st.u32 [%rd4+16], %r1;
st.u32 [%rd4+20], %r2;
{
.param .b64 param0;
st.param.b64 [param0+0], %rd4;
.param .b64 param1;
st.param.b64 [param1+0], 0;
.param .b32 retval0;
call.uni (retval0), __cudaCDP2LaunchDeviceV2, (param0, param1);
ld.param.b32 %r12, [retval0+0];
}
END:
ret;
}
)";

std::string with(std::string text, const std::string& old, const std::string& other) {
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(old, at + 1) == std::string::npos);
    return text.replace(at, old.size(), other);
}

Claim claim_of(const std::string& text, const std::string& problem = "transpose") {
    const auto module = ptx::parse(text);
    if (!module) FAIL(module.error().title);
    const std::string launcher = "launch", type = "float", file = "a.cu";
    return proof::prove({*module, launcher, test::kit_problem(problem).description(), type, file});
}

// The first that is not proved; nothing where all are.
std::optional<Obligation> first_open(const Claim& claim) {
    for (const proof::Row& row : claim.rows)
        if (!row.is_proved) return row.what;
    return std::nullopt;
}

bool skips() {
    if (proof::is_available()) return false;
    WARN("skipped: libisl.so.23 is not installed");
    return true;
}

struct Mistake {
    const char* name;
    const char* old;
    const char* other;
    Obligation breaks;
};
const Mistake mistakes[] = {
    {"no fold into z", "div.s32 %r8, %r7, 65535;", "mov.u32 %r8, 0;", Obligation::launch},
    {"the grid is rounded down", "add.s32 %r3, %r2, -1;\ndiv.s32 %r4, %r3, 16;\nadd.s32 %r5, %r4, 1;",
     "div.s32 %r5, %r2, 16;", Obligation::launch},
    {"a grid that wraps in the launcher", "add.s32 %r5, %r4, 1;",
     "cvt.s64.s32 %rd5, %r4;\nmul.lo.s32 %r13, %r4, 65536;\nadd.s32 %r14, %r13, 65536;\nshr.s32 %r5, %r14, 16;",
     Obligation::launch},
    {"too many threads", "st.param.b32 [param2+8], 1;", "st.param.b32 [param2+8], 5;", Obligation::launch},
    {"an index of 32 bits", "cvt.s64.s32 %rd6, %r13;\nmul.lo.s64 %rd7, %rd6, %rd5;",
     "mul.lo.s32 %r30, %r13, %r2;\nmul.wide.s32 %rd7, %r30, 4;", Obligation::width},
    {"a barrier in the branch", "LOADED:\nbar.sync 0;", "bar.sync 0;\nLOADED:", Obligation::barriers},
    {"<= for < in the guard of the load", "setp.lt.s32 %p1, %r12, %r2;", "setp.le.s32 %p1, %r12, %r2;",
     Obligation::bounds},
    {"no guard of the load's row", "and.pred %p3, %p1, %p2;", "and.pred %p3, %p1, %p1;", Obligation::bounds},
    {"a tile that is too small", "tile[1088]", "tile[1080]", Obligation::bounds},
    {"a tile of bytes, wherever it lies", ".shared .align 4 .b8 tile", ".shared .align 1 .b8 tile", Obligation::bounds},
    {"no barrier", "bar.sync 0;\n", "", Obligation::races},
    {"a pitch of 15 words in the store to shared memory", "mad.lo.s32 %r15, %r4, 68, %r14;",
     "mad.lo.s32 %r15, %r4, 60, %r14;", Obligation::races},
    {"each block writes the first column of tiles", "add.s32 %r20, %r11, %r3;", "mov.u32 %r20, %r3;", Obligation::once},
    {"a grid of half the columns", "div.s32 %r4, %r3, 16;", "div.s32 %r4, %r3, 32;", Obligation::covered},
    {"the last column is left out", "setp.lt.s32 %p5, %r21, %r2;",
     "add.s32 %r31, %r2, -1;\nsetp.lt.s32 %p5, %r21, %r31;", Obligation::covered},
    {"the tile is not turned inside", "mad.lo.s32 %r22, %r3, 68, %r14;\nshl.b32 %r23, %r4, 2;",
     "mad.lo.s32 %r22, %r4, 68, %r14;\nshl.b32 %r23, %r3, 2;", Obligation::values},
    {"two pitches", "mad.lo.s32 %r22, %r3, 68, %r14;", "mad.lo.s32 %r22, %r3, 64, %r14;", Obligation::values},
    {"the first row is stored for all", "st.shared.f32 [%r17], %f1;",
     "ld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r17], %f1;", Obligation::values},
    {"shared arrays that fit only without the padding between them", ".shared .align 4 .b8 tile[1088];",
     ".shared .align 4 .b8 one[4];\n.shared .align 32768 .b8 tile[16388];", Obligation::launch},
    {"an extern array with a size, and no dynamic memory", ".shared .align 4 .b8 tile[1088];",
     ".extern .shared .align 4 .b8 tile[1088];", Obligation::bounds},
    {"a sum of pairs of 16 bits, without a carry between them", "add.s32 %r12, %r10, %r3;",
     "add.u16x2 %r12, %r10, %r3;", Obligation::width},
    {"shared memory begins at address 0", "LOADED:\nbar.sync 0;",
     "LOADED:\nbar.sync 0;\nsetp.eq.u32 %p7, %r14, 0;\n@%p7 bra DONE;", Obligation::width},
    {"a block of 272 x 16, in bytes", "st.param.b32 [param2+0], 16;",
     "st.param.b8 [param2+0], 16;\nst.param.b8 [param2+1], 1;\nst.param.b8 [param2+2], 0;\nst.param.b8 [param2+3], 0;",
     Obligation::launch},
    {"a part of an argument that is stored again", "st.u32 [%rd4+20], %r2;",
     "st.u32 [%rd4+20], %r2;\nmov.u32 %r15, 7;\nst.u8 [%rd4+21], %r15;", Obligation::launch},
    {"a half that has wrapped, beside another one", "LOADED:\nbar.sync 0;",
     "LOADED:\nbar.sync 0;\n.reg .b16 %rs<4>;\nadd.s32 %r36, %r3, 65536;\ncvt.u16.u32 %rs1, %r36;\n"
     "cvt.u16.u32 %rs2, %r3;\nor.b16 %rs3, %rs1, %rs2;\nand.b16 %rs3, %rs3, -8;\nsetp.eq.s16 %p7, %rs3, 0;\n"
     "@%p7 bra DONE;",
     Obligation::width},
    {"a distance of a shift that wraps", "add.s32 %r24, %r22, %r23;",
     "mov.u32 %r36, 4294967295;\nadd.u32 %r36, %r36, 3;\nshl.b32 %r37, %r3, %r36;\nadd.s32 %r24, %r22, %r23;\n"
     "add.s32 %r24, %r24, %r37;",
     Obligation::bounds},
    {"the lower half of a word, loaded as a pair, for the whole",
     "ld.global.f32 %f1, [%rd10];\nst.shared.f32 [%r17], %f1;",
     "ld.global.v2.u16 {%r32, %r33}, [%rd10];\nst.shared.b32 [%r17], %r32;", Obligation::values},
    {"two of four bytes, stored as halves of the word", "ld.global.f32 %f1, [%rd10];\nst.shared.f32 [%r17], %f1;",
     "ld.global.v4.u8 {%r32, %r33, %r34, %r35}, [%rd10];\nst.shared.v2.u16 [%r17], {%r32, %r33};", Obligation::values},
};

}  // namespace

TEST_CASE("a transpose by tiles is proved for every shape") {
    if (skips()) return;
    const Claim claim = claim_of(tiled);
    for (const proof::Row& row : claim.rows) {
        INFO(proof::to_string(row.what) << ": " << row.why);
        CHECK(row.is_proved);
    }
    CHECK(claim.is_whole());
    CHECK(claim.shapes == std::vector<std::vector<std::int64_t>>{{33, 65}});
    CHECK(proof::line_of(claim) ==
          "proved for every shape with 1 <= rows, cols <= 2^30 and rows * cols <= 2^34: in bounds, no race in shared "
          "memory, no element written twice, every element written, the right values");
}

TEST_CASE("each mistake leaves the obligation that it breaks open") {
    if (skips()) return;
    for (const Mistake& mistake : mistakes) {
        INFO(mistake.name);
        const Claim claim = claim_of(with(tiled, mistake.old, mistake.other));
        const auto open = first_open(claim);
        REQUIRE(open);
        CHECK(proof::to_string(*open) == proof::to_string(mistake.breaks));
        CHECK_FALSE(claim.is_whole());
    }
}

TEST_CASE("a transpose is no copy") {
    if (skips()) return;
    const auto open = first_open(claim_of(tiled, "copy"));
    REQUIRE(open);
    CHECK(*open != Obligation::launch);
}

TEST_CASE("what is not known is not proved, with its line or its name") {
    if (skips()) return;
    const Claim atomic = claim_of(with(tiled, "st.global.f32 [%rd21], %f2;", "red.global.add.f32 [%rd21], %f2;"));
    CHECK(atomic.rows[1].why == "the instruction red.global.add.f32");
    CHECK_FALSE(atomic.rows[7].is_proved);
    const Claim exact =
        claim_of(with(tiled, "cols)\n{\n.reg .pred %p<8>", "cols)\n.reqntid 16, 16, 1\n{\n.reg .pred %p<8>"));
    CHECK(exact.rows[0].why == "the directive .reqntid of the kernel");
    const Claim narrow = claim_of(with(tiled, "ld.param.u32 %r1, [rows];\nld.param.u32 %r2, [cols];\nmov",
                                       "ld.param.u16 %r1, [rows];\nld.param.u32 %r2, [cols];\nmov"));
    CHECK(narrow.rows[1].why == "a part of a parameter");
    const Claim without = claim_of(with(tiled, "@%p3 bra END;\nadd", "bra END;\nadd"));
    CHECK(first_open(without) == Obligation::launch);
    CHECK(without.rows[0].why == "nothing is launched");
}

TEST_CASE("a number of a variable is known if nothing can change it") {
    if (skips()) return;
    std::string text = with(tiled, ".visible .entry tiled(",
                            ".global .align 4 .b8 sizes[12] = {16, 0, 0, 0, 16};\n.visible .entry tiled(");
    text = with(text, "mov.u64 %rd3, tiled;",
                "ld.global.u32 %r13, [sizes];\nld.global.u32 %r14, [sizes+4];\nmov.u64 %rd3, tiled;");
    text = with(text, "st.param.b32 [param2+0], 16;\nst.param.b32 [param2+4], 16;",
                "st.param.b32 [param2+0], %r13;\nst.param.b32 [param2+4], %r14;");
    CHECK(claim_of(text).is_whole());
    CHECK_FALSE(claim_of(with(text, "sizes[12] = {16, 0, 0, 0, 16}", "sizes[12] = {16, 0, 0, 0, 15}")).is_whole());
    for (const char* const use : {"st.global.u32 [sizes], %r1;", "mov.u64 %rd22, sizes;"}) {
        const Claim claim = claim_of(with(text, "DONE:\nret;", "DONE:\n" + std::string(use) + "\nret;"));
        CHECK(claim.rows[0].why == "the variable sizes");
    }
    CHECK_FALSE(claim_of(with(text, ".visible .entry tiled(", ".global .u64 held = sizes;\n.visible .entry tiled("))
                    .is_whole());
}

TEST_CASE("without time nothing is proved") {
    if (skips()) return;
    const auto module = ptx::parse(tiled);
    REQUIRE(module);
    const std::string launcher = "launch", type = "float", file = "a.cu";
    proof::ProofRequest request{*module, launcher, test::kit_problem("transpose").description(), type, file};
    request.seconds = -1;
    CHECK_FALSE(proof::prove(request).is_whole());
}
