// Whole-number expressions of problem.toml: what they come to, and what is said of those that come to nothing.
#include "problem/expression.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

ExpressionScope scope() {
    ExpressionScope all;
    all.names = {{"rows", 33}, {"cols", 65}};
    all.functions["twice"] = {1, [](std::span<const std::int64_t> n) { return 2 * n[0]; }};
    all.of_names["elements"] = [](std::string_view name) -> std::optional<std::int64_t> {
        return name == "in" ? std::optional<std::int64_t>(2145) : std::nullopt;
    };
    return all;
}

}  // namespace

TEST_CASE("expressions have the value that C gives them") {
    const std::pair<const char*, std::int64_t> cases[] = {
        {"7", 7},
        {" rows * cols ", 2145},
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"7 - 2 - 1", 4},
        {"rows / 32 + 4096", 4097},
        {"100 % 7 * 2", 4},
        {"1 << 20", 1048576},
        {"(1 << 20) + 1", 1048577},
        {"1 << 2 + 1", 8},
        {"-3 + 5", 2},
        {"--3", 3},
        {"1024 >> 3", 128},
        {"min(rows, cols)", 33},
        {"max(rows, cols)", 65},
        {"sqrt(80)", 8},
        {"sqrt(81)", 9},
        {"pow2(1000)", 1024},
        {"pow2(1024)", 1024},
        {"up(33, 32)", 64},
        {"up(64, 32)", 64},
        {"down(65, 32)", 64},
        {"ceil(65, 32)", 3},
        {"twice(rows + 1)", 68},
        {"elements(in) + 1", 2146},
        {"rows < cols", 1},
        {"rows + 32 >= cols", 1},
        {"rows == cols || rows != 33 && cols > 1", 0},
        {"1 << 2 < 5", 1},
        {"!(rows <= 32) * 7", 7},
        {"4611686018427387903 + 4611686018427387903", 9223372036854775806},
    };
    for (const auto& [text, value] : cases) {
        const ExpressionValue found = evaluate(text, scope());
        INFO(text << (found.error ? ": " + found.error->says : ""));
        CHECK(found.ok());
        CHECK(found.value == value);
    }
}

TEST_CASE("what has no value is said with its place and a near name") {
    const struct {
        const char* text;
        const char* says;
        const char* help;
        int column;
    } cases[] = {
        {"rosw * 2", "no number is called `rosw` here", "did you mean `rows`?", 0},
        {"2 * mni(3, 4)", "no function is called `mni` here", "did you mean `min`?", 4},
        {"2 * mni(rosw, 4)", "no function is called `mni` here", "did you mean `min`?", 4},
        {"rows +", "something is missing at its end", "", 6},
        {"rows cols", "`c` is not expected there", "", 5},
        {"(rows", "`)` is missing", "", 5},
        {"rows / (cols - 65)", "it divides by 0", "", 18},
        {"min(1)", "`min` takes 2 numbers, not 1", "", 0},
        {"elements(inn)", "`elements(inn)` has no value here", "", 9},
        {"9223372036854775807 + 1", "it becomes larger than 64 bits hold", "", 23},
        {"1 << 63", "a shift is by 0 to 61, of a number that is not negative", "", 7},
        {"99999999999999999999", "it becomes larger than 64 bits hold", "", 0},
        {"", "something is missing at its end", "", 0},
        {"sqrt(-1)", "`sqrt` has no value there", "", 8},
    };
    for (const auto& [text, says, help, column] : cases) {
        INFO(text);
        const ExpressionValue found = evaluate(text, scope());
        REQUIRE_FALSE(found.ok());
        CHECK(found.error->says == says);
        if (*help != 0) CHECK(found.error->help == help);
        CHECK(found.error->column == column);
    }
    CHECK_FALSE(evaluate(std::string(10'000, '('), scope()).ok());
    CHECK_FALSE(evaluate(std::string(10'000, '-') + "1", scope()).ok());
}

TEST_CASE("a formula is read once, and has a value for each value of its variables") {
    const ExpressionScope names = scope();
    const std::vector<std::string> variables{"x", "cols"};  // before a name of the scope
    const Formula formula("twice(x) + cols % rows", names, variables);
    REQUIRE(!formula.error());
    CHECK(formula.uses(1));
    CHECK_FALSE(Formula("x", names, variables).uses(1));
    CHECK(formula.value(std::vector<std::int64_t>{4, 40}).value == 15);
    CHECK(formula.value(std::vector<std::int64_t>{0, 33}).value == 0);
    const Formula divides("rows / x", names, variables);
    CHECK_FALSE(divides.value(std::vector<std::int64_t>{0, 0}).ok());
    CHECK(divides.value(std::vector<std::int64_t>{3, 0}).value == 11);
    CHECK(Formula("rosw", names, variables).error()->help == "did you mean `rows`?");
}
