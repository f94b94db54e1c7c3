// Who a hand-in is from, as far as its name tells: learning platforms put people into the names of what they pack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::classroom {

struct Person {
    std::string id;                 // used where no roster says better
    std::string name;               // may be empty
    std::vector<std::string> keys;  // to look up in a roster, the surest first; squeezed
    std::string number;             // the platform's own for this person; may be some other person's elsewhere
};

struct LmsName {
    Person person;
    std::string rest;         // the name that the student gave the file; empty where the whole name is the person's
    bool is_late = false;     // the platform says so
    std::uint64_t order = 0;  // of several hand-ins of one student the highest is the last
};

// `name`: of a folder, or of an archive without its suffix, or of a loose file. Known forms:
//   Canvas       obrienann_LATE_12345_67890_hw3.zip     (also anon_...)
//   Moodle       Ann O'Brien_12345_assignsubmission_file_
//   Brightspace  12345-67890 - Ann O'Brien - Nov 2, 2026 1159 PM
//   GitHub       homework-3-annobrien
// and anything else, of which each word may be somebody's id.
LmsName parse_lms_name(const std::string& name);

// The people of each folder of a Gradescope export, from its submission_metadata.yml. Not a YAML parser: it reads the
// lines that Gradescope writes.
struct GradescopeFolder {
    std::string folder;  // "submission_123"
    std::vector<Person> people;
};
std::vector<GradescopeFolder> parse_gradescope_metadata(const std::string& text);

}  // namespace warpgrade::classroom
