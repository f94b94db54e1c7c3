#include "classroom/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "classroom/csv.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

Diagnostic bad_row(const std::string& path, int line, std::string title, std::string help) {
    Diagnostic diagnostic{.blame = Blame::usage,
                          .code = "bad_table",
                          .title = std::move(title),
                          .marks = {},
                          .facts = {},
                          .help = std::move(help)};
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    return diagnostic;
}

std::optional<double> number_of(const std::string& text) {
    std::string plain = text;
    std::replace(plain.begin(), plain.end(), ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    const bool is_number = error == std::errc() && end == plain.data() + plain.size() && value > -1e9 && value < 1e9;
    return is_number ? std::optional(value) : std::nullopt;
}

Result<TableFile> open_table(std::string_view text, const std::string& path, const std::vector<std::string>& columns) {
    const auto table = parse_csv(text, path);
    if (!table) return table.error();
    TableFile file;
    if (table->rows.empty()) return file;
    const CsvRow& header = table->rows.front();
    std::vector<std::size_t> places;
    std::string wanted;
    for (const std::string& column : columns) wanted += (wanted.empty() ? "" : ",") + column;
    for (const std::string& column : columns) {
        const auto at = std::find_if(header.begin(), header.end(),
                                     [&](const std::string& cell) { return lower_case(cell) == column; });
        if (at == header.end())
            return bad_row(path, table->lines.front(), fmt::format("there is no column `{}`", column),
                           "begin with a row of headings: " + wanted);
        places.push_back(static_cast<std::size_t>(at - header.begin()));
    }
    for (std::size_t i = 1; i < table->rows.size(); ++i) {
        TableRow row;
        row.line = table->lines[i];
        for (const std::size_t place : places)
            row.cells.push_back(place < table->rows[i].size() ? table->rows[i][place] : "");
        file.rows.push_back(std::move(row));
    }
    return file;
}

}  // namespace warpgrade::classroom
