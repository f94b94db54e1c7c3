// Variables of a whole program that get their value while it runs: `static std::vector<int> seen;` in a function,
// `const int n = count();` outside of all. NVRTC, which compiles the program as device code, refuses both.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

// The text with room in place of each variable that NVRTC's log refuses (`__warpgrade::Later` of host/include), its
// name as a reference to that, and its value made by main() first of all, or where the function comes by for the first
// time. Lines stay where they are. Nothing: there is none such, or one that is not understood (an array, one in a
// class).
std::optional<std::string> with_late_values(std::string_view source, std::string_view log, std::string_view path);

}  // namespace warpgrade
