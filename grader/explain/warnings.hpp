// Places that compile and hardly ever mean what they say, by the rows [[warning]] of rules/*.toml (rule.hpp).
#pragma once

#include <string>
#include <vector>

#include "explain/rule.hpp"
#include "source/facts.hpp"

namespace warpgrade::explain {

struct Warning {
    const Rule* rule = nullptr;
    int line = 0, column = 0;
    std::string title, help;
};

// In the order of the text. The rules must outlive them.
std::vector<Warning> warnings_of(const source::Facts& facts, const std::vector<Rule>& rules);

}  // namespace warpgrade::explain
