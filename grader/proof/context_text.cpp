// Questions of a Context in isl's notation, and the facts that are told with them.
#include <algorithm>
#include <utility>

#include "proof/context.hpp"

namespace warpgrade::proof {
namespace {

constexpr std::size_t longest_text = 200'000;
constexpr std::size_t highest_degree_with_facts = 3;

std::string joined(const std::vector<std::string>& parts, const char* between, const char* none) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += between;
        text += part;
        if (text.size() > longest_text) throw Unsupported{"conditions too long to decide"};
    }
    return text.empty() ? none : text;
}

}  // namespace

std::string Context::name_of(const Monomial& parameter) const {
    std::string name;
    for (const Atom atom : parameter) name += (name.empty() ? "" : "_") + meaning(atom).name;
    return name;
}

std::string Context::text_of(const Monomial& monomial, Names& names) const {
    if (is_parameter(monomial)) {
        names.parameters.insert(monomial);
        return name_of(monomial);
    }
    if (monomial.size() != 1) throw Unsupported{"a product of what depends on the thread"};
    const AtomMeaning& one = meaning(monomial.front());
    if (one.kind == AtomMeaning::Kind::hidden) throw Unsupported{"an index of blocks that are numbered in two axes"};
    if (one.kind == AtomMeaning::Kind::quotient) {
        if (!one.denominator.is_constant()) throw Unsupported{"a division by what depends on the shape"};
        return "floor((" + text_of(one.numerator, names) + ")/" + to_string(one.denominator.constant()) + ")";
    }
    names.coordinates.insert(monomial.front());
    return one.name;
}

std::string Context::text_of(const Polynomial& value, Names& names) const {
    std::vector<std::string> terms;
    for (const auto& [monomial, factor] : value.terms())
        terms.push_back(monomial.empty() ? to_string(factor) : to_string(factor) + "*" + text_of(monomial, names));
    return joined(terms, " + ", "0");
}

std::string Context::text_of(const Condition& condition, Names& names) const {
    using Kind = Condition::Kind;
    if (condition.kind == Kind::at_least_zero) return "(" + text_of(condition.value, names) + " >= 0)";
    if (condition.kind == Kind::is_zero) return "(" + text_of(condition.value, names) + " = 0)";
    std::vector<std::string> parts;
    for (const Condition& part : condition.parts) parts.push_back(text_of(part, names));
    const bool is_all = condition.kind == Kind::all;
    return "(" + joined(parts, is_all ? " and " : " or ", is_all ? "0 = 0" : "0 = 1") + ")";
}

// Of a, b >= 0 with A, B at least as large: a*b <= A*B. An extent is its own bound; a quotient n/d by a constant has n
// for d times it.
std::vector<Condition> Context::facts_of_product(const Monomial& product) const {
    const Polynomial itself = Polynomial::of(product, 1);
    std::vector<Condition> facts{at_least_zero(itself)};
    if (product.size() > highest_degree_with_facts) return facts;
    Monomial every_extent;
    for (std::size_t i = 0; i < extents_; ++i) every_extent.push_back(static_cast<Atom>(i));
    if (product == every_extent) facts.push_back(within(itself, 1, most_elements_));
    Polynomial bound = 1;
    Integer factor = 1;
    bool is_bounded_by_others = false, has_bound = true;
    for (std::size_t i = 0; i < product.size(); ++i) {
        const AtomMeaning& one = meaning(product[i]);
        if (one.kind == AtomMeaning::Kind::extent) {
            // The product without it is not larger.
            Monomial rest = product;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            facts.push_back(at_least(itself, Polynomial::of(rest, 1)));
            bound = bound * Polynomial::of(product[i]);
        } else if (one.denominator.is_constant() &&
                   bound.degree() + one.numerator.degree() <= Polynomial::most_degree) {
            bound = bound * one.numerator;
            factor *= one.denominator.constant();
            is_bounded_by_others = true;
        } else {
            has_bound = false;
        }
    }
    if (has_bound && is_bounded_by_others) facts.push_back(at_least(bound, itself * Polynomial(factor)));
    return facts;
}

std::vector<Condition> Context::facts(const Monomial& parameter) const {
    if (parameter.size() > 1) return facts_of_product(parameter);
    const Polynomial itself = Polynomial::of(parameter, 1);
    const AtomMeaning& one = meaning(parameter.front());
    if (one.kind == AtomMeaning::Kind::extent) return {within(itself, 1, one.most)};
    const Polynomial rest = one.numerator - one.denominator * itself;
    return {at_least_zero(itself), within(rest, 0, one.denominator - 1)};
}

// The quotients by what depends on the shape, n/d: of h >= 0 follows h*d >= 0, which says what h says of their
// products.
static std::vector<Polynomial> multiplied(const Polynomial& value, const std::vector<Polynomial>& divisors) {
    std::vector<Polynomial> products;
    for (const Polynomial& divisor : divisors) products.push_back(value * divisor);
    return products;
}

std::string Context::text(const std::vector<Atom>& shown, bool shows_all, const Path& conditions,
                          std::set<Monomial>& known) const {
    Names names{known, {}};
    std::vector<std::string> body;
    Path every = assumed;
    every.insert(every.end(), conditions.begin(), conditions.end());
    std::vector<Polynomial> divisors;
    for (const AtomMeaning& one : atoms_)
        if (one.is_parameter && one.kind == AtomMeaning::Kind::quotient && !one.denominator.is_constant())
            divisors.push_back(one.denominator);
    for (const Condition& condition : every) {
        body.push_back(text_of(condition, names));
        if (condition.kind != Condition::Kind::at_least_zero || !depends_on_shape_only(condition.value)) continue;
        if (condition.value.terms().size() > 2) continue;  // where it helps: a bound of one value
        for (const Polynomial& product : multiplied(condition.value, divisors))
            body.push_back(text_of(at_least_zero(product), names));
    }
    for (const Atom atom : shown) names.coordinates.insert(atom);
    std::set<Atom> ranged;
    while (ranged != names.coordinates) {
        const Atom atom = *std::find_if(names.coordinates.begin(), names.coordinates.end(),
                                        [&](Atom one) { return !ranged.contains(one); });
        ranged.insert(atom);
        body.push_back(text_of(within(Polynomial::of(atom), 0, meaning(atom).range - 1), names));
    }
    std::set<Monomial> told;
    std::vector<std::string> parameters;
    while (told != names.parameters) {
        const Monomial parameter = *std::find_if(names.parameters.begin(), names.parameters.end(),
                                                 [&](const Monomial& one) { return !told.contains(one); });
        told.insert(parameter);
        parameters.push_back(name_of(parameter));
        for (const Condition& fact : facts(parameter)) {
            body.push_back(text_of(fact, names));
            if (std::find(told_.begin(), told_.end(), fact) == told_.end()) told_.push_back(fact);
        }
    }
    known = names.parameters;
    std::vector<std::string> dimensions, others;
    for (const Atom atom : shown) dimensions.push_back(meaning(atom).name);
    for (const Atom atom : names.coordinates)
        if (std::find(shown.begin(), shown.end(), atom) == shown.end())
            (shows_all ? dimensions : others).push_back(meaning(atom).name);
    std::string inner = joined(body, " and ", "0 = 0");
    if (!others.empty()) inner = "exists (" + joined(others, ", ", "") + " : " + inner + ")";
    return "[" + joined(parameters, ", ", "") + "] -> { [" + joined(dimensions, ", ", "") + "] : " + inner + " }";
}

Emptiness Context::emptiness(const Path& conditions) const {
    std::set<Monomial> known;
    return sets_->emptiness(text({}, true, conditions, known));
}

bool Context::is_within(const std::vector<Atom>& shown, const Path& conditions, const std::vector<Path>& others) const {
    // The facts about all parameters are told of the first set: the others are taken from it.
    std::set<Monomial> known;
    std::vector<std::string> texts;
    for (const Path& other : others) texts.push_back(text(shown, false, other, known));
    return sets_->emptiness_without(text(shown, false, conditions, known), texts) == Emptiness::empty;
}

std::optional<Integer> Context::value_of(const Polynomial& value, const std::vector<std::int64_t>& shape) const {
    Integer sum = 0;
    for (const auto& [monomial, factor] : value.terms()) {
        Integer product = factor;
        for (const Atom atom : monomial) {
            const AtomMeaning& one = meaning(atom);
            std::optional<Integer> of_atom;
            if (one.kind == AtomMeaning::Kind::extent) {
                of_atom = shape.at(static_cast<std::size_t>(atom));
            } else if (one.kind == AtomMeaning::Kind::quotient) {
                const auto n = value_of(one.numerator, shape), d = value_of(one.denominator, shape);
                if (n && d && *d > 0) of_atom = rounded_down(*n, *d);
            }
            if (!of_atom || __builtin_mul_overflow(product, *of_atom, &product)) return std::nullopt;
        }
        if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
    }
    return sum;
}

std::optional<bool> Context::truth_of(const Condition& condition, const std::vector<std::int64_t>& shape) const {
    if (condition.kind == Condition::Kind::at_least_zero || condition.kind == Condition::Kind::is_zero) {
        const auto value = value_of(condition.value, shape);
        if (!value) return std::nullopt;
        return condition.kind == Condition::Kind::is_zero ? *value == 0 : *value >= 0;
    }
    const bool is_all = condition.kind == Condition::Kind::all;
    for (const Condition& part : condition.parts) {
        const auto truth = truth_of(part, shape);
        if (!truth) return std::nullopt;
        if (*truth != is_all) return !is_all;
    }
    return is_all;
}

std::optional<bool> Context::truth_at(const Path& conditions, const std::vector<std::int64_t>& shape) const {
    return truth_of(all_of(conditions), shape);
}

bool Context::facts_hold_at(const std::vector<std::int64_t>& shape) const {
    return std::all_of(told_.begin(), told_.end(),
                       [&](const Condition& fact) { return truth_of(fact, shape).value_or(false); });
}

}  // namespace warpgrade::proof
