// From hand-ins to who handed in what: matches them with the roster, reads what is in them, and picks the file of each
// stage.
//
// The rule that decides every case: a mark belongs to a student only by evidence that is written beside it. Where two
// readings are possible, or something was not understood, a person has to look, and nothing becomes a zero.
//   - a hand-in is a student's by a whole id, e-mail address or full name (layout.hpp, plain_names.hpp, roster.hpp);
//   - of several attempts the one with the last date counts; no date, and they differ: a person;
//   - a file is a stage's by its name, or by the stub's words in it (file_stage.hpp); neither, and the student has no
//     file for some stage that it may be: that stage has no mark;
//   - what a person says in a map (hand_in_map.hpp) is before all of that.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classroom/file_stage.hpp"
#include "classroom/hand_in_map.hpp"
#include "classroom/layout.hpp"
#include "classroom/roster.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

// A source file of a hand-in, as UTF-8.
struct Source {
    std::string path;  // inside the hand-in, for messages
    std::string text;
    std::optional<HandInTime> time;  // the hand-in's
    std::string hand_in;             // its name
    Platform platform = Platform::none;
    bool is_late = false;
    std::optional<std::int64_t> late_seconds{};  // as the platform counts them
    std::string remark;                          // what was done to its text: "UTF-16 text, converted"
    bool is_sole_hand_in = true;                 // no other of this student: messages need not name it
    bool is_set_aside = false;                   // the folder that it is in says that it may not be what counts
};

// A file that was there and is no source text, or was not read.
struct OtherFile {
    std::string path, hand_in, why;
    bool may_be_work = false;  // a program stands in it, in a form that nothing here reads
};

// All that a hand-in holds. `problems`: of an archive or a folder that cannot be read, a sentence without a full stop.
struct Contents {
    std::vector<Source> sources;
    std::vector<OtherFile> others;
    std::vector<std::string> notes;
    std::vector<std::string> problems;
};
// Sets the hand-in's time where it is written in it (Sakai). Error: host.
Result<Contents> read_hand_in(HandIn& hand_in, const std::filesystem::path& scratch);

// What became of one file, for the map.
struct FileDecision {
    std::string hand_in, file;
    std::string stage;  // "" where none was found
    std::string how;    // "by its name", "by what is in it", "not graded: ...", "a person has to say: ..."
    std::optional<HandInTime> time;
    bool is_graded = false;
    bool is_open = false;     // a person has to say
    bool is_decided = false;  // a person has said
    void leave_open(const std::string& why);
};

// One student's work: what is to be graded, and what a person should know about it.
struct Submission {
    Student student;
    bool is_on_roster = false;
    bool is_late = false;
    std::vector<HandIn> hand_ins;                // none: missing
    std::map<std::string, Source> sources;       // by stage, "transpose/padding"
    std::map<std::string, std::string> unclear;  // stages that have no mark until a person has said what is theirs; why
    std::vector<std::string> notes;
    std::vector<std::string> questions;  // that a person has to answer, although there is a mark
    std::vector<FileDecision> decisions;
    std::string problem;  // why nothing could be graded
    std::string doubt;    // why a person has to say whose this is, before there is a mark
    bool is_missing() const { return hand_ins.empty() && doubt.empty(); }
};

// Gives each hand-in to its students. In the order of the roster, then those who are not on it, by id. Without a roster
// people whose names are not the same are two, however alike. Adds to `notes` what whoever grades should know at once,
// and to `questions` what has no row of its own.
std::vector<Submission> assign(Discovery discovery, const Roster& roster, bool has_roster, const HandInMap& map,
                               std::vector<std::string>& notes, std::vector<std::string>& questions);

// Which file is which stage's. Adds to the submission's sources, unclear, notes, questions and decisions.
void choose_sources(const std::vector<Assignment>& course, const std::vector<StubWords>& stubs, Contents found,
                    const HandInMap& map, Submission& submission);

// What lies in one student's hand-in under another one's name (a folder, an archive or a file that is called as
// somebody else on the roster is) may be either's: its stage has no mark until a person has said whose it is.
void ask_about_others(const Roster& roster, const std::vector<Assignment>& course,
                      std::vector<Submission>& submissions);

}  // namespace warpgrade::classroom
