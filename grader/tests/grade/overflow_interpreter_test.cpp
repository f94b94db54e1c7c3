#include "grade/overflow_interpreter.hpp"

#include <cstring>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// in[y * cols + x], with the product made in 32 bits, or in 64.
std::string kernel(const std::string& product) {
    return R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "a.cu"
.visible .entry k(.param .u64 in, .param .u32 rows, .param .u32 cols)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<2>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [rows];
    ld.param.u32 %r2, [cols];
    mov.u32 %r3, %ctaid.y;
    mov.u32 %r4, %ctaid.x;
    setp.ge.s32 %p1, %r3, %r1;
    @%p1 bra DONE;
    .loc 1 7 5
)" + product +
           R"(
    shl.b64 %rd5, %rd4, 2;
    add.s64 %rd6, %rd1, %rd5;
    ld.global.f32 %f1, [%rd6];
DONE:
    ret;
}
)";
}

std::optional<Overflow> walk(const std::string& product, int rows, int cols, vgpu::Dim3 block) {
    static std::vector<ptx::Module> modules;  // an answer points into them
    auto module = ptx::parse(kernel(product));
    REQUIRE(module);
    modules.push_back(std::move(*module));
    const std::uint64_t address = std::uint64_t{1} << 40;
    vgpu::Launch launch;
    launch.kernel = "k";
    launch.grid = {static_cast<std::uint32_t>(cols), static_cast<std::uint32_t>(rows), 1};
    launch.block = {1, 1, 1};
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &address, 8);
    std::memcpy(launch.parameters.data() + 8, &rows, 4);
    std::memcpy(launch.parameters.data() + 12, &cols, 4);
    const MemoryRange range{address, std::uint64_t(rows) * std::uint64_t(cols) * 4};
    std::uint64_t steps = 1000;
    const auto all = find_overflows(modules.back(), launch, block, std::span(&range, 1), steps);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

const std::string narrow = "    mad.lo.s32 %r5, %r3, %r2, %r4;\n    cvt.s64.s32 %rd4, %r5;";
const std::string wide = "    mul.wide.s32 %rd2, %r3, %r2;\n    cvt.s64.s32 %rd3, %r4;\n    add.s64 %rd4, %rd2, %rd3;";

}  // namespace

TEST_CASE("an index that outgrows 32 bits is found where it does") {
    const auto found = walk(narrow, 70000, 70000, {69999, 69999, 0});
    REQUIRE(found);
    CHECK(found->exact == 4899999999);
    CHECK(found->function->locations.at(static_cast<std::size_t>(found->location)).line == 7);
}

TEST_CASE("nobody is blamed for an index that fits, is made in 64 bits, or stands behind a guard") {
    CHECK_FALSE(walk(narrow, 40000, 40000, {39999, 39999, 0}));
    CHECK_FALSE(walk(wide, 70000, 70000, {69999, 69999, 0}));
    CHECK_FALSE(walk(narrow, 70000, 70000, {0, 70000, 0}));
}

TEST_CASE("differences of unsigned numbers may wrap") {
    const std::string wraps = "    sub.s32 %r6, %r3, 69999;\n    cvt.u64.u32 %rd4, %r6;";
    CHECK_FALSE(walk(wraps, 70000, 70000, {5, 69998, 0}));
}
