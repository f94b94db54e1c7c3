#include "explain/line_context.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;

namespace {

const FactsOf tree(R"(__device__ int slot(int i) { return i + i / 32; }
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
)");

using Values = std::vector<std::int64_t>;

Values values(const std::string& head, std::int64_t block_x = 0) {
    const FactsOf facts("constexpr int TILE = 32;\n#define ROWS (TILE / 4)\nvoid f() {\n    for (" + head +
                        ") g();\n}\n");
    return turns_of(facts, facts->loop_at(4), block_x).values;
}

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
    const source::Loop* const loop = tree->loop_at(9);
    REQUIRE(loop != nullptr);
    CHECK(loop->line == 6);
    CHECK(unchanged_in(tree, loop).empty());
    CHECK(line_of_exit(tree, loop, 9) == 0);
    CHECK(line_of_test(tree, 8) == 7);
    CHECK(line_of_test(tree, 9) == 0);
    CHECK(line_of_exit(tree, tree->loop_at(14), 14) == 13);
    CHECK(tree->loop_at(18)->line == 17);
    CHECK(unchanged_in(tree, tree->loop_at(18)) == "s");
    CHECK(unchanged_in(tree, nullptr).empty());
}

TEST_CASE("the lines that call a function are found") {
    CHECK(lines_that_call(tree, 1) == std::vector<int>{12});
    CHECK(lines_that_call(tree, 8).empty());
}

TEST_CASE("what the variable of a loop is in each turn") {
    CHECK(values("int j = 0; j < TILE; j += ROWS") == Values{0, 8, 16, 24});
    CHECK(values("int s = TILE / 4; s > 0; s /= 2") == Values{8, 4, 2, 1});
    CHECK(values("unsigned int s = 4; s >= 1; s >>= 1") == Values{4, 2, 1});
    CHECK(values("int s = 1; s < 16; s *= 4") == Values{1, 4});
    CHECK(values("std::size_t i = 0; i != 3; ++i") == Values{0, 1, 2});
    CHECK(values("int i = 2; i >= 0; i--") == Values{2, 1, 0});
    CHECK(values("int s = blockDim.x / 2; s > 1; s /= 2", 16) == Values{8, 4, 2});
    CHECK(values("int i = 0; i < 0; ++i").empty());
}

TEST_CASE("a loop that no numbers are known of") {
    for (const char* head : {"int i = tid; i < 8; ++i", "int i = 0; i < n; ++i", "int i = 0; i < 8; ++j",
                             "int s = 1; s > 0; s /= 1", "int s = 1; s >= 0; s *= 2", "int i = 0; i < 65; ++i",
                             "int s = blockDim.x; s > 1; s /= 2", "int i = 0; j < 8; ++i", "; ;", ""})
        CHECK(values(head).empty());
    CHECK(turns_of(FactsOf(""), nullptr, 0).values.empty());
}

TEST_CASE("numbers in words") {
    CHECK(listed(Values{7}) == "7");
    CHECK(listed(Values{4, 2, 1}) == "4, 2 and 1");
}

TEST_CASE("a line that sets a bit-field is told from one that changes a word") {
    const FactsOf source(
        "struct Shared {\n"
        "    unsigned first : 1, last : 1;\n"
        "    unsigned rest;\n"
        "};\n"
        "void f(Shared s, Shared* p) {\n"
        "s.first = 0;\n"
        "if (t == 0) p->last = 1, s.rest = 2;\n"
        "s.rest = s.rest | 1;\n"
        "s.first == 1 ? 2 : 3;\n"
        "x = t ? rest : 1;\n"
        "rest = 4;\n"
        "}\n");
    CHECK(sets_bit_field(source, 6));
    CHECK(sets_bit_field(source, 7));
    CHECK(!sets_bit_field(source, 8));
    CHECK(!sets_bit_field(source, 9));
    CHECK(!sets_bit_field(source, 10));
    CHECK(!sets_bit_field(source, 11));
    CHECK(!sets_bit_field(source, 99));
}
