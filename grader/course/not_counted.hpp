// In words, what a rule does not count.
#pragma once

#include <string>

#include "course/technique_rule.hpp"

namespace warpgrade {

// Of a rule that all that ran would meet, and what is needed does not. Empty: the rule's own words say it.
std::string what_does_not_count(const TechniqueRule& rule, const Measured& measured);

}  // namespace warpgrade
