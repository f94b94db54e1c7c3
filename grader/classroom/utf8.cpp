#include "classroom/utf8.hpp"

#include <algorithm>
#include <cstdint>

#include "base/characters.hpp"
#include "base/sha256.hpp"
#include "classroom/decompositions.hpp"

namespace warpgrade::classroom {
namespace {

enum class Order { none, little, big };

Order utf16_order(std::string_view bytes) {
    if (bytes.starts_with("\xff\xfe")) return Order::little;
    if (bytes.starts_with("\xfe\xff")) return Order::big;
    // Program text is mostly ASCII: of two bytes one is 0, always the same one.
    const std::string_view begin = bytes.substr(0, 400);
    if (begin.size() < 8) return Order::none;
    std::size_t even = 0, odd = 0;
    for (std::size_t i = 0; i < begin.size(); ++i) (i % 2 == 0 ? even : odd) += begin[i] == '\0';
    const std::size_t most = begin.size() / 2;
    if (even == 0 && odd * 10 >= most * 9) return Order::little;
    if (odd == 0 && even * 10 >= most * 9) return Order::big;
    return Order::none;
}

void append_utf8(std::string& out, std::uint32_t point) {
    const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xC0 | point >> 6);
        add(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    }
}

std::string from_utf16(std::string_view bytes, Order order) {
    const auto unit = [&](std::size_t at) {
        const auto first = static_cast<unsigned char>(bytes[at]), second = static_cast<unsigned char>(bytes[at + 1]);
        return static_cast<std::uint32_t>(order == Order::little ? first | second << 8 : first << 8 | second);
    };
    std::string out;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        std::uint32_t point = unit(at);
        if (at == 0 && point == 0xFEFF) continue;
        const bool is_high = point >= 0xD800 && point < 0xDC00;
        const std::uint32_t low = is_high && at + 3 < bytes.size() ? unit(at + 2) : 0;
        if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            at += 2;
        } else if (point >= 0xD800 && point < 0xE000) {
            point = 0xFFFD;
        }
        append_utf8(out, point);
    }
    return out;
}

// Syllables are counted off, by initial, vowel and final (The Unicode Standard, 3.12).
constexpr std::uint32_t first_syllable = 0xAC00, last_syllable = 0xD7A3, vowels = 21, finals = 28;

void append_decomposed(std::string& out, std::uint32_t point) {
    if (point >= first_syllable && point <= last_syllable) {
        const std::uint32_t syllable = point - first_syllable;
        append_utf8(out, 0x1100 + syllable / (vowels * finals));
        append_utf8(out, 0x1161 + syllable / finals % vowels);
        if (syllable % finals != 0) append_utf8(out, 0x11A7 + syllable % finals);
        return;
    }
    const auto found =
        std::lower_bound(std::begin(decompositions), std::end(decompositions), point,
                         [](const Decomposition& one, std::uint32_t wanted) { return one.whole < wanted; });
    if (found == std::end(decompositions) || found->whole != point) {
        append_utf8(out, point);
        return;
    }
    append_decomposed(out, found->letter);
    if (found->mark != 0) append_decomposed(out, found->mark);
}

// Combining marks, and signs that are no letters: O\u2019Brien is O'Brien, and a hard blank is a blank.
bool is_mark_or_sign(std::uint32_t point) {
    return (point >= 0x300 && point < 0x370) || (point >= 0xA0 && point < 0xC0) ||
           (point >= 0x2000 && point < 0x2070) || (point >= 0x3000 && point < 0x3004);
}

// Small letters of Greek and Cyrillic; others as they are.
std::uint32_t small_letter(std::uint32_t point) {
    if ((point >= 0x391 && point <= 0x3A9) || (point >= 0x410 && point <= 0x42F)) return point + 0x20;
    if (point >= 0x400 && point <= 0x40F) return point + 0x50;
    return point;
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string utf8_name(std::string_view name) { return is_utf8(name) ? std::string(name) : from_windows_1252(name); }

bool is_utf16(std::string_view bytes) { return utf16_order(bytes) != Order::none; }

std::string to_utf8(std::string_view bytes) {
    if (const Order order = utf16_order(bytes); order != Order::none) return from_utf16(bytes, order);
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    return std::string(bytes);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string decomposed(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        if (character.bytes == 1)
            out += text[at];
        else
            append_decomposed(out, character.code_point);
        at += character.bytes;
    }
    return out;
}

std::string squeezed(std::string_view as_written) {
    const std::string text = decomposed(as_written);
    // What U+00C0 to U+017F are in plain letters ("-": no letter).
    static constexpr std::string_view plain =
        "aaaaaaaceeeeiiiidnooooo-ouuuuytsaaaaaaaceeeeiiiidnooooo-ouuuuyty"
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
        "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        const std::uint32_t point = character.code_point;
        if (character.bytes == 1) {
            const char c = text[at];
            if (c >= 'A' && c <= 'Z') {
                out += static_cast<char>(c - 'A' + 'a');
            } else if (is_letter_or_digit(c)) {
                out += c;
            }
        } else if (point >= 0xC0 && point < 0x180) {
            if (plain[point - 0xC0] != '-') out += plain[point - 0xC0];
        } else if (!is_mark_or_sign(point)) {
            append_utf8(out, small_letter(point));
        }
        at += character.bytes;
    }
    return out;
}

std::string file_name_for(std::string_view text) {
    constexpr std::size_t most_bytes = 80;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        const bool is_kept =
            character.bytes > 1
                ? is_shown(character.code_point)
                : is_letter_or_digit(text[at]) || std::string_view("._-@").find(text[at]) != std::string_view::npos;
        if (out.size() + character.bytes > most_bytes) break;
        out += is_kept ? text.substr(at, character.bytes) : std::string_view("_");
        at += character.bytes;
    }
    if (out.empty()) out = "_";
    if (out.front() == '.' || out.front() == '-') out.front() = '_';
    if (out == text) return out;
    return out + "-" + sha256_hex(text).substr(0, 6);
}

}  // namespace warpgrade::classroom
