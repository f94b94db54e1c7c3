// From paths on the command line to who handed in what: finds the hand-ins, matches them with the roster, and picks
// the file of each stage.
//
// A path is a class (a folder whose entries are hand-ins, as learning platforms unpack them) or one hand-in: a folder
// with .cu files or assignments' folders directly inside, an archive, or a .cu file whose name says whose it is.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "classroom/lms_names.hpp"
#include "classroom/roster.hpp"
#include "grade/assignment.hpp"

namespace warpgrade::classroom {

// In the folder that `grade` writes to: by these it is known when it lies among hand-ins.
inline constexpr const char* graded_lock = ".lock";
inline constexpr const char* graded_store = ".store";

// One folder, archive or loose file, as found.
struct HandIn {
    enum class Kind { folder, archive, file };
    Kind kind = Kind::folder;
    std::filesystem::path path;
    std::string shown;           // its name, for messages
    std::vector<Person> people;  // more than one where a group handed in together
    std::string file_name;       // of a loose file: without the platform's additions
    bool is_late = false;
    std::uint64_t order = 0;
};

struct Discovery {
    std::vector<HandIn> hand_ins;
    std::vector<std::string> notes;
};
// Error: usage: a path that is not there, or that is nothing to grade.
Result<Discovery> discover(const std::vector<std::string>& paths, const std::vector<Assignment>& course);

// A source file of a hand-in.
struct Source {
    std::string path;  // inside the hand-in, for messages
    std::string text;
    std::uint64_t order = 0;   // the hand-in's
    std::string hand_in = {};  // its name, where there is more than one to tell apart
};

// All that a hand-in holds, however its folder changes meanwhile (base/beneath.hpp). Archives are opened in a worker
// process, as copies in the folder `scratch`. `problem`: why it cannot be read at all, a
// sentence without a full stop.
struct Contents {
    std::vector<Source> sources;
    std::vector<std::string> notes;
    std::string problem;
};
Result<Contents> read_hand_in(const HandIn& hand_in, const std::filesystem::path& scratch);

// One student's work: what is to be graded, and what a person should know about it.
struct Submission {
    Student student;
    bool is_on_roster = false;
    bool is_late = false;
    std::vector<HandIn> hand_ins;           // none: missing
    std::map<std::string, Source> sources;  // by stage, "transpose/padding"
    std::vector<std::string> notes;
    std::string problem;  // why nothing could be graded
    std::string doubt;    // why a person has to say whose this is, before there is a mark
    bool is_missing() const { return hand_ins.empty(); }
};

// Gives each hand-in to its students. In the order of the roster, then those who are not on it, by id. Two hand-ins are
// one student's only where that is sure: both are called exactly as the roster says, both are called the same, or the
// platform's number is the same. Else each is a row of its own, and both rows' notes name both. Without a roster people
// whose names are not the same are two, however alike. Adds to `notes` what whoever grades should know at once.
std::vector<Submission> assign(const Discovery& discovery, const Roster& roster, bool has_roster,
                               std::vector<std::string>& notes);

// Which file is which stage's: by its name, also with a platform's or a browser's additions ("4_padding (1).cu",
// "4_padding-1.cu", "annobrien_12_34_4_padding.cu", "padding.cu"); of several the last hand-in's, then the best name,
// then the one least deep. Adds to submission.sources and notes.
void choose_sources(const std::vector<Assignment>& course, std::vector<Source> found, Submission& submission);

}  // namespace warpgrade::classroom
