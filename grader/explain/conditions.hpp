// Conditions of a rule, by name: "shared a" is true where $a names an array in shared memory, "not shared a" elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/facts.hpp"
#include "source/pattern.hpp"

namespace warpgrade::explain {

struct Condition {
    std::string name;
    std::vector<std::string> of;  // metavariables without their $; none: it is about the match
    bool is_negated = false;
};

// None where the name is unknown, or the number of metavariables is not what it asks for.
std::optional<Condition> condition_of(std::string_view text);
std::vector<std::string> condition_names();

bool is_true(const Condition& condition, const source::Facts& facts, const source::Match& match);

}  // namespace warpgrade::explain
