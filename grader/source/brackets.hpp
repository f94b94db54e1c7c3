// Which bracket closes which. Internal to source/.
#pragma once

#include "source/tokens.hpp"

namespace warpgrade::source {

// Fills `partner` of the brackets in `code`. `)` and `]` never close over a curly bracket.
void match_brackets(Tokens& tokens);

}  // namespace warpgrade::source
