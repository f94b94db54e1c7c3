#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "cli/behind_walls.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/verify_view.hpp"
#include "course/course_text.hpp"
#include "grade/course_check.hpp"
#include "grade/proved_rows.hpp"
#include "proof/prove.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions : SharedOptions {
    std::vector<std::string> words;
    std::string results;  // folder
    bool is_update = false;
};

// What a course's own files may take, each: they are few, and their author waits.
constexpr unsigned cpu_seconds_a_stage = 60, compilations_a_stage = 100;

// What was graded, as `check --format json` writes it.
std::string results_of(const CourseCheck& check, RunReport report, bool is_solution) {
    for (const StageCheck& row : check.stages) {
        const StageResult& result = is_solution ? row.solution : row.stub;
        if (!result.stage.empty()) report.stages.push_back(result);
    }
    return json_text(json_of(report));
}

Status write_result(const fs::path& path, const std::string& text) {
    const auto json = json_from(text);
    if (!json) return json.error();
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path);
    file << json_text(*json, 2) << "\n";
    if (file.flush()) return Nothing{};
    return diagnose(Blame::host, "cannot_write", fmt::format("`{}` cannot be written", path.string()),
                    "name a folder that can be written to");
}

// No learner wrote these files.
Diagnostic of_course(Diagnostic why) {
    why.blame = Blame::course;
    return why;
}

void show_paths_from_here(std::vector<Diagnostic>& problems) {
    for (Diagnostic& problem : problems)
        for (SourceMark& mark : problem.marks) mark.path = shown_path(mark.path);
}

int code_of(const CourseCheck& check) {
    int code = 0;
    const auto note = [&](const std::vector<Diagnostic>& problems) {
        for (const Diagnostic& problem : problems) code = std::max(code, exit_code(problem.blame));
    };
    note(check.problems);
    for (const StageCheck& row : check.stages) note(row.problems);
    return code;
}

std::size_t count_of(const CourseCheckOptions& with, const Course& course) {
    std::size_t count = with.stages.size();
    if (count > 0) return count;
    for (const Assignment& assignment : course.assignments) count += assignment.stages.size();
    return count;
}

// The digests of these stages' stubs, all where there are none, into assignment.toml.
Status record(const Course& course, const std::vector<std::string>& words) {
    auto targets = find_targets(course, words, "");
    if (!words.empty() && !targets) return targets.error();
    for (const Assignment& assignment : course.assignments) {
        std::vector<const Stage*> stages;
        for (const Stage& stage : assignment.stages)
            if (words.empty() || std::any_of(targets->begin(), targets->end(),
                                             [&](const Target& target) { return target.stage == &stage; }))
                stages.push_back(&stage);
        const auto recorded = record_stubs(assignment, stages);
        if (!recorded) return recorded.error();
        if (recorded->changed.empty()) continue;
        if (auto status = replace_file(recorded->path, recorded->text); !status) return status;
        for (const std::string& name : recorded->changed)
            fmt::print(stderr, "recorded the stub of {} in {}\n", name, shown_path(recorded->path));
    }
    return Nothing{};
}

// `fields` has three for each file: the assignment, the text, and the stages of which it says something else.
Status record_proofs(const Course& course, const wire::Fields& fields, std::size_t first) {
    for (std::size_t i = first; i + 2 < fields.size(); i += 3)
        for (const Assignment& assignment : course.assignments) {
            if (assignment.name != fields[i]) continue;
            const std::string path = proved_path(assignment);
            if (auto status = replace_file(path, fields[i + 1]); !status) return status;
            fmt::print(stderr, "recorded what is proved of {} in {}\n", fields[i + 2], shown_path(path));
        }
    return Nothing{};
}

int run_verify(const VerifyOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    if (options.is_update) {
        if (auto status = record(*course, options.words); !status) return fail(status.error());
        course = open_course();
        if (!course) return fail(course.error());
    }
    CourseCheckOptions with;
    with.seed = options.seed;
    with.verbs = verb_names();
    with.records_proofs = options.is_update;
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
    if (proof::is_available()) with.proof_share = 10;  // loads the library; their author waits
    auto report = begin_report(without_card, *course, *machine);
    if (!report) return fail(report.error());
    const RenderStyle style = style_of(STDOUT_FILENO);
    with.on_graded = tell_progress;
    // Whoever wrote the course: the process may read its folder, and nothing else.
    const auto work = [&]() -> wire::Fields {
        auto check = check_course(course->root, course->assignments, with);
        if (!check) return wire::to_fields(check.error());
        show_paths_from_here(check->problems);
        for (StageCheck& row : check->stages) show_paths_from_here(row.problems);
        wire::Fields reply{std::to_string(code_of(*check)),
                           options.is_json() ? json_text(json_of(*check, *report)) : render_course_check(*check, style),
                           results_of(*check, *report, true), results_of(*check, *report, false)};
        for (const CourseCheck::Recorded& file : check->recorded)
            for (const std::string& field :
                 {file.assignment, file.text, fmt::format("{}", fmt::join(file.stages, ", "))})
                reply.push_back(field);
        return reply;
    };
    const auto stages = static_cast<unsigned>(std::max<std::size_t>(1, count_of(with, *course)));
    ConfinedLimits limits;
    limits.cpu_seconds = cpu_seconds_a_stage * stages;
    limits.wall_seconds = 10 * limits.cpu_seconds;
    limits.memory_bytes *= std::max(1u, std::thread::hardware_concurrency());  // a file a thread
    limits.message_bytes = 1ull << 30;
    auto progress = std::make_unique<Progress>("verifying", "programs", true);
    Services services = compile_services(compilations_a_stage * stages, limits.cpu_seconds);
    services[progress_service_name] = progress->service();
    auto run = run_confined(work, services, limits, {.calls = SystemCalls::reading, .readable = {course->root}});
    progress.reset();
    auto reply = run ? reply_of(std::move(*run), limits, "this course") : Result<wire::Fields>(run.error());
    if (!reply && reply.error().blame == Blame::learner) return fail(of_course(reply.error()));
    if (!reply) return fail(reply.error());
    constexpr std::size_t own_fields = 4;
    if (reply->size() < own_fields) return fail(json_from("").error());
    if (auto status = record_proofs(*course, *reply, own_fields); !status) return fail(status.error());
    if (!options.results.empty()) {
        const fs::path folder = options.results;
        for (const auto& [name, text] :
             {std::pair{"solutions.json", (*reply)[2]}, std::pair{"stubs.json", (*reply)[3]}})
            if (auto status = write_result(folder / name, text); !status) return fail(status.error());
    }
    if (options.is_json()) {
        const auto json = json_from((*reply)[1]);
        if (!json) return fail(json.error());
        show(json_text(*json, 2) + "\n");
    } else {
        show(harmless((*reply)[1], style));
    }
    return std::clamp(std::atoi(reply->front().c_str()), 0, exit_code(Blame::kit));
}

}  // namespace

Verb add_verify(CLI::App& parent) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App* app = parent.add_subcommand("verify", "the course itself: stubs fail, solutions pass");
    app->add_option("what", options->words, "stages or assignments; none: the whole course")->type_name("STAGE");
    add_format(*app, *options);
    app->add_option("--seed", options->seed, "of shapes and contents: the same seed, the same check")
        ->type_name("N")
        ->check(whole_number(0, largest_seed));
    app->add_option("--results", options->results, "write solutions.json and stubs.json there, for reports")
        ->type_name("FOLDER");
    app->add_flag("--update", options->is_update, "record the stubs, and what is proved of solutions");
    return {app, [options] { return run_verify(*options); }, true};
}

}  // namespace warpgrade::cli
