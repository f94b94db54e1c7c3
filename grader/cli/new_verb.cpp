// `new problem NAME`, `new stage ASSIGNMENT NAME`: files to begin with.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/files.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "course/scaffold.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage_text = "`warpgrade new problem NAME`, or `warpgrade new stage ASSIGNMENT NAME`";

Status write(const fs::path& root, const std::vector<ScaffoldFile>& files) {
    std::error_code error;
    for (const ScaffoldFile& file : files)
        if (file.is_new && fs::exists(root / file.path, error))
            return usage("file_exists", fmt::format("`{}` is there already", file.path),
                         "move it away, or choose another name");
    for (const ScaffoldFile& file : files)
        if (auto status = replace_file(root / file.path, file.text); !status) return status;
    return Nothing{};
}

int run_new(const std::vector<std::string>& words) {
    auto course = open_course();
    if (!course) return fail(course.error());
    const bool is_problem = words.size() == 2 && words[0] == "problem",
               is_stage = words.size() == 3 && words[0] == "stage";
    if (!is_problem && !is_stage) return fail(usage("what_new", "new makes a problem or a stage", usage_text));
    const auto files =
        is_problem ? new_problem(course->assignments, words[1]) : new_stage(course->assignments, words[1], words[2]);
    if (!files) return fail(files.error());
    if (auto status = write(course->root, *files); !status) return fail(status.error());
    const RenderStyle style = style_of(STDOUT_FILENO);
    std::string out;
    for (const ScaffoldFile& file : *files)
        out += labelled(file.is_new ? "written" : "changed",
                        escape(shown_path((fs::path(course->root) / file.path).string())), style);
    const std::string next = is_problem ? words[1] : words[1] + "/" + words[2];
    out += fmt::format("\nTODO marks what is yours to say. `{} verify {}` looks at it.\n", course->command, next);
    show(out);
    return 0;
}

}  // namespace

Verb add_new(CLI::App& parent) {
    const auto words = std::make_shared<std::vector<std::string>>();
    CLI::App* app = parent.add_subcommand("new", "a problem or a stage to begin with: files with TODOs");
    app->add_option("what", *words, "problem NAME, or stage ASSIGNMENT NAME")->type_name("WORDS");
    return {app, [words] { return run_new(*words); }, true};
}

}  // namespace warpgrade::cli
