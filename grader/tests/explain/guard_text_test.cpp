#include "explain/guard_text.hpp"

#include "explain/gap_cause.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;

namespace {

// A kernel with this line 3, and the store of line 5.
std::string kernel(const std::string& line, const std::string& store = "out[x * rows + y] = in[y * cols + x];") {
    return "__global__ void f(const float* in, float* out, int rows, int cols) {\n    int x, y;\n" + line + "\n\n" +
           store + "\n}\n";
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string advice(const std::string& line, bool is_below_zero = false) {
    return advice_on_guard(FactsOf(kernel(line)), 5, "out", is_below_zero).text;
}

}  // namespace

TEST_CASE("the test that an access stands behind is read") {
    const auto guards = guards_before(FactsOf(kernel("if (x < cols && y < rows)")), 5, "out");
    REQUIRE(guards.size() == 1);
    CHECK(guards[0].line == 3);
    CHECK_FALSE(guards[0].returns);
    CHECK(guards[0].connector == "&&");
    REQUIRE(guards[0].parts.size() == 2);
    CHECK(guards[0].parts[0].left == "x");
    CHECK(guards[0].parts[1].right == "rows");
    CHECK(guards_before(FactsOf(kernel("if (x >= cols || y >= rows) return;")), 5, "out").at(0).returns);
    CHECK(guards_before(FactsOf(kernel("if (x < cols) { y = 1; }")), 5, "out").empty());
    CHECK(guards_before(FactsOf(kernel("if (x < cols) y = 1;")), 5, "out").empty());
    CHECK(guards_before(FactsOf(kernel("if (x == 0)")), 5, "out").empty());
}

TEST_CASE("a test that a thread outside passes is told") {
    CHECK(mentions(advice("if (x <= cols && y < rows)"), "write < instead of <="));
    CHECK(mentions(advice("if (x > cols || y > rows) return;"), "write >= instead of >"));
    CHECK(mentions(advice("if (x < cols || y < rows)"), "write && instead of ||"));
    CHECK(mentions(advice("if (x >= cols && y >= rows) return;"), "write || instead of &&"));
    CHECK(mentions(advice("if (x < cols)", true), "does not look below zero"));
    CHECK(advice("if (x < cols && y < rows)").empty());
    CHECK(advice("if (x >= 0 && x < cols)", true).empty());
    CHECK(mentions(advice("if (y < 0 || y >= rows || x >= cols) return;", true),
                   "the test in line 3 compares `y` with both ends, but `x` with only one"));
    CHECK(advice("if (y < 0 || y >= rows || x < 0 || x >= cols) return;", true).empty());
    CHECK(mentions(
        advice_on_guard(FactsOf(kernel("if (x < cols && y < rows)", "out[(y + j) * cols + x] = 1;")), 5, "out", false)
            .text,
        "compares only y"));
}

TEST_CASE("the test of a conditional expression is looked at too") {
    const FactsOf facts(kernel("if (x < cols)", "float v = x < cols ? in[y * cols + x + 1] : 0;"));
    const auto guards = guards_before(facts, 5, "in");
    REQUIRE(guards.size() == 2);
    CHECK(guards[0].line == 5);
    CHECK(guards[0].parts.at(0).right == "cols");
    CHECK(mentions(advice_on_left_out(facts, 5, "in").text, "goes to x + 1, but the test in line 5 compares only x"));
    const FactsOf two(kernel("if (x < cols)", "out[x + j - 1] += out[x + j];"));
    CHECK(mentions(advice_on_left_out(two, 5, "out").text,
                   "the indices go to x + j and x + j - 1, but the test in line 3 compares only x"));
    CHECK(
        advice_on_left_out(FactsOf(kernel("", "float v = x + 1 < cols ? in[y * cols + x + 1] : 0;")), 5, "in").empty());
    CHECK(
        advice_on_left_out(FactsOf(kernel("", "float v = x < cols - 1 ? in[y * cols + x + 1] : 0;")), 5, "in").empty());
}

TEST_CASE("the test before the only store, where elements are missing") {
    const auto short_of_one = gap_cause("last_line_missing", FactsOf(kernel("if (x < cols - 1 && y < rows)")), 5);
    CHECK(short_of_one.line == 3);
    CHECK(short_of_one.is_test);
    CHECK(mentions(short_of_one.help, "write x < cols"));
    CHECK(mentions(gap_cause("last_line_missing", FactsOf(kernel("if (x >= cols - 1) return;")), 5).help,
                   "write x >= cols"));
    CHECK_FALSE(gap_cause("last_line_missing", FactsOf(kernel("if (x < cols && y < rows)")), 5).is_test);
    CHECK(mentions(gap_cause("start_missing", FactsOf(kernel("if (x < 1 || y < 1) return;")), 5).help,
                   "the test in line 3"));
    // In out[x * rows + y] y runs along a row of `rows`.
    const auto exchanged = gap_cause("square_corner", FactsOf(kernel("if (x < rows && y < cols)")), 5);
    CHECK(exchanged.is_test);
    CHECK(mentions(exchanged.help, "compares it with `cols`"));
    const auto fits = gap_cause("square_corner", FactsOf(kernel("if (x < cols && y < rows)")), 5);
    CHECK(fits.is_launch);
    CHECK_FALSE(fits.is_test);
    CHECK(gap_cause("square_corner", FactsOf(kernel("if (x < rows && y < cols)", "out[i] = in[i];")), 5).help.empty());
    CHECK(gap_cause("square_corner",
                    FactsOf(kernel("if (x < rows && y < cols) {\n    int i = x * rows + y;", "out[i] = in[i]; }")), 6)
              .is_test);
    CHECK(gap_cause("start_missing", FactsOf(kernel("if (x > 0) if (y > 0)")), 5).line == 0);
    CHECK(gap_cause("start_missing", FactsOf(kernel("if (x > 0)")), 0).line == 0);
}

TEST_CASE("a comparison that stops too early is found by how much, and only where there is one") {
    const auto instead = [](const std::string& code, int by = 1) {
        return bound_that_stops_early(FactsOf(kernel(code)), by).instead;
    };
    CHECK(instead("if (i < n - 1) a[i] = 1;") == "i < n");
    CHECK(instead("if (i + 1 < n) a[i] = 1;") == "i < n");
    CHECK(instead("if (i <= n - 2) a[i] = 1;") == "i < n");
    CHECK(instead("if (i >= n - 1) return;") == "i >= n");
    CHECK(instead("x = i < n - 2 ? in[i] : 0;", 2) == "i < n");
    CHECK(instead("for (int i = 0; i < n - 1; ++i)") == "i < n");
    for (const char* right : {"if (i <= n - 1) a[i] = 1;", "if (i < n) a[i] = in[n - 1];", "if (i + 1 < n * 2) f();",
                              "if (i < n - 1) f();\nif (j < n - 1) g();", "// i < n - 1", "if (i < n - 4) f();"})
        CHECK(instead(right).empty());
    CHECK(bound_that_stops_early(FactsOf(kernel("if (i < n - 1) f();")), 1).line == 3);
}

TEST_CASE("a loop along a row that ends at another number than its length is told") {
    const auto loop = [](const std::string& head, const std::string& store) {
        return advice_on_column_loop(FactsOf(kernel(head, store)), 5, "in");
    };
    CHECK(mentions(loop("for (x = 0; x < rows; ++x)", "out[x * rows + y] = in[y * cols + x];"), "is x < cols meant?"));
    CHECK(loop("for (x = 0; x < cols; ++x)", "out[x * rows + y] = in[y * cols + x];").empty());
    CHECK(loop("for (y = 0; y < rows; ++y)", "out[x * rows + y] = in[y * cols + x];").empty());
    CHECK(loop("for (x = 0; x < 32; ++x)", "out[x * rows + y] = in[y * cols + x];").empty());
}
