// A program's text with each function and variable of the host marked, so that the compiler itself tells which of them
// device code uses: overloads, members and templates are as it resolves them.
//
// The mark is a deprecation, as __HOST is in compile/include: NVRTC warns of each use, but of none inside of what is
// marked itself. The text has the lines of the one before, and other columns.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

std::string with_marked_sides(std::string_view source);

}  // namespace warpgrade
