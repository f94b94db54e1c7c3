#include "compile/exceptions.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

std::string without(const std::string& text) {
    return without_exceptions(text, "s.cu(1): error: device code does not support exception handling\n").value_or("");
}

}  // namespace

TEST_CASE("a block after try always runs, and its handlers never do") {
    CHECK(without("int f() { try { g(); } catch (const E& e) { h(e); } catch (...) { throw; } }") ==
          "int f() {  { g(); } if (false) for (const E& e = ::__warpgrade::Never(); false;) { h(e); } "
          "if (false) { ::__warpgrade::Thrown() = 0; } }");
    CHECK(without("void f() { try {} catch (const std::exception&) {} }") ==
          "void f() {  {} if (false) for (const std::exception& __caught = ::__warpgrade::Never(); false;) {} }");
}

TEST_CASE("what is thrown is told, and lines stay") {
    CHECK(without("void f() {\n    throw E(1);\n}\n") == "void f() {\n    ::__warpgrade::Thrown() = E(1);\n}\n");
}

TEST_CASE("a text without exceptions stays") {
    CHECK_FALSE(without_exceptions("void f() { throw 1; }", "another error"));
    CHECK(without("// try\nconst char* s = \"throw\";\n").empty());
}
