// The kit's own version: one number, in the top CMakeLists.txt.
#pragma once

namespace warpgrade::cli {

#ifndef WARPGRADE_VERSION
#error "WARPGRADE_VERSION comes from grader/CMakeLists.txt"
#endif
inline constexpr const char* tool_version = WARPGRADE_VERSION;

}  // namespace warpgrade::cli
