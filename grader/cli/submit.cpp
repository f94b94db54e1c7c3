#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/files.hpp"
#include "classroom/feedback_archive.hpp"
#include "classroom/intake.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;

struct SubmitOptions {
    std::vector<std::string> words;
    std::string out = "submission.zip";
};

// The stages that are meant: all, or those of the words, each an assignment or a stage.
Result<std::vector<const Stage*>> stages_of(const Course& course, const std::vector<std::string>& words) {
    std::vector<const Stage*> stages;
    for (const Assignment& assignment : course.assignments)
        for (const Stage& stage : assignment.stages)
            if (stage.is_graded &&
                (words.empty() || std::find(words.begin(), words.end(), assignment.name) != words.end()))
                stages.push_back(&stage);
    for (const std::string& word : words) {
        const bool is_assignment = std::any_of(course.assignments.begin(), course.assignments.end(),
                                               [&](const Assignment& one) { return one.name == word; });
        if (is_assignment) continue;
        const auto match = find_stage(course.assignments, word);
        if (!match) return match.error();
        stages.push_back(match->stage);
    }
    return stages;
}

// What whoever grades will find in the archive, by the way that it goes there.
Result<Submission> as_it_will_be_read(const Course& course, const fs::path& archive) {
    HandIn hand_in;
    hand_in.shown = archive.filename().string();
    hand_in.parts = {node_at(archive)};
    hand_in.part_names = {""};
    auto contents = read_hand_in(hand_in, fs::temp_directory_path());
    if (!contents) return contents.error();
    Submission submission;
    submission.hand_ins.push_back(hand_in);
    if (!contents->problems.empty()) submission.problem = contents->problems.front();
    choose_sources(course.assignments, words_of_stubs(course.assignments), std::move(*contents), {}, submission);
    return submission;
}

int run_submit(const SubmitOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    const auto stages = stages_of(*course, options.words);
    if (!stages) return fail(stages.error());
    std::vector<std::pair<std::string, std::string>> files;
    Table table({{"stage"}, {"file"}, {""}});
    std::size_t untouched = 0;
    std::map<std::string, std::string> packed;
    for (const Stage* stage : *stages) {
        const fs::path path = fs::path(course->root) / "assignments" / stage->assignment / stage->file;
        const auto text = read_whole_file(path, 1 << 20);
        const bool is_stub = text && stage->is_stub(*text);
        const std::string name = stage->assignment + "/" + stage->file;
        untouched += is_stub;
        if (is_stub) continue;
        table.add({{stage->name()}, {name}, {text ? "packed" : "there is no such file"}});
        if (!text) continue;
        files.emplace_back(name, *text);
        packed[stage->name()] = *text;
    }
    const RenderStyle style = style_of(STDOUT_FILENO);
    if (untouched < stages->size()) show(table.text(style));
    if (files.empty())
        return fail(usage("nothing_done", "there is nothing to hand in: every stub is as it was handed out",
                          "`warpgrade list` shows the stages"));
    std::error_code error;
    const fs::path out = fs::absolute(options.out, error);
    if (auto status = replace_file(out, zip_of(files)); !status) return fail(status.error());
    const auto read = as_it_will_be_read(*course, out);
    // A machine that cannot read archives (no libarchive) has packed all the same.
    if (!read && read.error().blame != Blame::host) return fail(read.error());
    bool is_whole = !read || (read->problem.empty() && read->sources.size() == packed.size());
    if (read)
        for (const auto& [stage, source] : read->sources) is_whole = is_whole && packed[stage] == source.text;
    if (!is_whole)
        return fail(diagnose(Blame::kit, "bad_archive", "what was packed is not read as it is",
                             "hand in the files themselves", {read->problem}));
    if (untouched > 0) show(fmt::format("\nleft out, as handed out: {}\n", counted(untouched, "stage", "stages")));
    show(fmt::format("\n{} in {}; hand in this file, under any name\nwhat it earns is what `check` says\n",
                     counted(files.size(), "stage", "stages"), options.out));
    if (!read)
        show(fmt::format("it is packed, and was not opened again to see that all is in it:\n{}\n", read.error().title));
    return 0;
}

}  // namespace

Verb add_submit(CLI::App& parent) {
    const auto options = std::make_shared<SubmitOptions>();
    CLI::App* app = parent.add_subcommand("submit", "pack what is to be handed in, and see that it can be read");
    app->add_option("what", options->words, "assignments or stages; else all that is not as it was handed out")
        ->type_name("NAME");
    app->add_option("--out", options->out, "the archive (default: submission.zip)")->type_name("ZIP");
    return {app, [options] { return run_submit(*options); }};
}

}  // namespace warpgrade::cli
