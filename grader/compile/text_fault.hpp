// Mistakes that the text shows by itself and that a compiler meets in many other places: a bracket that nothing closes,
// a text without its second quote, what a merge or a copy left behind, a macro that holds a `;`. Asked of a text that
// did not compile. Internal to compile/.
#pragma once

#include <optional>
#include <string>

#include "compile/source_view.hpp"

namespace warpgrade {

struct TextFault {
    int line = 0, column = 0;
    std::string message;  // what it is, and in a second line what to do
};

// What a merge tool, a terminal or a page of text left in the file.
std::optional<TextFault> pasted_text(const SourceView& view);
// The first bracket or quote that has no other half. Braces are told apart by how far their lines are indented.
std::optional<TextFault> unmatched_bracket(const SourceView& view);
// #define TILE 32;   #define TILE = 32   where `line` uses it
std::optional<TextFault> macro_with_more(const SourceView& view, int line);

}  // namespace warpgrade
