// UTF-8 decoding and what a terminal does with a code point (Unicode 15, East Asian Width and general category Mn).
#include "base/characters.hpp"

#include <fmt/format.h>

#include <array>

namespace warpgrade {
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
// What shows nothing or reorders what follows: text that reads differently from what it is. Formatting characters (Cf,
// Zl, Zp) but those that print a sign, letters and marks that are blank, and what no text may hold: noncharacters, and
// the planes without any character.
constexpr std::array hidden{
    Range{0x00AD, 0x00AD},   Range{0x034F, 0x034F},   Range{0x061C, 0x061C},    Range{0x115F, 0x1160},
    Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F},   Range{0x200B, 0x200F},    Range{0x2028, 0x202E},
    Range{0x2060, 0x206F},   Range{0x2800, 0x2800},   Range{0x3164, 0x3164},    Range{0xFDD0, 0xFDEF},
    Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB},    Range{0xFFFE, 0xFFFF},
    Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A}, Range{0x1FFFE, 0x1FFFF},  Range{0x2FFFE, 0x2FFFF},
    Range{0x3FFFE, 0xEFFFF}, Range{0xFFFFE, 0xFFFFF}, Range{0x10FFFE, 0x10FFFF}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, std::uint32_t code_point) {
    for (const Range& range : ranges)
        if (code_point >= range.first && code_point <= range.last) return true;
    return false;
}

void append_character(std::string& out, std::uint32_t point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xC0 | point >> 6);
        out += static_cast<char>(0x80 | (point & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | point >> 12);
        out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (point & 0x3F));
    }
}

// How many bytes from here on are printable ASCII: nearly all of most texts.
std::size_t plain_bytes(std::string_view text, std::size_t from) {
    std::size_t at = from;
    while (at < text.size() && text[at] >= 0x20 && text[at] < 0x7F) ++at;
    return at - from;
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

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        if (!character.is_valid) return at;
        at += character.bytes;
    }
    return std::string_view::npos;
}

bool is_utf8(std::string_view text) { return find_invalid_utf8(text) == std::string_view::npos; }

std::string from_windows_1252(std::string_view text) {
    // 0x80 to 0x9F (Unicode, "cp1252 to Unicode table").
    static constexpr std::array<std::uint16_t, 32> high{0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                                        0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        append_character(out, byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80u] : byte);
    }
    return out;
}

bool is_shown(std::uint32_t code_point) {
    const bool is_control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
    return !is_control && !is_in(hidden, code_point);
}

std::string show_character(std::string_view text, const Character& character) {
    const std::uint32_t code_point = character.code_point;
    if (!character.is_valid) return fmt::format("\\x{:02x}", code_point);
    if (is_shown(code_point)) return std::string(text.substr(0, character.bytes));
    if (code_point == '\n') return "\\n";
    if (code_point == '\t') return "\\t";
    if (code_point < 0x80) return fmt::format("\\x{:02x}", code_point);
    return code_point < 0x10000 ? fmt::format("\\u{:04x}", code_point) : fmt::format("\\U{:08x}", code_point);
}

std::string escape(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t plain = plain_bytes(text, at); plain > 0) {
            shown += text.substr(at, plain);
            at += plain;
            continue;
        }
        const Character character = character_at(text, at);
        shown += show_character(text.substr(at), character);
        at += character.bytes;
    }
    return shown;
}

std::string escape_lines(std::string_view text) {
    std::string shown;
    for (;;) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        shown += escape(line);
        if (end == std::string_view::npos) return shown;
        shown += '\n';
        text.remove_prefix(end + 1);
    }
}

std::string escape_json(std::string_view json) {
    std::string shown;
    shown.reserve(json.size());
    for (std::size_t at = 0; at < json.size();) {
        if (const std::size_t plain = plain_bytes(json, at); plain > 0) {
            shown += json.substr(at, plain);
            at += plain;
            continue;
        }
        const Character character = character_at(json, at);
        const std::uint32_t code_point = character.is_valid ? character.code_point : 0xFFFD;
        if (code_point < 0x20 || (is_shown(code_point) && character.is_valid))
            shown += json.substr(at, character.bytes);
        else if (code_point < 0x10000)
            shown += fmt::format("\\u{:04x}", code_point);
        else  // as UTF-16 has it (RFC 8259, 7)
            shown += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((code_point - 0x10000) >> 10),
                                 0xDC00 + ((code_point - 0x10000) & 0x3FF));
        at += character.bytes;
    }
    return shown;
}

}  // namespace warpgrade
