// Polynomials with whole coefficients over named unknowns: what an integer register of one thread holds.
//
// An unknown (Atom) is an extent of the shape, an index of the thread or of its block, or a rounded-down quotient; what
// each of them is, is known by proof/context.hpp. Arithmetic is exact: a coefficient that does not fit 128 bits, or a
// product of more than four unknowns, is given up on (Unsupported).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::proof {

__extension__ typedef __int128 Integer;
std::string to_string(Integer value);

// What keeps a program from being proved; never a fault of the program by itself. Caught in prove.cpp.
struct Unsupported {
    std::string why;  // "a loop without a constant number of iterations"
    int line = 0;     // of the source; 0: not known, or no single one
};

using Atom = int;                    // index in Context::atoms
using Monomial = std::vector<Atom>;  // ascending, with repeats; empty: the constant

class Polynomial {
public:
    Polynomial() = default;
    Polynomial(Integer constant);  // not explicit: constants are written among polynomials
    static Polynomial of(Atom atom);
    static Polynomial of(const Monomial& monomial, Integer factor);

    const std::map<Monomial, Integer>& terms() const { return terms_; }  // no factor is 0
    bool is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty()); }
    Integer constant() const;  // the term without unknowns
    static constexpr std::size_t most_degree = 4;
    std::size_t degree() const;  // unknowns of the longest product

    Polynomial& operator+=(const Polynomial& other);
    friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
    friend Polynomial operator-(const Polynomial& a) { return a * Polynomial(-1); }
    friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + -b; }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
    bool operator==(const Polynomial&) const = default;
    bool operator<(const Polynomial& other) const { return terms_ < other.terms_; }

    // Every factor divided by `divisor`; nothing where one leaves a remainder.
    std::optional<Polynomial> divided(Integer divisor) const;
    // q with *this == q * divisor; nothing where there is none, or it was not found.
    std::optional<Polynomial> divided(const Polynomial& divisor) const;
    // With these in place of unknowns.
    Polynomial replaced(const std::map<Atom, Polynomial>& by) const;
    // The greatest common divisor of the factors; 0 of the polynomial 0.
    Integer content() const;

private:
    void add(const Monomial& monomial, Integer factor);
    std::map<Monomial, Integer> terms_;
};

Integer rounded_down(Integer numerator, Integer denominator);  // denominator > 0

}  // namespace warpgrade::proof
