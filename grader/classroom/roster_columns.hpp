// What the columns of a roster say of a student.
#pragma once

#include <cstddef>
#include <vector>

#include "classroom/csv.hpp"

namespace warpgrade::classroom {

enum class RosterPart {
    id,
    login,
    number,
    email,
    name,
    first_name,
    last_name,
    group,
    repository,
    role,
    time,
    lateness,
    section
};

// Of an attempt, and nothing that says who a student is.
inline bool is_of_attempt(RosterPart part) { return part == RosterPart::time || part == RosterPart::lateness; }
inline bool is_id(RosterPart part) {
    return part == RosterPart::id || part == RosterPart::login || part == RosterPart::number ||
           part == RosterPart::email;
}

struct RosterColumn {
    RosterPart part;
    std::size_t rank;    // in known_columns
    std::size_t column;  // in the file
};

// By the headings, in any of the languages that are known.
std::vector<RosterColumn> places_of(const CsvRow& header);
// By what is in the columns, where their headings are in a language that is not known.
void add_places_by_content(const CsvTable& table, std::size_t header_row, std::vector<RosterColumn>& places);

}  // namespace warpgrade::classroom
