// How far the learner is: every stage with its last check, and which is next. Compiles and runs nothing.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/course_notes.hpp"
#include "cli/options.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

struct Row {
    const Assignment* assignment = nullptr;
    const Stage* stage = nullptr;
    FileState state = FileState::missing;
    std::optional<CheckNote> check;
};

// Nobody has begun yet: where the exercises without points begin, which `next` leaves out. "": there are none.
std::string warm_up(const Course& course, const std::vector<Row>& rows, const RenderStyle& style) {
    const Row* first = nullptr;
    for (const Row& row : rows) {
        if (row.state != FileState::untouched && row.stage->is_graded) return "";
        if (first == nullptr && row.stage->is_graded) first = &row;
    }
    if (first == nullptr || first->stage->max_points() > 0) return "";
    return labelled("or", fmt::format("`{} check {}`, if kernels are new to you", course.command, first->stage->name()),
                    style);
}

std::string as_text(const Course& course, const std::vector<Row>& rows, const RenderStyle& style) {
    std::string out;
    double all = 0, most = 0;
    for (const Assignment& assignment : course.assignments) {
        Table table({{"stage"}, {"points", true}, {"of", true}, {"state"}});
        for (const Row& row : rows) {
            if (row.assignment != &assignment) continue;
            const bool gives_points = row.stage->max_points() > 0;
            const double points = row.check && gives_points ? row.check->points : 0;
            all += points;
            most += row.stage->max_points();
            table.add({{row.stage->id},
                       {gives_points && row.check ? number(points) : "-"},
                       {gives_points ? number(row.stage->max_points()) : "-"},
                       {words_of(row.state), paint_of(row.state)}});
        }
        out += (out.empty() ? "" : "\n") + paint(assignment.name, Paint::bold, style) + "  " +
               escape(assignment.title) + "\n" + table.text(style);
    }
    out += "\n" + labelled("together",
                           fmt::format("{} of {} points, by the last check of each stage", number(all), number(most)),
                           style);
    for (const Row& row : rows)
        if (row.state != FileState::done && row.stage->max_points() > 0)
            return out + labelled("next", fmt::format("`{} check {}`", course.command, row.stage->name()), style) +
                   warm_up(course, rows, style);
    return out;
}

nlohmann::ordered_json as_json(const std::vector<Row>& rows) {
    auto stages = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
        nlohmann::ordered_json one{{"assignment", row.assignment->name},
                                   {"stage", row.stage->id},
                                   {"state", words_of(row.state)},
                                   {"max", row.stage->max_points()}};
        if (row.check) one["points"] = row.check->points;
        stages.push_back(std::move(one));
    }
    return {{"schema", "warpgrade.status/1"}, {"stages", std::move(stages)}};
}

int run_status(const SharedOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    keep_stubs(*course);
    std::vector<Row> rows;
    for (const Assignment& assignment : course->assignments)
        for (const Stage& stage : assignment.stages)
            rows.push_back(
                {&assignment, &stage, state_of(*course, assignment, stage), last_check(*course, assignment, stage)});
    show(options.is_json() ? json_text(as_json(rows), 2) + "\n" : as_text(*course, rows, style_of(STDOUT_FILENO)));
    return 0;
}

}  // namespace

Verb add_status(CLI::App& parent) {
    const auto options = std::make_shared<SharedOptions>();
    CLI::App* app = parent.add_subcommand("status", "how far you are: every stage with its last check");
    add_format(*app, *options);
    return {app, [options] { return run_status(*options); }};
}

}  // namespace warpgrade::cli
