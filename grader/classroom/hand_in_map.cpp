#include "classroom/hand_in_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "classroom/csv.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

Diagnostic bad_map(const std::string& path, int line, std::string title, std::string help) {
    Diagnostic diagnostic{.blame = Blame::usage,
                          .code = "bad_map",
                          .title = std::move(title),
                          .marks = {},
                          .facts = {},
                          .help = std::move(help)};
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    return diagnostic;
}

Diagnostic no_such_column(const std::string& path, const CsvTable& table, const char* column) {
    Diagnostic diagnostic =
        bad_map(path, table.lines.empty() ? 0 : table.lines.front(),
                fmt::format("`{}` is no map of hand-ins: it has no column `{}`",
                            std::filesystem::path(path).filename().string(), column),
                "let its first row be hand_in,file,student,stage, as in the map that `grade --dry-run` writes");
    std::string row;
    if (!table.rows.empty()) row = csv_line(table.rows.front());
    constexpr std::size_t longest_shown = 60;
    diagnostic.facts = {row.empty() ? "it is empty"
                                    : "its first row is " + row.substr(0, std::min(row.find('\n'), longest_shown))};
    return diagnostic;
}

std::string cell_of(const CsvRow& row, std::size_t column) { return column < row.size() ? row[column] : ""; }

bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

}  // namespace

bool is_same_cell(const std::string& cell, const std::string& name) {
    const std::string safe = safe_cell(name);
    return cell == safe || decomposed(cell) == decomposed(safe);
}

std::optional<std::string> HandInMap::student_of(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
        if (const auto found = students.find(safe_cell(name)); found != students.end()) return found->second;
        if (is_ascii(name)) continue;
        for (const auto& [cell, student] : students)
            if (is_same_cell(cell, name)) return student;
    }
    return std::nullopt;
}

std::optional<std::string> HandInMap::stage_of(const std::string& hand_in, const std::string& file) const {
    if (const auto found = stages.find({safe_cell(hand_in), safe_cell(file)}); found != stages.end())
        return found->second;
    if (is_ascii(hand_in) && is_ascii(file)) return std::nullopt;
    for (const auto& [cells, stage] : stages)
        if (is_same_cell(cells.first, hand_in) && is_same_cell(cells.second, file)) return stage;
    return std::nullopt;
}

Result<HandInMap> parse_hand_in_map(std::string_view text, const std::string& path) {
    const auto table = parse_csv(text, path);
    if (!table) return table.error();
    constexpr const char* names[] = {"hand_in", "file", "student", "stage"};
    std::size_t columns[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const CsvRow header = table->rows.empty() ? CsvRow{} : table->rows.front();
        const auto at = std::find_if(header.begin(), header.end(),
                                     [&](const std::string& cell) { return lower_case(cell) == names[i]; });
        columns[i] = static_cast<std::size_t>(at - header.begin());
        if (at == header.end() && i != 1 && i != 3) return no_such_column(path, *table, names[i]);
    }
    HandInMap map;
    for (std::size_t i = 1; i < table->rows.size(); ++i) {
        const CsvRow& row = table->rows[i];
        const std::string hand_in = cell_of(row, columns[0]), file = cell_of(row, columns[1]),
                          student = cell_of(row, columns[2]), stage = cell_of(row, columns[3]);
        if (hand_in.empty()) continue;
        if (!student.empty()) {
            const auto [known, is_new] = map.students.emplace(hand_in, student);
            if (!is_new && known->second != student)
                return bad_map(
                    path, table->lines[i],
                    fmt::format("two rows give `{}` to two students, `{}` and `{}`", hand_in, known->second, student),
                    "give a hand-in to one student, or to several in one cell: ann + bo");
        }
        if (!stage.empty() && !file.empty()) map.stages[{hand_in, file}] = stage;
    }
    return map;
}

Result<HandInMap> read_hand_in_map(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return not_a_file(path, "`grade --dry-run` writes a map to begin with");
    const auto text = read_whole_file(path, 64ull << 20);
    if (!text) return text.error();
    return parse_hand_in_map(*text, path);
}

HandInMap changes_in(const HandInMap& edited, const HandInMap& written) {
    HandInMap changes;
    for (const auto& [hand_in, student] : edited.students)
        if (const auto before = written.students.find(hand_in);
            before == written.students.end() || before->second != student)
            changes.students[hand_in] = student;
    for (const auto& [file, stage] : edited.stages)
        if (const auto before = written.stages.find(file); before == written.stages.end() || before->second != stage)
            changes.stages[file] = stage;
    return changes;
}

void add_decisions(HandInMap& map, const HandInMap& more) {
    for (const auto& [hand_in, student] : more.students) map.students[hand_in] = student;
    for (const auto& [file, stage] : more.stages) map.stages[file] = stage;
}

}  // namespace warpgrade::classroom
