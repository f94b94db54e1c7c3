// Places of a submission's text that compile and hardly ever mean what they say: an `if` that its own `;` ends, a tile
// that is each thread's own, two arrays in one piece of memory. Warnings: they explain a failure where there is one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.hpp"

namespace warpgrade {

// What the warning about an early `return` before a barrier begins with.
inline constexpr std::string_view early_return = "threads that return here";

std::vector<CompilerMessage> suspicious_places(const std::string& source, const std::string& path);

}  // namespace warpgrade
