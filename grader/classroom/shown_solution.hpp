// References that a kit carries for those who are done: `release --solutions` packs them, `solution STAGE` shows one.
//
// They lie in grader/shown/, in digits, so that nobody reads one by accident or finds it by a search. That is no
// secret: whoever wants to read them can. An instructor who minds leaves them out, which is what a release does by
// itself.
#pragma once

#include <optional>
#include <string>

#include "course/assignment.hpp"

namespace warpgrade::classroom {

// Where it is in a kit, from its root: "grader/shown/transpose/padding".
std::string shown_solution_name(const Stage& stage);
std::string in_digits(const std::string& text);
std::optional<std::string> from_digits(const std::string& digits);  // nullopt: damaged

}  // namespace warpgrade::classroom
