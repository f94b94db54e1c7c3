// A program's text without what is no code in it.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

bool is_identifier(std::string_view text);

enum class Literals { blanked, kept };

// Comments and the contents of literals replaced by blanks; line ends and columns stay.
std::string without_comments(std::string_view source, Literals literals = Literals::blanked);

}  // namespace warpgrade
