// What a word on the command line nearly means.
#pragma once

#include <string>
#include <vector>

#include "course/assignment.hpp"

namespace warpgrade {

// Stages by name: a part of one ("naive"), its number ("1"), its file ("padding.cu"). At most 4.
std::vector<std::string> stages_near(const std::vector<Assignment>& course, const std::string& word);

}  // namespace warpgrade
