#include "cli/defect.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <ostream>
#include <system_error>

#include "base/diagnostic.hpp"
#include "cli/text.hpp"
#include "cli/version.hpp"

namespace warpgrade::cli {
namespace {

std::string what_is_thrown() {
    try {
        throw;
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception of an unknown type";
    }
}

[[noreturn]] void on_terminate() {
    const std::string what = std::current_exception() ? what_is_thrown() : "the program was terminated";
    const std::string screen = defect_screen(what);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, screen.data(), screen.size());
    ::_exit(exit_code(Blame::kit));
}

}  // namespace

std::string defect_screen(const std::string& what) {
    return fmt::format(
               "\ndefect[kit]: warpgrade itself failed\n\n  This is not a fault of your file, and it costs no "
               "points.\n\n") +
           wrap_after("  what failed  ", escape_lines(what), 80) + fmt::format("  version      {}\n\n", tool_version) +
           "  Please report it: these lines, the command you typed, and the file it was\n"
           "  about. `./grader/warpgrade doctor` shows whether what it needs works here.\n";
}

int run_guarded(const std::function<int()>& body, std::ostream& errors) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        errors << "error[out_of_memory]: this machine has too little free memory for the check\n"
                  "   = try: close other programs, or a smaller --shape\n";
        return exit_code(Blame::host);
    } catch (const std::system_error& error) {
        errors << fmt::format(
            "error[no_resources]: this machine did not give what the check needs\n   = {}\n"
            "   = try: close other programs; `ulimit -a` shows what one program may have\n",
            escape_lines(error.code().message()));
        return exit_code(Blame::host);
    } catch (...) {
        errors << defect_screen(what_is_thrown());
        return exit_code(Blame::kit);
    }
}

void guard_threads() { std::set_terminate(on_terminate); }

}  // namespace warpgrade::cli
