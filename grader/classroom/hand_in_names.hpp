// What a hand-in may be called in a map (hand_in_map.hpp): every name that a message or a table calls it by.
//
// A name that hand-ins of different people share, as namesakes do on Brightspace, is none of them's: a row with it is
// said to be unclear.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "classroom/hand_in_map.hpp"
#include "classroom/intake.hpp"

namespace warpgrade::classroom {

struct HandInNames {
    std::vector<std::vector<std::string>> hand_ins, strays;  // as in the discovery; the first is its own
    std::set<std::string> shared;
};
HandInNames names_of(const Discovery& discovery);

// Rows of `said` that name no hand-in, or no file of one, a sentence each. `known`: hand-ins of earlier runs.
std::vector<std::string> rows_of_nothing(const HandInMap& said, const HandInNames& names,
                                         const std::vector<Submission>& submissions,
                                         const std::set<std::string>& known);

}  // namespace warpgrade::classroom
