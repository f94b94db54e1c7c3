#include "vgpu/live_registers.hpp"

#include "ptx/module.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

std::uint32_t most_in(const std::string& body) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
        body + "ret;\n}\n");
    REQUIRE(module.ok());
    return vgpu::most_live_registers(module->functions.at(0));
}

}  // namespace

TEST_CASE("what is alive at a time counts, in registers of 32 bits") {
    CHECK(most_in("") == 0);
    // One after the other: a pointer, and a value beside it.
    const std::string one_by_one =
        "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+64], %r1;\n"
        "ld.global.u32 %r2, [%rd1+4];\nst.global.u32 [%rd1+68], %r2;\n";
    CHECK(most_in(one_by_one) == 3);
    const std::string together =
        "ld.param.u64 %rd1, [p];\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n"
        "st.global.v4.u32 [%rd1+64], {%r4, %r3, %r2, %r1};\n";
    CHECK(most_in(together) == 6);
    // A predicate is none.
    CHECK(most_in("mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r2, 1;\nA:\n") == 1);
}

TEST_CASE("what a loop needs in its next turn stays alive") {
    CHECK(most_in("mov.u32 %r1, 0;\nmov.u32 %r2, 7;\nA:\nadd.s32 %r3, %r1, %r2;\nmov.u32 %r1, %r3;\n"
                  "setp.lt.s32 %p1, %r1, 100;\n@%p1 bra A;\n") == 2);
    // Written under a guard, the old value may stay.
    CHECK(
        most_in(
            "mov.u32 %r1, 3;\nmov.u32 %r2, %tid.x;\nsetp.lt.s32 %p1, %r2, 100;\nmov.u32 %r3, 1;\n@%p1 mov.u32 %r1, 4;\n"
            "add.s32 %r4, %r1, %r3;\nadd.s32 %r5, %r4, %r2;\n") == 3);
}
