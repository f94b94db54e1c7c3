// The submission as text: lines, where a name stands, and what may be shown of its output.
#pragma once

#include <string>
#include <string_view>

#include "base/code_text.hpp"

namespace warpgrade {

// Line `line` (1-based) without its end; empty if there is none.
std::string_view line_of(std::string_view source, int line);
// The line, 1-based, in which the character at `offset` stands.
int line_at(std::string_view text, std::size_t offset);
// 1-based column where `name` stands as a whole word in the line, followed by `[` if there is such a place; 0 =
// nowhere.
int column_of(std::string_view line, std::string_view name);
// True if they differ in blanks at the ends of lines and empty lines at the end at most.
bool is_same_text(std::string_view a, std::string_view b);
// Names a text by content, with the same indifference: 16 hexadecimal digits of SHA-256 over its lines, trailing blanks
// and empty lines at the end left out, each line ended by one line feed.
std::string text_digest(std::string_view text);
// Names a program by what compiles of it: the same digits over its text without comments, white space and what literals
// hold.
std::string code_digest(std::string_view source);
// At most `most_bytes`, control characters but line ends and tabs as \x1b; says when something was cut.
std::string escape_output(std::string_view output, std::size_t most_bytes = 16 * 1024);

}  // namespace warpgrade
