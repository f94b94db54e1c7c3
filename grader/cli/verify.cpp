#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"
#include "cli/verify_view.hpp"
#include "grade/course_check.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions : SharedOptions {
    std::vector<std::string> words;
    std::string results;  // folder
};

std::string text_of(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// What was graded, as `check --format json` writes it: solutions.json and stubs.json.
Status write_results(const std::string& folder, const CourseCheck& check, const RunReport& empty_report) {
    std::error_code error;
    fs::create_directories(folder, error);
    for (const bool is_solution : {true, false}) {
        RunReport report = empty_report;
        for (const StageCheck& row : check.stages) {
            const StageResult& result = is_solution ? row.solution : row.stub;
            if (!result.stage.empty()) report.stages.push_back(result);
        }
        const fs::path path = fs::path(folder) / (is_solution ? "solutions.json" : "stubs.json");
        std::ofstream file(path);
        file << text_of(to_json(report));
        if (!file.flush())
            return diagnose(Blame::usage, "cannot_write", fmt::format("`{}` cannot be written", path.string()),
                            "name a folder that can be written to");
    }
    return Nothing{};
}

void show_paths_from_here(std::vector<Diagnostic>& problems) {
    for (Diagnostic& problem : problems)
        for (SourceMark& mark : problem.marks) mark.path = shown_path(mark.path);
}

int run_verify(const VerifyOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    CourseCheckOptions with;
    with.seed = options.seed;
    if (!options.words.empty()) {
        auto targets = find_targets(*course, options.words, "");
        if (!targets) return fail(targets.error());
        for (const Target& target : *targets) with.stages.push_back(target.stage);
    }
    SharedOptions without_card = options;
    without_card.device = "virtual";
    auto machine = open_machine(without_card, *course);
    if (!machine) return fail(machine.error());
    if (machine->bandwidths) with.profile = machine->profile;
    auto report = begin_report(without_card, *course, *machine);
    if (!report) return fail(report.error());
    auto check = check_course(course->root, course->assignments, with);
    if (!check) return fail(check.error());
    show_paths_from_here(check->problems);
    for (StageCheck& row : check->stages) show_paths_from_here(row.problems);
    if (!options.results.empty())
        if (auto status = write_results(options.results, *check, *report); !status) return fail(status.error());

    show(options.is_json() ? text_of(to_json(*check, *report)) : render_course_check(*check, style_of(STDOUT_FILENO)));
    int code = 0;
    const auto note = [&](const std::vector<Diagnostic>& problems) {
        for (const Diagnostic& problem : problems) code = std::max(code, exit_code(problem.blame));
    };
    note(check->problems);
    for (const StageCheck& row : check->stages) note(row.problems);
    return code;
}

}  // namespace

Verb add_verify(CLI::App& parent) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App* app = parent.add_subcommand("verify", "the course itself: stubs fail, solutions pass");
    app->add_option("what", options->words, "stages or assignments; none: the whole course")->type_name("STAGE");
    add_format(*app, *options);
    app->add_option("--seed", options->seed, "of shapes and contents: the same seed, the same check")->type_name("N");
    app->add_option("--results", options->results, "also write solutions.json and stubs.json, for reports, to FOLDER")
        ->type_name("FOLDER");
    return {app, [options] { return run_verify(*options); }};
}

}  // namespace warpgrade::cli
