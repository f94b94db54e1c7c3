// Names of what a program has and a submission has no use for: allocation, copies, streams, libraries, the host's own
// standard library. Internal to compile/.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

// What the grader does in place of `name`; "" of a name that is not known.
std::string advice_for_name(std::string_view name);
// The same of std::NAME.
std::string advice_for_std(const std::string& name);

}  // namespace warpgrade
