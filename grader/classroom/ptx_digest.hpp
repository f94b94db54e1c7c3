// Names a compiled program by what it does: PTX without what only names and layout of the source put into it.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::classroom {

// SHA-256 of the instructions alone: without comments, lines about the source, debugging sections, and with functions
// and variables called in the order in which they are met. Two sources have the same one after renaming, other comments
// and another layout; in an easy stage all right answers may. Empty for an empty text.
std::string ptx_digest(std::string_view ptx);

}  // namespace warpgrade::classroom
