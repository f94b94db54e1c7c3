// CSV as spreadsheets and learning platforms write it (RFC 4180, with what they get wrong), and as they may safely
// read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

using CsvRow = std::vector<std::string>;

struct CsvTable {
    std::vector<CsvRow> rows;  // without rows that are all empty
    std::vector<int> lines;    // of each row's first character, from 1
};

// Comma, semicolon or tab: whichever the first `rows` rows have most of.
char delimiter_of(std::string_view text, int rows);

// Cells between delimiters as the first row has them; quoted cells with "" for ", LF or CRLF or CR, a byte
// order mark, UTF-8 or (where it is not that) Windows-1252. Error: usage, with the line.
Result<CsvTable> parse_csv(std::string_view text, const std::string& path);

// A row with commas and LF; cells are quoted where they have to be.
std::string csv_line(const CsvRow& cells);

// Escaped (base/characters.hpp), so in one line; a cell that a spreadsheet would take for a formula gets an apostrophe
// in front, so that it is shown as text. A number stays a number.
std::string safe_cell(std::string_view text);

}  // namespace warpgrade::classroom
