// Words for what a program gets wrong of the CUDA runtime, and for what `run` has not.
#pragma once

#include "compile/compiler.hpp"
#include "compile/place.hpp"

namespace warpgrade::host {

// In the place of the compiler's message, where there are better words; no name of ours stays in it. A line of its own
// is what to try.
void reword(CompilerMessage& message, const SourceText& source);

}  // namespace warpgrade::host
