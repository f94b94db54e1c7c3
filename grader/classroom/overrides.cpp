#include "classroom/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "classroom/csv.hpp"
#include "classroom/table_file.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

// "padding", "transpose/padding", "transpose" or "*": the stages that have points. None: there are no such.
std::vector<const Stage*> stages_meant(const std::vector<Assignment>& course, const std::string& text) {
    std::vector<const Stage*> stages;
    for (const Assignment& assignment : course)
        if (text == "*" || text == assignment.name)
            for (const Stage& stage : assignment.stages)
                if (stage.is_graded && stage.max_points() > 0) stages.push_back(&stage);
    if (!stages.empty()) return stages;
    const auto match = find_stage(course, text);
    if (match) stages.push_back(match->stage);
    return stages;
}

}  // namespace

const Override* Overrides::find(const std::string& student, const std::string& stage) const {
    const auto found = marks.find({student, stage});
    return found == marks.end() ? nullptr : &found->second;
}

std::vector<std::string> Overrides::of_nobody(const std::vector<std::string>& students) const {
    std::vector<std::string> notes;
    for (const auto& [key, one] : marks)
        if (std::find(students.begin(), students.end(), key.first) == students.end())
            notes.push_back(
                fmt::format("{}:{} is for `{}`, who is not in the class", overrides_file, one.line, key.first));
    return notes;
}

Result<Overrides> parse_overrides(std::string_view text, const std::string& path,
                                  const std::vector<Assignment>& course) {
    auto table = open_table(text, path, {"student", "stage", "points", "reason"});
    if (!table) return table.error();
    Overrides overrides;
    for (const TableRow& row : table->rows) {
        const std::string student = row.cells[0], stage = row.cells[1], points = lower_case(row.cells[2]);
        const auto wrong = [&](std::string title, std::string help) {
            return bad_row(path, row.line, std::move(title), std::move(help));
        };
        if (student.empty()) return wrong("the row says no student", "write the student's id, as in the gradebook");
        Override one;
        one.line = row.line;
        one.reason = row.cells[3];
        one.is_excused = points == "excused" || points == "ex";
        if (one.reason.empty()) return wrong("an override needs a reason", "the student will ask for it");
        const std::vector<const Stage*> stages = stages_meant(course, stage);
        if (stages.empty())
            return wrong(fmt::format("there is no stage `{}`", stage),
                         "write a stage as the gradebook does; an assignment or * excuses from all its stages");
        if (!one.is_excused) {
            if (stages.size() > 1)
                return wrong(fmt::format("`{}` are no points of one stage", row.cells[2]),
                             "write the stage, as in the gradebook; only `excused` may be of several");
            const auto number = number_of(points);
            if (!number || *number < 0 || *number > stages.front()->max_points())
                return wrong(fmt::format("`{}` are no points of {}", row.cells[2], stages.front()->name()),
                             fmt::format("write a number from 0 to {}, or `excused`", stages.front()->max_points()));
            one.points = *number;
        }
        for (const Stage* meant : stages)
            if (!overrides.marks.emplace(std::pair(student, meant->name()), one).second)
                return wrong(fmt::format("two rows for `{}` and {}", student, meant->name()), "leave one of them");
    }
    return overrides;
}

}  // namespace warpgrade::classroom
