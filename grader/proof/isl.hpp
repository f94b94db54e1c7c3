// Sets of whole numbers with parameters, by isl (the Integer Set Library, libisl.so.23), opened at run time: without it
// nothing is proved, and nothing else changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proof/polynomial.hpp"

namespace warpgrade::proof {

// unknown: the budget was spent, or isl refused the text.
enum class Emptiness : std::uint8_t { empty, not_empty, unknown };

// The sum of factors times variables and the constant is at least 0, or is 0.
struct LinearConstraint {
    std::vector<std::pair<int, Integer>> factors;  // by the variable's number
    Integer constant = 0;
    bool is_equation = false;
    auto operator<=>(const LinearConstraint&) const = default;
};
// Whole numbers with all of these constraints, and with all constraints of one case of each choice.
struct LinearSystem {
    std::size_t variables = 0;
    std::vector<LinearConstraint> all;
    std::vector<std::vector<std::vector<LinearConstraint>>> choices;
    auto operator<=>(const LinearSystem&) const = default;
};

inline constexpr const char* time_is_over = "the time for proofs is over";

class Sets {
public:
    // Loads the library, once for the process; true: it is there. A process that may open no file asks before.
    static bool are_available();
    // `seconds`: of this thread's processor time, from now on. Null: the library is not there.
    static std::unique_ptr<Sets> open(double seconds);
    virtual ~Sets() = default;

    virtual Emptiness emptiness(const LinearSystem& system) = 0;
    // Of a set without all the others, in isl's notation: "[n] -> { [i] : 0 <= i < n }".
    virtual Emptiness emptiness_without(const std::string& set, const std::vector<std::string>& others) = 0;
    virtual bool is_time_over() const = 0;
    virtual double seconds() const = 0;       // used so far
    virtual std::uint64_t asked() const = 0;  // sets, so far
};

}  // namespace warpgrade::proof
