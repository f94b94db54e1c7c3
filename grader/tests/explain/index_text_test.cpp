#include "explain/index_text.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;

namespace {

const FactsOf kernel(
    "constexpr int WIDE = 34;\n"                                                    //  1
    "__global__ void k(const float* in, float* out, int rows, int cols) {\n"        //  2
    "    __shared__ float tile[10][WIDE];\n"                                        //  3
    "    for (int i = threadIdx.x; i <= rows; i += 32) {\n"                         //  4
    "        const int r = i % WIDE;\n"                                             //  5
    "        const int c = i / WIDE;\n"                                             //  6
    "        tile[r][c] = in[i];\n"                                                 //  7
    "    }\n"                                                                       //  8
    "    int x = blockIdx.x * 32 + threadIdx.x;\n"                                  //  9
    "    const int y = blockIdx.y;\n"                                               // 10
    "    x = x == y ? x : 0;\n"                                                     // 11
    "    out[y * cols + x] = tile[y][x];\n"                                         // 12
    "}\n"                                                                           // 13
    "static dim3 grid(int rows, int cols) {\n"                                      // 14
    "    const int across = cols / WIDE, down = (rows - 1) / WIDE + 1;\n"           // 15
    "    const int more = rows / WIDE + 1, rest = (cols + WIDE - 1) / WIDE;\n"      // 16
    "    return dim3(across, down);\n"                                              // 17
    "}\n"                                                                           // 18
    "void launch(const float* in, float* out, int rows, int cols) {\n"              // 19
    "    k<<<grid(rows, cols), dim3(32, 8), 4 * 32>>>(in, out, rows / 4, cols);\n"  // 20
    "}\n");

}  // namespace

TEST_CASE("an index leads to the lines that made it") {
    CHECK(lines_of_index(kernel, 12, "out") == std::vector<int>{10, 11});
    CHECK(lines_of_index(kernel, 7, "tile") == std::vector<int>{5, 6});
    CHECK(line_that_sets(kernel, 11, "x") == 9);
    CHECK(line_that_sets(kernel, 12, "cols") == 0);
    CHECK(lines_of_index(kernel, 99, "out").empty());
    CHECK(lines_that_bring("threadIdx", kernel, 12, "out") == std::vector<int>{9});
    CHECK(lines_that_bring("blockIdx", kernel, 12, "out") == std::vector<int>{9, 10});
    CHECK(lines_that_bring("blockDim", kernel, 12, "out").empty());
}

TEST_CASE("a division that rounds down is found in what the host computes") {
    const auto found = floor_divisions(kernel);
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == 15);
    CHECK(found[0].left == "cols");
    CHECK(found[0].right == "WIDE");
}

TEST_CASE("a loop that takes its bound in, and an index that goes further than its array") {
    CHECK(loop_that_takes_bound_in(kernel, 7, "in")->line == 4);
    CHECK(loop_that_takes_bound_in(kernel, 12, "out") == nullptr);
    CHECK(advice_on_modulus(kernel, 7, "tile").starts_with("by line 5 `r` goes up to 33, but the first index"));
    CHECK(advice_on_modulus(kernel, 12, "tile").empty());
}

TEST_CASE("the side of a line on which the variable of the loop is missing") {
    const std::string loop = "void k(const float* in, float* out, int cols) {\n    for (int j = 0; j < 8; ++j) {\n";
    const LeftOut found = variable_left_out(FactsOf(loop + "        out[j * cols] = in[cols];\n    }\n}\n"));
    CHECK(found.line == 3);
    CHECK(found.loop_line == 2);
    CHECK(found.array == "in");
    CHECK(found.variable == "j");
    CHECK(variable_left_out(FactsOf(loop + "        out[cols] = in[j][0];\n    }\n}\n")).array == "out");
    CHECK(variable_left_out(FactsOf(loop + "        out[j] = in[j + cols];\n    }\n}\n")).line == 0);
    CHECK(only_line_that_reads(kernel, "in") == 7);
    CHECK(only_line_that_reads(kernel, "out") == 0);
}

TEST_CASE("the arguments between <<< and >>>") {
    CHECK(launch_argument(kernel, 20, 0) == "grid(rows, cols)");
    CHECK(launch_argument(kernel, 20, 2) == "4 * 32");
    CHECK(launch_argument(kernel, 20, 3).empty());
    CHECK(launch_argument(kernel, 19, 0).empty());
}
