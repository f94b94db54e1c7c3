// Names of people and files, from systems that agree on no encoding.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::classroom {

bool is_utf8(std::string_view text);

// Windows-1252 (of which Latin-1 is a part) to UTF-8; its five unassigned bytes become U+FFFD.
std::string from_windows_1252(std::string_view text);

// For comparing: letters and digits in lower case, Latin letters without their accents, ASCII punctuation dropped:
// "O'Brien, Ren\u00e9e" and "obrienrenee" are the same.
std::string squeezed(std::string_view text);

// For a file's name: letters, digits, `.`, `_`, `-`, `@` and characters beyond ASCII stay, everything else becomes `_`;
// no leading dot or dash, at most 80 bytes. Where anything was changed, 6 digits of the text's digest follow, so that
// two different texts have different names. Never empty.
std::string file_name_for(std::string_view text);

}  // namespace warpgrade::classroom
