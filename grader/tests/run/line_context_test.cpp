#include "run/line_context.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string tree = R"(__device__ int slot(int i) { return i + i / 32; }
__global__ void k(const float* in, float* sums) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const int index = 2 * tid;
    for (int s = 1; s < 256; s *= 2) {
        if (index < 256)
            partial[index] += partial[index + s];
        __syncthreads();
    }
    while (tid < 3) {
        partial[slot(tid)] = 0;
        if (tid == 2) break;
        __syncthreads();
    }
    int s = 1;
    while (s < 256) {
        partial[tid] = partial[tid] + partial[tid + s];
    }
}
)";

}  // namespace

TEST_CASE("an index is followed to what makes it") {
    const auto made = variable_of_index(tree, 8, "partial");
    REQUIRE(made);
    CHECK(made->name == "index");
    CHECK(made->expression == "2 * tid");
    CHECK(made->line == 5);
    CHECK_FALSE(variable_of_index(tree, 18, "partial"));
    REQUIRE(variable_of_index(tree, 18, "partial", true));
    CHECK(variable_of_index(tree, 18, "partial", true)->expression == "threadIdx.x");
    const auto function = function_of_index(tree, 12, "partial");
    REQUIRE(function);
    CHECK(function->name == "slot");
    CHECK(function->line == 1);
    CHECK_FALSE(function_of_index(tree, 8, "partial"));
}

TEST_CASE("a step of a tree is taken apart, however it is written") {
    REQUIRE(tree_step(tree, 8));
    CHECK(tree_step(tree, 8)->target == "index");
    CHECK(tree_step(tree, 8)->partner == "index + s");
    REQUIRE(tree_step(tree, 18));
    CHECK(tree_step(tree, 18)->partner == "tid + s");
    CHECK_FALSE(tree_step(tree, 12));
}

TEST_CASE("the loop, the test and the way out around a line are found") {
    const LoopBody loop = loop_body(tree, 9);
    CHECK(loop.line == 6);
    CHECK(loop.start == "int s = 1");
    CHECK(loop.condition == "s < 256");
    CHECK(loop.step == "s *= 2");
    CHECK(unchanged_in(loop).empty());
    CHECK(line_of_exit(tree, loop, 9) == 0);
    CHECK(line_of_test(tree, 8) == 7);
    CHECK(line_of_test(tree, 9) == 0);
    CHECK(line_of_exit(tree, loop_body(tree, 14), 14) == 13);
    const LoopBody endless = loop_body(tree, 18);
    CHECK(endless.line == 17);
    CHECK(unchanged_in(endless) == "s");
    CHECK(loop_body(tree, 4).line == 0);
    CHECK(loop_body(tree, 99).line == 0);
}

TEST_CASE("the lines that call a function are found") {
    CHECK(lines_that_call(tree, 1) == std::vector<int>{12});
    CHECK(lines_that_call(tree, 8).empty());
}
