// What the runs have shown, as far as rules ask for it.
#pragma once

#include <map>
#include <set>
#include <string>

namespace warpgrade::explain {

struct Symptoms {
    std::set<std::string> codes;                   // of all findings: "wrong_output", "race_shared"
    std::map<int, std::set<std::string>> by_line;  // lines that findings mark, with the codes of these
    std::set<std::string> arrays;                  // that findings name
    std::string first_code = {};                   // what is told first; general rules go by it alone
};

}  // namespace warpgrade::explain
