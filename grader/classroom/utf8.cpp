#include "classroom/utf8.hpp"

#include <cstdint>

#include "base/characters.hpp"
#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string utf8_name(std::string_view name) { return is_utf8(name) ? std::string(name) : from_windows_1252(name); }

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string squeezed(std::string_view text) {
    // What U+00C0 to U+017F are without their marks ("-": no letter).
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
        } else if (const bool is_combining_mark = point >= 0x300 && point < 0x370; !is_combining_mark) {  // as of macOS
            out += text.substr(at, character.bytes);
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
