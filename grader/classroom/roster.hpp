// Who is in the course: a CSV file, as an instructor keeps it or as a learning platform exports it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classroom/csv.hpp"
#include "classroom/lms_names.hpp"

namespace warpgrade::classroom {

struct Student {
    std::string id;         // what the files of this student are called
    std::string name;       // "Ann O'Brien"; may be empty
    std::string email;      // may be empty
    CsvRow cells;           // of the identifying columns
    std::vector<Key> keys;  // everything that a hand-in may be called by; ids first
};

struct Roster {
    CsvRow columns;  // the identifying columns, as the file calls them; the gradebook begins with these
    std::vector<Student> students;
};

// Columns are found by name, in any order; others are left out. Known are those of a plain list (id, name, email) and
// of the exports of Gradescope, Canvas, Moodle, Brightspace and Autolab. Error: usage: no such file, no column that
// says who a student is, two students with one id.
Result<Roster> read_roster(const std::string& path);
Result<Roster> parse_roster(std::string_view text, const std::string& path);

// A roster of nobody, to which hand-ins are added by name: columns id and name.
Roster empty_roster();

// How a hand-in's name is the student's. The surest first.
enum class Likeness { exactly, but_for_case, nearly /* squeezed */, by_number };

struct Match {
    std::optional<std::size_t> student;  // index into Roster::students
    bool is_ambiguous = false;           // several students are called so
    Likeness likeness = Likeness::exactly;
    std::string text;  // what of the hand-in's name is the student's; empty: put together from parts of it
};
// The student that one of the person's keys, tried in order, belongs to alone; of those who are called so exactly, else
// but for the case of letters, else nearly. The platform's number decides between students of one name, and stands
// alone only where no name is known.
Match find_student(const Roster& roster, const Person& person);

}  // namespace warpgrade::classroom
