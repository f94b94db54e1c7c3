// A command line run in this process: its exit code, and what it printed.
#pragma once

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace warpgrade::test {

struct Outcome {
    int code = 0;
    std::string out, err;
};

// `root`: the course's. `command`: as messages name the program. `words`: without it.
inline Outcome outcome_of(const std::string& root, const char* command, std::vector<const char*> words) {
    setenv("WARPGRADE_ROOT", root.c_str(), 1);
    setenv("WARPGRADE_COMMAND", command, 1);
    words.insert(words.begin(), "warpgrade");
    std::ostringstream out, err;
    auto* const old_out = std::cout.rdbuf(out.rdbuf());
    auto* const old_err = std::cerr.rdbuf(err.rdbuf());
    Outcome outcome;
    outcome.code = cli::run_program(static_cast<int>(words.size()), words.data());
    std::cout.rdbuf(old_out);
    std::cerr.rdbuf(old_err);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

}  // namespace warpgrade::test
