#include "classroom/release.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace warpgrade::classroom;

namespace {

const std::string stub = "int x = 0;\n__global__ void tile(float* out) {\n    // TODO\n}\n";
const std::string solution =
    "int x = 0;\n"
    "__global__ void tile(float* out) {\n"
    "    __shared__ float t[32][33];  // padded\n"
    "    out[threadIdx.x * 32] = t[threadIdx.x][0];\n"
    "    __syncthreads();\n"
    "    out[threadIdx.x] += t[0][threadIdx.x];\n"
    "}\n";

}  // namespace

TEST_CASE("lines that only a solution has are found, whatever their blanks and comments") {
    CHECK_FALSE(find_leak(stub, solution, stub).is_one());
    const Leak whole = find_leak("text\n" + solution, solution, stub);
    CHECK(whole.is_one());
    CHECK(whole.line == 4);
    CHECK(whole.found == 4);
    CHECK(whole.all == 4);
    CHECK(
        find_leak("__syncthreads( );\n>\n__shared__ float t[32][33];\nout[threadIdx.x] += t [0][threadIdx.x]; // so\n",
                  solution, stub)
            .is_one());
}

TEST_CASE("of a program the texts in it are looked at, and line ends of Windows are no lines") {
    std::string program = "ELF\n" + solution + "end";
    std::replace(program.begin(), program.end(), '\n', '\0');
    CHECK(find_leak(program, solution, stub).is_one());
    CHECK(find_leak("text\r\nmore\r\n__syncthreads();\r\n", solution, stub).line == 3);
}

TEST_CASE("a line or two, or one line again and again, are no leak") {
    CHECK_FALSE(
        find_leak("__syncthreads();\n__syncthreads();\n__syncthreads();\n__syncthreads();\n", solution, stub).is_one());
    CHECK_FALSE(find_leak("__shared__ float t[32][33];\n__syncthreads();\n", solution, stub).is_one());
    CHECK_FALSE(find_leak(stub, stub, stub).is_one());
}

TEST_CASE("a solution of two lines leaks with both") {
    const std::string small = stub + "out[threadIdx.x] = in[threadIdx.x];\nreturn out[0] + out[1];\n";
    CHECK(find_leak(small, small, stub).is_one());
    CHECK_FALSE(find_leak("return out[0] + out[1];", small, stub).is_one());
}

TEST_CASE("students read the sections of the README that are for them") {
    CHECK(student_readme(
              "# Kit\nintro\n## Two commands\ndemo\n## For students\ncheck\n### Below\nmore\n## For instructors\n"
              "seed\n## Requirements\ngcc\n## Tests\n") ==
          "# Kit\nintro\n## For students\ncheck\n### Below\nmore\n## Requirements\ngcc\n");
}
