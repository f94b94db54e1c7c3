// What a rate is compared with: a kernel of ours that does the same work with nothing else to do.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade {

// Moves the useful bytes, from one buffer to another or into registers; or makes the problem's floating-point
// operations as multiply-adds between registers.
enum class Yardstick : std::uint8_t { copy, read, compute };
std::string_view to_string(Yardstick yardstick);  // in problem.toml, profiles and JSON
std::string_view words_of(Yardstick yardstick);   // in messages: "24 % of the FMA loop"

}  // namespace warpgrade
