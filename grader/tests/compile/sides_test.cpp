#include "compile/sides.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

std::string marked(std::string text) {
    text = with_marked_sides(text);
    const std::string mark = "__attribute__((deprecated(\"__host__\")))";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) text.replace(at, mark.size(), "HOST");
    return text;
}

}  // namespace

TEST_CASE("functions and variables of the host are marked, behind what must come first") {
    CHECK(marked("int f(int);\n") == "HOST int f(int);\n");
    CHECK(marked("template <class T> T f(T a) { return a; }") == "template <class T> HOST T f(T a) { return a; }");
    CHECK(marked("extern \"C\" void f() {}") == "extern \"C\" HOST void f() {}");
    CHECK(marked("struct A { explicit A(int); friend A operator+(A a, A) { return a; } };") ==
          "struct A { HOST explicit A(int); friend HOST A operator+(A a, A) { return a; } };");
    CHECK(marked("static float a = 1, b[3];") == "HOST static float a = 1, b[3];");
    CHECK(marked("void f() { auto g = [](int i) mutable -> int { return i; }; }") ==
          "HOST void f() { auto g = [](int i) mutable HOST -> int { return i; }; }");
}

TEST_CASE("what device code may use has no mark") {
    for (const char* const text :
         {"__global__ void k() {}", "__host__ __device__ int f() { return 1; }", "constexpr int f() { return 1; }",
          "#define BOTH __host__ __device__\nBOTH int f() { return 1; }", "const int n = 3;",
          "__constant__ float c[2];", "struct A { A() = default; };", "enum E { a, b };", "using f = int (*)(int);",
          "__device__ int f(int);\nint f(int a) { return a; }"})
        CHECK(marked(text) == text);
    // Its class says which side a member is of.
    CHECK(marked("struct A { __device__ int f(); };\nint A::f() { return 1; }") ==
          "struct A { __device__ int f(); };\nint A::f() { return 1; }");
    CHECK(marked("void f() { auto g = [=] __device__(int i) { return i; }; }") ==
          "HOST void f() { auto g = [=] __device__(int i) { return i; }; }");
}
