#include "compile/late_values.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

std::string log_of(int line) {
    return "s.cu(" + std::to_string(line) +
           "): error: dynamic initialization is not supported for a __device__ variable\n";
}

}  // namespace

TEST_CASE("a variable of the file gets its value first of all in main") {
    const std::string text = "const int n = count();\nint main() { return n; }\n";
    const auto made = with_late_values(text, log_of(1), "s.cu");
    REQUIRE(made);
    CHECK(made->find("static void __make_n()") != std::string::npos);
    CHECK(made->find("new ((void*)&__later_n) __type_n(count())") != std::string::npos);
    CHECK(made->find("int main() { __make_n();") != std::string::npos);
    CHECK(std::count(made->begin(), made->end(), '\n') == 2);
}

TEST_CASE("a static variable of a function gets its value the first time, and lines stay") {
    const std::string text = "int f() {\n    static std::vector<int> seen = {1,\n        2};\n    return seen[0];\n}\n";
    const auto made = with_late_values(text, log_of(2), "s.cu");
    REQUIRE(made);
    CHECK(made->find("if (!__is_made_seen)") != std::string::npos);
    CHECK(made->find("__type_seen{1,") != std::string::npos);
    CHECK(std::count(made->begin(), made->end(), '\n') == 5);
}

TEST_CASE("what is not understood stays an error") {
    CHECK_FALSE(with_late_values("int a[2] = {f(), g()};\nint main() {}\n", log_of(1), "s.cu"));
    CHECK_FALSE(with_late_values("int n = f();\n", log_of(1), "s.cu"));  // no main
    CHECK_FALSE(with_late_values("int n = f();\nint main() {}\n", "", "s.cu"));
    CHECK_FALSE(with_late_values("int n = f();\nint main() {}\n", log_of(1), "other.cu"));
}
