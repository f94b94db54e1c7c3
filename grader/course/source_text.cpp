#include "course/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/characters.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace warpgrade {

namespace {

std::string_view trimmed_end(std::string_view text, std::string_view blanks) {
    const auto last = text.find_last_not_of(blanks);
    return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

std::string_view take_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return line;
}

}  // namespace

std::string_view line_of(std::string_view source, int line) {
    if (line < 1) return {};
    std::string_view rest = source;
    for (int i = 1; i < line && !rest.empty(); ++i) take_line(rest);
    return trimmed_end(take_line(rest), "\r");
}

int line_at(std::string_view text, std::size_t offset) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

int column_of(std::string_view line, std::string_view name) {
    if (name.empty()) return 0;
    int plain = 0;
    for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(line[at - 1])) || (end < line.size() && is_word(line[end]))) continue;
        const auto next = line.find_first_not_of(' ', end);
        if (next != std::string_view::npos && line[next] == '[') return static_cast<int>(at) + 1;
        if (plain == 0) plain = static_cast<int>(at) + 1;
    }
    return plain;
}

bool is_same_text(std::string_view a, std::string_view b) {
    a = trimmed_end(a, " \t\r\n");
    b = trimmed_end(b, " \t\r\n");
    while (!a.empty() || !b.empty())
        if (trimmed_end(take_line(a), " \t\r") != trimmed_end(take_line(b), " \t\r")) return false;
    return true;
}

std::string text_digest(std::string_view text) {
    text = trimmed_end(text, " \t\r\n");
    std::string plain;
    while (!text.empty()) {
        plain += trimmed_end(take_line(text), " \t\r");
        plain += '\n';
    }
    return sha256_hex(plain).substr(0, 16);
}

std::string code_digest(std::string_view source) {
    std::string code = without_comments(source);
    std::erase_if(code, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
    return sha256_hex(code).substr(0, 16);
}

std::string escape_output(std::string_view output, std::size_t most_bytes) {
    const std::string_view kept = output.substr(0, most_bytes);
    std::string text;
    for (std::size_t at = 0; at < kept.size();) {
        const Character character = character_at(kept, at);
        if (kept[at] == '\n' || kept[at] == '\t')
            text += kept[at];
        else
            text += show_character(kept.substr(at), character);
        at += character.bytes;
    }
    if (output.size() > most_bytes) text += fmt::format("\n[{} more bytes not shown]\n", output.size() - most_bytes);
    return text;
}

}  // namespace warpgrade
