// How many registers ptxas gave a kernel, from what it says with -v.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpgrade {

// Registers a thread by the mangled name of the entry function.
std::map<std::string, int> registers_in_log(std::string_view log);

}  // namespace warpgrade
