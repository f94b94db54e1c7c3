// UTF-8 decoding and what a terminal does with a code point (Unicode 15, East Asian Width and general category Mn).
#include <fmt/format.h>

#include <array>

#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

struct Range {
    std::uint32_t first, last;
};

// Scripts and emoji that take two columns, coarse blocks.
constexpr std::array wide{Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
                          Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},
                          Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
                          Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
                          Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
constexpr std::array combining{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};
// Characters that reorder what follows, or show nothing: source that reads differently from what compiles.
constexpr std::array deceptive{Range{0x00AD, 0x00AD}, Range{0x061C, 0x061C},  Range{0x115F, 0x1160},
                               Range{0x180E, 0x180E}, Range{0x200B, 0x200F},  Range{0x2028, 0x202E},
                               Range{0x2060, 0x206F}, Range{0x3164, 0x3164},  Range{0xFEFF, 0xFEFF},
                               Range{0xFFF9, 0xFFFB}, Range{0xE0000, 0xE0FFF}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, std::uint32_t code_point) {
    for (const Range& range : ranges)
        if (code_point >= range.first && code_point <= range.last) return true;
    return false;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

Character character_at(std::string_view text, std::size_t position) {
    const auto lead = static_cast<unsigned char>(text[position]);
    if (lead < 0x80) return {1, lead, true};
    std::size_t length = 0;
    std::uint32_t code_point = 0, smallest = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2, code_point = lead & 0x1Fu, smallest = 0x80;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3, code_point = lead & 0x0Fu, smallest = 0x800;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4, code_point = lead & 0x07u, smallest = 0x10000;
    } else {
        return {1, lead, false};
    }
    if (position + length > text.size()) return {1, lead, false};
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(text[position + i])) return {1, lead, false};
        code_point = code_point << 6 | (static_cast<unsigned char>(text[position + i]) & 0x3Fu);
    }
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (code_point < smallest || code_point > 0x10FFFF || is_surrogate) return {1, lead, false};
    return {length, code_point, true};
}

int character_width(std::uint32_t code_point) {
    if (code_point < 0x300) return 1;
    if (is_in(combining, code_point)) return 0;
    return is_in(wide, code_point) ? 2 : 1;
}

std::string show_character(std::string_view text, const Character& character) {
    if (!character.is_valid) return fmt::format("\\x{:02x}", character.code_point);
    const std::uint32_t code_point = character.code_point;
    if (code_point == '\n') return "\\n";
    if (code_point == '\t') return "\\t";
    if (code_point < 0x20 || code_point == 0x7F) return fmt::format("\\x{:02x}", code_point);
    if (code_point >= 0x80 && code_point < 0xA0) return fmt::format("\\u{:04x}", code_point);
    if (is_in(deceptive, code_point)) return fmt::format("\\u{:04x}", code_point);
    return std::string(text.substr(0, character.bytes));
}

}  // namespace warpgrade::cli
