#include "proof/polynomial.hpp"

#include <algorithm>
#include <numeric>

namespace warpgrade::proof {
namespace {

Integer sum_of(Integer a, Integer b) {
    Integer sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw Unsupported{"numbers of more than 128 bits"};
    return sum;
}

Integer product_of(Integer a, Integer b) {
    Integer product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw Unsupported{"numbers of more than 128 bits"};
    return product;
}

// The order in which a division takes the terms: a monomial order, so that leading terms multiply.
bool leads(const Monomial& a, const Monomial& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; }

std::map<Monomial, Integer>::const_iterator leading(const Polynomial& polynomial) {
    const auto& terms = polynomial.terms();
    return std::min_element(terms.begin(), terms.end(),
                            [](const auto& a, const auto& b) { return leads(a.first, b.first); });
}

std::optional<Monomial> quotient_of(const Monomial& a, const Monomial& b) {
    if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
    Monomial rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
    return rest;
}

}  // namespace

std::string to_string(Integer value) {
    const bool is_negative = value < 0;
    std::string digits;
    do {
        const int digit = static_cast<int>(value % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (is_negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

Integer rounded_down(Integer numerator, Integer denominator) {
    const Integer quotient = numerator / denominator;
    return numerator % denominator < 0 ? quotient - 1 : quotient;
}

Polynomial::Polynomial(Integer constant) { add({}, constant); }

Polynomial Polynomial::of(Atom atom) { return of(Monomial{atom}, 1); }

Polynomial Polynomial::of(const Monomial& monomial, Integer factor) {
    Polynomial result;
    result.add(monomial, factor);
    return result;
}

void Polynomial::add(const Monomial& monomial, Integer factor) {
    if (factor == 0) return;
    const auto [at, is_new] = terms_.try_emplace(monomial, factor);
    if (is_new) return;
    at->second = sum_of(at->second, factor);
    if (at->second == 0) terms_.erase(at);
}

Integer Polynomial::constant() const {
    const auto found = terms_.find({});
    return found == terms_.end() ? 0 : found->second;
}

std::size_t Polynomial::degree() const {
    std::size_t most = 0;
    for (const auto& [monomial, factor] : terms_) most = std::max(most, monomial.size());
    return most;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
    for (const auto& [monomial, factor] : other.terms_) add(monomial, factor);
    return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [monomial_a, factor_a] : a.terms_)
        for (const auto& [monomial_b, factor_b] : b.terms_) {
            Monomial product;
            std::merge(monomial_a.begin(), monomial_a.end(), monomial_b.begin(), monomial_b.end(),
                       std::back_inserter(product));
            if (product.size() > Polynomial::most_degree) throw Unsupported{"a product of more than four unknowns"};
            result.add(product, product_of(factor_a, factor_b));
        }
    return result;
}

std::optional<Polynomial> Polynomial::divided(Integer divisor) const {
    Polynomial result;
    for (const auto& [monomial, factor] : terms_) {
        if (factor % divisor != 0) return std::nullopt;
        result.terms_[monomial] = factor / divisor;
    }
    return result;
}

std::optional<Polynomial> Polynomial::divided(const Polynomial& divisor) const {
    constexpr int most_steps = 50;
    if (divisor.terms_.empty()) return std::nullopt;
    const auto lead = leading(divisor);
    Polynomial quotient, rest = *this;
    for (int step = 0; step < most_steps && !rest.terms_.empty(); ++step) {
        const auto next = leading(rest);
        const auto monomial = quotient_of(next->first, lead->first);
        if (!monomial || next->second % lead->second != 0) return std::nullopt;
        const Polynomial term = of(*monomial, next->second / lead->second);
        quotient += term;
        rest += -(term * divisor);
    }
    return rest.terms_.empty() ? std::optional(quotient) : std::nullopt;
}

Polynomial Polynomial::replaced(const std::map<Atom, Polynomial>& by) const {
    Polynomial result;
    for (const auto& [monomial, factor] : terms_) {
        Polynomial product = factor;
        for (const Atom atom : monomial) {
            const auto found = by.find(atom);
            product = product * (found == by.end() ? of(atom) : found->second);
        }
        result += product;
    }
    return result;
}

Integer Polynomial::content() const {
    Integer common = 0;
    for (const auto& [monomial, factor] : terms_) {
        Integer a = common, b = factor < 0 ? -factor : factor;
        while (b != 0) a = std::exchange(b, a % b);
        common = a;
    }
    return common;
}

}  // namespace warpgrade::proof
