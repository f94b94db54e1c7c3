#include "explain/launcher_lines.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;

namespace {

// A launcher with this line 2, and the launch in line 3.
LauncherTest before(const std::string& line, bool has_elements = true) {
    return test_before_launch(
        FactsOf("void f(const float* in, int rows, int cols) {\n" + line + "\n    k<<<1, 2>>>(in);\n}\n"), 3,
        has_elements);
}
std::string kept(const std::string& variable, const std::string& body) {
    return variable_kept(FactsOf(variable + "\n__global__ void k(float* out) {\n" + body + "\n}\n")).name;
}

}  // namespace

TEST_CASE("the test that keeps a shape from its launch is found") {
    CHECK(before("if (rows < 32 || cols < 32) return;").condition == "rows < 32 || cols < 32");
    CHECK(before("while (rows > 1)").condition == "rows > 1");
    CHECK(before("if (sizeof(float) == 4)").line == 2);
    CHECK(before("if (rows == 0 || cols == 0) return;").line == 0);
    CHECK(before("if (rows == 0 || cols == 0) return;", false).line == 2);
    CHECK(before("if (rows > 4) cols = 2;").line == 0);
}

TEST_CASE("a variable that keeps what it has from call to call is found") {
    CHECK(kept("__device__ unsigned count = 0;", "    atomicAdd(&count, 1);") == "count");
    CHECK(kept("__device__ unsigned count = 0;", "    count++;") == "count");
    CHECK(kept("__device__ unsigned count = 0;", "    atomicAdd(&count, 1);\n    if (out[0] > 1) count = 0;").empty());
    CHECK(kept("__device__ unsigned count = 0;", "    out[0] = count;").empty());
    CHECK(kept("__constant__ unsigned count = 0;", "    out[0] = count;").empty());
}
