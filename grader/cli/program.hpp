// The whole program but for `main`: parses the words, runs the verb, returns the exit code.
#pragma once

namespace warpgrade::cli {

int run_program(int argc, const char* const* argv);

}  // namespace warpgrade::cli
