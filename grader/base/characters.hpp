// What text holds, character by character, and which of it may be shown: the one place that knows. Names and texts of
// students, of rosters and of files pass through `escape` before a person sees them, wherever that is: a terminal, a
// table, the name of a file. reports/text.py has the same table for pages (reports/tests/test_text.py compares them).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

// One character of UTF-8 text, or one byte that is not part of one.
struct Character {
    std::size_t bytes = 1;
    std::uint32_t code_point = 0;  // or the byte
    bool is_valid = false;
};
Character character_at(std::string_view text, std::size_t position);
// Columns on a terminal: 2 for wide characters, 0 for combining ones.
int character_width(std::uint32_t code_point);

// Where the first byte is that is not UTF-8; npos: nowhere. Overlong forms and surrogates are not UTF-8.
std::size_t find_invalid_utf8(std::string_view text);
bool is_utf8(std::string_view text);

// Windows-1252 (of which Latin-1 is a part) to UTF-8; its five unassigned bytes become U+FFFD.
std::string from_windows_1252(std::string_view text);

// False for what steers a terminal, shows nothing, or makes text read differently from what it is: control characters,
// line breaks and tabs among them, marks of the writing direction, characters without width.
bool is_shown(std::uint32_t code_point);

// The character, or what stands for it: \n, \t, \x1b, \xff for a byte that is not UTF-8, \u202e, \U000e0041.
std::string show_character(std::string_view text, const Character& character);
// Of every character: one line of UTF-8.
std::string escape(std::string_view text);
// The same, but line breaks stay.
std::string escape_lines(std::string_view text);

// JSON text as it may be shown and kept: what is not to be shown stands as \u202e, which means the same.
std::string escape_json(std::string_view json);

}  // namespace warpgrade
