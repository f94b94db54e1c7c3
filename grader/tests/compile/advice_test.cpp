// What is made of a compiler's messages, which are given here as NVRTC 13 words them.
#include "compile/advice.hpp"

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

std::vector<CompilerMessage> advised(const std::string& source, std::vector<CompilerMessage> messages) {
    const std::string path = "stage.cu";
    for (CompilerMessage& message : messages) message.path = path;
    advise(messages, source, path);
    return messages;
}

CompilerMessage error(int line, int column, const std::string& text) {
    return {Severity::error, "", line, column, text};
}

std::string plain(const std::string& source, const CompilerMessage& message) {
    const auto told = advised(source, {message});
    REQUIRE(told.size() == 1);
    const std::size_t end = told[0].message.find('\n');
    const bool leads = told[0].message.find("the compiler says: ") != std::string::npos;
    return leads ? told[0].message.substr(0, end) : end == std::string::npos ? "" : told[0].message.substr(end + 1);
}

}  // namespace

TEST_CASE("one mistake is told once: a macro's, a bracket's, a word's") {
    const auto macro = advised("#define N 8;\nint a[N];\nint b = N + 1;\n",
                               {error(2, 7, "expected a \"]\""), error(2, 9, "expected an expression"),
                                error(3, 11, "expected an expression")});
    REQUIRE(macro.size() == 1);
    CHECK(macro[0].line == 1);

    const auto word = advised("void f() {\n    shard float tile[8];\n    tile[0] = 1;\n}\n",
                              {error(2, 5, "identifier \"shard\" is undefined"), error(2, 11, "expected a \";\""),
                               error(3, 5, "identifier \"tile\" is undefined")});
    REQUIRE(word.size() == 1);
    CHECK(word[0].line == 2);

    const auto loop =
        advised("void f() {\n    fro (int s = 1; s < 2; ++s) {\n    }\n}\n",
                {error(2, 10, "type name is not allowed"), error(2, 14, "expected a \")\""),
                 error(2, 5, "identifier \"fro\" is undefined"), error(2, 21, "identifier \"s\" is undefined")});
    REQUIRE(loop.size() == 1);
    const auto type = advised("template <T>\nvoid f(T a) {\n}\n", {error(1, 11, "identifier \"T\" is undefined"),
                                                                   error(2, 8, "identifier \"T\" is undefined")});
    REQUIRE(type.size() == 1);
    CHECK(type[0].message.ends_with("write template <typename T> for a type"));
    CHECK(loop[0].message == "identifier \"fro\" is undefined; is it `for`?");
}

TEST_CASE("two mistakes are two messages") {
    const auto told = advised("void f() {\n    int a = b;\n}\nvoid g() {\n    int c = 1\n    c = d;\n}\n",
                              {error(2, 13, "identifier \"b\" is undefined"), error(6, 5, "expected a \";\""),
                               error(6, 9, "identifier \"d\" is undefined")});
    REQUIRE(told.size() == 3);
    CHECK(told[1].line == 5);
    CHECK(told[2].line == 6);
}

TEST_CASE("an unknown name is looked for where it could be meant") {
    const auto undefined = [](const std::string& source, int line, int column, const std::string& name) {
        const auto told = advised(source, {error(line, column, "identifier \"" + name + "\" is undefined")});
        REQUIRE(told.size() == 1);
        return told[0].message;
    };
    CHECK(mentions(undefined("void f(int n) {\n    int a = N;\n}\n", 2, 13, "N"), "is it `n`?"));
    CHECK(mentions(undefined("void f() {\n    If (1) return;\n}\n", 2, 5, "If"), "is it `if`?"));
    CHECK(
        mentions(undefined("void f() {\n    g(1);\n}\nvoid g(int a) {\n}\n", 2, 5, "g"), "declared in line 4, below"));
    CHECK(mentions(undefined("void f() {\n    if (1) {\n        int a = 1;\n    }\n    a = 2;\n}\n", 5, 5, "a"),
                   "known up to line 4 only"));
    CHECK(mentions(undefined("void f() {\n    side = 2;\n}\nvoid g() {\n    int side = 1;\n}\n", 2, 5, "side"),
                   "belongs to `g` (line 5)"));
    CHECK(mentions(undefined("void f() {\n    __sync_threads();\n}\n", 2, 5, "__sync_threads"),
                   "is it `__syncthreads`?"));
    CHECK(mentions(undefined("void f() {\n    boolean a;\n}\n", 2, 5, "boolean"), "called bool"));
    CHECK(mentions(undefined("void f() {\n    cudaDeviceSyncronize();\n}\n", 2, 5, "cudaDeviceSyncronize"),
                   "is it `cudaDeviceSynchronize`?"));
    CHECK(mentions(undefined("void f() {\n    vector<int> a;\n}\n", 2, 5, "vector"), "for host programs"));
    CHECK(mentions(undefined("void f(int rows) {\n    int a = width;\n}\n", 2, 13, "width"),
                   "the parameters of `f` are `rows`"));
    // Of no function.
    CHECK_FALSE(
        mentions(undefined("template <class T>\nconstexpr bool ok = g([](T t) { return width; });\n", 2, 39, "width"),
                 "the parameters of ``"));
    CHECK(mentions(undefined("template <class T>\nconcept Small = sizeof(T) == 4;\n", 2, 1, "concept"), "C++20"));
}

TEST_CASE("what has to be known to the compiler is called what it is") {
    const auto said = [](const std::string& line, int column) {
        return plain("void f(int n) {\n" + line + "\n}\n", error(2, column, "expression must have a constant value"));
    };
    CHECK(mentions(said("float a[n];", 9), "sizes of arrays are fixed"));
    CHECK(mentions(said("constexpr int m = n * 2;", 19), "what a constexpr is set to is fixed"));
    CHECK(mentions(said("if constexpr (n > 2) return;", 15), "`if constexpr` tests is fixed"));
    CHECK(mentions(said("static_assert(n > 2, \"\");", 15), "what static_assert tests is fixed"));
    CHECK(mentions(said("switch (1) { case n: break; }", 19), "the value after case is fixed"));
    CHECK(mentions(said("enum { one = n };", 14), "the values of an enum are fixed"));
    CHECK(mentions(said("alignas(n) float a[3];", 9), "an alignment is fixed"));
}

TEST_CASE("the compiler's terms are said again in plain words, of what stands there") {
    CHECK(mentions(
        plain("void f(float* in) {\n    in(1, 2);\n}\n",
              error(2, 5, "expression preceding parentheses of apparent call must have (pointer-to-) function type")),
        "elements of `in` are taken with [ ]"));
    CHECK(mentions(plain("void f(float out) {\n    out[1] = 2;\n}\n",
                         error(2, 5, "expression must have pointer-to-object type but it has type \"float\"")),
                   "is a * missing there"));
    CHECK(mentions(plain("void f() {\n    float a[8];\n    a[1][2] = 2;\n}\n",
                         error(3, 5, "expression must have pointer-to-object type but it has type \"float\"")),
                   "has one dimension in line 2"));
    CHECK(mentions(plain("int N = 8;\nvoid f() {\n    __shared__ float a[N];\n}\n",
                         error(3, 24, "expression must have a constant value")),
                   "write constexpr before it in line 1"));
    CHECK(mentions(plain("__global__ void k(float* a, int n);\nvoid f(float* a) {\n    k<<<1, 2>>>(a);\n}\n",
                         error(3, 18, "too few arguments in function call")),
                   "`k` takes (float* a, int n)"));
    CHECK(mentions(
        plain("__global__ void k(const float* a, float* b);\nvoid f(const float* a, float* b) {\n"
              "    k<<<1, 2>>>(b, a);\n}\n",
              error(3, 20, "argument of type \"const float *\" is incompatible with parameter of type \"float *\"")),
        "have `a` and `b` changed places?"));
    CHECK(mentions(
        plain("__global__ void k(float* a);\nvoid f(const float* a) {\n    k<<<1, 2>>>(a);\n}\n",
              error(3, 17, "argument of type \"const float *\" is incompatible with parameter of type \"float *\"")),
        "write const float *"));
    CHECK(mentions(
        plain("__device__ void g(float** t);\nvoid f() {\n    float t[2][8];\n    g(t);\n}\n",
              error(4, 7, "argument of type \"float (*)[8]\" is incompatible with parameter of type \"float **\"")),
        "write the parameter as float t[][8]"));
    CHECK(mentions(plain("template <class T>\nvoid f() {\n    T v = 0;\n}\n",
                         error(3, 11, "no suitable constructor exists to convert from \"int\" to \"float4\"")),
                   "one of the types that are asked for is float4"));
    CHECK(mentions(plain("void f() {\n    block(8, 8);\n    k<<<1, block>>>();\n}\n",
                         error(2, 5, "identifier \"block\" is undefined")),
                   "dim3 block(...)"));
    CHECK(mentions(plain("void f(int a) {\n    if (a =< 2) return;\n}\n", error(2, 12, "expected an expression")),
                   "write <="));
    CHECK(mentions(plain("void f(int a b) {\n}\n", error(1, 14, "expected a \")\"")), "is a , missing before `b`?"));
}

TEST_CASE("what hides another, is handed over in another place, or has one type for all") {
    const auto no_array = [](int line, int column) {
        return error(line, column, "expression must have pointer-to-object type but it has type \"float\"");
    };
    CHECK(mentions(plain("void f(float* out) {\n    float out = 1;\n    out[1] = 2;\n}\n", no_array(3, 5)),
                   "hides the one of line 1"));
    CHECK(mentions(plain("void f() {\n    extern __shared__ float a;\n    a[1] = 2;\n}\n", no_array(3, 5)), "is a[]"));
    CHECK(mentions(
        plain("__global__ void k(float* a);\nvoid f(float* a, size_t n) {\n    k<<<1, 2, 0, n>>>(a);\n}\n",
              error(3, 18, "argument of type \"size_t\" is incompatible with parameter of type \"CUstream_st *\"")),
        "the fourth is a stream"));
    CHECK(mentions(plain("template <typename T> __global__ void k(T* a);\nvoid f(double* a) {\n    k<float><<<1, "
                         "2>>>(a);\n}\n",
                         error(3, 5, "no instance of function template \"k\" matches the argument list")),
                   "makes the template for float"));
    CHECK(mentions(plain("void f() {\n    float* a[8][8];\n    a[1][2] = 2.0f;\n}\n",
                         error(3, 13, "a value of type \"float\" cannot be assigned to an entity of type \"float *\"")),
                   "take the * there away"));
}

TEST_CASE("a line of any length is explained") {
    for (const char* piece : {"a ", "a[", "(", "= ", "* ", "\t", "a, ", "for (", "x::", "< "}) {
        std::string line = "    threadIdx ";
        while (line.size() < 20'000) line += piece;
        for (const char* text :
             {"identifier \"threadIdx\" is undefined", "expected a \";\"", "expected a \")\"", "expected an expression",
              "expression must be a modifiable lvalue", "no operator \"[]\" matches these operands: uint3",
              "expression must have pointer-to-object type", "expression has no effect",
              "argument of type \"int\" is incompatible with parameter of type \"float *\"",
              "too few arguments in function call", "expression must have a constant value"}) {
            INFO(piece << " " << text);
            const auto told = advised("void f() {\n" + line + "\n}\n", {error(2, 5, text), error(2, 19'000, text)});
            CHECK_FALSE(told.empty());
        }
    }
}

TEST_CASE("a program's main is found, other things named main are not") {
    CHECK(line_of_main("int x;\nint main() {\n}\n") == 2);
    CHECK(line_of_main("int main (int argc, char** argv)") == 1);
    CHECK(line_of_main("// int main()\nint remain();\nint main_loop();") == 0);
    CHECK(line_of_main("struct S { void main(); };") == 0);
    CHECK(line_of_main("#ifdef HOST\nint main() {}\n#endif") == 0);
    CHECK(line_of_main("const char* s = \"int main()\";") == 0);
}
