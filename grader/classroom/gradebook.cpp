#include "classroom/gradebook.hpp"

#include <fmt/format.h>

#include <map>

namespace warpgrade::classroom {
namespace {

// At most two decimals and a point, as learning platforms compare them.
std::string points(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// The sum over the stages of an assignment, or over all for "". Empty: a part is unknown.
std::string sum(const StudentMarks& marks, const std::string& assignment) {
    double total = 0;
    if (marks.stages.empty() || !marks.submission->doubt.empty()) return "";
    for (const StageMark& mark : marks.stages) {
        if (!assignment.empty() && !mark.stage.starts_with(assignment + "/")) continue;
        if (needs_person(mark.state)) return "";
        total += mark.total;
    }
    return points(total);
}

// "transpose/padding, reduction (all 7 stages)"
std::string stages_that(const StudentMarks& marks, bool (*is_meant)(const StageMark&)) {
    std::map<std::string, std::pair<int, int>> counts;  // meant, all; by assignment
    const auto assignment_of = [](const StageMark& mark) { return mark.stage.substr(0, mark.stage.find('/')); };
    for (const StageMark& mark : marks.stages) {
        auto& [meant, all] = counts[assignment_of(mark)];
        meant += is_meant(mark);
        ++all;
    }
    std::string text;
    for (const StageMark& mark : marks.stages) {
        if (!is_meant(mark)) continue;
        auto& [meant, all] = counts[assignment_of(mark)];
        if (meant == 0) continue;  // said already
        const bool is_all = meant == all;
        text += (text.empty() ? "" : ", ") +
                (is_all ? fmt::format("{} (all {} stages)", assignment_of(mark), all) : mark.stage);
        if (is_all) meant = 0;
    }
    return text;
}

std::string notes_of(const StudentMarks& marks) {
    std::string text;
    for (const std::string& reason : reasons(marks)) text += (text.empty() ? "" : "; ") + reason;
    for (const std::string& note : marks.submission->notes) text += (text.empty() ? "" : "; ") + note;
    const auto add = [&](const std::string& what, bool (*is_meant)(const StageMark&)) {
        const std::string stages = stages_that(marks, is_meant);
        if (!stages.empty()) text += (text.empty() ? "" : "; ") + what + stages;
    };
    add("not attempted, the stub as it was handed out: ", [](const StageMark& mark) { return mark.is_untouched; });
    add("not handed in: ", [](const StageMark& mark) { return !mark.is_handed_in; });
    return text;
}

}  // namespace

std::vector<std::string> reasons(const StudentMarks& marks) {
    std::vector<std::string> all;
    if (marks.standing == Standing::unreadable) all.push_back(marks.submission->problem);
    if (!marks.submission->doubt.empty()) all.push_back(marks.submission->doubt);
    for (const StageMark& mark : marks.stages)
        if (needs_person(mark.state))
            all.push_back(fmt::format("{}: {}", mark.stage,
                                      mark.why.empty() ? to_string(mark.state) : std::string_view(mark.why)));
    return all;
}

std::string gradebook_csv(const Roster& roster, const std::vector<const Assignment*>& assignments,
                          const std::vector<StudentMarks>& students) {
    CsvRow header;
    for (const std::string& column : roster.columns) header.push_back(safe_cell(column));
    header.insert(header.end(), {"status", "late"});
    for (const Assignment* assignment : assignments) header.push_back(assignment->name);
    header.insert(header.end(), {"total", "max"});
    double max = 0;
    std::vector<std::string> stages;
    for (const Assignment* assignment : assignments) {
        for (const Stage& stage : assignment->stages) {
            if (!stage.is_graded) continue;
            stages.push_back(stage.name());
            max += stage.max_points();
        }
    }
    header.insert(header.end(), stages.begin(), stages.end());
    header.push_back("notes");
    std::string text = csv_line(header);
    for (const StudentMarks& marks : students) {
        CsvRow row;
        for (const std::string& cell : marks.submission->student.cells) row.push_back(safe_cell(cell));
        row.push_back(word_for(marks.standing));
        row.push_back(marks.submission->is_late ? "late" : "");
        for (const Assignment* assignment : assignments) row.push_back(sum(marks, assignment->name));
        row.push_back(sum(marks, ""));
        row.push_back(points(max));
        for (const std::string& stage : stages) {
            std::string cell;
            for (const StageMark& mark : marks.stages)
                if (mark.stage == stage && !needs_person(mark.state) && marks.submission->doubt.empty())
                    cell = points(mark.total);
            row.push_back(cell);
        }
        row.push_back(safe_cell(notes_of(marks)));
        text += csv_line(row);
    }
    return text;
}

nlohmann::ordered_json class_json(const nlohmann::ordered_json& header, const std::vector<StudentMarks>& students) {
    nlohmann::ordered_json json{{"schema", "warpgrade.class/1"}};
    for (const char* key : {"tool", "device", "seed", "walls"})
        if (header.contains(key)) json[key] = header[key];
    json["students"] = nlohmann::ordered_json::array();
    for (const StudentMarks& marks : students) {
        nlohmann::ordered_json student{{"id", marks.submission->student.id},
                                       {"name", marks.submission->student.name},
                                       {"status", word_for(marks.standing)},
                                       {"late", marks.submission->is_late},
                                       {"on_roster", marks.submission->is_on_roster}};
        student["result"] = marks.stages.empty() ? nlohmann::ordered_json(nullptr)
                                                 : nlohmann::ordered_json("results/" + marks.file_name + ".json");
        student["review"] = reasons(marks);
        student["notes"] = marks.submission->notes;
        json["students"].push_back(std::move(student));
    }
    return json;
}

}  // namespace warpgrade::classroom
