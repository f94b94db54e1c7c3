// Names of people and files, from systems that agree on no encoding.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::classroom {

// The name of a file or a person as UTF-8: as it is, or else from Windows-1252.
std::string utf8_name(std::string_view name);

// A file's text as UTF-8: without a byte order mark, from UTF-16 of either order (also without a mark, where every
// other byte is 0), or as it is.
std::string to_utf8(std::string_view bytes);
// True where `to_utf8` changes anything.
bool is_utf16(std::string_view bytes);

// ASCII letters in lower case.
std::string lower_case(std::string_view text);

// Accents and other marks as characters of their own, in Latin, Greek, Cyrillic, kana and Hangul: the form in which
// macOS writes the names of files. Two names that read the same are the same in it.
std::string decomposed(std::string_view text);

// For comparing: letters and digits in lower case, without their accents, punctuation dropped: "O'Brien,
// Ren\u00e9e" and "obrienrenee" are the same.
std::string squeezed(std::string_view text);

// For a file's name: letters, digits, `.`, `_`, `-`, `@` and characters beyond ASCII stay that are shown, everything
// else becomes `_`; no leading dot or dash, at most 80 bytes. Where anything was changed, 6 digits of the text's digest
// follow, so that two different texts have different names. Never empty.
std::string file_name_for(std::string_view text);

}  // namespace warpgrade::classroom
