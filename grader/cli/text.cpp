#include "cli/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpgrade::cli {

int display_width(std::string_view text) {
    int columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '\x1b') {  // a colour of ours: escaped text holds no such byte
            at = std::min(text.size(), text.find('m', at) + std::size_t{1});
            continue;
        }
        const Character character = character_at(text, at);
        columns += character.is_valid ? character_width(character.code_point) : 1;
        at += character.bytes;
    }
    return columns;
}

std::string cut(std::string_view text, int columns) {
    if (display_width(text) <= columns) return std::string(text);
    const int room = std::max(0, columns - 3);
    std::string kept;
    int used = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        const int width = character.is_valid ? character_width(character.code_point) : 1;
        if (used + width > room) break;
        kept += text.substr(at, character.bytes);
        used += width;
        at += character.bytes;
    }
    return kept + std::string(static_cast<std::size_t>(std::clamp(columns, 0, 3)), '.');
}

namespace {

// A colour of `paint`'s at the beginning; empty: there is none.
std::string_view colour_at(std::string_view text) {
    for (const std::string_view colour :
         {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[34m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m"})
        if (text.starts_with(colour)) return colour;
    return {};
}

}  // namespace

std::string harmless(std::string_view text, const RenderStyle& style) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find_first_of("\x1b\n"), text.size());
        shown += escape(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) break;
        const std::string_view colour = style.use_colour ? colour_at(text) : std::string_view();
        const std::size_t length = std::max<std::size_t>(colour.size(), 1);
        const bool is_kept = !colour.empty() || text.front() == '\n';
        shown += is_kept ? std::string(text.substr(0, length)) : escape(text.substr(0, length));
        text.remove_prefix(length);
    }
    return shown;
}

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

namespace {
// `./grader/warpgrade check padding`, `warpgrade list`: to be copied from the terminal as one line, however long it is.
bool is_command(std::string_view code) {
    const std::string_view program = code.substr(0, code.find(' '));
    return program.size() < code.size() && program.substr(program.rfind('/') + 1) == "warpgrade";
}

// Words end at spaces outside backticks; an unmatched backtick, or code too long for a line, binds nothing.
std::vector<std::string_view> words_of(std::string_view text, int columns) {
    std::vector<std::string_view> words;
    std::size_t start = 0;
    while (start < text.size()) {
        if (text[start] == ' ') {
            ++start;
            continue;
        }
        std::size_t end = start;
        while (end < text.size() && text[end] != ' ') {
            if (text[end] == '`') {
                const std::size_t close = text.find('`', end + 1);
                const std::string_view code =
                    text.substr(end + 1, close == std::string_view::npos ? 0 : close - end - 1);
                if (!code.empty() && (static_cast<int>(code.size()) + 2 <= columns || is_command(code))) end = close;
            }
            ++end;
        }
        words.push_back(text.substr(start, end - start));
        start = end;
    }
    return words;
}
}  // namespace

std::string pad_right(std::string_view text, int columns) {
    return std::string(text) + blanks(columns - display_width(text));
}

std::string pad_left(std::string_view text, int columns) {
    return blanks(columns - display_width(text)) + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, int columns) {
    if (display_width(text) <= columns) return {std::string(text)};
    std::vector<std::string> lines;
    std::string line;
    int used = 0;
    for (const std::string_view word : words_of(text, columns)) {
        const int width = display_width(word);
        if (used > 0 && used + 1 + width > columns) {
            lines.push_back(line);
            line.clear();
            used = 0;
        }
        if (used > 0) {
            line += ' ';
            ++used;
        }
        line += word;
        used += width;
    }
    lines.push_back(line);
    return lines;
}

std::string wrap_after(std::string_view first_prefix, std::string_view text, int columns) {
    const int indent = display_width(first_prefix);
    std::string out;
    for (const std::string& paragraph : split_lines(text)) {
        for (const std::string& line : wrap(paragraph, std::max(20, columns - indent))) {
            out += out.empty() ? std::string(first_prefix) : blanks(indent);
            out += line;
            out += '\n';
        }
    }
    return out;
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (;;) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.emplace_back(line);
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

std::string shell_quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string number(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : "infinite";
    const double magnitude = std::abs(value);
    std::string text = magnitude != 0 && magnitude < 0.1 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
    if (text.find('e') != std::string::npos || text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
    return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string paint(std::string_view text, Paint colour, const RenderStyle& style) {
    if (!style.use_colour || colour == Paint::none || text.empty()) return std::string(text);
    const char* code = "1";
    switch (colour) {
        case Paint::dim: code = "2"; break;
        case Paint::red: code = "1;31"; break;
        case Paint::yellow: code = "1;33"; break;
        case Paint::green: code = "32"; break;
        case Paint::cyan: code = "1;36"; break;
        case Paint::blue: code = "34"; break;
        case Paint::bold:
        case Paint::none: break;
    }
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

ShownLine show_source_line(std::string_view raw) {
    constexpr int tab_columns = 4;
    ShownLine shown;
    int column = 0;
    for (std::size_t at = 0; at < raw.size();) {
        const Character character = character_at(raw, at);
        std::string text;
        if (raw[at] == '\t')
            text = blanks(tab_columns - column % tab_columns);
        else
            text = show_character(raw.substr(at), character);
        for (std::size_t byte = 0; byte < character.bytes; ++byte) shown.column_of_byte.push_back(column);
        column += display_width(text);
        shown.text += text;
        at += character.bytes;
    }
    shown.column_of_byte.push_back(column);
    while (!shown.text.empty() && shown.text.back() == ' ') shown.text.pop_back();
    return shown;
}

}  // namespace warpgrade::cli
