// A rule: a row of explain/rules/*.toml that names a likely mistake and the change that would fix it.
//
// Theory of operation. `on` says which findings a rule can explain. `where` is a pattern, `change` what replaces a
// match of it, in the same metavariables; several are alternatives. What no pattern can say is a `generator`, a
// function by name. A rule never says that its change is right: the kit makes the change, compiles it and runs it
// first. `title` and `help` are templates: {line}, {before} and {after} are of the change, {n} is what $n stands for.
//
// Each row has an example. Where it is no function it is the body of one: see `wrapped`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "explain/conditions.hpp"
#include "source/pattern.hpp"

namespace warpgrade::explain {

enum class RuleSide { any, kernel, host };     // of the function; `kernel`: all that runs on the GPU
enum class RuleReach { any, function, line };  // what a finding of `on` must mark: nothing, the function, the line

struct Rule {
    std::string id;               // "guard_takes_bound"; unique
    std::vector<std::string> on;  // codes of findings; "*": any failure
    std::optional<source::Pattern> where;
    std::vector<source::Pattern> change;
    bool commutes = true;
    std::string generator;  // in place of where and change
    RuleSide side = RuleSide::any;
    RuleReach reach = RuleReach::any;
    std::vector<Condition> conditions;
    std::string title, help;
    int rank = 50;  // 1: tried first
    std::string example, example_after;
    std::string path;  // of the row
    int line = 0;
};

// All rows of the folder's *.toml files, in the order of the files' names. Error: course, with file and line.
Result<std::vector<Rule>> load_rules(const std::filesystem::path& folder);

// An example as a whole text: the body of a kernel or of a host function with the parameters
// (const float* in, float* out, int rows, int cols), where it is no function itself.
std::string wrapped(const Rule& rule, const std::string& example);

}  // namespace warpgrade::explain
