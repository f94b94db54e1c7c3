// `try`, `catch` and `throw` in a whole program. NVRTC, which compiles it as device code, has none of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

// The text in which a block after `try` always runs, a handler never does, and `throw` ends the program with a clear
// word (`__warpgrade::Thrown` of host/include): most programs throw only where something fails. Lines stay where they
// are. Nothing: NVRTC's log refuses none of them.
std::optional<std::string> without_exceptions(std::string_view source, std::string_view log);

}  // namespace warpgrade
