// A whole program that is of no stage, as a stage that runs it once: for `run` and `explain`.
#pragma once

#include <string>
#include <vector>

#include "cli/course.hpp"

namespace warpgrade::cli {

struct OwnProgram {
    Assignment assignment;
    Stage stage;
    OwnProgram(const std::string& path, const std::vector<std::string>& arguments);
    OwnProgram(const OwnProgram&) = delete;
    Target target(const std::string& path) const { return {&assignment, &stage, path, path}; }
};

}  // namespace warpgrade::cli
