// Local variables of a launcher that a host program sets once: `static const int n = ask_the_device();`. NVRTC, which
// compiles the launcher as device code, has none that are not constants.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

// The lines of a file at which NVRTC's log has an error with this text: "submission.cu(14): error: ...".
std::set<int> lines_with_error(std::string_view log, std::string_view path, std::string_view error);

// The text without the word `static`, blanks in its place, where NVRTC's log refuses it: in functions of the host, for
// values that no parameter is in, so that each call sets what the first one would have. Nothing: there is none such.
std::optional<std::string> without_static_locals(std::string_view source, std::string_view log, std::string_view path);

}  // namespace warpgrade
