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
    std::string title, help;
};

// Ranked: marked lines first, then the functions around these, then the rest; within each by the rules' ranks. At most
// `most`; no two with the same text, none with the text as it is. The rules must outlive them.
std::vector<Change> changes_for(const source::Tree& tree, const source::Facts& facts, const Symptoms& symptoms,
                                const std::vector<Rule>& rules, std::size_t most);

}  // namespace warpgrade::explain
