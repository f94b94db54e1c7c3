// Mistakes that show in numbers: rules of a problem.toml, [[mistake]] with `if` or `holds`.
//
// Theory of operation. A rule is an expression over the names of a case (its extents, the launch, what was found) and
// over the numbers of `tries` and `steps`, which are taken one after the other. It fits where `if` is not 0 and the
// output holds what `holds` says. The first rule that fits, in the order of the file, gives the words; of rules beside
// each other with the same `tries` and `steps`, the first number that fits one of them. A rule whose expression has no
// value, because it divides by 0, does not fit.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/description.hpp"
#include "problem/expression.hpp"

namespace warpgrade {

// A recognised mistake.
struct FoundEffect {
    std::string pattern;  // stable name
    std::string title, help;
    Effect effect{};
    std::string fact{};
    bool is_cause = false, is_general = false;
    std::string part{};  // of a rule that has one
    MistakePlace place = MistakePlace::output;
};

// What rules are asked of.
struct EffectCase {
    ExpressionScope scope;
    std::vector<std::string> variables;  // of `holds`: an element and its place, given for each place
    // Whether enough places hold one of these, each of as many formulas as the input has dimensions, or of one. The
    // formulas take `first`, then the values of `variables`.
    std::function<bool(std::span<const std::vector<Formula>> holds, const std::vector<std::int64_t>& first)> holds;
};

std::optional<FoundEffect> find_effect(std::span<const EffectRule> rules, const EffectCase& of);

// "the first {try + 1} elements" with numbers; "{n|element is|# elements are}" has the first words where n is 1, else
// the second, and n for #.
std::string with_numbers(std::string_view text, const ExpressionScope& scope, std::span<const std::string> variables,
                         std::span<const std::int64_t> values);

// The names and functions that the rules of a problem may use, without values; and the variables of `holds`.
ExpressionScope names_of_rules(const ProblemDescription& problem);
std::vector<std::string> places_of_rules(ReferenceForm form);
// What is wrong with an expression of a rule: which, and why.
struct WrongRule {
    std::string key, expression;
    ExpressionError error;
};
std::optional<WrongRule> wrong_with(const EffectRule& rule, const EffectCase& of);

}  // namespace warpgrade
