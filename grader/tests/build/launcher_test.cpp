#include "build/launcher.hpp"

#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;

namespace {

const std::string path = "stage.cu";
const std::string right = "transpose(float const*, float*, int, int)";

Result<std::string> find(std::vector<FunctionName> functions, const std::string& source) {
    return find_launcher(functions, test::kit_problem("transpose"), "float", path, source);
}

Diagnostic failure(std::vector<FunctionName> functions, const std::string& source) {
    const auto found = find(std::move(functions), source);
    REQUIRE(!found);
    CHECK(found.error().blame == Blame::learner);
    CHECK(found.error().facts.at(0) == "expected: void transpose(const float* in, float* out, int rows, int cols)");
    CHECK(!found.error().help.empty());
    return found.error();
}

}  // namespace

TEST_CASE("demangled names are taken apart") {
    const Demangled plain = take_apart(right);
    CHECK(plain.name == "transpose");
    CHECK(plain.parameters == "float const*, float*, int, int");
    CHECK(!plain.is_template);
    const Demangled instance = take_apart("void transpose<float4>(float4 const*, float4*, int, int)");
    CHECK(instance.name == "transpose");
    CHECK(instance.is_template);
    CHECK(instance.parameters == "float4 const*, float4*, int, int");
    const Demangled hidden = take_apart("(anonymous namespace)::transpose(float const*, float*, int, int)");
    CHECK(hidden.scope == "(anonymous namespace)::");
    CHECK(hidden.name == "transpose");
    const Demangled nested = take_apart("void a::b<c<int>, 3>::transpose<float>(void (*)(int), float*)");
    CHECK(nested.name == "transpose");
    CHECK(nested.scope == "a::b<c<int>, 3>::");
    CHECK(nested.parameters == "void (*)(int), float*");
    CHECK(take_apart("main").name == "main");
    CHECK(take_apart("").name.empty());
    CHECK_NOTHROW(take_apart(")("));
}

TEST_CASE("the launcher is found by its name and parameters") {
    const auto found = find({{"_Z3foov", "foo()", false}, {"_Z9transposePKfPfii", right, false}}, "");
    REQUIRE(found);
    CHECK(*found == "_Z9transposePKfPfii");
    const auto overloaded =
        find({{"other", "transpose(double const*, double*, int, int)", false}, {"this", right, false}}, "");
    REQUIRE(overloaded);
    CHECK(*overloaded == "this");
    const auto instance = find({{"this", "void transpose<float>(float const*, float*, int, int)", false}}, "");
    REQUIRE(instance);
}

TEST_CASE("a missing launcher is explained") {
    CHECK(failure({}, "").code == "launcher_missing");
    const Diagnostic near = failure({{"x", "transpos(float const*, float*, int, int)", false}},
                                    "\nvoid transpos(const float*, float*, int, int) {}\n");
    CHECK(near.code == "launcher_missing");
    CHECK(near.help == "rename `transpos` to `transpose`");
    CHECK(near.marks.at(0).line == 2);
    CHECK(near.marks.at(0).column == 6);
    const Diagnostic far = failure({{"x", "main_thing()", false}, {"k", "kernel()", true}}, "");
    CHECK(far.facts.at(1) == "functions in the file: main_thing");
}

TEST_CASE("a missing launcher is soon explained, however long the file and its comments are") {
    for (const char* piece : {" ", "\n", "a", "{", "f( "}) {
        std::string source = "/*";
        for (int i = 0; i < 200'000; ++i) source += piece;
        CHECK(failure({}, source + "*/").code == "launcher_missing");
        CHECK(failure({}, source.substr(2)).code == "launcher_missing");
    }
}

TEST_CASE("a launcher of another kind is explained") {
    CHECK(failure({{"k", right, true}}, "__global__ void transpose(").code == "launcher_is_kernel");
    const Diagnostic parameters = failure({{"x", "transpose(float*, float*, int, int)", false}}, "");
    CHECK(parameters.code == "launcher_parameters");
    CHECK(parameters.facts.at(1) == "found: transpose(float*, float*, int, int)");
    const Diagnostic overloads =
        failure({{"x", "transpose(float*, float*, int, int)", false}, {"y", "transpose(float*)", false}}, "");
    CHECK(overloads.facts.size() == 3);
    CHECK(failure({{"x", "mine::transpose(float const*, float*, int, int)", false}}, "").code == "launcher_hidden");
}

TEST_CASE("what never reaches the PTX is told from the text") {
    CHECK(failure({}, "static void transpose(const float* in, float* out, int rows, int cols) {}").code ==
          "launcher_hidden");
    CHECK(failure({}, "inline void transpose(const float* in, float* out, int rows, int cols) {}").code ==
          "launcher_hidden");
    CHECK(failure({}, "namespace {\nvoid transpose(const float* in, float* out, int, int) {}\n}").code ==
          "launcher_hidden");
    CHECK(failure({}, "template <typename T>\nvoid transpose(const T* in, T* out, int rows, int cols) {}").code ==
          "launcher_is_template");
    CHECK(failure({}, "// static void transpose(\n").code == "launcher_missing");
    CHECK(failure({}, "/* void transpose( */ int transposed(int);").code == "launcher_missing");
    CHECK(failure({}, "void f() { transpose(1); }").code == "launcher_missing");
}
