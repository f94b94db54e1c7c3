// A rule: a row of explain/rules/*.toml that names a likely mistake and the change that would fix it.
//
// Theory of operation. `on` says which findings a rule can explain; without it, any failure. `where` is a pattern,
// `change` what replaces a match of it, in the same metavariables; several are alternatives. `if` has conditions
// (conditions.hpp), all of which must be true. What no pattern can say is a `generator`, a function by name. A rule
// never says that its change is right: the kit makes the change, compiles it and runs it first. `title` and `help`
// are templates: {line}, {before} and {after} are of the change, {n} is what $n stands for, {exit} what a test that
// it is in ends with: return, break, continue. `deed` says what was done, without the new text, where "change line
// N" does not: "exchange lines 4 and 5". One mistake that stands in several places is `together`: all of them
// changed at once are a change, too. A `general` row knows no mistake: its changes are tried in addition to those of
// the others, and told only where all technique rules of the stage hold with them. Students read `help` where the
// assignment has `shows_changes`, and elsewhere the line and the kind of the change, or its `deed`.
//
// A row [[warning]] names what compiles and hardly ever means what it says, in any program (warnings.hpp). It has
// several alternatives in `where`, or a `finder`; {match} is what was matched, {left} and {sign} of an
// operator, {function} the function's name. `given`
// asks for the values of a name that `where` has: "$i is P" where one of them matches P, "$i has P" where a part of one
// does, with `|` between alternatives. `at` is where the message points to: $name, "sign" (the operator of the match),
// "given" (what the last of `given` matched), "definition" (of the name there), "last" (the last statement), or the
// first token with that text.
//
// Each row has an example. Where it is no function it is the body of one: see `wrapped`. A warning's counter examples
// give no warning at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "explain/conditions.hpp"
#include "source/pattern.hpp"

namespace warpgrade::explain {

enum class RuleSide { any, kernel, host };  // of the function; `kernel`: all that runs on the GPU
// What a finding of `on` must mark: nothing, the function, the line; `everywhere`: the distance does not count either.
enum class RuleReach { any, function, line, everywhere };

struct Given {
    std::string name;
    bool is_whole = false;  // "is"
    std::vector<source::Pattern> any;
};

struct Rule {
    std::string id;                      // "guard_takes_bound"; unique
    std::vector<std::string> on;         // codes of findings; "*": any failure; none of a warning
    std::vector<source::Pattern> where;  // of a rule one
    std::vector<source::Pattern> change;
    std::vector<Given> given;
    bool commutes = true;
    bool is_together = false;  // where several places match, all of them at once are one more change
    bool is_once = false;      // a warning: the first place of a function says it all
    std::string generator;     // in place of where and change; of a warning its finder
    RuleSide side = RuleSide::any;
    RuleReach reach = RuleReach::any;
    bool is_general = false;  // knows no mistake: tried in addition to those that do
    std::vector<Condition> conditions;
    std::string at, title, help, deed;
    int rank = 50;  // 1: tried first
    std::string example, example_after;
    std::vector<std::string> examples, counter_examples;  // of a warning
    std::string says;                                     // its title in the first example
    std::string path;                                     // of the row
    int line = 0;

    bool is_warning() const { return on.empty(); }
};

// All rows of the folder's *.toml files, in the order of the files' names. Error: course, with file and line.
Result<std::vector<Rule>> load_rules(const std::filesystem::path& folder);

// An example as a whole text: the body of a kernel or of a host function with the parameters
// (const float* in, float* out, int rows, int cols), where it is no function itself.
std::string wrapped(const Rule& rule, const std::string& example);

}  // namespace warpgrade::explain
