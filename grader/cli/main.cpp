// The command line: one subcommand a verb. Exit codes are those of README.md.
#include <fcntl.h>
#include <unistd.h>

#include <iostream>

#include "cli/defect.hpp"
#include "cli/program.hpp"

namespace {

// A shell may close them (>&-); what is opened next would be taken for them.
void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) return;
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    warpgrade::cli::guard_threads();
    return warpgrade::cli::run_guarded([&] { return warpgrade::cli::run_program(argc, argv); }, std::cerr);
}
