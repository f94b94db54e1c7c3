// The command line: one subcommand a verb. Exit codes are those of design.md section 4.
#include <iostream>

#include "cli/defect.hpp"
#include "cli/program.hpp"

int main(int argc, char** argv) {
    warpgrade::cli::guard_threads();
    return warpgrade::cli::run_guarded([&] { return warpgrade::cli::run_program(argc, argv); }, std::cerr);
}
