#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "classroom/reports.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
    std::vector<std::string> words;
    std::string out;
};

int run_report(const ReportOptions& options) {
    if (options.words.empty())
        return fail(usage("no_result", "`report` needs a result",
                          "`warpgrade check --format json > result.json`, then `warpgrade report result.json`"));
    auto course = open_course();
    if (!course) return fail(course.error());
    std::error_code error;
    for (const std::string& word : options.words)
        if (!fs::exists(word, error))
            return fail(
                usage("no_such_file", fmt::format("there is no `{}`", word), "check the folder and the spelling"));
    auto maker = classroom::ReportMaker::open(course->root);
    if (!maker) return fail(maker.error());
    std::vector<std::string> arguments{fs::is_directory(options.words.front(), error) ? "class" : "student"};
    // Whole, so that none of them is taken for an option.
    for (const std::string& word : options.words) arguments.push_back(fs::absolute(word, error).string());
    if (!options.out.empty()) arguments.insert(arguments.end(), {"--out", fs::absolute(options.out, error).string()});
    auto made = maker->run(arguments);
    if (!made) return fail(made.error());
    show(escape_lines(*made));
    return 0;
}

}  // namespace

Verb add_report(CLI::App& parent) {
    const auto options = std::make_shared<ReportOptions>();
    CLI::App* app = parent.add_subcommand("report", "figures, HTML and PDF of a result, or of a class's results");
    app->add_option("what", options->words, "result JSON and, of the same files, bench JSON; or a folder of results")
        ->type_name("RESULT");
    app->add_option("--out", options->out, "folder of the report (default: the result's)")->type_name("DIR");
    return {app, [options] { return run_report(*options); }};
}

}  // namespace warpgrade::cli
