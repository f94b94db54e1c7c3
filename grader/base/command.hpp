// Another program, run to its end.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace warpgrade {

struct Ended {
    int status = -1;  // of waitpid(2)
    bool is_out_of_time = false;
    std::string output;  // of both streams
};

// Runs a program, whose path is the first word, with both outputs in one pipe, and no longer than may be.
Ended run_program(std::vector<std::string> words, std::chrono::seconds longest);

}  // namespace warpgrade
