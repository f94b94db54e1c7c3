#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/reports.hpp"
#include "classroom/result_tests.hpp"
#include "cli/behind_walls.hpp"
#include "cli/check_formats.hpp"
#include "cli/check_options.hpp"
#include "cli/check_page.hpp"
#include "cli/check_ungraded.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/course_notes.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "grade/stage_grader.hpp"
#include "proof/prove.hpp"

namespace warpgrade::cli {
namespace {

// One run of the verb: what was opened, and the worst exit code so far.
class Check {
public:
    Check(const CheckOptions& options, const Course& course, std::vector<Target> targets, const Machine& machine,
          RunReport report)
        : options_(options),
          format_(check_format(options.format)),
          course_(course),
          targets_(std::move(targets)),
          machine_(machine),
          report_(std::move(report)) {}

    void use_page(CheckPage page) { page_ = std::move(page); }

    // A word of the command line that is no stage and no file to read.
    void add_lost(const std::string& word, const Diagnostic& why) {
        code_ = std::max(code_, fail(why));
        StageResult result;
        result.source_path = word;
        result.score.state = ScoreState::internal_error;
        result.score.why = why.title;
        lost_.push_back(with_error(json_of(result), why));
    }

    int run_all() {
        std::vector<SummaryRow> rows;
        write_out(rows);
        for (const Target& target : targets_) {
            rows.push_back(check(target, targets_.size() == 1));
            if (format_.is_for_people && targets_.size() > 1) show("\n");
            write_out(rows);
        }
        const std::vector<nlohmann::ordered_json> stages = all_stages();
        if (format_.of_all != nullptr && options_.out.empty()) show(format_.of_all({report_, stages, rows}));
        if (format_.summary != nullptr) add_summary(format_.summary({report_, stages, rows}));
        if (!options_.report.empty()) write_report();
        return code_;
    }

    int watch() {
        stop_on_interrupt();
        for (bool goes_on = true; goes_on;) {
            begin_screen();
            run_all();
            goes_on = watch_these();
        }
        return code_;
    }

private:
    // Until another stage is to be watched, or none: false.
    bool watch_these() {
        std::vector<std::string> paths;
        for (const Target& target : targets_) paths.push_back(target.path);
        Watcher watcher(paths);
        int level = 0;
        for (;;) {
            say_watching();
            char letter = '\0';
            const std::vector<std::size_t> changed =
                watcher.wait([&] { return format_.is_for_people && (letter = typed_letter()) != '\0'; });
            const Target& first = targets_.front();
            if (letter == 'q') return false;
            if (letter == 'h')
                show_hint(first.stage->name(),
                          level = std::min<int>(level + 1, static_cast<int>(first.stage->hints.size())));
            if (letter == 'e') explain_file(first.path, first.stage->name());
            if (letter == 'n' && targets_.size() == 1) {
                if (const Stage* next = next_stage(*first.assignment, *first.stage)) {
                    auto found = find_targets(course_, {next->name()}, "");
                    if (found) targets_ = std::move(*found);
                    return true;
                }
                show("this is the last stage\n");
            }
            if (changed.empty()) continue;
            begin_screen();
            for (const std::size_t i : changed) check(targets_[i], true);
        }
    }

    void say_watching() const {
        const std::string text = fmt::format("{}: save to check again, Ctrl-C to stop", escape(watched()));
        if (!format_.is_for_people) return to_editor("watching " + text + (page_ ? ", page " + page_->where() : ""));
        const char* letters =
            is_terminal(STDIN_FILENO) ? "; or with Enter: h hint, e explain, n next stage, q quit" : "";
        show("\n" + labelled("watching", text + letters, style_of(STDOUT_FILENO)));
        if (page_) show(labelled("page", page_->where(), style_of(STDOUT_FILENO)));
    }

    // Beside a format for programs, which has the standard output to itself: where a check begins and ends, which
    // handouts/editors/tasks.json looks for, and how it went.
    static void to_editor(const std::string& text) { std::cerr << harmless("warpgrade: " + text, {}) << std::endl; }

    // What --out names, whole after each stage: a run that is ended leaves what it graded. What keeps it from being
    // written does not change what was found, as with a report.
    void write_out(const std::vector<SummaryRow>& rows) {
        if (options_.out.empty()) return;
        const std::string text = harmless(format_.of_all({report_, all_stages(), rows}), {});
        if (auto status = replace_file(options_.out, text); !status) code_ = std::max(code_, fail(status.error()));
    }

    void add_summary(const std::string& text) {
        const char* path = std::getenv(format_.summary_variable);
        if (path == nullptr || *path == '\0') return;
        std::ofstream file(path, std::ios::app);
        if (!(file << harmless(text, {}) << std::flush))
            code_ =
                std::max(code_, fail(diagnose(Blame::host, "no_summary", fmt::format("`{}` cannot be written to", path),
                                              fmt::format("unset {}", format_.summary_variable))));
    }

    // With those that were not reached yet and the words that name nothing, where the format names all.
    std::vector<nlohmann::ordered_json> all_stages() const {
        std::vector<nlohmann::ordered_json> stages = stages_;
        if (!options_.names_all()) return stages;
        for (std::size_t i = stages_.size(); i < targets_.size(); ++i) {
            nlohmann::ordered_json stage =
                json_of(ungraded(targets_[i], diagnose(Blame::host, "pending", "not graded yet", "")));
            stage[classroom::pending_member] = true;
            stages.push_back(std::move(stage));
        }
        stages.insert(stages.end(), lost_.begin(), lost_.end());
        return stages;
    }

    // The result and what is drawn from it. What keeps a report from being made does not change what was found.
    void write_report() {
        const std::filesystem::path folder = std::filesystem::absolute(options_.report),
                                    result = folder / "result.json";
        if (auto status = replace_file(result, json_text(json_of(report_, stages_), 2) + "\n"); !status) {
            code_ = std::max(code_, fail(status.error()));
            return;
        }
        auto maker = classroom::ReportMaker::open(course_.root);
        auto made = maker ? maker->run({"student", result.string(), "--out", folder.string()})
                          : Result<std::string>(maker.error());
        if (!made)
            code_ = std::max(code_, fail(made.error()));
        else if (format_.is_for_people)
            show("\n" + escape_lines(*made));
    }

    SummaryRow check(const Target& target, bool is_only_stage) {
        const RenderStyle style = style_of(STDOUT_FILENO);
        auto looked = look_at(target, view_of(target, is_only_stage, style));
        if (!looked) {
            // A defect while one stage is graded leaves the others graded.
            if (format_.is_for_people) show(stage_header(target.stage->name(), target.path, style));
            code_ = std::max(code_, fail(looked.error()));
            SummaryRow row;
            row.stage = target.stage;
            row.failure = looked.error().code;
            // A word that names no file is answered on standard error; what the kit could not grade has a place in the
            // result, so that nobody takes its absence for zero points.
            const Blame blame = looked.error().blame;
            if (options_.names_all())
                stages_.push_back(with_error(json_of(ungraded(target, looked.error())), looked.error()));
            else if (blame == Blame::kit || blame == Blame::host)
                add_ungraded(ungraded(target, looked.error()), target);
            return row;
        }
        if (looked->row.state == StageState::kit_defect) code_ = std::max(code_, exit_code(Blame::kit));
        if (!looked->row.passes) code_ = std::max(code_, exit_code(Blame::learner));
        if (options_.wants_results()) stages_.push_back(std::move(looked->json));
        show(looked->text);
        if (!format_.is_for_people && (format_.of_stage != nullptr || options_.names_all()))
            to_editor(summary_line(looked->row));
        if (options_.shapes.empty()) note_check(course_, target, looked->row);
        if (page_) make_page(target);
        return looked->row;
    }

    // What keeps a page from being made does not change what was found.
    void make_page(const Target& target) {
        auto made = page_->make(course_, machine_, options_, target);
        if (!made && made.error().blame != Blame::learner) code_ = std::max(code_, fail(made.error()));
        const std::string text = made ? *made : options_.is_watching ? "" : made.error().title + "\n";
        if (text.empty()) return;
        if (format_.is_for_people)
            show("\n" + escape_lines(text));
        else
            to_editor(text);
    }

    // What is to be known of a graded stage.
    struct Looked {
        nlohmann::ordered_json json;  // where it is wanted
        std::string text;             // the same
        SummaryRow row;
    };

    wire::Fields show_of(const StageResult& result, const Target& target, const CheckView& view) const {
        wire::Fields fields = to_fields(summary_of(*target.stage, result));
        fields.insert(
            fields.begin(),
            {options_.wants_results() ? json_text(json_of(result)) : "",
             format_.of_stage != nullptr ? format_.of_stage(result, *target.assignment, *target.stage, view) : ""});
        return fields;
    }

    Result<Looked> look_at(const Target& target, const CheckView& view) {
        auto shapes = parse_shapes(options_, target);
        if (!shapes) return shapes.error();
        // Reports draw what the first warp touches.
        GradeOptions grade{.seed = options_.seed, .shapes = *shapes, .threads = 0, .traces = options_.wants_traces()};
        // Asking loads the library, which a process behind walls could not.
        if (proof::is_available()) grade.proof_share = 0.25, grade.runs_what_is_proved = false;
        machine_.add_to(grade);
        if (rules_.empty()) {
            auto rules = rules_of(course_);
            if (!rules) return rules.error();
            rules_ = std::move(*rules);
        }
        grade.rules = &rules_;
        grade.on_shape = tell_progress;
        grade.on_checked = [&](const StageResult& so_far) { keep_so_far(show_of(so_far, target, view)); };
        auto progress = std::make_unique<Progress>("checking", "steps", true);
        const ConfinedLimits limits;
        auto reply = behind_walls(machine_, target,
                                  [&] {
                                      const auto result = grade_stage(*target.assignment, *target.stage, target.path,
                                                                      *machine_.virtual_gpu, grade);
                                      return result ? show_of(*result, target, view) : wire::to_fields(result.error());
                                  },
                                  limits, {{progress_service_name, progress->service()}});
        progress.reset();
        if (!reply && reply.error().code == out_of_cpu_code)
            reply = show_of(stopped_stage(*target.assignment, *target.stage, target.path, grade, reply.error()), target,
                            view);
        if (!reply) return reply.error();
        return read_look(std::move(*reply), target, view.style);
    }

    Result<Looked> read_look(wire::Fields reply, const Target& target, const RenderStyle& style) const {
        Looked looked;
        const wire::Fields of_row(reply.begin() + std::min<std::ptrdiff_t>(2, std::ssize(reply)), reply.end());
        const auto row = row_from(of_row, *target.stage);
        if (!row) return stage_from("", target).error();
        looked.row = *row;
        looked.text = harmless(reply[1], style);
        if (!options_.wants_results()) return looked;
        auto json = stage_from(reply[0], target);
        if (!json) return json.error();
        looked.json = std::move(*json);
        return looked;
    }

    CheckView view_of(const Target& target, bool is_only_stage, const RenderStyle& style) const {
        CheckView view;
        view.style = style;
        view.command = course_.command;
        view.argument = target.argument;
        view.is_only_stage = is_only_stage;
        view.prints = options_.prints;
        view.has_all_shapes = options_.shapes.empty();
        const StageMatch next = next_in_course(course_, *target.assignment, *target.stage);
        if (next.stage != nullptr) {
            view.next_path = shown_path((std::filesystem::path(next.assignment->folder) / next.stage->file).string());
            view.is_last_of_assignment = next.assignment != target.assignment;
        }
        return view;
    }

    void add_ungraded(const StageResult& result, const Target& target) {
        if (options_.wants_results()) stages_.push_back(json_of(result));
        if (!format_.is_for_people && format_.of_stage != nullptr)
            show(format_.of_stage(result, *target.assignment, *target.stage, {}));
    }

    void begin_screen() {
        stages_.clear();
        code_ = 0;
        if (!format_.is_for_people) return to_editor("checking " + watched());
        const std::time_t now = std::time(nullptr);
        if (is_terminal(STDOUT_FILENO)) std::cout << clear_screen << std::flush;
        show(fmt::format("{:%H:%M:%S}\n", fmt::localtime(now)));
    }

    std::string watched() const {
        return targets_.size() == 1 ? targets_.front().path : counted(targets_.size(), "file", "files");
    }

    const CheckOptions& options_;
    const CheckFormat& format_;
    const Course& course_;
    std::vector<explain::Rule> rules_;  // once a stage is looked at
    std::vector<Target> targets_;
    const Machine& machine_;
    RunReport report_;
    std::vector<nlohmann::ordered_json> stages_, lost_;
    std::optional<CheckPage> page_;
    int code_ = 0;
};

int run_check(const CheckOptions& options) {
    if (auto status = check_fits(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    Lost lost;
    auto targets = options.names_all() ? find_what_there_is(*course, options, lost)
                                       : find_targets(*course, options.words, options.stage);
    if (!targets) return fail(targets.error());
    for (const Target& target : *targets)
        if (auto shapes = parse_shapes(options, target); !shapes) return fail(shapes.error());
    keep_stubs(*course);
    auto machine = open_machine(options, *course);
    if (!machine) return fail(machine.error());
    auto report = begin_report(options, *course, *machine);
    if (!report) return fail(report.error());
    Check check(options, *course, std::move(*targets), *machine, std::move(*report));
    for (const auto& [word, why] : lost) check.add_lost(word, why);
    if (options.wants_page) {
        auto page = CheckPage::open(options.page, options.report, options.is_watching);
        if (!page) return fail(page.error());
        check.use_page(std::move(*page));
    }
    return options.is_watching ? check.watch() : check.run_all();
}

// `check`, or `watch`, which is `check --watch`.
Verb checking_verb(CLI::App* app, bool is_watch) {
    const auto options = std::make_shared<CheckOptions>();
    options->is_watching = is_watch;
    app->add_option("what", options->words, "stages (ASSIGNMENT/STAGE), files or assignments; none: all here")
        ->type_name("STAGE|FILE");
    if (!is_watch) app->add_flag("--watch", options->is_watching, "check again whenever a file is saved; Ctrl-C stops");
    app->add_option("--page", options->page,
                    is_watch ? "a live page to click through" : "a page to click through; with --watch, a live one")
        ->type_name("[FILE.html]")
        ->expected(0, 1);
    app->add_option("--report", options->report, "folder for a report in HTML and PDF")->type_name("DIR");
    app->add_option("--out", options->out, "file for json, junit, ...; written anew after each stage")
        ->type_name("FILE");
    app->add_option("--prints", options->prints, "lines to show of what kernels print; without it, 6")
        ->type_name("N")
        ->check(whole_number(0, 1'000'000));
    add_shared(*app, *options);
    std::string formats;
    for (const CheckFormat& format : check_formats())
        formats += fmt::format("{}{}: {}", formats.empty() ? "" : "; ", format.name, format.meaning);
    app->get_option("--format")->description(formats);
    return {app, [options, app] {
                options->wants_page = app->count("--page") > 0;
                take_page_word(*options);
                return run_check(*options);
            }};
}

}  // namespace

Verb add_check(CLI::App& parent) {
    return checking_verb(parent.add_subcommand("check", "check stages: every shape, every access, the technique"),
                         false);
}

Verb add_watch(CLI::App& parent) {
    return checking_verb(parent.add_subcommand("watch", "check a stage again whenever its file is saved"), true);
}

}  // namespace warpgrade::cli
