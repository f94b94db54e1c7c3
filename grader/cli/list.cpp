#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/course.hpp"
#include "cli/course_notes.hpp"
#include "cli/options.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

std::string as_text(const Course& course, const RenderStyle& style) {
    std::string out;
    for (const Assignment& assignment : course.assignments) {
        if (!out.empty()) out += "\n";
        double points = 0;
        Table table({{"file"}, {"title", false, true}, {"points", true}, {"state"}});
        for (const Stage& stage : assignment.stages) {
            const FileState state = state_of(course, assignment, stage);
            points += stage.max_points();
            table.add({{stage.file},
                       {escape(stage.title)},
                       {stage.max_points() > 0 ? number(stage.max_points()) : "-"},
                       {words_of(state), paint_of(state)}});
        }
        out += paint(assignment.name, Paint::bold, style) + fmt::format("  {}, {} points, in {}\n",
                                                                        escape(assignment.title), number(points),
                                                                        shown_path(assignment.folder));
        out += table.text(style);
    }
    const Stage& example = course.assignments.front().stages.front();
    return out + "\n" +
           wrap_after(
               "",
               fmt::format("A stage is named as in {}: `{} check {}`.", example.name(), course.command, example.name()),
               style.columns);
}

nlohmann::ordered_json as_json(const Course& course) {
    auto stages = nlohmann::ordered_json::array();
    for (const Assignment& assignment : course.assignments) {
        for (const Stage& stage : assignment.stages) {
            const std::string path = shown_path((std::filesystem::path(assignment.folder) / stage.file).string());
            nlohmann::ordered_json points{{"correctness", stage.correctness_points},
                                          {"technique", stage.technique_points},
                                          {"performance", stage.performance_points}};
            if (stage.quiz_points > 0) points["quiz"] = stage.quiz_points;
            stages.push_back({{"assignment", assignment.name},
                              {"stage", stage.id},
                              {"title", stage.title},
                              {"source", path},
                              {"points", std::move(points)},
                              {"state", words_of(state_of(course, assignment, stage))}});
        }
    }
    return {{"schema", "warpgrade.list/1"}, {"stages", std::move(stages)}};
}

int run_list(const SharedOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    keep_stubs(*course);
    show(options.is_json() ? json_text(as_json(*course), 2) + "\n" : as_text(*course, style_of(STDOUT_FILENO)));
    return 0;
}

}  // namespace

Verb add_list(CLI::App& parent) {
    const auto options = std::make_shared<SharedOptions>();
    CLI::App* app = parent.add_subcommand("list", "the stages, their points, and how far each is");
    add_format(*app, *options);
    return {app, [options] { return run_list(*options); }};
}

}  // namespace warpgrade::cli
