// Members of a structure that are bits of a word.
#pragma once

#include <string>

namespace warpgrade {

// True if the line sets one. The compiled code reads the word for that, keeps the bits of the other members, whatever
// they are, and stores it again: who wrote the line reads nothing.
bool sets_bit_field(const std::string& source, int line);

}  // namespace warpgrade
