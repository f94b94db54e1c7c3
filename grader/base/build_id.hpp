// Which program is running: what one build has worked out is not another's.
#pragma once

#include <string>

namespace warpgrade {

// The build ID that the linker wrote into the running program (NT_GNU_BUILD_ID, see ld's --build-id), in hexadecimal
// digits. Empty: it has none.
std::string build_id();

}  // namespace warpgrade
