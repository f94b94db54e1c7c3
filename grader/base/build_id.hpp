// Which program is running: what one build has worked out is not another's.
#pragma once

#include <string>

namespace warpgrade {

// The build ID that the linker wrote into the running program (NT_GNU_BUILD_ID, see ld's --build-id), in hexadecimal
// digits; of a program that has none, the digest of its file. Two builds never have the same.
std::string build_id();

}  // namespace warpgrade
