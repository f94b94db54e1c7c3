// A stage's file as it was handed out; what the learner had is kept beside it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/files.hpp"
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

// "4_padding.cu.1", the first that is free.
fs::path backup_of(const fs::path& path) {
    for (int number = 1;; ++number) {
        const fs::path backup = path.string() + "." + std::to_string(number);
        std::error_code error;
        if (!fs::exists(backup, error)) return backup;
    }
}

int reset(const Course& course, const Target& target) {
    const std::string own = shown_path((fs::path(target.assignment->folder) / target.stage->file).string());
    const auto stub = kept_stub(course, *target.assignment, *target.stage);
    if (!stub)
        return fail(diagnose(Blame::host, "no_stub",
                             fmt::format("the stub of {} is not kept here", target.stage->name()),
                             fmt::format("`git checkout {}` in a clone, or take the file from the kit again", own),
                             {"it is kept when `check` or `list` first sees it untouched"}));
    const RenderStyle style = style_of(STDOUT_FILENO);
    std::string out = stage_header(target.stage->name(), own, style);
    std::error_code error;
    if (fs::exists(own, error)) {
        const auto now = read_whole_file(own);
        if (now && *now == *stub) {
            show(out + "  untouched: nothing to do\n");
            return 0;
        }
        const fs::path backup = backup_of(own);
        fs::copy_file(own, backup, error);
        if (error)
            return fail(diagnose(Blame::host, "no_backup", fmt::format("`{}` cannot be written", backup.string()),
                                 "fix that first: nothing was changed", {error.message()}));
        out += labelled("kept", escape(backup.string()), style);
    }
    if (auto status = replace_file(own, *stub); !status) return fail(status.error());
    show(out + labelled("reset", "the file is as it was handed out", style));
    return 0;
}

int run_reset(const std::string& word) {
    auto course = open_course();
    if (!course) return fail(course.error());
    if (word.empty())
        return fail(usage("no_stage", "reset needs a STAGE", fmt::format("`{} list` names them", course->command)));
    auto targets = find_targets(*course, {word}, "");
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "reset takes one stage at a time",
                          fmt::format("`{} reset {}`", course->command, targets->front().stage->name())));
    return reset(*course, targets->front());
}

}  // namespace

Verb add_reset(CLI::App& parent) {
    const auto word = std::make_shared<std::string>();
    CLI::App* app = parent.add_subcommand("reset", "a stage's file as it was handed out; yours is kept");
    app->add_option("what", *word, "a stage, as ASSIGNMENT/STAGE")->type_name("STAGE");
    return {app, [word] { return run_reset(*word); }};
}

}  // namespace warpgrade::cli
