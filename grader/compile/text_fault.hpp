// Mistakes that the text shows by itself and that a compiler meets in many other places: a bracket that nothing closes,
// a text without its second quote, what a merge or a copy left behind, a macro that holds a `;`. Asked of a text that
// did not compile. Internal to compile/.
#pragma once

#include <optional>
#include <string>

#include "source/tokens.hpp"

namespace warpgrade {

struct TextFault {
    int line = 0, column = 0;
    std::string message;  // what it is, and in a second line what to do
};

// What a merge tool, a terminal or a page of text left in the file.
std::optional<TextFault> pasted_text(const source::Tokens& tokens);
// The first bracket or quote that has no other half.
std::optional<TextFault> unmatched_bracket(const source::Tokens& tokens);
// #define TILE 32;   #define TILE = 32   where `line` uses it
std::optional<TextFault> macro_with_more(const source::Tokens& tokens, int line);

}  // namespace warpgrade
