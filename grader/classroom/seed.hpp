// The seed that a class is graded with: students do not know it, so their files cannot be made for its shapes.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace warpgrade::classroom {

// The number in <root>/solutions/seed, a file that `release` never packs. Where there is none, one is drawn and
// written, so that every later run grades alike; nobody else may read it. 0 in a course without solutions. Below 2^48,
// so that every reader of JSON keeps it whole. Error: course (the file holds no number), host (cannot write).
Result<std::uint64_t> course_seed(const std::string& root);
// The file's path, whether or not it is there.
std::string seed_path(const std::string& root);

}  // namespace warpgrade::classroom
