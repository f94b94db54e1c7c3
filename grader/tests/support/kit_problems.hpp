// Problems of the kit's own course, by name.
#pragma once

#include <stdexcept>

#include "problem/problem.hpp"

namespace warpgrade::test {

// Reads them, once.
inline void read_kit_problems() {
    static const auto status = load_problems(std::string(WARPGRADE_SOURCE_DIR) + "/assignments");
    if (!status) throw std::runtime_error(status.error().title);
}

inline const Problem& kit_problem(const std::string& name) {
    read_kit_problems();
    const Problem* found = find_problem(name);
    if (!found) throw std::runtime_error("no problem is called " + name);
    return *found;
}

}  // namespace warpgrade::test
