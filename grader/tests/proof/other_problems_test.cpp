// Proofs of problems that the course has not: an output that holds something before, sizes that are computed, and
// parameters that are not whole numbers.
#include <string>

#include "proof/prove.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

namespace {

using namespace warpgrade;
using proof::Claim;
using proof::Obligation;

// Four rows of n elements, the order of the rows reversed in place: a thread exchanges two elements. SWAP is how.
const std::string rows_reversed = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);
.visible .entry reversed(.param .u64 in, .param .u64 out, .param .u32 n)
{
.reg .pred %p<4>;
.reg .f32 %f<4>;
.reg .b32 %r<10>;
.reg .b64 %rd<20>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r2, 16, %r3;
setp.ge.s32 %p1, %r4, %r1;
mov.u32 %r5, %tid.y;
cvt.u64.u32 %rd2, %r5;
cvt.s64.s32 %rd3, %r1;
cvt.s64.s32 %rd4, %r4;
mad.lo.s64 %rd5, %rd2, %rd3, %rd4;
shl.b64 %rd6, %rd5, 2;
add.s64 %rd7, %rd1, %rd6;
mov.u64 %rd8, 3;
sub.s64 %rd9, %rd8, %rd2;
mad.lo.s64 %rd10, %rd9, %rd3, %rd4;
shl.b64 %rd11, %rd10, 2;
add.s64 %rd12, %rd1, %rd11;
SWAP
DONE:
ret;
}
.visible .func launch(.param .b64 in, .param .b64 out, .param .b32 n)
{
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [n];
add.s32 %r2, %r1, -1;
div.s32 %r3, %r2, 16;
add.s32 %r4, %r3, 1;
mov.u64 %rd3, reversed;
{
.param .b64 param0;
st.param.b64 [param0+0], %rd3;
.param .align 4 .b8 param1[12];
st.param.b32 [param1+0], %r4;
st.param.b32 [param1+4], 1;
st.param.b32 [param1+8], 1;
.param .align 4 .b8 param2[12];
st.param.b32 [param2+0], 16;
st.param.b32 [param2+4], 2;
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
{
.param .b64 param0;
st.param.b64 [param0+0], %rd4;
.param .b64 param1;
st.param.b64 [param1+0], 0;
.param .b32 retval0;
call.uni (retval0), __cudaCDP2LaunchDeviceV2, (param0, param1);
ld.param.b32 %r5, [retval0+0];
}
ret;
}
)";
// out[(3 - i / n) * n + i % n]
const std::string reference = R"(.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 func_retval0) _Z9referenceyPKfPfi(.param .b64 i, .param .b64 in, .param .b64 out, .param .b32 n)
{
.reg .f32 %f<2>;
.reg .b32 %r<4>;
.reg .b64 %rd<16>;
ld.param.u64 %rd1, [i];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [n];
cvt.s64.s32 %rd3, %r1;
div.u64 %rd4, %rd1, %rd3;
mul.lo.s64 %rd5, %rd4, %rd3;
sub.s64 %rd6, %rd1, %rd5;
mov.u64 %rd7, 3;
sub.s64 %rd8, %rd7, %rd4;
mad.lo.s64 %rd9, %rd8, %rd3, %rd6;
shl.b64 %rd10, %rd9, 2;
add.s64 %rd11, %rd2, %rd10;
ld.f32 %f1, [%rd11];
st.param.f32 [func_retval0+0], %f1;
ret;
}
)";

const std::string both_first = R"(@%p1 bra DONE;
ld.global.f32 %f1, [%rd7];
ld.global.f32 %f2, [%rd12];
st.global.f32 [%rd7], %f2;
st.global.f32 [%rd12], %f1;)";
// As "a = b; b = a" exchanges two numbers.
const std::string overwritten = R"(@%p1 bra DONE;
ld.global.f32 %f2, [%rd12];
st.global.f32 [%rd7], %f2;
ld.global.f32 %f1, [%rd7];
st.global.f32 [%rd12], %f1;)";

// After the barrier the thread takes row 1 - tid.y, which another thread of its block has stored, for row 2 + tid.y.
const std::string overwritten_by_another = R"(@%p1 bra WAIT;
ld.global.f32 %f2, [%rd12];
st.global.f32 [%rd7], %f2;
WAIT:
bar.sync 0;
@%p1 bra DONE;
mov.u64 %rd13, 1;
sub.s64 %rd14, %rd13, %rd2;
mad.lo.s64 %rd15, %rd14, %rd3, %rd4;
shl.b64 %rd16, %rd15, 2;
add.s64 %rd17, %rd1, %rd16;
ld.global.f32 %f1, [%rd17];
add.s64 %rd13, %rd2, 2;
mad.lo.s64 %rd14, %rd13, %rd3, %rd4;
shl.b64 %rd15, %rd14, 2;
add.s64 %rd16, %rd1, %rd15;
st.global.f32 [%rd16], %f1;)";

ProblemDescription description_of_rows() {
    ProblemDescription description = test::kit_problem("copy").description();
    description.extents = {"n"};
    description.constants = {{"four", 4}};
    description.launcher.parameters.pop_back();
    description.launcher.parameters.back().name = "n";
    for (DescribedBuffer& buffer : description.buffers) buffer.extents = {"four", "n"};
    description.buffers.back().contents = "small";
    description.reference = ReferenceForm::gather;
    return description;
}

Claim claim_of(const std::string& swap, const ProblemDescription& description) {
    std::string text = rows_reversed;
    text.replace(text.find("SWAP"), 4, swap);
    const auto module = ptx::parse(text), of_problem = ptx::parse(reference);
    if (!module) FAIL(module.error().title);
    if (!of_problem) FAIL(of_problem.error().title);
    const std::string launcher = "launch", type = "float", file = "a.cu";
    return proof::prove({*module, launcher, description, type, file, &*of_problem});
}

const proof::Row& row_of(const Claim& claim, Obligation what) { return claim.rows[static_cast<std::size_t>(what)]; }

bool skips() {
    if (proof::is_available()) return false;
    WARN("skipped: libisl.so.23 is not installed");
    return true;
}

}  // namespace

TEST_CASE("an element that was stored before is not the one that was there") {
    if (skips()) return;
    const Claim right = claim_of(both_first, description_of_rows());
    for (const proof::Row& row : right.rows) {
        INFO(proof::to_string(row.what) << ": " << row.why);
        CHECK(row.is_proved);
    }
    for (const std::string& swap : {overwritten, overwritten_by_another}) {
        const Claim wrong = claim_of(swap, description_of_rows());
        CHECK(row_of(wrong, Obligation::covered).is_proved);
        CHECK_FALSE(row_of(wrong, Obligation::values).is_proved);
    }
}

TEST_CASE("products and quotients of a size are taken from the left") {
    if (skips()) return;
    ProblemDescription description = description_of_rows();
    description.buffers.back().extents = {"four", "2 * n / 2"};
    CHECK(claim_of(both_first, description).is_whole());
    description.buffers.back().extents = {"four", "n / 2 * 2"};
    CHECK_FALSE(row_of(claim_of(both_first, description), Obligation::bounds).is_proved);
}

TEST_CASE("a parameter of the launcher that is a real number is not followed") {
    if (skips()) return;
    ProblemDescription description = description_of_rows();
    description.launcher.parameters.back().type = "float";
    CHECK(row_of(claim_of(both_first, description), Obligation::launch).why == "the parameter `n` of the launcher");
}
