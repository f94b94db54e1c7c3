#include "classroom/raw_table.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "base/text.hpp"
#include "classroom/csv.hpp"
#include "classroom/table_file.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

void append_utf16(std::string& out, std::uint32_t unit, bool is_little) {
    const auto low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    out += is_little ? low : high;
    out += is_little ? high : low;
}

std::string as_utf16(const std::string& text, bool is_little) {
    std::string out;
    append_utf16(out, 0xFEFF, is_little);
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        at += character.bytes;
        if (character.code_point < 0x10000) {
            append_utf16(out, character.code_point, is_little);
            continue;
        }
        append_utf16(out, 0xD800 + ((character.code_point - 0x10000) >> 10), is_little);
        append_utf16(out, 0xDC00 + ((character.code_point - 0x10000) & 0x3FF), is_little);
    }
    return out;
}

}  // namespace

std::string RawTable::value(std::size_t row, std::size_t column) const {
    return row < rows.size() && column < rows[row].cells.size() ? rows[row].cells[column].value : "";
}

void RawTable::set(std::size_t row, std::size_t column, const std::string& value) {
    RawCell& cell = rows[row].cells[column];
    if (cell.value == value) return;
    const bool was_quoted = trimmed(cell.raw).starts_with('"');
    const bool needs_quotes = value.find_first_of(std::string{delimiter, '"', '\n', '\r'}) != std::string::npos;
    cell.value = value;
    cell.raw = value;
    if (!was_quoted && !needs_quotes) return;
    cell.raw = "\"";
    for (const char c : value) cell.raw += c == '"' ? std::string("\"\"") : std::string(1, c);
    cell.raw += '"';
}

std::string RawTable::bytes() const {
    std::string text;
    for (const RawRow& row : rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            text += (i == 0 ? "" : std::string(1, delimiter)) + row.cells[i].raw;
        text += row.end;
    }
    switch (encoding) {
        case Encoding::utf8_with_mark: return "\xef\xbb\xbf" + text;
        case Encoding::utf16_little: return as_utf16(text, true);
        case Encoding::utf16_big: return as_utf16(text, false);
        case Encoding::utf8:
        case Encoding::windows_1252: break;
    }
    return text;
}

Result<RawTable> parse_raw_table(std::string_view bytes, const std::string& path) {
    RawTable table;
    using Encoding = RawTable::Encoding;
    std::string text(bytes);
    if (is_utf16(bytes)) {
        table.encoding = bytes.starts_with("\xfe\xff") ? Encoding::utf16_big : Encoding::utf16_little;
        text = to_utf8(bytes);
    } else if (bytes.starts_with("\xef\xbb\xbf")) {
        table.encoding = Encoding::utf8_with_mark;
        text.erase(0, 3);
    } else if (!is_utf8(bytes)) {
        table.encoding = Encoding::windows_1252;  // its bytes stay, and what is written into it is ASCII
    }
    table.delimiter = delimiter_of(text, 4);  // a title may stand above the headings
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        RawRow row;
        row.line = line;
        for (bool is_row_open = true; is_row_open;) {
            RawCell cell;
            const std::size_t begin = at;
            while (at < text.size() && text[at] == ' ') ++at;
            std::string value;
            if (at < text.size() && text[at] == '"') {
                for (++at;; ++at) {
                    if (at >= text.size()) return bad_row(path, line, "a quote in this row is never closed", "");
                    if (text[at] == '\n') ++line;
                    if (text[at] != '"') {
                        value += text[at];
                    } else if (at + 1 < text.size() && text[at + 1] == '"') {
                        value += text[at++];
                    } else {
                        break;
                    }
                }
                ++at;
            }
            const std::size_t plain = at;
            while (at < text.size() && text[at] != table.delimiter && text[at] != '\n' && text[at] != '\r') ++at;
            value += text.substr(plain, at - plain);
            cell.raw = text.substr(begin, at - begin);
            cell.value = utf8_name(std::string(trimmed(value, " \t")));
            row.cells.push_back(std::move(cell));
            is_row_open = at < text.size() && text[at] == table.delimiter;
            if (is_row_open) ++at;
        }
        const std::size_t end = at;
        if (at < text.size() && text[at] == '\r') ++at;
        if (at < text.size() && text[at] == '\n') ++at;
        row.end = text.substr(end, at - end);
        if (!row.end.empty()) ++line;
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace warpgrade::classroom
