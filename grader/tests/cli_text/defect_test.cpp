#include "cli/defect.hpp"

#include <cerrno>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "cli/text.hpp"
#include "support/catch.hpp"

using namespace warpgrade::cli;

TEST_CASE("an exception is a defect of the kit: one screen, exit code 70") {
    std::ostringstream errors;
    CHECK(run_guarded([]() -> int { throw std::logic_error("Result read without checking: \x1b[2J"); }, errors) == 70);
    const std::string text = errors.str();
    CHECK(text.find("Result read without checking: \\x1b[2J") != std::string::npos);
    CHECK(text.find("not a fault of your file") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(split_lines(text).size() <= 24);
    for (const std::string& line : split_lines(text)) CHECK(display_width(line) <= 80);
}

TEST_CASE("other exceptions and out of memory have their codes too") {
    std::ostringstream errors;
    CHECK(run_guarded([]() -> int { throw 7; }, errors) == 70);
    CHECK(run_guarded([]() -> int { throw std::bad_alloc(); }, errors) == 3);
    CHECK(run_guarded([] { return 1; }, errors) == 1);
    std::ostringstream no_thread;
    CHECK(run_guarded([]() -> int { throw std::system_error(EAGAIN, std::generic_category()); }, no_thread) == 3);
    CHECK(no_thread.str().find("this machine did not give") != std::string::npos);
    for (const std::string& line : split_lines(no_thread.str())) CHECK(display_width(line) <= 80);
}
