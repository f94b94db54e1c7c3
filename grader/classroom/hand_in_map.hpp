// Whose hand-in is whose and which file is which stage's, as a table: `grade` writes what it decided, and takes what a
// person decides instead.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace warpgrade::classroom {

// Columns hand_in, file, student, stage; others are for people. An empty cell decides nothing, `-` decides for nobody
// or for no stage. A row without a file is about the hand-in.
struct HandInMap {
    std::map<std::string, std::string> students;                        // by hand-in
    std::map<std::pair<std::string, std::string>, std::string> stages;  // by hand-in and file

    // However accents are written. `names`: all that messages call the hand-in.
    std::optional<std::string> student_of(const std::vector<std::string>& names) const;
    std::optional<std::string> stage_of(const std::string& hand_in, const std::string& file) const;
    bool is_empty() const { return students.empty() && stages.empty(); }
};

// Whether a cell of a map is that name, however accents are written.
bool is_same_cell(const std::string& cell, const std::string& name);

// Error: usage: no such column, two rows that contradict each other.
Result<HandInMap> parse_hand_in_map(std::string_view text, const std::string& path);
Result<HandInMap> read_hand_in_map(const std::string& path);

// The cells that differ from the table that `grade` wrote: what a person decided by editing it in place.
HandInMap changes_in(const HandInMap& edited, const HandInMap& written);
// `more` is before what is there.
void add_decisions(HandInMap& map, const HandInMap& more);

}  // namespace warpgrade::classroom
