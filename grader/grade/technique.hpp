// Technique rules: named numbers of the technique shape, and comparisons of them (assignment.hpp, TechniqueRule).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/assignment.hpp"
#include "grade/result.hpp"
#include "vgpu/counters.hpp"

namespace warpgrade {

struct NamedNumber {
    std::string_view name;
    std::string_view meaning;  // for messages and the course author
};
// Every name a rule may use: the counters, then the derived numbers.
const std::vector<std::string>& technique_names();
// The derived ones with what they mean.
std::vector<NamedNumber> derived_numbers();
// True if the number comes from running the launcher on shapes beyond the technique shape.
bool needs_other_shapes(std::string_view name);

// Nothing = a ratio of nothing to nothing: there was no such access.
std::optional<double> measure(std::string_view name, const Measured& measured);
bool compare(double left, std::string_view op, double right);

// One result a rule, in order. `measured`: one for each element type of the stage; the worst decides. None: no rule
// holds, and each says `why_unmeasured`.
std::vector<TechniqueResult> apply_rules(const std::vector<TechniqueRule>& rules, const std::vector<Measured>& measured,
                                         const std::vector<std::string>& types, const std::string& why_unmeasured = "");
// Points of each rule: as given, the rest in equal shares; they add up to `total`.
std::vector<double> rule_points(const std::vector<TechniqueRule>& rules, double total);

}  // namespace warpgrade
