// `run --device cuda`: a whole program, built by nvcc and run on a card behind walls.
#pragma once

#include <string>
#include <vector>

#include "cli/machine.hpp"
#include "host/program_text.hpp"

namespace warpgrade::cli {

// The exit code, of the program or of what kept it from running, which is shown. The program compiles for `run`.
int run_on_machine_card(const Machine& machine, const host::ProgramText& text,
                        const std::vector<std::string>& arguments);

}  // namespace warpgrade::cli
