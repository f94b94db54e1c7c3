// Mistakes that are expressions: which rule fits first, and its words.
#include "problem/effects.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

EffectRule rule(std::string name, std::string condition, std::vector<std::string> tries = {}) {
    EffectRule made;
    made.name = std::move(name);
    made.title = "{try|one|# of them}, {n - try} left";
    made.condition = std::move(condition);
    made.tries = std::move(tries);
    return made;
}

EffectCase of_number(std::int64_t n) {
    EffectCase of;
    of.scope.names["n"] = n;
    return of;
}

}  // namespace

TEST_CASE("the first rule that fits gives the words, with its numbers") {
    const std::vector<EffectRule> rules{rule("divided", "n % try == 0 && n / (try - 2) > 1", {"2", "n / 4", "3"}),
                                        rule("any", "n > 0")};
    const auto found = find_effect(rules, of_number(12));
    REQUIRE(found);
    CHECK(found->pattern == "divided");  // 2 divides by 0, which is no fit
    CHECK(found->title == "3 of them, 9 left");
    CHECK(find_effect(rules, of_number(1))->pattern == "any");
    CHECK_FALSE(find_effect(rules, of_number(0)));
}

TEST_CASE("rules beside each other with the same numbers take turns, number by number") {
    const auto first = rule("first", "n == 7 - try", {"1", "2", "3"}),
               second = rule("second", "n == 3 + try", {"1", "2", "3"});
    CHECK(find_effect(std::vector{first, second}, of_number(4))->pattern == "second");
    CHECK(find_effect(std::vector{first, second}, of_number(5))->pattern == "first");
    CHECK(find_effect(std::vector{first, rule("other", "n == 3 + try", {"1"})}, of_number(4))->pattern == "first");
}

TEST_CASE("steps go from 1 to a number, names of `let` are numbers, and what a rule shows is there") {
    EffectRule stepped = rule("stepped", "sum == 9", {"2", "4"});
    stepped.to = "n";
    stepped.lets = {{"product", "try * step"}, {"sum", "product + 1"}};
    stepped.shows = {{"lines", "product"}, {"is_of_load", "step == 9"}};
    stepped.fact = "{step} {product}";
    const auto found = find_effect(std::vector{stepped}, of_number(3));
    REQUIRE(found);
    CHECK(found->fact == "2 8");
    CHECK(found->effect.lines == 8);
    CHECK_FALSE(found->effect.is_of_load);
}

TEST_CASE("an expression that is wrong is named") {
    EffectRule wrong = rule("wrong", "stpe > 0");
    CHECK(wrong_with(wrong, of_number(1))->error.help == "did you mean `step`?");
    wrong = rule("wrong", "n > 0");
    wrong.help = "all {tri}";
    CHECK(wrong_with(wrong, of_number(1))->key == "help");
    wrong = rule("wrong", "n > 0");
    wrong.shows = {{"colour", "1"}};
    CHECK(wrong_with(wrong, of_number(1))->error.says == "a rule cannot show `colour`");
    CHECK_FALSE(wrong_with(rule("right", "n || n"), of_number(1)));
}
