// The last line of defence: a bug of the kit's is said to be one, on one screen, with exit code 70.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace warpgrade::cli {

// Runs `body`; what it throws becomes the defect screen on `errors`, and 70. Where memory, threads or processes are not
// to be had, that is the machine's: 3.
int run_guarded(const std::function<int()>& body, std::ostream& errors);

// The same screen for exceptions that leave a thread.
void guard_threads();

std::string defect_screen(const std::string& what);

}  // namespace warpgrade::cli
