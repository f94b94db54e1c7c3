#include "classroom/shown_solution.hpp"

#include <charconv>

namespace warpgrade::classroom {

std::string shown_solution_name(const Stage& stage) { return "grader/shown/" + stage.name(); }

std::string in_digits(const std::string& text) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::size_t bytes_a_line = 60;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        out += digits[byte >> 4];
        out += digits[byte & 15];
        if (i % bytes_a_line == bytes_a_line - 1 || i + 1 == text.size()) out += '\n';
    }
    return out;
}

std::optional<std::string> from_digits(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        if (digits[i] == '\n' && ++i == digits.size()) break;
        unsigned byte = 0;
        const char* const first = digits.data() + i;
        if (i + 2 > digits.size() || std::from_chars(first, first + 2, byte, 16).ptr != first + 2) return std::nullopt;
        text += static_cast<char>(byte);
    }
    return text;
}

}  // namespace warpgrade::classroom
