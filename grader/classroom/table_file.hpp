// Tables that a person writes: columns are found by name, in any order, and what is wrong is said with its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

struct TableRow {
    std::vector<std::string> cells;  // of the columns asked for, in that order; empty where the file has no such column
    int line = 0;
};
struct TableFile {
    std::vector<TableRow> rows;
};

// Error: usage: no CSV, or one of `columns` is not there.
Result<TableFile> open_table(std::string_view text, const std::string& path, const std::vector<std::string>& columns);

Diagnostic bad_row(const std::string& path, int line, std::string title, std::string help);

// "7.5", "7,5"; nothing: no number.
std::optional<double> number_of(const std::string& text);

}  // namespace warpgrade::classroom
