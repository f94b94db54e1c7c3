#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classroom/lms_names.hpp"
#include "classroom/roster.hpp"
#include "classroom/tree.hpp"

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

}  // namespace warpgrade::classroom
