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
    std::string role;       // an auditor's, who has dropped the course, ...: in no statistics and no export; else empty
    int line = 0;           // of the roster's file
    std::string section{};  // "Monday, room 4"; in two of them "A; B"; may be empty
    // Of the attempt, where a platform's export has columns for that: Moodle's worksheet, Gradescope, GitHub Classroom.
    std::optional<HandInTime> handed_in{};
    std::optional<std::int64_t> late_seconds{};
};

struct Roster {
    CsvRow columns;  // the identifying columns, as the file calls them; the gradebook begins with these
    std::vector<Student> students;
    CsvRow id_columns{};               // of these, the ones by which a student may be called; the first gives the id
    std::vector<std::string> notes{};  // what whoever grades should know
};

// Columns are found by name, in any order, and in a language that is not known by what is in them: addresses, and
// Moodle's "Participant 4711", beside which the full name is. Others are left out. Known are those of a plain list (id,
// name, email, group, role) and of the exports of Gradescope, Canvas, Moodle, Brightspace, GitHub Classroom and
// Autolab. A student in two rows is one where nothing in them contradicts. Error: usage: no such file, no column that
// says who a student is, two students with one id.
Result<Roster> read_roster(const std::string& path);
Result<Roster> parse_roster(std::string_view text, const std::string& path);

// A roster of nobody, to which hand-ins are added by name: columns id and name.
Roster empty_roster();

// How a hand-in's name is the student's. The surest first; from `nearly` on somebody has to say whether it is.
enum class Likeness {
    exactly,
    but_for_case,
    full_name,  // however its letters, accents and commas are written
    nearly,     // an id but for its punctuation, or an address without what follows the @
    by_number,  // the platform's number stands in a column of ids that need not be the platform's
};

struct Match {
    std::vector<std::size_t> students;  // indices into Roster::students: all that it may be
    Likeness likeness = Likeness::exactly;
    std::string text;            // what of the hand-in's name is the student's
    bool is_other_name = false;  // the platform's number is the student's, and the name beside it is not
    bool is_one() const { return students.size() == 1; }
    bool is_sure() const { return is_one() && likeness < Likeness::nearly; }
};
// Every student whom all keys of the person that say anything fit. The platform's number decides between students of
// one name where the roster has it, and contradicts a name.
Match find_student(const Roster& roster, const Person& person);

// The members of the group that the person's name is. More than one group: all of them, and `is_sure` is false.
struct Members {
    std::vector<std::size_t> students;
    bool is_sure = false;
};
Members find_members(const Roster& roster, const Person& person);

// Whom a person means who writes a student down: by any of the roster's ids, an address, the platform's number or the
// full name. None: nobody's; several: it is not clear.
std::vector<std::size_t> students_called(const Roster& roster, const std::string& text);
// "`SIS User ID`, `SIS Login ID` or `Email`": what may be written.
std::string id_columns_text(const Roster& roster);

}  // namespace warpgrade::classroom
