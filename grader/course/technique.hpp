// Technique rules: named numbers of the technique shape, and comparisons of them (assignment.hpp, TechniqueRule).
//
// A rule is about what the output needs (vgpu/needed.hpp): launches, warps and accesses of which nothing is needed are
// in no number. A rule that asks for at least so much counts the lanes that are needed, and barriers that order
// something. One that asks for at most so much counts whole requests, and every barrier that a needed warp waits at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/technique_rule.hpp"

namespace warpgrade {

struct TechniqueResult {
    std::string rule;
    double value = 0;
    bool ok = false;
    std::string says;
    std::string type{};       // of elements, that `says` is about; "" where there is only one
    double points = 0;        // that the rule has to give
    bool has_value = true;    // false: a ratio of nothing to nothing
    bool is_measured = true;  // false: `says` is why, for all rules
};

// The launches of which something is needed and that load the input: those that share the elements out.
std::vector<std::size_t> launches_of_input(const Measured& measured);
// Measured::blocks_growth, from the plan of the large shape. A launch counts there if the launch of the same kernel at
// the same position loads of the input here; one without such a launch, unless its kernel is known to load none.
double blocks_growth(const Measured& measured, const std::vector<LaunchInfo>& large);

// Every name a rule may use: the counters, then the derived numbers.
const std::vector<std::string>& technique_names();
// True if the number comes from running the launcher on shapes beyond the technique shape.
bool needs_other_shapes(std::string_view name);

// As a rule with this comparison sees it: of what is needed.
Measured as_needed(const Measured& measured, std::string_view op);
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
