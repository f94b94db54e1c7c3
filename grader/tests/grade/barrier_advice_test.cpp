#include "grade/barrier_advice.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// Of a kernel with this body from line 2 on, in blocks of 8 warps, of which `came` came to the barrier in `line`.
bool is_told(const std::string& body, int line, std::uint64_t came) {
    vgpu::LineCounters counted;
    counted.line = line;
    counted.counters.barriers = came;
    LaunchInfo launch;
    launch.kernel = "k";
    launch.grid = {4, 1, 1};
    launch.block = {256, 1, 1};
    return barrier_of_some("stage.cu", "__global__ void k(float* a) {\n" + body + "\n}\n", {counted}, {launch})
        .has_value();
}

}  // namespace

TEST_CASE("a barrier that some warps alone come to is told, where the others wait nowhere") {
    const std::string first = "int t = threadIdx.x;\nif (t < 32) {\n__syncthreads();\n}";
    CHECK(is_told(first, 4, 4));
    CHECK_FALSE(is_told(first, 4, 32));
    CHECK_FALSE(is_told(first + " else {\n__syncthreads();\n}", 4, 4));
    CHECK_FALSE(is_told(first + "\na[t] = 1;\n__syncthreads();", 4, 4));
    CHECK_FALSE(is_told("int t = blockIdx.x;\nif (t < 2) {\n__syncthreads();\n}", 4, 4));
}
