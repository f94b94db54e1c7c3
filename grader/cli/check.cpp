#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include "base/files.hpp"
#include "classroom/reports.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::cli {
namespace {

struct CheckOptions : SharedOptions {
    std::vector<std::string> words;
    std::string report;  // folder; empty: none
    bool is_watching = false;
    bool wants_traces() const { return is_json() || !report.empty(); }
};

// One run of the verb: what was opened, and the worst exit code so far.
class Check {
public:
    Check(const CheckOptions& options, const Course& course, std::vector<Target> targets, const Machine& machine,
          RunReport report)
        : options_(options),
          course_(course),
          targets_(std::move(targets)),
          machine_(machine),
          report_(std::move(report)) {}

    int run_all() {
        std::vector<SummaryRow> rows;
        for (const Target& target : targets_) {
            rows.push_back(check(target, targets_.size() == 1));
            if (!options_.is_json() && targets_.size() > 1) show("\n");
        }
        const std::string json =
            options_.wants_traces()
                ? to_json(report_).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"
                : "";
        if (options_.is_json())
            show(json);
        else if (targets_.size() > 1)
            show(render_summary(rows, style_of(STDOUT_FILENO)));
        if (!options_.report.empty()) write_report(json);
        return code_;
    }

    int watch() {
        stop_on_interrupt();
        std::vector<std::string> paths;
        for (const Target& target : targets_) paths.push_back(target.path);
        Watcher watcher(paths);
        begin_screen();
        run_all();
        for (;;) {
            show("\n" + labelled("watching", fmt::format("{}: save to check again, Ctrl-C to stop", watched()),
                                 style_of(STDOUT_FILENO)));
            const std::vector<std::size_t> changed = watcher.wait();
            begin_screen();
            for (const std::size_t i : changed) check(targets_[i], true);
        }
    }

private:
    // The result and what is drawn from it. What keeps a report from being made does not change what was found.
    void write_report(const std::string& json) {
        const std::filesystem::path folder = options_.report, result = folder / "result.json";
        if (auto status = replace_file(result, json); !status) {
            code_ = std::max(code_, fail(status.error()));
            return;
        }
        auto maker = classroom::ReportMaker::open(course_.root);
        auto made = maker ? maker->run({"student", result.string(), "--out", folder.string()})
                          : Result<std::string>(maker.error());
        if (!made)
            code_ = std::max(code_, fail(made.error()));
        else if (!options_.is_json())
            show("\n" + *made);
    }

    SummaryRow check(const Target& target, bool is_only_stage) {
        SummaryRow row;
        row.stage = target.stage;
        auto shapes = parse_shapes(options_, target);
        // Reports draw what the first warp touches.
        GradeOptions grade{.seed = options_.seed,
                           .shapes = shapes ? *shapes : std::vector<Shape>{},
                           .threads = 0,
                           .traces = options_.wants_traces()};
        machine_.add_to(grade);
        auto result = shapes ? grade_stage(*target.assignment, *target.stage, target.path, *machine_.virtual_gpu, grade)
                             : Result<StageResult>(shapes.error());
        if (!result) {
            // A defect while one stage is graded leaves the others graded.
            if (!options_.is_json()) show(stage_header(target.stage->name(), target.path, style_of(STDOUT_FILENO)));
            code_ = std::max(code_, fail(result.error()));
            row.failure = result.error().code;
            // A word that names no file is answered on standard error; what the kit could not grade has a place in the
            // result, so that nobody takes its absence for zero points.
            const Blame blame = result.error().blame;
            if (blame == Blame::kit || blame == Blame::host) report_.stages.push_back(ungraded(target, result.error()));
            return row;
        }
        row.result = std::move(*result);
        report_.stages.push_back(row.result);
        if (row.result.score.state == "internal_error") code_ = std::max(code_, exit_code(Blame::kit));
        if (!row.result.passes()) code_ = std::max(code_, exit_code(Blame::learner));
        if (options_.is_json()) return row;

        CheckView view;
        view.style = style_of(STDOUT_FILENO);
        view.command = course_.command;
        view.argument = target.argument;
        view.is_only_stage = is_only_stage;
        view.has_all_shapes = options_.shapes.empty();
        if (const Stage* next = next_stage(*target.assignment, *target.stage))
            view.next_path = shown_path((std::filesystem::path(target.assignment->folder) / next->file).string());
        show(render_stage(row.result, *target.assignment, *target.stage, view));
        return row;
    }

    static StageResult ungraded(const Target& target, const Diagnostic& why) {
        StageResult result;
        result.assignment = target.assignment->name;
        result.stage = target.stage->id;
        result.title = target.stage->title;
        result.source_path = target.path;
        result.score.max = target.stage->max_points();
        result.score.state = "internal_error";
        result.score.why = why.title;
        return result;
    }

    void begin_screen() {
        report_.stages.clear();
        code_ = 0;
        const std::time_t now = std::time(nullptr);
        if (is_terminal(STDOUT_FILENO)) show(clear_screen);
        show(fmt::format("{:%H:%M:%S}\n", fmt::localtime(now)));
    }

    std::string watched() const {
        return targets_.size() == 1 ? targets_.front().path : counted(targets_.size(), "file", "files");
    }

    const CheckOptions& options_;
    const Course& course_;
    std::vector<Target> targets_;
    const Machine& machine_;
    RunReport report_;
    int code_ = 0;
};

int run_check(const CheckOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.is_watching && options.is_json())
        return fail(usage("watch_is_text", "--watch shows text: it does not go with --format json",
                          "leave one of the two out"));
    if (options.is_watching && !options.report.empty())
        return fail(usage("watch_has_no_report", "--watch does not go with --report", "leave one of the two out"));
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    auto targets = find_targets(*course, options.words, options.stage);
    if (!targets) return fail(targets.error());
    for (const Target& target : *targets)
        if (auto shapes = parse_shapes(options, target); !shapes) return fail(shapes.error());
    auto machine = open_machine(options, *course);
    if (!machine) return fail(machine.error());
    auto report = begin_report(options, *course, *machine);
    if (!report) return fail(report.error());
    Check check(options, *course, std::move(*targets), *machine, std::move(*report));
    return options.is_watching ? check.watch() : check.run_all();
}

}  // namespace

Verb add_check(CLI::App& parent) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* app = parent.add_subcommand("check", "check stages: every shape, every access, the technique");
    app->add_option("what", options->words, "stages (transpose/padding), files or assignments; none: all here")
        ->type_name("STAGE|FILE");
    app->add_flag("--watch", options->is_watching, "check again whenever a file is saved; Ctrl-C stops");
    app->add_option("--report", options->report, "folder for a report in HTML and PDF")->type_name("DIR");
    add_shared(*app, *options);
    return {app, [options] { return run_check(*options); }};
}

}  // namespace warpgrade::cli
