#include "cli/grade_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "classroom/gradebook.hpp"
#include "classroom/similarity.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

using classroom::StageMark;
using classroom::Standing;
using classroom::StudentMarks;

constexpr std::size_t most_listed = 20;

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string counts_line(const std::vector<StudentMarks>& students) {
    std::map<Standing, std::size_t> counts;
    std::map<std::string, std::size_t> beside;  // by role
    std::size_t all = 0;
    for (const StudentMarks& marks : students) {
        if (!marks.counts()) {
            ++beside[marks.submission->student.role];
            continue;
        }
        ++counts[marks.standing];
        ++all;
    }
    std::string text = counted(all, "student", "students") + ":";
    const char* separator = " ";
    const auto add = [&](Standing standing, const char* words) {
        if (counts[standing] == 0) return;
        text += fmt::format("{}{} {}", separator, counts[standing], words);
        separator = ", ";
    };
    add(Standing::graded, "graded");
    add(Standing::provisional, "provisional");
    add(Standing::review, "need a person");
    add(Standing::unreadable, "unreadable");
    add(Standing::missing, "missing");
    std::string roles;
    for (const auto& [role, count] : beside)
        roles += fmt::format("{}{} {}", roles.empty() ? "" : ", ", count, escape(role));
    return text + "\n" + (roles.empty() ? "" : "in no statistics and no export: " + roles + "\n");
}

struct Column {
    std::vector<double> totals;
    std::size_t attempted = 0, full = 0;
    double max = 0;
};

std::string stage_table(const std::vector<StudentMarks>& students, const RenderStyle& style) {
    std::vector<std::string> order;
    std::map<std::string, Column> columns;
    for (const StudentMarks& marks : students) {
        if (!marks.counts()) continue;
        for (const StageMark& mark : marks.stages) {
            if (mark.max <= 0) continue;
            if (!columns.contains(mark.stage)) order.push_back(mark.stage);
            Column& column = columns[mark.stage];
            column.attempted += mark.is_attempted();
            column.max = mark.max;
            if (mark.needs_person() || !mark.is_attempted()) continue;
            column.totals.push_back(mark.total);
            column.full += mark.total >= mark.max - 0.005;
        }
    }
    if (order.empty()) return "";
    Table table({{"stage"}, {"attempted", true}, {"full marks", true}, {"median", true}, {"mean", true}, {"of", true}});
    for (const std::string& stage : order) {
        const Column& column = columns[stage];
        double sum = 0;
        for (const double total : column.totals) sum += total;
        const double count = static_cast<double>(std::max<std::size_t>(column.totals.size(), 1));
        const auto if_any = [&](const std::string& text) {
            return column.attempted > 0 ? Cell{text} : Cell{"-", Paint::dim};
        };
        table.add({{stage},
                   {std::to_string(column.attempted)},
                   if_any(std::to_string(column.full)),
                   if_any(fmt::format("{:.1f}", median(column.totals))),
                   if_any(fmt::format("{:.1f}", sum / count)),
                   {number(column.max)}});
    }
    return "\n" + table.text(style);
}

std::string review_list(const std::vector<StudentMarks>& students, const RenderStyle& style) {
    std::string text;
    std::size_t listed = 0, all = 0;
    for (const StudentMarks& marks : students) {
        for (const std::string& reason : classroom::reasons(marks)) {
            if (++all > most_listed) continue;
            ++listed;
            text += wrap_after("  " + escape(marks.submission->student.id) + "  ", escape(reason), style.columns);
        }
    }
    if (all > listed) text += fmt::format("  and {} more, in the notes of the gradebook\n", all - listed);
    return text.empty() ? "" : "\nA person has to look at these; they have no mark:\n" + text;
}

// For a person to read; no mark depends on it.
std::string alike_list(const std::vector<StudentMarks>& students, const RenderStyle& style) {
    constexpr std::size_t most_groups = 10, most_names = 6;
    const std::vector<classroom::AlikeGroup> groups = classroom::alike_files(students);
    std::string text;
    for (std::size_t i = 0; i < std::min(most_groups, groups.size()); ++i) {
        const classroom::AlikeGroup& group = groups[i];
        std::string names;
        for (std::size_t j = 0; j < std::min(most_names, group.students.size()); ++j)
            names += (j == 0 ? "" : ", ") + escape(group.students[j]);
        if (group.students.size() > most_names)
            names += fmt::format(" and {} more", group.students.size() - most_names);
        text += wrap_after("  " + group.stage + "  ",
                           (group.is_same_text ? "the same text: " : "the same program: ") + names, style.columns);
    }
    if (groups.size() > most_groups)
        text += fmt::format("  and {} more groups, in class.json\n", groups.size() - most_groups);
    return text.empty() ? "" : "\nAlike; read them before you think anything of it:\n" + text;
}

}  // namespace

std::string render_class(const classroom::BatchOutcome& outcome, const RenderStyle& style) {
    return counts_line(outcome.students) + stage_table(outcome.students, style) + review_list(outcome.students, style) +
           alike_list(outcome.students, style);
}

std::string render_plan(const std::vector<classroom::Submission>& submissions, const RenderStyle& style) {
    Table table({{"student"}, {"hand-ins", true}, {"files", true}, {"last of"}, {"late"}});
    std::size_t missing = 0;
    std::string questions;
    for (const classroom::Submission& submission : submissions) {
        missing += submission.is_missing() && submission.student.role.empty();
        std::optional<classroom::HandInTime> last;
        for (const classroom::HandIn& hand_in : submission.hand_ins)
            if (hand_in.time && (!last || *last < *hand_in.time)) last = hand_in.time;
        table.add({{escape(submission.student.id)},
                   {std::to_string(submission.hand_ins.size())},
                   {std::to_string(submission.sources.size())},
                   {last ? text_of(*last) : ""},
                   {submission.is_late ? "late" : ""}});
        classroom::StudentMarks marks;
        marks.submission = &submission;
        marks.standing = submission.problem.empty() ? Standing::graded : Standing::unreadable;
        for (const auto& [stage, why] : submission.unclear) {
            StageMark mark;
            mark.stage = stage;
            mark.is_unclear = true;
            mark.why = why;
            marks.stages.push_back(std::move(mark));
        }
        for (const std::string& reason : classroom::reasons(marks))
            questions += wrap_after("  " + escape(submission.student.id) + "  ", escape(reason), style.columns);
    }
    std::string text = fmt::format("{}, {} missing\n\n", counted(submissions.size(), "student", "students"), missing);
    text += table.text(style);
    if (!questions.empty()) text += "\nA person has to look at these:\n" + questions;
    return text;
}

int exit_code_of(const classroom::BatchOutcome& outcome) {
    int code = 0;
    for (const StudentMarks& marks : outcome.students) {
        if (marks.standing == Standing::unreadable || marks.standing == Standing::review ||
            !classroom::reasons(marks).empty())
            code = std::max(code, exit_code(Blame::learner));
        for (const StageMark& mark : marks.stages)
            if (mark.is_defect) code = std::max(code, exit_code(Blame::kit));
    }
    return code;
}

}  // namespace warpgrade::cli
