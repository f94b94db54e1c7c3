#include "problem/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpgrade {

namespace {

template <auto member>
void set(Effect& effect, std::int64_t number) {
    using Member = std::remove_cvref_t<decltype(effect.*member)>;
    if constexpr (std::is_same_v<Member, bool>)
        effect.*member = true;
    else
        effect.*member = static_cast<typename Member::value_type>(number);
}

// What a rule may show beyond its name; a number that is 0 is not there.
const struct {
    const char* name;
    void (*set)(Effect& effect, std::int64_t number);
} shown[]{
    {"lines", set<&Effect::lines>},
    {"of_rows", set<&Effect::of_rows>},
    {"high", set<&Effect::high>},
    {"wide", set<&Effect::wide>},
    {"left_out", set<&Effect::left_out>},
    {"lost_of_four", set<&Effect::lost_of_four>},
    {"is_rounded_down", set<&Effect::is_rounded_down>},
    {"is_too_small", set<&Effect::is_too_small>},
    {"is_of_columns", set<&Effect::is_of_columns>},
    {"is_of_load", set<&Effect::is_of_load>},
    {"is_of_value", set<&Effect::is_of_value>},
    {"is_part_of_sum", set<&Effect::is_part_of_sum>},
    {"is_of_grid", set<&Effect::is_of_grid>},
};

// A rule with its expressions read.
class Rule {
public:
    Rule(const EffectRule& rule, const EffectCase& of) : rule_(rule), of_(of), names_{"try", "step"} {
        for (const auto& [name, expression] : rule.lets) {
            lets_.push_back(formula("let", expression));
            names_.push_back(name);
        }
        if (!rule.condition.empty()) condition_ = formula("if", rule.condition);
        if (!rule.to.empty()) to_ = formula("to", rule.to);
        for (const std::string& each : rule.tries) tries_.push_back(formula("tries", each));
        for (const std::string& each : rule.steps) steps_.push_back(formula("steps", each));
        std::vector<std::string> all = names_;
        all.insert(all.end(), of.variables.begin(), of.variables.end());
        std::swap(names_, all);
        for (const std::vector<std::string>& each : rule.holds) {
            auto& one = holds_.emplace_back();
            for (const std::string& expression : each) one.push_back(formula("holds", expression));
        }
        std::swap(names_, all);
        for (const auto& [name, expression] : rule.shows) {
            (void)formula("shows", expression);
            const auto is_it = [wanted = std::string_view(name)](const auto& each) { return wanted == each.name; };
            if (std::ranges::none_of(shown, is_it))
                note("shows", name, {fmt::format("a rule cannot show `{}`", name), {}, 0});
        }
        for (const auto& [key, text] : {std::pair("title", &rule.title), {"help", &rule.help}, {"fact", &rule.fact}})
            for (const std::string& each : numbers_in(*text)) (void)formula(key, each);
    }

    const std::optional<WrongRule>& wrong() const { return wrong_; }

    std::vector<std::int64_t> tries() {
        values_.clear();
        return numbers(tries_, {});
    }
    std::vector<std::int64_t> steps(std::int64_t tried) {
        values_ = {tried, 0};
        return numbers(steps_, to_);
    }
    std::optional<FoundEffect> find(std::int64_t tried, std::int64_t step) {
        values_ = {tried, step};
        return fits() ? std::optional(found()) : std::nullopt;
    }

    // The expressions of "the first {try} of {n|one|# ones}".
    static std::vector<std::string> numbers_in(std::string_view text) {
        std::vector<std::string> all;
        for (std::size_t at = 0; (at = text.find('{', at)) != text.npos; ++at) {
            const std::string_view inside = text.substr(at + 1, text.find('}', at) - at - 1);
            all.emplace_back(inside.substr(0, bar_of(inside)));
        }
        return all;
    }
    // Where the words begin; || is part of an expression.
    static std::size_t bar_of(std::string_view inside) {
        std::size_t at = 0;
        while ((at = inside.find('|', at)) != inside.npos && inside.substr(at).starts_with("||")) at += 2;
        return std::min(at, inside.size());
    }

private:
    void note(const char* key, const std::string& expression, ExpressionError error) {
        if (!wrong_) wrong_ = WrongRule{key, expression, std::move(error)};
    }
    Formula formula(const char* key, const std::string& expression) {
        Formula made(expression, of_.scope, names_);
        if (made.error()) note(key, expression, *made.error());
        return made;
    }
    // One after the other; without any a single 0. `to`: 1 to this many.
    std::vector<std::int64_t> numbers(const std::vector<Formula>& listed, const std::optional<Formula>& to) const {
        std::vector<std::int64_t> all;
        for (const Formula& each : listed)
            if (const ExpressionValue value = each.value(values_); value.ok()) all.push_back(value.value);
        if (to)
            for (std::int64_t i = 1, last = to->value(values_).value; i <= last; ++i) all.push_back(i);
        if (listed.empty() && !to) all.push_back(0);
        return all;
    }
    bool fits() {
        for (const Formula& let : lets_) {
            const ExpressionValue value = let.value(values_);
            if (!value.ok()) return false;
            values_.push_back(value.value);
        }
        if (condition_) {
            const ExpressionValue value = condition_->value(values_);
            if (!value.ok() || value.value == 0) return false;
        }
        return holds_.empty() || of_.holds(holds_, values_);
    }
    FoundEffect found() const {
        const auto text = [&](const std::string& words) { return with_numbers(words, of_.scope, names_, values_); };
        FoundEffect effect{rule_.name,     text(rule_.title), text(rule_.help), {},         text(rule_.fact),
                           rule_.is_cause, rule_.is_general,  rule_.part,       rule_.place};
        for (const auto& [name, expression] : rule_.shows)
            for (const auto& each : shown)
                if (const std::int64_t number = Formula(expression, of_.scope, names_).value(values_).value;
                    name == each.name && number != 0)
                    each.set(effect.effect, number);
        return effect;
    }

    const EffectRule& rule_;
    const EffectCase& of_;
    std::vector<std::string> names_;  // of values_
    std::vector<Formula> lets_, tries_, steps_;
    std::optional<Formula> condition_, to_;
    std::vector<std::vector<Formula>> holds_;
    std::vector<std::int64_t> values_;
    std::optional<WrongRule> wrong_;
};

}  // namespace

std::optional<FoundEffect> find_effect(std::span<const EffectRule> rules, const EffectCase& of) {
    const auto numbers = [](const EffectRule& rule) { return std::tie(rule.tries, rule.steps, rule.to); };
    while (!rules.empty()) {
        const auto end =
            std::ranges::find_if(rules, [&](const auto& rule) { return numbers(rule) != numbers(rules[0]); });
        const auto count = static_cast<std::size_t>(end - rules.begin());
        std::vector<Rule> alike;
        alike.reserve(count);
        for (const EffectRule& rule : rules.first(count)) alike.emplace_back(rule, of);
        for (const std::int64_t tried : alike.front().tries())
            for (const std::int64_t step : alike.front().steps(tried))
                for (Rule& rule : alike)
                    if (auto found = rule.find(tried, step)) return found;
        rules = rules.subspan(count);
    }
    return std::nullopt;
}

std::optional<WrongRule> wrong_with(const EffectRule& rule, const EffectCase& of) { return Rule(rule, of).wrong(); }

std::string with_numbers(std::string_view text, const ExpressionScope& scope, std::span<const std::string> variables,
                         std::span<const std::int64_t> values) {
    std::string all;
    while (true) {
        const std::size_t open = text.find('{'), close = text.find('}', std::min(open, text.size()));
        all += text.substr(0, open);
        if (close == text.npos) return all;
        const std::string_view inside = text.substr(open + 1, close - open - 1);
        const std::size_t bar = Rule::bar_of(inside);
        const std::int64_t number = Formula(inside.substr(0, bar), scope, variables).value(values).value;
        if (bar == inside.size()) {
            all += std::to_string(number);
        } else {
            std::string_view words = inside.substr(bar + 1);
            const std::size_t second = std::min(words.find('|'), words.size());
            words = number == 1 ? words.substr(0, second) : words.substr(std::min(second + 1, words.size()));
            for (const char c : words) all += c == '#' ? std::to_string(number) : std::string(1, c);
        }
        text = text.substr(close + 1);
    }
}

std::vector<std::string> places_of_rules(ReferenceForm form) {
    return form == ReferenceForm::moves ? std::vector<std::string>{"y", "x", "i", "again"} : std::vector<std::string>{};
}

ExpressionScope names_of_rules(const ProblemDescription& problem) {
    ExpressionScope scope;
    for (const std::string& name : problem.extents) scope.names[name] = 0;
    for (const auto& [name, value] : problem.constants) scope.names[name] = value;
    if (problem.reference != ReferenceForm::sum) return scope;
    for (const char* name : {"n", "threads", "blocks", "launches", "found", "total", "times", "divisor", "sparse",
                             "before", "is_second_call", "is_too_small", "is_infinite", "is_garbage"})
        scope.names[name] = 0;
    const auto nothing = [](std::span<const std::int64_t>) { return std::int64_t{0}; };
    scope.functions = {
        {"sum", {2, nothing}}, {"every", {4, nothing}}, {"left", {1, nothing}}, {"all_left", {1, nothing}}};
    return scope;
}

}  // namespace warpgrade
