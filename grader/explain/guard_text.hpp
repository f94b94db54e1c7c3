// The tests that stand before an access: which of them let a thread through that it was to keep out, and how.
//
// Theory of operation. The nearest test first: one that the access stands in, or one that returns. What is said of a
// test is true of its text; that the thread came through is known from the finding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/advice_text.hpp"
#include "source/facts.hpp"

namespace warpgrade {

struct GuardPart {
    std::string left, sign, right;  // "x", "<", "cols"
};
struct GuardText {
    int line = 0;           // of the `if`
    bool returns = false;   // it sends away who fulfils it
    std::string connector;  // "&&", "||", or "" where there is one comparison, or both kinds of connectors
    std::vector<GuardPart> parts;
};

// The tests that `array` on this line stands behind, the nearest first; those without a comparison by < or > are left
// out.
std::vector<GuardText> guards_before(const source::Facts& facts, int line, std::string_view array);

// What is wrong with one of the tests, as advice; "" where nothing is seen. `is_below_zero`: an index was.
Advice advice_on_guard(const source::Facts& facts, int line, std::string_view name, bool is_below_zero);

// "the index goes to x + 1, and the test in line 6 looks at x alone"; "" where it is not so.
Advice advice_on_left_out(const source::Facts& facts, int line, std::string_view name);

// `in[r * cols + c]` in a loop that lets c come to another number than the length of a row, `c < rows`; "" where it is
// not so.
std::string advice_on_column_loop(const source::Facts& facts, int line, std::string_view name);

// A comparison by which an index stops `by` elements before the end: "i < n - 1", "i + 1 < n", "i <= n - 2", and
// "i >= n - 1" of who returns. Only where the text has one such comparison; line 0: none, or several.
struct ShortBound {
    int line = 0;
    std::string text, instead;  // "i + 1 < n", "i < n"
};
ShortBound bound_that_stops_early(const source::Facts& facts, int by);

}  // namespace warpgrade
