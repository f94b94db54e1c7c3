#include "cli/program.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/near_names.hpp"
#include "classroom/archive.hpp"
#include "cli/grade_worker.hpp"
#include "cli/render.hpp"
#include "cli/slurm.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "compile/compiler.hpp"
#include "device/cuda_protocol.hpp"

namespace warpgrade::cli {
namespace {

// What the program starts itself for (base/worker.hpp).
constexpr std::pair<std::string_view, int (*)()> workers[] = {
    {"compile-worker", compile_worker_main},
    {"gpu-worker", cuda::worker_main},
    {"unpack-worker", classroom::unpack_worker_main},
    {grade_worker_verb, grade_worker_main},
    {grade_chunk_verb, grade_chunk_main},
};

constexpr const char* program_footer = R"(Exit codes
   0  all that was asked for passes
   1  a submission falls short
   2  the command line or a course file is wrong
   3  this machine cannot: no NVRTC, no GPU
  70  a defect of warpgrade's own
 130  stopped with Ctrl-C

Start with  `warpgrade list`
then        `warpgrade check naive_read --watch`
)";

int usage_error(const std::string& title, const std::string& help) { return fail(usage("usage", title, help)); }

// CLI11's text, with a verb's own name in its usage line and lines of at most 80 columns.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() { column_width(22); }
    std::string make_usage(const CLI::App* app, std::string) const override {
        std::string usage = "\nUsage: " + kit_command() + " ";
        if (app->get_parent() == nullptr) return usage + "VERB [OPTIONS]\n";
        usage += app->get_name();
        for (const CLI::Option* option : app->get_options())
            if (!option->nonpositional())
                usage += option->get_expected_max() == 1 ? " " + option->get_type_name()
                                                         : " [" + option->get_type_name() + "]...";
        return usage + " [OPTIONS]\n";
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        return option->get_type_size() != 0 && !option->get_type_name().empty() ? " " + option->get_type_name() : "";
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        std::string text;
        for (const std::string& line : wrap(option->get_description(), 80 - 22))
            text += (text.empty() ? "" : "\n") + line;  // which the formatter indents
        return text;
    }
    std::string make_positionals(const CLI::App* app) const override {
        std::string rows;
        for (const CLI::Option* option : app->get_options())
            if (!option->nonpositional())
                rows += wrap_after(pad_right("  " + option->get_type_name(), 22), option->get_description(), 80);
        return rows.empty() ? "" : "\n" + rows;
    }
    // Versions of CLI11 differ in the blank lines around a footer.
    std::string make_footer(const CLI::App*) const override { return ""; }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        text.erase(text.find_last_not_of('\n') + 1);
        const std::string below = app->get_footer();
        return text + "\n" + (below.empty() ? "" : "\n" + below);
    }
};

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

int unknown_option(const CLI::App& app, const std::string& word) {
    const std::string given = word.substr(0, word.find('='));
    const auto near = nearest_name(given, option_names(app));
    const std::string help_command =
        app.get_parent() == nullptr ? "warpgrade --help" : "warpgrade " + app.get_name() + " --help";
    return usage_error(fmt::format("{} has no option `{}`",
                                   app.get_parent() == nullptr ? "warpgrade" : "`" + app.get_name() + "`", given),
                       near ? fmt::format("`{}`", *near) : fmt::format("`{}` lists the options", help_command));
}

int unknown_verb(const std::vector<Verb>& verbs, const std::string& word) {
    std::vector<std::string> names;
    std::string listed;
    for (const Verb& verb : verbs) {
        if (verb.app->get_group().empty()) continue;
        names.push_back(verb.app->get_name());
        listed += (listed.empty() ? "" : ", ") + verb.app->get_name();
    }
    const auto near = nearest_name(word, names);
    return usage_error(fmt::format("there is no verb `{}`", word),
                       near ? fmt::format("`warpgrade {}`", *near) : "one of the verbs: " + listed);
}

// CLI11 speaks for itself in most cases; its sentences begin with the option's name.
int parse_failure(const CLI::App& app, const CLI::ParseError& error) {
    std::string what = error.what();
    while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
    return usage_error(what, fmt::format("`warpgrade {}{}--help`", app.get_parent() == nullptr ? "" : app.get_name(),
                                         app.get_parent() == nullptr ? "" : " "));
}

const CLI::App* parsed_verb(const CLI::App& app, const std::vector<Verb>& verbs) {
    for (const Verb& verb : verbs)
        if (verb.app->parsed()) return verb.app;
    return &app;
}

// `of_program`: what stands after `--`, which is for the program that `run` runs.
std::vector<Verb> add_verbs(CLI::App& app, std::vector<std::string> of_program = {}) {
    std::vector<Verb> verbs{
        add_check(app),
        add_watch(app),
        add_run(app, of_program),
        add_explain(app, of_program),
        add_hint(app),
        add_quiz(app),
        add_list(app),
        add_status(app),
        add_reset(app),
        add_solution(app),
        add_verify(app),
        add_doctor(app),
        add_bench(app),
        add_calibrate(app),
        add_grade(app),
        add_report(app),
        add_regrade(app),
        add_diff(app),
        add_export(app),
        add_forget(app),
        add_submit(app),
        add_release(app),
        add_new(app),
        add_completion(app),
    };
    for (Verb& verb : add_launcher_verbs(app)) verbs.push_back(std::move(verb));
    return verbs;
}

}  // namespace

int fail(const Diagnostic& diagnostic) {
    std::cout.flush();
    const std::string command = kit_command();
    Diagnostic shown = diagnostic;
    shown.help = with_command(shown.help, command);
    for (std::string& fact : shown.facts) fact = with_command(fact, command);
    const RenderStyle style = style_of(STDERR_FILENO);
    std::cerr << harmless(render(shown, "", style), style) << std::flush;
    return exit_code(diagnostic.blame);
}

void show(const std::string& text) { std::cout << harmless(text, {.use_colour = true}) << std::flush; }

std::vector<std::string> verb_names() {
    CLI::App app;
    std::vector<std::string> names{"init"};
    for (const Verb& verb : add_verbs(app)) names.push_back(verb.app->get_name());
    return names;
}

int run_program(int argc, const char* const* argv) {
    for (const auto& [verb, run] : workers)
        if (argc == 2 && std::string_view(argv[1]) == verb) return run();

    CLI::App app("Checks CUDA kernels for how they move memory, on any machine.", "warpgrade");
    app.footer(with_command(program_footer, kit_command()));
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", fmt::format("warpgrade {}", tool_version), "the version, then stop");
    app.set_help_flag("-h,--help", "this text, or a verb's options: check --help");
    const std::string_view first = argc > 1 ? argv[1] : "";
    const bool takes_program = first == "run" || first == "explain";
    const auto divider = takes_program ? std::find(argv, argv + argc, std::string_view("--")) : argv + argc;
    const std::vector<Verb> verbs = add_verbs(app, {divider == argv + argc ? divider : divider + 1, argv + argc});
    app.allow_extras();
    const bool is_kit = is_student_kit();
    for (const Verb& verb : verbs) {
        verb.app->allow_extras();
        verb.app->group(is_kit && verb.is_for_instructors ? "" : "Verbs");  // "" is in no list
        verb.app->set_help_flag("-h,--help", "this text");
        if (verb.app->get_footer() == app.get_footer()) verb.app->footer("");
    }
    if (argc < 2) {
        std::cerr << app.help();
        return exit_code(Blame::usage);
    }
    try {
        app.parse(static_cast<int>(divider - argv), argv);
    } catch (const CLI::CallForHelp&) {
        show(parsed_verb(app, verbs)->help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        show(std::string(version.what()) + "\n");
        return 0;
    } catch (const CLI::ParseError& error) {
        const CLI::App* verb = parsed_verb(app, verbs);
        for (const std::string& word : verb->remaining())
            if (word.starts_with('-')) return unknown_option(*verb, word);
        return parse_failure(*verb, error);
    }
    const std::vector<std::string> no_verbs = app.remaining();
    const auto stray = std::find_if(no_verbs.begin(), no_verbs.end(), [](const auto& word) { return word != "help"; });
    if (!no_verbs.empty() && stray == no_verbs.end()) {  // help, help check
        show(parsed_verb(app, verbs)->help());
        return 0;
    }
    if (stray != no_verbs.end())
        return stray->starts_with('-') ? unknown_option(app, *stray) : unknown_verb(verbs, *stray);
    for (const Verb& verb : verbs) {
        if (!verb.app->parsed()) continue;
        for (const std::string& word : verb.takes_any_words ? std::vector<std::string>() : verb.app->remaining()) {
            if (word.starts_with('-')) return unknown_option(*verb.app, word);
            return usage_error(fmt::format("`{}` takes no argument `{}`", verb.app->get_name(), word),
                               fmt::format("`warpgrade {} --help`", verb.app->get_name()));
        }
        return verb.run();
    }
    std::cerr << app.help();
    return exit_code(Blame::usage);
}

}  // namespace warpgrade::cli
