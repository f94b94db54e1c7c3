// From paths on the command line to hand-ins: which folder or archive is a class, and which is one person's work.
//
// Theory of operation. A path is read as a tree (tree.hpp). A folder whose entries are called as platforms call people,
// or as the roster does, is a class; so is a folder of such folders, one for each week or assignment, and an archive of
// either, as a platform's own download is. A folder that has stages' files, or folders of assignments that do, is one
// person's. What lies in a class's folder and says of nobody that it is theirs is a stray, and a person has to look.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "classroom/lms_names.hpp"
#include "classroom/roster.hpp"
#include "classroom/tree.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

// One person's or group's work of one attempt, as found: a folder, an archive, or files that a platform lays beside
// each other.
struct HandIn {
    std::string shown;      // its name, for messages; below the path that was given
    std::string container;  // the folders above it, below the path that was given
    Platform platform = Platform::none;
    std::vector<Person> people;  // more than one where a group handed in together; none: nobody is named
    bool is_late = false;
    std::optional<HandInTime> time;
    std::vector<Node> parts;
    std::vector<std::string> part_names;  // of loose files: what the student called them; else empty
};

// A part's name: what Blackboard writes about an attempt, where what was typed into its form cannot be told from the
// rest.
inline constexpr const char* whole_receipt = "receipt.txt";

struct Discovery {
    std::vector<HandIn> hand_ins;
    std::vector<HandIn> strays;  // files of a stage beside the hand-ins, of which nothing says whose they are
    std::vector<std::string> notes;
    std::vector<std::string> questions;  // that a person has to answer before every mark is known
};

// `scratch`: an empty folder for archives. Error: usage: a path that is not there, or that is nothing to grade; host.
Result<Discovery> discover(const std::vector<std::string>& paths, const std::vector<Assignment>& course,
                           const Roster& roster, const std::filesystem::path& scratch);

}  // namespace warpgrade::classroom
