// A run of the tests takes one part of many like cases; which one, the commit decides, so that one run after the other
// takes all. WARPGRADE_ALL=1: every case. tests/support/part.py is the same for Python.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace warpgrade::test {

inline std::size_t number_in(const char* variable, std::size_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

// Of the cases 0, 1, 2 ... those with is_in(number).
struct Part {
    std::size_t parts = 1;  // 1: all
    std::size_t which = 0;  // < parts; WARPGRADE_PART modulo parts, set by launch/test.sh
    bool is_in(std::size_t number) const { return number % parts == which; }
};

// One part of `parts`, and a line that says so. Where tests run a second time, slower (under the sanitizers),
// WARPGRADE_ONE_OF=20 makes the parts so much smaller.
inline Part part_of(std::size_t parts, std::string_view cases) {
    if (std::getenv("WARPGRADE_ALL") != nullptr) return {};
    parts *= std::max<std::size_t>(number_in("WARPGRADE_ONE_OF", 1), 1);
    const Part part{parts, number_in("WARPGRADE_PART", 0) % parts};
    if (parts > 1)
        std::cout << fmt::format("{}: part {} of {}; WARPGRADE_ALL=1 takes all\n", cases, part.which + 1, parts)
                  << std::flush;
    return part;
}

}  // namespace warpgrade::test
