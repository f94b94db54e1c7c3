// Conditions on polynomials, as a tree: what a predicate register holds, and what has led a thread to an instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "proof/polynomial.hpp"

namespace warpgrade::proof {

// `all` of no parts is true, `any` of no parts is false.
struct Condition {
    enum class Kind : std::uint8_t { at_least_zero, is_zero, all, any };
    Kind kind = Kind::all;
    Polynomial value;              // of the first two
    std::vector<Condition> parts;  // of the others
    bool is_true() const { return kind == Kind::all && parts.empty(); }
    bool is_false() const { return kind == Kind::any && parts.empty(); }
    bool operator==(const Condition&) const = default;
};
using Path = std::vector<Condition>;  // all of them hold

Condition at_least_zero(const Polynomial& value);
Condition is_zero(const Polynomial& value);
Condition all_of(std::vector<Condition> parts);
Condition any_of(std::vector<Condition> parts);
Condition opposite(const Condition& condition);
Path replaced(const Path& path, const std::map<Atom, Polynomial>& by);
inline Condition at_least(const Polynomial& a, const Polynomial& b) { return at_least_zero(a - b); }
// low <= value <= high
inline Condition within(const Polynomial& value, const Polynomial& low, const Polynomial& high) {
    return all_of({at_least(value, low), at_least(high, value)});
}

}  // namespace warpgrade::proof
