#include "source/questions.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;

namespace {

// The indices of each access to the array in the line, in one line each.
std::vector<std::string> indices(const std::string& line, std::string_view array) {
    const test::FactsOf facts("void f() {\n" + line + "\n}\n");
    std::vector<std::string> all;
    for (const source::Access* access : source::accesses_to(facts, 2, array))
        for (const source::NodeId index : access->indices) all.push_back(source::in_one_line(*facts->tree, index));
    return all;
}

}  // namespace

TEST_CASE("the subscripts of an array are found, whatever its name holds") {
    using All = std::vector<std::string>;
    CHECK(indices("if (i < n) counts[in[i]]++;", "counts") == All{"in[i]"});
    CHECK(indices("partial[tid] += partial [tid + s];", "partial") == All{"tid", "tid + s"});
    CHECK(indices("a[b[0]] = b[1];", "b") == All{"0", "1"});
    CHECK(indices("x = counts; y[counts] = 0;", "counts").empty());
    CHECK(indices("my_counts[0];", "counts").empty());
    CHECK(indices("counts[in[i", "counts") == All{"in[i"});
    CHECK(indices("f(*x", "f(*").empty());
}

TEST_CASE("a text in one line has one blank for all that is blank") {
    CHECK(source::in_one_line(" a\n  +\tb \r\n") == "a + b");
    CHECK(source::in_one_line("").empty());
}
