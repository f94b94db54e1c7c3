#include "classroom/csv.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/characters.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

Diagnostic bad_csv(const std::string& path, int line, std::string title, std::string help) {
    Diagnostic diagnostic{.blame = Blame::usage,
                          .code = "bad_csv",
                          .title = std::move(title),
                          .marks = {},
                          .facts = {},
                          .help = std::move(help)};
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    return diagnostic;
}

// Reads cell by cell; `next` tells what ended it.
class Reader {
public:
    Reader(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

    bool is_at_end() const { return at_ >= text_.size(); }
    int line() const { return line_; }
    // False: a quote is never closed.
    bool read_row(CsvRow& row) {
        for (;;) {
            std::string cell;
            if (!read_cell(cell)) return false;
            row.push_back(std::move(cell));
            if (is_at_end()) return true;
            const char ended = text_[at_++];
            if (ended == delimiter_) continue;
            if (ended == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
            ++line_;
            return true;
        }
    }

private:
    bool is_end_of_cell() const {
        return is_at_end() || text_[at_] == delimiter_ || text_[at_] == '\n' || text_[at_] == '\r';
    }
    bool read_cell(std::string& cell) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ < text_.size() && text_[at_] == '"') {
            ++at_;
            for (;; ++at_) {
                if (is_at_end()) return false;
                if (text_[at_] == '\n') ++line_;
                if (text_[at_] != '"') {
                    cell += text_[at_];
                } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                    cell += text_[at_++];
                } else {
                    break;
                }
            }
            ++at_;
        } else {
            at_ = begin;
        }
        while (!is_end_of_cell()) cell += text_[at_++];
        const auto last = cell.find_last_not_of(" \t");
        cell.erase(last == std::string::npos ? 0 : last + 1);
        cell.erase(0, std::min(cell.find_first_not_of(" \t"), cell.size()));
        return true;
    }

    std::string_view text_;
    char delimiter_;
    std::size_t at_ = 0;
    int line_ = 1;
};

}  // namespace

char delimiter_of(std::string_view text, int rows) {
    std::array<int, 3> counts{};
    constexpr std::string_view candidates = ",;\t";
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        const bool ends_row = c == '\n' || (c == '\r' && !text.substr(i + 1).starts_with('\n'));
        if (ends_row && --rows == 0) break;
        if (const auto at = candidates.find(c); at != std::string_view::npos) ++counts[at];
    }
    return candidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& path) {
    const std::string utf8 = utf8_name(to_utf8(text));
    if (utf8.find('\0') != std::string::npos)
        return bad_csv(path, 0, "`" + path + "` is not a CSV file", "save it as \"CSV UTF-8\"");
    CsvTable table;
    Reader reader(utf8, delimiter_of(utf8, 1));
    while (!reader.is_at_end()) {
        const int line = reader.line();
        CsvRow row;
        if (!reader.read_row(row))
            return bad_csv(path, line, "a quote in this row is never closed", "close it, or write \"\" for a quote");
        if (std::all_of(row.begin(), row.end(), [](const std::string& cell) { return cell.empty(); })) continue;
        table.rows.push_back(std::move(row));
        table.lines.push_back(line);
    }
    return table;
}

std::string csv_line(const CsvRow& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i != 0) line += ',';
        const std::string& cell = cells[i];
        const bool needs_quotes =
            cell.find_first_of(",;\"\r\n\t") != std::string::npos || cell.starts_with(' ') || cell.ends_with(' ');
        if (!needs_quotes) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + "\n";
}

std::string safe_cell(std::string_view text) {
    std::string cell = escape(text);
    // What a spreadsheet takes for a blank, and for the beginning of a formula; also as wide as an ideograph (OWASP,
    // "CSV Injection").
    constexpr std::array<std::uint32_t, 4> blanks{' ', 0xA0, 0x202F, 0x3000};
    constexpr std::array<std::uint32_t, 9> openers{'=', '+', '-', '@', '|', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20};
    const auto is_one_of = [](const auto& all, std::uint32_t one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    std::size_t first = 0;
    while (first < cell.size() && is_one_of(blanks, character_at(cell, first).code_point))
        first += character_at(cell, first).bytes;
    const bool looks_like_formula = first < cell.size() && is_one_of(openers, character_at(cell, first).code_point);
    const bool is_number = cell.size() > 1 && (cell[0] == '-' || cell[0] == '+') &&
                           cell.find_first_not_of("0123456789.", 1) == std::string::npos;
    return looks_like_formula && !is_number ? "'" + cell : cell;
}

}  // namespace warpgrade::classroom
