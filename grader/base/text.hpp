// Pieces of plain text that every reader of text needs.
#pragma once

#include <string_view>
#include <vector>

namespace warpgrade {

// Of an identifier in ASCII.
constexpr bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Within a line.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }

// Without what is blank at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\n\v\f\r") {
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The pieces between separators; none of an empty text, and none behind a separator at its end.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const auto end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return pieces;
}

}  // namespace warpgrade
