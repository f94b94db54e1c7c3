#include "classroom/utf8.hpp"

#include <array>
#include <cstdint>

#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

// Bytes of the character that begins here; 0 where it is no UTF-8 (overlong forms and surrogates included).
std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t count = first >= 0xC2 && first <= 0xDF   ? 2
                              : first >= 0xE0 && first <= 0xEF ? 3
                              : first >= 0xF0 && first <= 0xF4 ? 4
                                                               : 0;
    if (count == 0 || text.size() < count) return 0;
    for (std::size_t i = 1; i < count; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    const unsigned second = byte(1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
        return 0;
    return count;
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

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t count = character_bytes(text);
        if (count == 0) return false;
        text.remove_prefix(count);
    }
    return true;
}

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

std::string squeezed(std::string_view text) {
    // What U+00C0 to U+017F are without their marks ("-": no letter).
    static constexpr std::string_view plain =
        "aaaaaaaceeeeiiiidnooooo-ouuuuytsaaaaaaaceeeeiiiidnooooo-ouuuuyty"
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
        "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    std::string out;
    while (!text.empty()) {
        const std::size_t count = character_bytes(text);
        const std::string_view character = text.substr(0, count == 0 ? 1 : count);
        text.remove_prefix(character.size());
        if (count <= 1) {
            const char c = character[0];
            if (c >= 'A' && c <= 'Z') {
                out += static_cast<char>(c - 'A' + 'a');
            } else if (is_letter_or_digit(c)) {
                out += c;
            }
            continue;
        }
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
        const unsigned point = count == 2 ? (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu) : ~0u;
        const bool is_combining_mark = point >= 0x300 && point < 0x370;  // as macOS writes its file names
        if (point >= 0xC0 && point < 0x180) {
            if (plain[point - 0xC0] != '-') out += plain[point - 0xC0];
        } else if (!is_combining_mark) {
            out += character;
        }
    }
    return out;
}

std::string file_name_for(std::string_view text) {
    constexpr std::size_t most_bytes = 80;
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t count = character_bytes(rest);
        const bool is_kept = count > 1 || (count == 1 && (is_letter_or_digit(rest[0]) ||
                                                          std::string_view("._-@").find(rest[0]) != std::string::npos));
        if (out.size() + count > most_bytes) break;
        out += is_kept ? rest.substr(0, count) : std::string_view("_");
        rest.remove_prefix(count == 0 ? 1 : count);
    }
    if (out.empty()) out = "_";
    if (out.front() == '.' || out.front() == '-') out.front() = '_';
    if (out == text) return out;
    return out + "-" + sha256_hex(text).substr(0, 6);
}

}  // namespace warpgrade::classroom
