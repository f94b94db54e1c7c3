// A whole program on a card, as a process of its own behind walls.
//
// Theory of operation. nvcc makes a shared library of the program. A copy of this process loads the driver, puts up the
// walls of the worker for cards (cuda_worker.cpp), and only then loads the library, whose static variables are made
// then, and calls its main(). Its standard streams are those of this process.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace warpgrade {

struct CardProcess {
    std::string library;
    std::vector<std::string> arguments;  // argv
    unsigned cpu_seconds = 60, wall_seconds = 120;
};

// Its exit code, with 128 and the signal's number where one ended it, as a shell has it. Error: host (no driver, no
// walls), or the learner's (it did not end in time).
Result<int> run_on_card(const CardProcess& process);

}  // namespace warpgrade
