#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

struct HintOptions {
    std::string word;
    int level = 1;
};

constexpr std::array level_names{"a nudge", "the direction", "nearly the answer"};

int run_hint(const HintOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    if (options.word.empty())
        return fail(usage("no_stage", "hint needs a STAGE", fmt::format("`{} list` names them", course->command)));
    auto targets = find_targets(*course, {options.word}, "");
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "hints are given for one stage at a time",
                          fmt::format("`{} hint {}`", course->command, targets->front().stage->name())));
    const Stage& stage = *targets->front().stage;
    const auto levels = static_cast<int>(stage.hints.size());
    if (options.level > levels)
        return fail(usage("no_such_level",
                          levels == 0 ? fmt::format("stage {} has no hints", stage.name())
                                      : fmt::format("stage {} has hints of level 1 to {}", stage.name(), levels),
                          ""));
    const RenderStyle style = style_of(STDOUT_FILENO);
    const auto at = static_cast<std::size_t>(options.level - 1);
    std::string out = paint(stage.name(), Paint::bold, style) + fmt::format("  hint {} of {}", options.level, levels);
    if (levels == static_cast<int>(level_names.size())) out += fmt::format(", {}", level_names[at]);
    out +=
        "\n\n" + wrap_after("  ", escape_lines(with_command(stage.hints[at], course->command)), style.columns) + "\n";
    if (options.level < levels)
        out += labelled(
            "more", fmt::format("`{} hint {} --level {}`", course->command, stage.name(), options.level + 1), style);
    out += labelled("then", fmt::format("`{} check {}`", course->command, stage.name()), style);
    show(out);
    return 0;
}

}  // namespace

int show_hint(const std::string& stage, int level) {
    HintOptions options;
    options.word = stage;
    options.level = level;
    return run_hint(options);
}

Verb add_hint(CLI::App& parent) {
    const auto options = std::make_shared<HintOptions>();
    CLI::App* app = parent.add_subcommand("hint", "a hint for a stage, one level at a time");
    app->add_option("what", options->word, "a stage, as ASSIGNMENT/STAGE")->type_name("STAGE");
    app->add_option("--level", options->level, "1 a nudge, 2 the direction, 3 nearly the answer")
        ->type_name("N")
        ->check(whole_number(1, 1000));
    return {app, [options] { return run_hint(*options); }};
}

}  // namespace warpgrade::cli
