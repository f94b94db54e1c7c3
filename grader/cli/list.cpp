#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/course.hpp"
#include "cli/course_notes.hpp"
#include "cli/diagnose.hpp"
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

// What a stage's points are for.
std::string rubric_text(const Stage& stage, const RenderStyle& style) {
    Table table({{"for"}, {"points", true}, {"asked", false, true}});
    table.add({{"results"},
               {number(stage.correctness_points)},
               {stage.is_program() ? "the share of the runs that come out right"
                                   : "the share of the shapes that come out right"}});
    double given = 0;
    std::size_t free = 0, deciding = 0;
    for (const TechniqueRule& rule : stage.technique) {
        given += rule.points;
        rule.points > 0 ? ++deciding : ++free;
    }
    for (const TechniqueRule& rule : stage.technique) {
        const double worth =
            rule.points > 0 ? rule.points
                            : (stage.technique_points - given) / static_cast<double>(std::max<std::size_t>(free, 1));
        table.add({{&rule == &stage.technique.front() ? "technique" : ""},
                   {number(worth)},
                   {escape(rule.expression) + (rule.points > 0 ? " *" : "")}});
    }
    const std::string asked = fmt::format("of the reference's: none up to {:g} %, all from {:g} %",
                                          100 * stage.band.none, 100 * stage.band.full);
    if (stage.class_weights.empty() && stage.performance_points > 0)
        table.add({{"bandwidth"}, {number(stage.performance_points)}, {asked}});
    for (const auto& [shapes, share] : stage.class_weights)
        table.add({{"bandwidth, " + shapes}, {number(share * stage.performance_points)}, {asked}});
    if (stage.quiz_points > 0)
        table.add({{"quiz"}, {number(stage.quiz_points)}, {"the share of the questions that are answered right"}});
    table.add({{"together"}, {number(stage.max_points())}, {""}});
    return paint(stage.name(), Paint::bold, style) + "  " + escape(stage.title) + "\n" + table.text(style) +
           (deciding > 0 ? "* without it, correctness alone counts\n" : "");
}

// Of the stages that are named. Error: usage.
Result<std::string> rubrics_text(const Course& course, const std::vector<std::string>& words,
                                 const RenderStyle& style) {
    auto targets = find_targets(course, words, "");
    if (!targets) return targets.error();
    std::string out;
    for (const Target& target : *targets) {
        if (!out.empty()) out += "\n";
        out += target.stage->max_points() > 0 ? rubric_text(*target.stage, style)
                                              : target.stage->name() + " gives no points\n";
    }
    return out;
}

struct ListOptions : SharedOptions {
    std::vector<std::string> words;
};

int run_list(const ListOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.is_json() && !options.words.empty())
        return fail(usage("list_is_whole", "--format json lists all stages", "leave the stage out"));
    auto course = open_course();
    if (!course) return fail(course.error());
    keep_stubs(*course);
    if (!options.words.empty()) {
        auto text = rubrics_text(*course, options.words, style_of(STDOUT_FILENO));
        if (!text) return fail(text.error());
        show(*text);
        return 0;
    }
    show(options.is_json() ? json_text(as_json(*course), 2) + "\n" : as_text(*course, style_of(STDOUT_FILENO)));
    return 0;
}

}  // namespace

Verb add_list(CLI::App& parent) {
    const auto options = std::make_shared<ListOptions>();
    CLI::App* app = parent.add_subcommand("list", "the stages, their points, and how far each is");
    app->add_option("what", options->words, "stages, or assignments: what their points are for")->type_name("STAGE");
    add_format(*app, *options);
    return {app, [options] { return run_list(*options); }};
}

}  // namespace warpgrade::cli
