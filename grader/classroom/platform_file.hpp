// The file that a platform's gradebook exported, with marks in it, as that platform takes it back: one column filled
// (and Moodle's comments), everything else as it was.
//
// What each platform refuses or misreads, and so what `check_platform_file` refuses:
//   Canvas       more than 3 columns, the first called Student, the second ID, and Section among them; a column whose
//                title has no number makes a new assignment; numbers, or EX (canvas-lms, gradebook_importer.rb)
//   Moodle       Identifier with a number, Grade and Last modified (grade); one cell that is no number, or above the
//                maximum, refuses the whole file (assign/feedback/offline/importgradeslib.php)
//   Brightspace  OrgDefinedId or Username, a column `... Points Grade`, and End-of-Line Indicator last with # in each
//   row Blackboard   Username, and a column that ends in |number Sakai        Display ID, ID and grade below the
//   title's lines
#pragma once

#include <map>
#include <string>
#include <vector>

#include "classroom/lms_names.hpp"
#include "classroom/raw_table.hpp"

namespace warpgrade::classroom {

// What goes into one student's cell.
struct CellMark {
    std::string points;   // at most two decimals and a point, or EX; empty: the cell stays as it is
    std::string comment;  // one line
};

struct PlatformTable {
    RawTable table;
    Platform platform = Platform::none;
    std::size_t header = 0;             // row
    std::size_t grade = 0;              // column
    std::size_t comment = 0;            // column; 0: there is none
    std::vector<std::size_t> students;  // rows
    double max = 0;                     // that the file itself says; 0: it does not
    bool has_decimal_comma = false;
};

// `column`: of the assignment, by its title or a part of it; may be empty where only one fits. Error: usage: it is not
// what the platform exports, no such column, several.
Result<PlatformTable> open_platform_file(Platform platform, std::string_view bytes, const std::string& path,
                                         const std::string& column);

void fill(PlatformTable& file, std::size_t row, const CellMark& mark);

// The rules above, on a file as it would be sent. Error: usage, with the line.
Status check_platform_file(Platform platform, std::string_view bytes, const std::string& path,
                           const std::string& column);

Platform platform_named(const std::string& word);

}  // namespace warpgrade::classroom
