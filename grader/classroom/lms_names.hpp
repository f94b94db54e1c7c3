// Who a hand-in is from and when it came, as far as its name tells: learning platforms put both into the names of what
// they pack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/hand_in_time.hpp"

namespace warpgrade::classroom {

// What a person may be called by. A name is compared with names and an id with ids: who is called as somebody else's
// login is, is not that person.
struct Key {
    enum class Kind {
        whole,  // a name that somebody chose: an id, an address or a full name
        id,     // a platform's or a school's
        email,
        mailbox,  // of a roster: an address before the @
        name,     // full
        number,   // the platform's own for this person
        group,    // of a roster: a group that this person is in, or the group's repository
    };
    Key(Kind kind, std::string_view as_written);

    Kind kind = Kind::whole;
    std::string text;
    std::string lower;  // the same but for the case of ASCII letters and how accents are written
    std::string squeezed;
    bool operator==(const Key&) const = default;
};
// Where it says anything, and is not there yet.
void add_key(std::vector<Key>& keys, Key::Kind kind, std::string_view as_written);

struct Person {
    std::string id;         // used where no roster says better
    std::string name;       // may be empty
    std::vector<Key> keys;  // to look up in a roster
    std::string number;     // the platform's own for this person, in digits; elsewhere it may be somebody else's
    bool is_guess = false;  // which part of what is written is the person's cannot be told from it alone
};

enum class Platform { none, canvas, moodle, brightspace, blackboard, sakai, gradescope };
std::string_view word_for(Platform platform);

struct LmsName {
    Platform platform = Platform::none;
    Person person;
    std::string rest;      // the name that the student gave the file; empty where the whole name is the person's
    bool is_late = false;  // the platform says so
    std::optional<HandInTime> time;  // of the attempt
    bool is_receipt = false;         // written by the platform, about an attempt
};

// `name`: of a folder, or of an archive without its suffix, or of a loose file. Known forms:
//   Canvas       obrienann_LATE_12345_67890_hw3.zip     (obrienann_12345_text.html of a text box; a group's name;
//                LATE_anon_aB3xQ_67890_hw3.zip of an anonymous assignment)
//   Moodle       Ann O'Brien_12345_assignsubmission_file_
//   Brightspace  12345-67890 - Ann O'Brien - Nov 2, 2026 1159 PM
//   Blackboard   HW3_annobrien_attempt_2026-11-02-23-59-10_hw3.zip
//   Sakai        O'Brien, Ann(annobrien)
// Anything else is a name that somebody chose: its person is called by all of it.
LmsName parse_lms_name(const std::string& name);

// The people of each folder of a Gradescope export and when it was handed in, from its submission_metadata.yml. Not a
// YAML parser: it reads what Gradescope writes, in blocks, with or without quotes around keys, or as JSON.
struct GradescopeFolder {
    std::string folder;  // "submission_123"
    std::vector<Person> people;
    std::optional<HandInTime> time;
};
std::vector<GradescopeFolder> parse_gradescope_metadata(const std::string& text);

}  // namespace warpgrade::classroom
