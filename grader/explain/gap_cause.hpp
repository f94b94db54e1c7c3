// What the test before the only store has to do with elements that nobody stores, as far as its text shows.
#pragma once

#include <string>
#include <string_view>

#include "source/facts.hpp"

namespace warpgrade {

struct GapCause {
    int line = 0;            // of the test, or of what it looks at; 0: there is none, or several
    bool is_test = false;    // it is wrong for sure
    bool is_index = false;   // the line is of the index that the test looks at
    bool is_launch = false;  // it fits the index of the store, so it is the grid
    std::string help;        // "" where its text shows nothing
};

// `pattern`: of the judgement; `line`: of the only store.
GapCause gap_cause(std::string_view pattern, const source::Facts& facts, int line);

}  // namespace warpgrade
