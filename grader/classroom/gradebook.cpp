#include "classroom/gradebook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/sha256.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/similarity.hpp"

namespace warpgrade::classroom {
namespace {

// The sum over the stages of an assignment, or over all for "". Empty: a part is unknown.
std::string sum(const StudentMarks& marks, const std::string& assignment) {
    double total = 0;
    if (marks.stages.empty() || !marks.submission->doubt.empty()) return "";
    for (const StageMark& mark : marks.stages) {
        if (!assignment.empty() && !mark.stage.starts_with(assignment + "/")) continue;
        if (mark.needs_person()) return "";
        total += mark.total;
    }
    return points_text(total);
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
    for (const StageMark& mark : marks.stages)
        if (!mark.override_reason.empty())
            text += (text.empty() ? "" : "; ") + mark.stage + (mark.is_excused ? " excused" : " set") +
                    " by a person: " + mark.override_reason;
    for (const std::string& note : marks.submission->notes) text += (text.empty() ? "" : "; ") + note;
    const auto add = [&](const std::string& what, bool (*is_meant)(const StageMark&)) {
        const std::string stages = stages_that(marks, is_meant);
        if (!stages.empty()) text += (text.empty() ? "" : "; ") + what + stages;
    };
    add("not attempted, the stub as it was handed out: ", [](const StageMark& mark) { return mark.is_untouched; });
    add("not handed in: ", [](const StageMark& mark) { return !mark.is_handed_in; });
    return text;
}

// "transpose/padding, transpose/open", or "8 stages of transpose" where naming each tells nobody more.
std::string in_short(const std::vector<std::string>& stages) {
    constexpr std::size_t most_named = 3;
    std::vector<std::pair<std::string, std::vector<std::string>>> by_assignment;
    for (const std::string& stage : stages) {
        const std::string assignment = stage.substr(0, stage.find('/'));
        if (by_assignment.empty() || by_assignment.back().first != assignment)
            by_assignment.push_back({assignment, {}});
        by_assignment.back().second.push_back(stage);
    }
    std::string text;
    for (const auto& [assignment, names] : by_assignment) {
        text += text.empty() ? "" : ", ";
        text += names.size() > most_named ? fmt::format("{} stages of {}", names.size(), assignment)
                                          : fmt::format("{}", fmt::join(names, ", "));
    }
    return text;
}

}  // namespace

std::vector<std::string> reasons(const StudentMarks& marks) {
    std::vector<std::string> all;
    if (!marks.submission->doubt.empty()) all.push_back(marks.submission->doubt);
    // The stages of one reason in one sentence.
    std::vector<std::pair<std::string, std::vector<std::string>>> by_why;  // why, stages
    for (const StageMark& mark : marks.stages) {
        if (!mark.needs_person()) continue;
        const std::string why(mark.why.empty() ? to_string(mark.state) : std::string_view(mark.why));
        const auto known =
            std::find_if(by_why.begin(), by_why.end(), [&](const auto& one) { return one.first == why; });
        if (known == by_why.end())
            by_why.emplace_back(why, std::vector{mark.stage});
        else
            known->second.push_back(mark.stage);
    }
    for (const auto& [why, stages] : by_why) all.push_back(in_short(stages) + ": " + why);
    const auto is_said = [&](const std::string& text) {
        return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return one.ends_with(text); });
    };
    const std::string& problem = marks.submission->problem;
    if (marks.standing == Standing::unreadable && !is_said(problem)) all.insert(all.begin(), problem);
    for (const std::string& question : marks.submission->questions)
        if (!is_said(question)) all.push_back(question);
    return all;
}

std::string evidence_of(const StudentMarks& marks) {
    // hand-in and time, stages
    std::vector<std::pair<std::string, std::string>> by_hand_in;
    for (const auto& [stage, source] : marks.submission->sources) {
        // Of files that a platform lays beside each other, the first gives the hand-in its name.
        const std::string suffix = std::filesystem::path(source.path).extension().string();
        const bool is_beside =
            !suffix.empty() && source.hand_in.ends_with(suffix) && !source.hand_in.ends_with(source.path);
        std::string from = is_beside ? source.path + " beside " + source.hand_in : source.hand_in;
        if (source.time) from += " of " + text_of(*source.time);
        const auto known =
            std::find_if(by_hand_in.begin(), by_hand_in.end(), [&](const auto& one) { return one.first == from; });
        if (known == by_hand_in.end())
            by_hand_in.emplace_back(from, stage);
        else
            known->second += ", " + stage;
    }
    std::string text;
    for (const auto& [from, stages] : by_hand_in)
        text += (text.empty() ? "" : "; ") + (by_hand_in.size() == 1 ? from : from + ": " + stages);
    const std::size_t all = marks.submission->hand_ins.size();
    return all > 1 ? text + fmt::format(" ({} hand-ins)", all) : text;
}

LateEffect late_effect_of(const StudentMarks& marks, const LateRules& rules) {
    std::vector<DatedPoints> stages;
    for (const StageMark& mark : marks.stages) {
        const auto source = marks.submission->sources.find(mark.stage);
        // What a person has set is what it is.
        if (source == marks.submission->sources.end() || mark.needs_person() || !mark.override_reason.empty()) continue;
        stages.push_back(
            {mark.stage, mark.total, source->second.time, source->second.is_late, source->second.late_seconds});
    }
    return late_effect(rules.policy, rules.extensions, marks.submission->student.id, stages);
}

namespace {

struct Columns {
    std::vector<std::string> stages;
    double max = 0;
};

Columns columns_of(const std::vector<const Assignment*>& assignments, const std::set<std::string>& only) {
    Columns columns;
    for (const Assignment* assignment : assignments) {
        for (const Stage& stage : assignment->stages) {
            if (!stage.is_graded || stage.max_points() <= 0 || (!only.empty() && !only.contains(stage.name())))
                continue;
            columns.stages.push_back(stage.name());
            columns.max += stage.max_points();
        }
    }
    return columns;
}

std::string stage_cell(const StudentMarks& marks, const std::string& stage) {
    for (const StageMark& mark : marks.stages)
        if (mark.stage == stage && !mark.needs_person() && marks.submission->doubt.empty())
            return mark.is_excused ? "EX" : points_text(mark.total);
    return "";
}

double max_of(const StudentMarks& marks, const Columns& columns, const std::vector<const Assignment*>& assignments) {
    double max = columns.max;
    for (const StageMark& mark : marks.stages)
        if (mark.is_excused)
            for (const Assignment* assignment : assignments)
                for (const Stage& stage : assignment->stages)
                    if (stage.name() == mark.stage) max -= stage.max_points();
    return max;
}

double raw_total(const StudentMarks& marks) {
    double total = 0;
    for (const StageMark& mark : marks.stages) total += mark.total;
    return total;
}

}  // namespace

std::string gradebook_csv(const Roster& roster, const std::vector<const Assignment*>& assignments,
                          const std::vector<StudentMarks>& students, const std::set<std::string>& only,
                          const LateRules& late) {
    CsvRow header;
    for (const std::string& column : roster.columns) header.push_back(safe_cell(column));
    header.insert(header.end(), {"status", "late"});
    for (const Assignment* assignment : assignments) header.push_back(assignment->name);
    header.insert(header.end(), {"total", "max"});
    if (late.policy.is_there()) header.insert(header.end(), {"days late", "late points", "final"});
    const Columns columns = columns_of(assignments, only);
    header.insert(header.end(), columns.stages.begin(), columns.stages.end());
    header.insert(header.end(), {"from", "notes"});
    std::string text = csv_line(header);
    for (const StudentMarks& marks : students) {
        CsvRow row;
        for (const std::string& cell : marks.submission->student.cells) row.push_back(safe_cell(cell));
        const bool is_absent = !marks.counts() && marks.standing == Standing::missing;
        row.push_back(is_absent ? safe_cell(marks.submission->student.role) : word_for(marks.standing));
        row.push_back(marks.submission->is_late ? "late" : "");
        for (const Assignment* assignment : assignments) row.push_back(sum(marks, assignment->name));
        const std::string total = sum(marks, "");
        row.push_back(total);
        row.push_back(points_text(max_of(marks, columns, assignments)));
        std::string notes = notes_of(marks);
        if (!marks.counts())
            notes = fmt::format("{}: in no statistics and no export{}{}", marks.submission->student.role,
                                notes.empty() ? "" : "; ", notes);
        if (late.policy.is_there()) {
            const LateEffect effect = late_effect_of(marks, late);
            const bool is_known = !total.empty() && !effect.asks;
            row.push_back(is_known ? std::to_string(effect.days) : "");
            row.push_back(is_known ? points_text(-effect.lost) : "");
            row.push_back(is_known ? points_text(raw_total(marks) - effect.lost) : "");
            for (const std::string& note : effect.notes) notes += (notes.empty() ? "" : "; ") + note;
        }
        for (const std::string& stage : columns.stages) row.push_back(stage_cell(marks, stage));
        row.push_back(safe_cell(evidence_of(marks)));
        row.push_back(safe_cell(notes));
        text += csv_line(row);
    }
    return text;
}

nlohmann::ordered_json marks_json(const std::vector<const Assignment*>& assignments,
                                  const std::vector<StudentMarks>& students, const std::set<std::string>& only,
                                  const LateRules& late) {
    nlohmann::ordered_json json{{"schema", "warpgrade.marks/1"}};
    const Columns columns = columns_of(assignments, only);
    json["max"] = columns.max;
    json["students"] = nlohmann::ordered_json::array();
    for (const StudentMarks& marks : students) {
        const Student& student = marks.submission->student;
        nlohmann::ordered_json one{{"id", student.id},
                                   {"name", student.name},
                                   {"email", student.email},
                                   {"file", marks.file_name},
                                   {"status", word_for(marks.standing)},
                                   {"on_roster", marks.submission->is_on_roster},
                                   {"role", student.role},
                                   {"late", marks.submission->is_late},
                                   {"max", max_of(marks, columns, assignments)}};
        one["keys"] = nlohmann::ordered_json::array();
        for (const Key& key : student.keys)
            one["keys"].push_back({{"kind", static_cast<int>(key.kind)}, {"text", key.text}});
        const bool has_total = !sum(marks, "").empty();
        const LateEffect effect = late_effect_of(marks, late);
        one["total"] = has_total ? nlohmann::ordered_json(raw_total(marks)) : nlohmann::ordered_json(nullptr);
        one["final"] = has_total && !effect.asks ? nlohmann::ordered_json(raw_total(marks) - effect.lost)
                                                 : nlohmann::ordered_json(nullptr);
        one["from"] = evidence_of(marks);
        one["hand_ins"] = nlohmann::ordered_json::array();
        for (const HandIn& hand_in : marks.submission->hand_ins) one["hand_ins"].push_back(hand_in.shown);
        one["notes"] = notes_of(marks);
        one["stages"] = nlohmann::ordered_json::array();
        for (const StageMark& mark : marks.stages) {
            const auto source = marks.submission->sources.find(mark.stage);
            one["stages"].push_back(
                {{"stage", mark.stage},
                 {"total", mark.needs_person() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(mark.total)},
                 {"max", mark.max},
                 {"handed_in", mark.is_handed_in},
                 {"attempted", mark.is_attempted()},
                 {"excused", mark.is_excused},
                 {"override", mark.override_reason},
                 {"sha256", source == marks.submission->sources.end() ? "" : sha256_hex(source->second.text)}});
        }
        json["students"].push_back(std::move(one));
    }
    return json;
}

nlohmann::ordered_json class_json(const nlohmann::ordered_json& header, const std::vector<StudentMarks>& students) {
    nlohmann::ordered_json json{{"schema", "warpgrade.class/1"}};
    for (const char* key : {"tool", "device", "seed", "walls"})
        if (header.contains(key)) json[key] = header[key];
    json["students"] = nlohmann::ordered_json::array();
    for (const StudentMarks& marks : students) {
        nlohmann::ordered_json student{
            {"id", marks.submission->student.id},          {"name", marks.submission->student.name},
            {"status", word_for(marks.standing)},          {"late", marks.submission->is_late},
            {"on_roster", marks.submission->is_on_roster}, {"role", marks.submission->student.role},
            {"section", marks.submission->student.section}};
        std::int64_t late_seconds = 0;
        for (const auto& [stage, source] : marks.submission->sources)
            late_seconds = std::max(late_seconds, source.late_seconds.value_or(0));
        student["late_seconds"] = late_seconds;  // as the platform counts them; 0: it says nothing
        student["result"] = marks.stages.empty() ? nlohmann::ordered_json(nullptr)
                                                 : nlohmann::ordered_json("results/" + marks.file_name + ".json");
        student["review"] = reasons(marks);
        student["from"] = nlohmann::ordered_json::array();
        for (const HandIn& hand_in : marks.submission->hand_ins) {
            nlohmann::ordered_json one{{"hand_in", hand_in.shown}};
            if (hand_in.time) one["time"] = text_of(*hand_in.time);
            student["from"].push_back(std::move(one));
        }
        student["notes"] = marks.submission->notes;
        json["students"].push_back(std::move(student));
    }
    json["alike"] = nlohmann::ordered_json::array();
    for (const AlikeGroup& group : alike_files(students))
        json["alike"].push_back(
            {{"stage", group.stage}, {"what", group.is_same_text ? "text" : "program"}, {"students", group.students}});
    json["programs"] = nlohmann::ordered_json::array();
    for (const ProgramCount& one : programs_of(students))
        json["programs"].push_back(
            {{"stage", one.stage}, {"files", one.files}, {"different", one.different}, {"commonest", one.commonest}});
    return json;
}

}  // namespace warpgrade::classroom
