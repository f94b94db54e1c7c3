// How the text of a line comes by its index, and what stands around the line: for advice that names the variable, the
// function or the test that is meant.
//
// Theory of operation. All of it is read off the submission's text, of the line and of those above it in its function;
// what is not seen there is not said. That it matters is known from a finding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

// What sets a name that stands in an index.
struct IndexSource {
    std::string name, expression;  // "index", "2 * s * tid"; the expression is empty of a function
    int line = 0;
};

// The first variable in an index of `array` on the line that an expression of several parts, or `is_any`, sets on a
// line above.
std::optional<IndexSource> variable_of_index(std::string_view source, int line, std::string_view array,
                                             bool is_any = false);
// `slot` of partial[slot(tid)], where the file defines such a function.
std::optional<IndexSource> function_of_index(std::string_view source, int line, std::string_view array);

// `partial[target] += partial[partner]`, also written out.
struct TreeStep {
    std::string array, target, partner;
};
std::optional<TreeStep> tree_step(std::string_view source, int line);

// The innermost `for` or `while` whose body holds the line.
struct LoopBody {
    int line = 0;                 // of its head; 0: none
    std::string condition, step;  // "s < THREADS"; "s *= 2", "" of a `while`
    std::string start;            // "int s = 1", "" of a `while`
    std::string body;
};
LoopBody loop_body(std::string_view source, int line);

// The line of the nearest `if` whose statement, or braces, hold the line, in its function; 0: none.
int line_of_test(std::string_view source, int line);

// The lines that call the function which holds the line.
std::vector<int> lines_that_call(std::string_view source, int line);

// What no statement of the loop changes of what its condition looks at: "s"; "" where one may.
std::string unchanged_in(const LoopBody& loop);

// The first line from the loop's head to `line` where a `break`, `continue` or `return` stands; 0: none.
int line_of_exit(std::string_view source, const LoopBody& loop, int line);

}  // namespace warpgrade
