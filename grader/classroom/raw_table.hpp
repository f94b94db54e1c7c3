// A platform's table, kept to the byte: what is not changed is written back as it was, with the same encoding, byte
// order mark, delimiter, quotes and line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

struct RawCell {
    std::string raw;    // as written, with quotes and blanks
    std::string value;  // what it says, as UTF-8
};

struct RawRow {
    std::vector<RawCell> cells;
    std::string end;  // of the line; empty at the end of a file
    int line = 0;
};

struct RawTable {
    enum class Encoding { utf8, utf8_with_mark, utf16_little, utf16_big, windows_1252 };
    Encoding encoding = Encoding::utf8;
    char delimiter = ',';
    std::vector<RawRow> rows;

    std::string value(std::size_t row, std::size_t column) const;
    void set(std::size_t row, std::size_t column, const std::string& value);
    std::string bytes() const;
};

// Error: usage: a quote that is never closed.
Result<RawTable> parse_raw_table(std::string_view bytes, const std::string& path);

}  // namespace warpgrade::classroom
