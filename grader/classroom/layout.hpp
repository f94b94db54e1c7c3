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

#include "classroom/hand_in.hpp"
#include "classroom/roster.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

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
