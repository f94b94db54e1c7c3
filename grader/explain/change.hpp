// The changes that rules name for a text and what its runs have shown.
#pragma once

#include <string>
#include <vector>

#include "explain/rule.hpp"
#include "explain/symptoms.hpp"
#include "source/facts.hpp"

namespace warpgrade::explain {

struct Change {
    const Rule* rule = nullptr;
    int line = 0;
    source::Range at;           // of the submission
    std::string before, after;  // of the range
    std::string text;           // the whole submission, changed
    std::string title, help, deed;
    // Where one expression of the range is all that differs, and its value is not needed before the program runs: the
    // expression, and what it becomes. Else of length 0.
    source::Range choice;
    std::string choice_after;
};

// Ranked by the rules' ranks; a change on a marked line counts for more than one on a line that decides what happens
// there (a test or loop around it, a definition of a name in it), this for more than one elsewhere in its function, and
// this for more than one in another function. At most `most`; no two with the same text, none with the text as it is.
// The rules must outlive them.
std::vector<Change> changes_for(const source::Tree& tree, const source::Facts& facts, const Symptoms& symptoms,
                                const std::vector<Rule>& rules, std::size_t most);

}  // namespace warpgrade::explain
