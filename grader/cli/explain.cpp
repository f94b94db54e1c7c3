#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json_text.hpp"
#include "cli/behind_walls.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/explain_view.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::cli {
namespace {

struct ExplainOptions : SharedOptions {
    std::string word;
    int line = 0;
    bool counts_alone = false;
    bool wants_time() const { return line == 0 && !counts_alone; }
};

std::string explanation_of(const StageResult& result, const Target& target, const ExplainOptions& options,
                           const Course& course, const RenderStyle& style) {
    std::string out = stage_header(target.stage->name(), target.path, style);
    const bool is_blank = result.is_untouched_stub && target.stage->is_graded && !target.stage->is_repair;
    if (!result.compiles || is_blank) {
        CheckView view;
        view.style = style;
        view.command = course.command;
        view.argument = target.argument;
        if (result.compiles) return render_stage(result, *target.assignment, *target.stage, view);
        return out + "\n" + render_findings(all_findings(result), 3, style) + "\n" +
               labelled("next", next_step(result, *target.stage, view), style);
    }
    std::vector<Diagnostic> errors;
    for (const Diagnostic& finding : all_findings(result))
        if (finding.severity == Severity::error) errors.push_back(finding);
    if (!errors.empty()) out += "\n" + render_findings(errors, 1, style);

    const std::vector<std::string> source = split_lines(result.source);
    const std::string traffic = render_traffic(traffic_by_line(result.by_line), source, options.line, style);
    const std::string shape = escape(to_string(result.counters_shape));
    if (traffic.empty())
        return out + "\n" +
               (options.line > 0
                    ? fmt::format("line {} accesses no memory on shape {}\n", options.line, shape)
                    : fmt::format("no line accesses memory on shape {}:\nno kernel ran, or none got that far\n",
                                  shape));
    out += fmt::format("\nall warps, shape {}\n\n", shape) + traffic;
    const std::string pictures = render_pictures(result.trace, source, options.line, style, result.trace_ends);
    if (options.wants_time() && result.bandwidth) out += render_time(*result.bandwidth, style);
    if (pictures.empty()) return out;
    return out +
           "\nthe first warp of the first block\n"
           "a global sector is [........], 32 bytes, one sign for 4: # used, + partly, . not\n\n" +
           pictures;
}

int run_explain(const ExplainOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.shapes.size() > 1)
        return fail(usage("one_shape", "explain looks at one shape at a time", "give --shape once"));
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    if (options.word.empty() && options.stage.empty())
        return fail(usage("no_stage", "explain needs a STAGE or a FILE",
                          fmt::format("`{} explain {}`", course->command, first_stage(*course))));
    const std::vector<std::string> words =
        options.word.empty() ? std::vector<std::string>{} : std::vector{options.word};
    auto targets = find_targets(*course, words, options.stage);
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "explain looks at one stage at a time",
                          fmt::format("`{} explain {}`", course->command, targets->front().argument),
                          {fmt::format("`{}` is {} stages", options.word, targets->size())}));
    const Target& target = targets->front();
    auto shapes = parse_shapes(options, target);
    if (!shapes) return fail(shapes.error());
    // Whatever the device: what a warp touches, and where its time goes, is seen on the virtual GPU alone.
    SharedOptions without_card = options;
    without_card.device = "virtual";
    auto machine = open_machine(without_card, *course);
    if (!machine) return fail(machine.error());
    auto report = begin_report(options, *course, *machine);
    if (!report) return fail(report.error());
    GradeOptions grade{.seed = options.seed, .shapes = *shapes, .threads = 0};
    if (options.wants_time()) machine->add_to(grade);
    const RenderStyle style = style_of(STDOUT_FILENO);
    const auto reply = behind_walls(*machine, target, [&]() -> wire::Fields {
        auto explained = explain_stage(*target.assignment, *target.stage, target.path, *machine->virtual_gpu, grade);
        if (!explained) return wire::to_fields(explained.error());
        // Of a kernel that touches nothing there is nothing to explain.
        const std::string code = explained->compiles && !explained->trace.empty() ? "explained" : "nothing";
        if (!options.is_json()) return {code, explanation_of(*explained, target, options, *course, style)};
        if (options.line > 0)
            std::erase_if(explained->trace, [&](const vgpu::Access& access) { return access.line != options.line; });
        return {code, json_text(json_of(*explained))};
    });
    if (!reply) return fail(reply.error());
    const std::string text = reply->size() == 2 ? reply->back() : "";
    if (options.is_json()) {
        auto stage = unscored_stage_from(text, target);
        if (!stage) return fail(stage.error());
        (*stage)["score"] = json_of(StageResult())["score"];  // explaining scores nothing
        show(json_text(json_of(*report, {std::move(*stage)}), 2) + "\n");
    } else {
        show(harmless(text, style));
    }
    return reply->front() == "explained" ? 0 : exit_code(Blame::learner);
}

}  // namespace

int explain_file(const std::string& path, const std::string& stage) {
    ExplainOptions options;
    options.word = path;
    options.stage = stage;
    return run_explain(options);
}

Verb add_explain(CLI::App& parent) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* app = parent.add_subcommand("explain", "what a warp touches, line by line, with pictures");
    app->add_option("what", options->word, "a stage (ASSIGNMENT/STAGE) or a file")->type_name("STAGE|FILE");
    app->add_option("--line", options->line, "only this line of the source")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    app->add_flag("--counts", options->counts_alone, "what is counted, and no time");
    add_shared(*app, *options);
    return {app, [options] { return run_explain(*options); }};
}

}  // namespace warpgrade::cli
