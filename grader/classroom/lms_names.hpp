// Who a hand-in is from, as far as its name tells: learning platforms put people into the names of what they pack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::classroom {

// What a person may be called by: as it is written, and as it is compared where nobody is called exactly so.
struct Key {
    Key(std::string_view as_written);
    Key(const std::string& as_written) : Key(std::string_view(as_written)) {}
    Key(const char* as_written) : Key(std::string_view(as_written)) {}
    // Put together from parts of a name, and so written nowhere.
    static Key joined(std::string_view parts);

    std::string text;   // empty: written nowhere
    std::string lower;  // the same without the case of ASCII letters
    std::string squeezed;
    bool operator==(const Key&) const = default;
};
// Where it says anything, and is not there yet.
void add_key(std::vector<Key>& keys, Key key);

struct Person {
    std::string id;         // used where no roster says better
    std::string name;       // may be empty
    std::vector<Key> keys;  // to look up in a roster, the surest first
    std::string number;     // the platform's own for this person; may be some other person's elsewhere
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
