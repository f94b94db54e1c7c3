#include "classroom/platform_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "classroom/table_file.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

using Names = std::vector<std::string_view>;

// Moodle writes its headings in the language of who exports (lang/*/assign.php); squeezed.
const Names identifiers{"identifier", "id", "identifiant", "identificador"};
const Names moodle_grades{"grade", "bewertung", "note", "calificacion"};
const Names moodle_changed{"lastmodifiedgrade", "zuletztgeandertbewertung", "dernieremodificationnote",
                           "ultimamodificacioncalificacion"};
const Names moodle_comments{"feedbackcomments", "feedbackalskommentar", "feedbackparcommentaires",
                            "comentariosderetroalimentacion"};
const Names moodle_maxima{"maximumgrade", "bestwertung", "notemaximale", "calificacionmaxima"};

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t column_of(const RawTable& table, std::size_t row, const Names& names) {
    for (std::size_t i = 0; i < table.rows[row].cells.size(); ++i)
        if (std::find(names.begin(), names.end(), squeezed(table.value(row, i))) != names.end()) return i;
    return nowhere;
}

bool ends_in_number(const std::string& title, char before, char after) {
    std::string text = title;
    if (after != 0 && (text.empty() || text.back() != after)) return false;
    if (after != 0) text.pop_back();
    const auto last = text.find_last_not_of("0123456789");
    return last != std::string::npos && last + 1 < text.size() && text[last] == before;
}

// Titles that may be the assignment's.
bool is_grade_title(Platform platform, const std::string& title) {
    switch (platform) {
        case Platform::canvas: return ends_in_number(title, '(', ')');
        case Platform::brightspace: return title.find(" Points Grade") != std::string::npos;
        case Platform::blackboard: return ends_in_number(title, '|', 0);
        case Platform::sakai: return squeezed(title) == "grade";
        case Platform::moodle:
            return std::find(moodle_grades.begin(), moodle_grades.end(), squeezed(title)) != moodle_grades.end();
        default: return false;
    }
}

struct TableShape {
    const char* must_have;  // what else, for the message
    bool (*fits)(const RawTable&, std::size_t header);
};

bool fits_canvas(const RawTable& table, std::size_t row) {
    if (table.rows[row].cells.size() <= 3) return false;
    return table.value(row, 0).find("Student") != std::string::npos &&
           table.value(row, 1).find("ID") != std::string::npos && column_of(table, row, {"section"}) != nowhere;
}
bool fits_moodle(const RawTable& table, std::size_t row) {
    return column_of(table, row, identifiers) != nowhere && column_of(table, row, moodle_changed) != nowhere;
}
bool fits_brightspace(const RawTable& table, std::size_t row) {
    const auto& cells = table.rows[row].cells;
    return column_of(table, row, {"orgdefinedid", "username"}) != nowhere &&
           squeezed(cells.back().value) == "endoflineindicator";
}
bool fits_blackboard(const RawTable& table, std::size_t row) {
    return column_of(table, row, {"username", "benutzername", "nomdutilisateur"}) != nowhere;
}
bool fits_sakai(const RawTable& table, std::size_t row) {
    return column_of(table, row, {"displayid"}) != nowhere && column_of(table, row, {"id"}) != nowhere;
}

TableShape shape_of(Platform platform) {
    switch (platform) {
        case Platform::canvas: return {"Student, ID and Section", fits_canvas};
        case Platform::moodle: return {"Identifier, Grade and Last modified (grade), in its language", fits_moodle};
        case Platform::brightspace:
            return {"OrgDefinedId or Username, and End-of-Line Indicator last", fits_brightspace};
        case Platform::blackboard: return {"Username", fits_blackboard};
        default: return {"Display ID and ID", fits_sakai};
    }
}

bool is_student_row(const PlatformTable& file, std::size_t row) {
    const RawTable& table = file.table;
    const auto& cells = table.rows[row].cells;
    if (std::all_of(cells.begin(), cells.end(), [](const RawCell& cell) { return cell.value.empty(); })) return false;
    const std::string first = squeezed(table.value(row, 0));
    const bool is_canvas_line =
        first == "pointspossible" || first == "manualposting" || first == "muted" || first == "studenttest";
    return !(file.platform == Platform::canvas && is_canvas_line);
}

Diagnostic refused(const std::string& path, int line, std::string title, std::string help) {
    Diagnostic why = bad_row(path, line, std::move(title), std::move(help));
    why.code = "bad_platform_file";
    return why;
}

// "HW 3 [Total Pts: 100 Score] |123"
double total_in(const std::string& title) {
    const auto at = title.find("Total Pts:");
    if (at == std::string::npos) return 0;
    const auto begin = title.find_first_of("0123456789", at);
    const auto end = begin == std::string::npos ? begin : title.find_first_not_of("0123456789.,", begin);
    const auto number = begin == std::string::npos ? std::nullopt : number_of(title.substr(begin, end - begin));
    return number ? *number : 0;
}

void find_max(PlatformTable& file) {
    const RawTable& table = file.table;
    if (file.platform == Platform::blackboard) file.max = total_in(table.value(file.header, file.grade));
    if (file.platform == Platform::canvas)
        for (std::size_t row = file.header + 1; row < table.rows.size(); ++row)
            if (squeezed(table.value(row, 0)) == "pointspossible")
                if (const auto number = number_of(table.value(row, file.grade))) file.max = *number;
    if (file.platform != Platform::moodle) return;
    const std::size_t column = column_of(table, file.header, moodle_maxima);
    for (const std::size_t row : file.students) {
        const std::string cell = column == nowhere ? "" : table.value(row, column);
        if (const auto number = number_of(cell)) file.max = *number;
        file.has_decimal_comma = file.has_decimal_comma || cell.find(',') != std::string::npos;
    }
}

}  // namespace

Platform platform_named(const std::string& word) {
    for (const Platform platform :
         {Platform::canvas, Platform::moodle, Platform::brightspace, Platform::blackboard, Platform::sakai})
        if (lower_case(word_for(platform)) == word) return platform;
    return Platform::none;
}

Result<PlatformTable> open_platform_file(Platform platform, std::string_view bytes, const std::string& path,
                                         const std::string& column) {
    auto table = parse_raw_table(bytes, path);
    if (!table) return table.error();
    PlatformTable file;
    file.table = std::move(*table);
    file.platform = platform;
    const TableShape shape = shape_of(platform);
    const std::size_t most_above = platform == Platform::sakai ? 5 : 1;
    bool has_header = false;
    for (std::size_t row = 0; row < std::min(most_above, file.table.rows.size()) && !has_header; ++row) {
        has_header = shape.fits(file.table, row);
        if (has_header) file.header = row;
    }
    if (!has_header)
        return refused(path, 1, fmt::format("this is no table that {} exports", word_for(platform)),
                       fmt::format("its headings have to be: {}", shape.must_have));
    std::vector<std::size_t> found;
    const auto& titles = file.table.rows[file.header].cells;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const bool is_named = column.empty() || titles[i].value == column || titles[i].value.starts_with(column + " ");
        if (is_named && is_grade_title(platform, titles[i].value)) found.push_back(i);
    }
    if (found.size() != 1) {
        std::string all;
        for (const RawCell& title : titles)
            if (is_grade_title(platform, title.value)) all += (all.empty() ? "`" : ", `") + title.value + "`";
        return refused(
            path, file.table.rows[file.header].line,
            found.empty() ? "no column of the file is the assignment's"
                          : "more than one column may be the assignment's",
            all.empty() ? "export the gradebook with the assignment in it" : "name one with --column: " + all);
    }
    file.grade = found.front();
    if (platform == Platform::moodle)
        if (const std::size_t at = column_of(file.table, file.header, moodle_comments); at != nowhere)
            file.comment = at;
    for (std::size_t row = file.header + 1; row < file.table.rows.size(); ++row)
        if (is_student_row(file, row)) file.students.push_back(row);
    for (const std::size_t row : file.students)
        if (file.table.rows[row].cells.size() != titles.size())
            return refused(path, file.table.rows[row].line,
                           fmt::format("this row has {} cells, and the headings are {}",
                                       file.table.rows[row].cells.size(), titles.size()),
                           "export it again");
    find_max(file);
    return file;
}

void fill(PlatformTable& file, std::size_t row, const CellMark& mark) {
    if (mark.points.empty()) return;
    std::string points = mark.points;
    if (file.has_decimal_comma) std::replace(points.begin(), points.end(), '.', ',');
    file.table.set(row, file.grade, points);
    if (file.comment != 0 && !mark.comment.empty()) file.table.set(row, file.comment, mark.comment);
}

Status check_platform_file(Platform platform, std::string_view bytes, const std::string& path,
                           const std::string& column) {
    const auto file = open_platform_file(platform, bytes, path, column);
    if (!file) return file.error();
    const RawTable& table = file->table;
    std::set<std::string> known;
    for (const std::size_t row : file->students) {
        const int line = table.rows[row].line;
        const std::string id = table.value(row, platform == Platform::canvas ? 1 : 0);
        const std::string cell = table.value(row, file->grade);
        if (id.empty()) return refused(path, line, "this row says no student", "export the file again");
        if (platform != Platform::blackboard && !known.insert(id).second)
            return refused(path, line, fmt::format("two rows are of `{}`", id), "export the file again");
        if (platform == Platform::moodle && id.find_first_of("0123456789") == std::string::npos)
            return refused(path, line, fmt::format("`{}` is no participant's number", id),
                           "export the worksheet again");
        if (platform == Platform::brightspace && table.rows[row].cells.back().value != "#")
            return refused(path, line, "the row does not end in `#`", "export the file again");
        const bool may_be_text = platform == Platform::canvas && (lower_case(cell) == "ex" || cell == "N/A");
        if (cell.empty() || cell == "-" || may_be_text) continue;
        const auto number = number_of(cell);
        if (!number || *number < 0)
            return refused(path, line, fmt::format("`{}` is no grade", cell), "write a number that is not below 0");
        if (file->max > 0 && *number > file->max + 1e-9)
            return refused(path, line, fmt::format("`{}` is more than the {} that the file allows", cell, file->max),
                           "`export --scale` brings the points to the platform's");
        const auto point = cell.find_first_of(".,");
        if (point != std::string::npos && cell.size() - point > 3)
            return refused(path, line, fmt::format("`{}` has more than two decimals", cell), "round it");
        if (!file->has_decimal_comma && cell.find(',') != std::string::npos && platform != Platform::canvas)
            return refused(path, line, fmt::format("`{}` has a decimal comma", cell), "write a point");
    }
    return Nothing{};
}

}  // namespace warpgrade::classroom
