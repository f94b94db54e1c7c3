// The course's own solution of a stage, for who is done with it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/files.hpp"
#include "classroom/shown_solution.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/course_notes.hpp"
#include "cli/diagnose.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_solution_bytes = 1 << 20;

// The course's own file, or what the kit carries. nullopt: the course does not show it.
std::optional<std::string> solution_of(const Course& course, const Target& target) {
    if (!target.assignment->solutions.empty())
        if (auto text =
                read_whole_file(fs::path(target.assignment->solutions) / target.stage->file, most_solution_bytes))
            return std::move(*text);
    const auto digits =
        read_whole_file(fs::path(course.root) / classroom::shown_solution_name(*target.stage), most_solution_bytes);
    return digits ? classroom::from_digits(*digits) : std::nullopt;
}

int run_solution(const std::string& word) {
    auto course = open_course();
    if (!course) return fail(course.error());
    if (word.empty())
        return fail(usage("no_stage", "solution needs a STAGE", fmt::format("`{} list` names them", course->command)));
    auto targets = find_targets(*course, {word}, "");
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "solution shows one stage at a time",
                          fmt::format("`{} solution {}`", course->command, targets->front().stage->name())));
    const Target& target = targets->front();
    const auto text = solution_of(*course, target);
    if (!text)
        return fail(usage("not_shown", fmt::format("this kit does not hold the solution of {}", target.stage->name()),
                          "ask whoever gives the course: they decide whether it is shown"));
    const auto check = last_check(*course, *target.assignment, *target.stage);
    if (!check || !check->passes)
        return fail(diagnose(Blame::learner, "not_done",
                             fmt::format("the solution of {} is shown once your own passes", target.stage->name()),
                             fmt::format("`{} check {}`", course->command, target.stage->name()),
                             {check ? "the last check of your file found something to do"
                                    : "your file has not been checked as it is now"}));
    const RenderStyle style = style_of(STDOUT_FILENO);
    show(stage_header(target.stage->name(), "the course's solution: one of many", style) + "\n" + escape_lines(*text));
    return 0;
}

}  // namespace

Verb add_solution(CLI::App& parent) {
    const auto word = std::make_shared<std::string>();
    CLI::App* app = parent.add_subcommand("solution", "the course's solution, once yours passes, if it is shown");
    app->add_option("what", *word, "a stage, as ASSIGNMENT/STAGE")->type_name("STAGE");
    return {app, [word] { return run_solution(*word); }};
}

}  // namespace warpgrade::cli
