// Questions of a Context as isl takes them: systems of linear constraints, and sets in its notation.
#include <algorithm>
#include <utility>

#include "proof/context.hpp"

namespace warpgrade::proof {
namespace {

constexpr std::size_t longest_text = 200'000;
constexpr std::size_t most_cases = 64;  // of one condition, written as cases

using Cases = std::vector<std::vector<LinearConstraint>>;

std::string joined(const std::vector<std::string>& parts, const char* between, const char* none) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += between;
        text += part;
        if (text.size() > longest_text) throw Unsupported{"conditions too long to decide"};
    }
    return text.empty() ? none : text;
}

// The variables of a system, in the order in which they are met.
class Numbering {
public:
    int of(const Monomial& monomial) {
        return numbers_.try_emplace(monomial, static_cast<int>(numbers_.size())).first->second;
    }
    std::size_t count() const { return numbers_.size(); }

private:
    std::map<Monomial, int> numbers_;
};

LinearConstraint linear(const Polynomial& value, bool is_equation, Numbering& numbers) {
    LinearConstraint constraint;
    constraint.is_equation = is_equation;
    for (const auto& [monomial, factor] : value.terms()) {
        if (monomial.empty())
            constraint.constant = factor;
        else
            constraint.factors.emplace_back(numbers.of(monomial), factor);
    }
    return constraint;
}

Cases cases_of(const Condition& condition, Numbering& numbers) {
    using Kind = Condition::Kind;
    if (condition.kind == Kind::at_least_zero || condition.kind == Kind::is_zero)
        return {{linear(condition.value, condition.kind == Kind::is_zero, numbers)}};
    const bool is_all = condition.kind == Kind::all;
    Cases cases(is_all ? 1 : 0);
    for (const Condition& part : condition.parts) {
        const Cases others = cases_of(part, numbers);
        if (!is_all) {
            cases.insert(cases.end(), others.begin(), others.end());
        } else {
            Cases products;
            for (const auto& a : cases)
                for (const auto& b : others) {
                    products.push_back(a);
                    products.back().insert(products.back().end(), b.begin(), b.end());
                }
            cases = std::move(products);
        }
        if (cases.size() > most_cases) throw Unsupported{"conditions with too many cases"};
    }
    return cases;
}

void add_to(LinearSystem& system, const Condition& condition, Numbering& numbers) {
    if (condition.kind == Condition::Kind::all) {
        for (const Condition& part : condition.parts) add_to(system, part, numbers);
        return;
    }
    Cases cases = cases_of(condition, numbers);
    if (cases.size() == 1)
        system.all.insert(system.all.end(), cases[0].begin(), cases[0].end());
    else
        system.choices.push_back(std::move(cases));
}

}  // namespace

Emptiness Context::emptiness(const Path& conditions) const {
    Vocabulary words;
    const Path all = completed(conditions, words);
    LinearSystem system;
    Numbering numbers;
    for (const Condition& condition : all) add_to(system, condition, numbers);
    // A quotient that depends on the thread is a variable of its own: d*q <= n < d*q + d.
    for (const Atom atom : words.quotients) {
        const AtomMeaning& one = meaning(atom);
        const Polynomial rest = one.numerator - one.denominator * Polynomial::of(atom);
        add_to(system, within(rest, 0, one.denominator - 1), numbers);
    }
    system.variables = numbers.count();
    return sets_->emptiness(system);
}

std::string Context::name_of(const Monomial& parameter) const {
    std::string name;
    for (const Atom atom : parameter) name += (name.empty() ? "" : "_") + meaning(atom).name;
    return name;
}

std::string Context::text_of(const Monomial& monomial) const {
    if (is_parameter(monomial)) return name_of(monomial);
    const AtomMeaning& one = meaning(monomial.front());
    if (one.kind != AtomMeaning::Kind::quotient) return one.name;
    return "floor((" + text_of(one.numerator) + ")/" + to_string(one.denominator.constant()) + ")";
}

std::string Context::text_of(const Polynomial& value) const {
    std::vector<std::string> terms;
    for (const auto& [monomial, factor] : value.terms())
        terms.push_back(monomial.empty() ? to_string(factor) : to_string(factor) + "*" + text_of(monomial));
    return joined(terms, " + ", "0");
}

std::string Context::text_of(const Condition& condition) const {
    using Kind = Condition::Kind;
    if (condition.kind == Kind::at_least_zero) return "(" + text_of(condition.value) + " >= 0)";
    if (condition.kind == Kind::is_zero) return "(" + text_of(condition.value) + " = 0)";
    std::vector<std::string> parts;
    for (const Condition& part : condition.parts) parts.push_back(text_of(part));
    const bool is_all = condition.kind == Kind::all;
    return "(" + joined(parts, is_all ? " and " : " or ", is_all ? "0 = 0" : "0 = 1") + ")";
}

std::string Context::text(const std::vector<Atom>& shown, const Path& body, const Vocabulary& words) const {
    std::vector<std::string> conditions, names, dimensions, others;
    for (const Condition& condition : body) conditions.push_back(text_of(condition));
    for (const Monomial& parameter : words.parameters) names.push_back(name_of(parameter));
    for (const Atom atom : shown) dimensions.push_back(meaning(atom).name);
    for (const Atom atom : words.coordinates)
        if (std::find(shown.begin(), shown.end(), atom) == shown.end()) others.push_back(meaning(atom).name);
    std::string inner = joined(conditions, " and ", "0 = 0");
    if (!others.empty()) inner = "exists (" + joined(others, ", ", "") + " : " + inner + ")";
    return "[" + joined(names, ", ", "") + "] -> { [" + joined(dimensions, ", ", "") + "] : " + inner + " }";
}

// What is known of all shapes is told of the first set: the others are taken from it.
Emptiness Context::emptiness_without(const std::vector<Atom>& shown, const Path& conditions,
                                     const std::vector<Path>& others) const {
    Vocabulary first;
    first.coordinates.insert(shown.begin(), shown.end());
    std::vector<std::string> texts;
    for (const Path& other : others) {
        Vocabulary words;
        const Path body = ranged(other, shown, words);
        first.parameters.insert(words.parameters.begin(), words.parameters.end());
        texts.push_back(text(shown, body, words));
    }
    const Path body = completed(conditions, first);
    return sets_->emptiness_without(text(shown, body, first), texts);
}

}  // namespace warpgrade::proof
