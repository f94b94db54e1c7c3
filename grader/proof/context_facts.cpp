// What is known of the unknowns of a Context: it is told to isl with each question.
#include <algorithm>
#include <utility>

#include "proof/context.hpp"

namespace warpgrade::proof {
namespace {

constexpr std::size_t highest_degree_with_facts = 3;

}  // namespace

void Context::note(const Polynomial& value, Vocabulary& words) const {
    for (const auto& [monomial, factor] : value.terms()) {
        if (is_parameter(monomial)) {
            if (!monomial.empty()) words.parameters.insert(monomial);
            continue;
        }
        if (monomial.size() != 1) throw Unsupported{"a product of what depends on the thread"};
        const Atom atom = monomial.front();
        const AtomMeaning& one = meaning(atom);
        if (one.kind == AtomMeaning::Kind::hidden)
            throw Unsupported{"an index of blocks that are numbered in two axes"};
        if (one.kind == AtomMeaning::Kind::coordinate) {
            words.coordinates.insert(atom);
        } else if (words.quotients.insert(atom).second) {
            if (!one.denominator.is_constant()) throw Unsupported{"a division by what depends on the shape"};
            note(one.numerator, words);
        }
    }
}

void Context::note(const Condition& condition, Vocabulary& words) const {
    note(condition.value, words);
    for (const Condition& part : condition.parts) note(part, words);
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

// Quotients by what depends on the shape, n/d: of h >= 0 follows h*d >= 0, which says what h says of their
// products.
static std::vector<Polynomial> multiplied(const Polynomial& value, const std::vector<Polynomial>& divisors) {
    std::vector<Polynomial> products;
    for (const Polynomial& divisor : divisors) products.push_back(value * divisor);
    return products;
}

Path Context::ranged(const Path& conditions, const std::vector<Atom>& shown, Vocabulary& words) const {
    Path all = conditions;
    for (const Condition& condition : conditions) note(condition, words);
    std::set<Atom> told(shown.begin(), shown.end());
    while (!std::includes(told.begin(), told.end(), words.coordinates.begin(), words.coordinates.end())) {
        const std::set<Atom> known = words.coordinates;
        for (const Atom atom : known) {
            if (!told.insert(atom).second) continue;
            all.push_back(within(Polynomial::of(atom), 0, meaning(atom).range - 1));
            note(all.back(), words);
        }
    }
    return all;
}

// The conditions, what they imply of products of parameters, and what is known of all that they name.
Path Context::completed(const Path& conditions, Vocabulary& words) const {
    Path all = assumed;
    all.insert(all.end(), conditions.begin(), conditions.end());
    std::vector<Polynomial> divisors;
    for (const AtomMeaning& one : atoms_)
        if (one.is_parameter && one.kind == AtomMeaning::Kind::quotient && !one.denominator.is_constant())
            divisors.push_back(one.denominator);
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Polynomial value = all[i].value;
        const bool is_bound = all[i].kind == Condition::Kind::at_least_zero && depends_on_shape_only(value) &&
                              value.terms().size() <= 2 && value.degree() == 1;
        for (const Polynomial& product : multiplied(value, is_bound ? divisors : std::vector<Polynomial>{}))
            all.push_back(at_least_zero(product));
    }
    for (const Condition& condition : all) note(condition, words);
    Vocabulary told;
    const auto next = [](const auto& known, const auto& done) {
        return std::find_if(known.begin(), known.end(), [&](const auto& one) { return !done.contains(one); });
    };
    const auto tell = [&](const Condition& fact) {
        note(fact, words);
        all.push_back(fact);
    };
    for (;;) {
        if (const auto atom = next(words.coordinates, told.coordinates); atom != words.coordinates.end()) {
            told.coordinates.insert(*atom);
            tell(within(Polynomial::of(*atom), 0, meaning(*atom).range - 1));
        } else if (const auto product = next(words.parameters, told.parameters); product != words.parameters.end()) {
            told.parameters.insert(*product);
            for (const Condition& fact : facts(Monomial(*product))) {
                tell(fact);
                if (std::find(told_.begin(), told_.end(), fact) == told_.end()) told_.push_back(fact);
            }
        } else {
            return all;
        }
    }
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
