// How the text of a line comes by its index, and what stands around the line: for advice that names the variable, the
// function or the test that is meant. That it matters is known from a finding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/listed.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// What sets a name that stands in an index.
struct IndexSource {
    std::string name, expression;  // "index", "2 * s * tid"; the expression is empty of a function
    int line = 0;
};

// The first variable in an index of `array` on the line that an expression of several parts, or `is_any`, sets on a
// line above.
std::optional<IndexSource> variable_of_index(const source::Facts& facts, int line, std::string_view array,
                                             bool is_any = false);
// `slot` of partial[slot(tid)], where the file defines such a function.
std::optional<IndexSource> function_of_index(const source::Facts& facts, int line, std::string_view array);

// `partial[target] += partial[partner]`, also written out.
struct TreeStep {
    std::string array, target, partner;
    std::string less, by;  // of a partner that is a difference: "tid", "s"
};
std::optional<TreeStep> tree_step(const source::Facts& facts, int line);

// The line of the nearest `if` around the line; 0: none.
int line_of_test(const source::Facts& facts, int line);

// Whether threads may differ in what stands there, as far as the lines above set it: by `what`, "threadIdx.x".
bool differs_by_thread(const source::Facts& facts, int line, source::NodeId expression,
                       std::string_view what = "threadIdx");

// The lines that call the function which holds the line.
std::vector<int> lines_that_call(const source::Facts& facts, int line);

// What no statement of the loop changes of what its condition looks at: "s"; "" where one may, or where it has another
// end.
std::string unchanged_in(const source::Facts& facts, const source::Loop* loop);

// The first line up to `line` where a `break`, `continue` or `return` may end a turn of the loop; 0: none.
int line_of_exit(const source::Facts& facts, const source::Loop* loop, int line);

// The values that the variable of a loop takes.
struct LoopTurns {
    std::string variable;              // "j"
    std::vector<std::int64_t> values;  // one a turn; empty: none, or not known
};

// By the constants of the text; `block_x`: what blockDim.x is, or 0.
LoopTurns turns_of(const source::Facts& facts, const source::Loop* loop, std::int64_t block_x);

// True if the line sets a member that is some bits of a word. The compiled code reads the word for that, keeps the bits
// of the other members, whatever they are, and stores it again: who wrote the line reads nothing.
bool sets_bit_field(const source::Facts& facts, int line);

}  // namespace warpgrade
