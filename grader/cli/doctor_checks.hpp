// What `doctor` looks at. Each check does the thing itself, not a stand-in: a kernel is compiled and run.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/walls.hpp"

namespace warpgrade::cli {

struct HealthLine {
    std::string what;  // "NVRTC"
    bool is_ok = false;
    bool is_needed = true;  // false: something works less well without it
    std::string found;      // one sentence
    std::string help;       // what to type; where !is_ok
    Blame blame = Blame::host;
};

// `walls`: those that stand here (base/confined.hpp).
std::vector<HealthLine> examine(WallSet walls);

}  // namespace warpgrade::cli
