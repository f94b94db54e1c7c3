// Problems of the kit's own course, by name.
#pragma once

#include <stdexcept>

#include "problem/described.hpp"

namespace warpgrade::test {

// Reads them, once.
inline void read_kit_problems() {
    static const auto status = load_problems(std::string(WARPGRADE_SOURCE_DIR) + "/assignments");
    if (!status) throw std::runtime_error(status.error().title);
}

inline const DescribedProblem& kit_problem(const std::string& name) {
    read_kit_problems();
    const auto* found = dynamic_cast<const DescribedProblem*>(find_problem(name));
    if (!found) throw std::runtime_error("no problem is called " + name);
    return *found;
}

}  // namespace warpgrade::test
