// Counters add up by the list that JSON, rules and sums go by, and instructions in double precision are among them.
#include "vgpu/counters.hpp"

#include "support/catch.hpp"
#include "vgpu/execution_bench.hpp"

using namespace execution;

TEST_CASE("counters add up field by field") {
    Counters a, b;
    std::uint64_t n = 1;
    for (const CounterField& f : counter_fields()) b.*f.field = n++;
    a += b;
    a += b;
    n = 1;
    for (const CounterField& f : counter_fields()) CHECK(a.*f.field == 2 * n++);
}

TEST_CASE("instructions that compute in double precision are counted by warp, and moves and conversions are not") {
    const std::string text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry halves(.param .u64 p_out) {
    .reg .pred %p<2>;
    .reg .f32 %f<3>;
    .reg .f64 %d<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p_out];
    mov.f32 %f1, 0f3F800000;
    cvt.f64.f32 %d1, %f1;
    mul.f64 %d2, %d1, 0d3FE0000000000000;
    fma.rn.f64 %d3, %d2, %d1, %d1;
    setp.lt.f64 %p1, %d3, %d1;
    cvt.rn.f32.f64 %f2, %d3;
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%rd1], %f2;
    ret;
}
)";
    Bench bench(load_text(text, "halves.cu"));
    const int out = bench.buffer("out", std::vector<float>(1));
    const RunResult result = bench.run("halves", {3, 1, 1}, {32, 1, 1}, options_with(), bench.address(out));
    CHECK(result.counters.double_instructions == 3 * 3);
}
