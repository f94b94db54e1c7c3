#include "host/checked_indices.hpp"

#include "support/catch.hpp"

using namespace warpgrade::host;

namespace {

std::string checked(const std::string& text) { return with_checked_indices(text).text; }

}  // namespace

TEST_CASE("indices of local arrays of host code are checked, and no others") {
    CHECK(checked("int main() {\n    int a[3];\n    a[1] = 2;\n}\n") ==
          "int main() {\n    int a[3];\n    a[__warpgrade_inside<0, decltype(a)>(1, \"a\", 2, 1)] = 2;\n}\n");
    for (const char* same : {"int main() { int a[3]; int *end = &a[3]; }\n",                         // one past the end
                             "int main() { int *a; a[1] = 2; }\n",                                   // a pointer
                             "int main() { int (*a)[3]; a[1][0] = 2; }\n",                           // of arrays
                             "int main() { constexpr int a[] = {1}; static_assert(a[0] == 1); }\n",  // while compiling
                             "__global__ void k() { int a[3]; a[1] = 2; }\n", "int a[3];\nint main() { a[1] = 2; }\n"})
        CHECK(checked(same) == same);
}

TEST_CASE("columns of a text with checked indices are told as those of the text before") {
    const std::string text = "int main() {\n    int a[3], b;\n    b = a[a[1]] + b;\n}\n";
    const CheckedIndices with = with_checked_indices(text);
    REQUIRE(with.insertions.size() == 4);
    const std::string line = with.text.substr(with.text.find("    b = "));
    CHECK(with.column_before(3, 5) == 5);
    CHECK(with.column_before(3, static_cast<int>(line.find("+ b")) + 1) == 17);
    CHECK(with.column_before(2, 40) == 40);
    const std::string column = std::to_string(line.find("+ b") + 1);
    CHECK(with.with_columns_before(".file 1 \"x/p.cu\"\n.loc 1 3 " + column + "\n.loc 2 3 " + column + "\n", "p.cu") ==
          ".file 1 \"x/p.cu\"\n.loc 1 3 17\n.loc 2 3 " + column + "\n");
}
