#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/grade_verb.hpp"

#include "base/build_id.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/near_names.hpp"
#include "base/sha256.hpp"
#include "classroom/hand_in_names.hpp"
#include "classroom/intake_plan.hpp"
#include "classroom/reports.hpp"
#include "classroom/seed.hpp"
#include "classroom/student_ids.hpp"
#include "classroom/utf8.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/class_intake.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_view.hpp"
#include "cli/grade_worker.hpp"
#include "cli/machine.hpp"
#include "cli/progress.hpp"
#include "cli/slurm.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "compile/cache.hpp"

namespace warpgrade::cli {

namespace fs = std::filesystem;
using namespace classroom;

namespace {

Result<std::vector<const Assignment*>> find_assignments(const Course& course, const std::vector<std::string>& names) {
    std::vector<const Assignment*> found;
    for (const Assignment& assignment : course.assignments)
        if (names.empty() || std::find(names.begin(), names.end(), assignment.name) != names.end())
            found.push_back(&assignment);
    for (const std::string& name : names) {
        std::vector<std::string> known;
        for (const Assignment& assignment : course.assignments) known.push_back(assignment.name);
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto near = nearest_name(name, known);
        std::string listed;
        for (const std::string& one : known) listed += (listed.empty() ? "" : ", ") + one;
        return usage("unknown_assignment", fmt::format("there is no assignment `{}`", name),
                     near ? fmt::format("`--assignment {}`", *near) : "", {"assignments: " + listed});
    }
    return found;
}

// Everything but the course and the source that a stage's result depends on.
std::string run_digest(const nlohmann::ordered_json& header) {
    Sha256 hash;
    hash.add_field(build_id());
    for (const char* key : {"device", "seed"}) hash.add_field(json_text(header[key]));
    hash.add_field(header["tool"].value("nvrtc", ""));
    return hash.hex();
}

volatile pid_t grading_process = 0;

// Then it ends by the signal, as without this: who called it is to see that.
extern "C" void say_how_to_go_on(int signal_number) {
    constexpr std::string_view text = "\nstopped; what was graded is kept, and the same command goes on from there\n";
    if (::getpid() == grading_process) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    ::raise(signal_number);
}

// A signal that is ignored, as in the background of a script, stays so.
void say_on_interrupt() {
    struct sigaction action {};
    if (::sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
    grading_process = ::getpid();
    action = {};
    action.sa_handler = say_how_to_go_on;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

// `check` looks at one's own file; here are those of many, in an instructor's account.
Status GradeVerb::find_walls() {
    walls_ = walls_here();
    if (walls_.holds() || options_.trusts_hand_ins) return Nothing{};
    const bool has_files = walls_.has(Wall::files);
    return diagnose(
        Blame::host, "no_walls",
        fmt::format("nothing here would keep a hand-in from {}",
                    has_files ? "starting programs and sending signals" : "your files and your network"),
        "grade on a machine that has seccomp, or add --without-walls if you trust every hand-in",
        {fmt::format("{}: `warpgrade doctor` says what they stop",
                     has_files ? "landlock is here, and seccomp is not" : "neither seccomp nor landlock is here")});
}

Status GradeVerb::prepare() {
    if (auto status = check_choices(options_); !status) return status.error();
    if (options_.executor != "local" && options_.executor != "slurm")
        return usage("unknown_executor", fmt::format("there is no executor `{}`", options_.executor),
                     "name local or slurm");
    if (auto status = find_walls(); !status) return status.error();
    if (auto status = check_profile(options_, course_); !status) return status.error();
    if (options_.paths.empty())
        return usage("no_path", "`grade` needs to know where the hand-ins are", "`warpgrade grade hand-ins/`");
    auto assignments = find_assignments(course_, options_.assignments);
    if (!assignments) return assignments.error();
    assignments_ = std::move(*assignments);
    if (auto status = choose_stages(); !status) return status.error();
    if (!options_.map.empty()) {
        auto map = read_hand_in_map(options_.map);
        if (!map) return map.error();
        map_ = said_ = std::move(*map);
    }
    workers_ = options_.jobs > 0 ? options_.jobs : usable_cores();
    auto roster = options_.roster.empty() ? Result<Roster>(empty_roster()) : read_roster(options_.roster);
    if (!roster) return roster.error();
    roster_ = std::move(*roster);
    // Workers run in other folders.
    setenv("WARPGRADE_ROOT", course_.root.c_str(), 1);
    std::error_code error;
    out_ = fs::absolute(options_.out, error).lexically_normal();
    auto machine = open_machine(options_, course_);
    if (!machine) return machine.error();
    auto report = begin_report(options_, course_, *machine);
    if (!report) return report.error();
    options_.device = report->device_kind;
    cards_ = alike_cards(*machine);
    if (machine->card && machine->card->facts().device_count > static_cast<int>(cards_.size()))
        notes_.push_back(fmt::format("of {} GPUs {} time: the others are no {}", machine->card->facts().device_count,
                                     cards_.size(), machine->name()));
    header_ = json_of(*report);
    header_["walls"] = walls_.list();
    if (auto status = home_.take(out_); !status) return status;
    setenv(store_variable, (out_ / graded_store).c_str(), 1);
    return Nothing{};
}

// A roster whose ids are in a column of another name looks like a class that handed in nothing.
void GradeVerb::note_strangers() {
    std::string named;
    std::size_t count = 0;
    constexpr std::size_t most_named = 5;
    for (const Submission& submission : submissions_) {
        if (submission.is_on_roster || submission.is_missing()) continue;
        if (++count <= most_named) named += (count > 1 ? ", `" : "`") + submission.student.id + "`";
    }
    if (count == 0) return;
    notes_.push_back(fmt::format("nobody on the roster handed in {}{}: {} at the end of the gradebook", named,
                                 count > most_named ? fmt::format(" and {} more", count - most_named) : "",
                                 count == 1 ? "it is" : "they are"));
}

Result<BatchOutcome> GradeVerb::grade() {
    BatchSettings settings;
    settings.out = out_;
    settings.assignments = assignments_;
    settings.stages = stages_;
    for (const auto& [id, student] : ledger_.students) settings.known_files.insert(file_name_for(id) + ".json");
    for (const Assignment* assignment : assignments_)
        settings.course_digests[assignment->name] = course_digest(course_.root, assignment->name);
    settings.run_digest = run_digest(header_);
    settings.is_on_card = options_.device == "cuda";
    settings.header = header_;
    settings.overrides = overrides_;
    settings.workers = workers_;
    settings.cards = cards_;
    settings.worker_verb = grade_worker_verb;
    settings.worker_job = [&](const StageOrder& order) { return grade_worker_job(order, options_, 1, walls_); };
    if (options_.executor == "slurm")
        settings.executor = [&](const std::vector<StageOrder>& orders) { return send(orders); };
    Progress progress("grading", "stages");
    settings.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    return grade_class(submissions_, settings);
}

// Marks do not depend on reports: without them, the reason is said and the command goes on.
void GradeVerb::make_reports(const BatchOutcome& outcome) const {
    std::vector<ReportOf> students;
    for (const StudentMarks& marks : outcome.students)
        if (!marks.stages.empty()) students.push_back({marks.file_name, marks.submission->student.name});
    const int columns = style_of(STDERR_FILENO).columns;
    auto maker = ReportMaker::open(course_.root);
    if (!maker) {
        std::cerr << wrap_after("note: ",
                                "no reports: matplotlib and jinja2 are not installed; `./grader/warpgrade "
                                "grade` installs them, and run again makes only the reports",
                                columns);
        return;
    }
    Progress progress("reports", "reports");
    const auto problems = make_class_reports(*maker, out_, students, workers_,
                                             [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    for (const std::string& problem : problems) std::cerr << wrap_after("note: ", escape(problem), columns);
}

// Beyond what a student's row says.
void GradeVerb::show_questions() const {
    if (questions_.empty()) return;
    constexpr std::size_t most = 20;
    std::string text = "\nA person has to look at these, too:\n";
    for (std::size_t i = 0; i < std::min(most, questions_.size()); ++i)
        text += wrap_after("  ", escape(questions_[i]), style_of(STDOUT_FILENO).columns);
    if (questions_.size() > most) text += fmt::format("  and {} more\n", questions_.size() - most);
    say(text);
}

// Who gets what, and nothing graded.
int GradeVerb::show_plan() const {
    if (options_.is_json()) {
        nlohmann::ordered_json json{{"schema", "warpgrade.plan/1"}, {"students", plan_json(submissions_)}};
        json["questions"] = questions_;
        json["notes"] = notes_;
        show(json_text(json, 2) + "\n");
    } else {
        show(render_plan(submissions_, style_of(STDOUT_FILENO)));
        show_questions();
        show(fmt::format("\nnothing was graded; the table of it is {}\n", shown_path((out_ / "map.csv").string())));
    }
    const bool is_clear = questions_.empty() && std::all_of(submissions_.begin(), submissions_.end(), is_understood);
    return is_clear ? 0 : exit_code(Blame::learner);
}

int GradeVerb::run() {
    umask(077);  // marks, work and the seed are for whoever grades
    if (auto status = prepare(); !status) return fail(status.error());
    if (auto status = read_hand_ins(); !status) return fail(status.error());
    for (const std::string& note : notes_) say(wrap_after("note: ", escape(note), style_of(STDOUT_FILENO).columns));
    if (options_.is_dry_run) return show_plan();
    if (options_.executor == "local") say_on_interrupt();
    auto outcome = grade();
    if (!outcome) return fail(outcome.error());
    if (outcome->pending > 0) return 0;
    if (auto status = record_marks(*outcome); !status) return fail(status.error());
    ask_about_lateness(*outcome);
    if (auto status = write_tables(*outcome); !status) return fail(status.error());
    if (!options_.wants_no_reports) make_reports(*outcome);
    if (options_.is_json()) {
        show(json_text(class_json(header_, outcome->students), 2) + "\n");
    } else {
        show(render_class(*outcome, style_of(STDOUT_FILENO)));
        show_questions();
        show(changes_text_);
        show(fmt::format("\nwalls around what was handed in: {}", walls_.names()) +
             fmt::format(
                 "\ngraded {} now, {} were known{}; see {}\n", counted(outcome->graded_now, "stage", "stages"),
                 outcome->known_before,
                 outcome->rescored > 0 ? fmt::format(", {} of them scored again", outcome->rescored) : std::string(),
                 shown_path((out_ / "gradebook.csv").string())));
    }
    const int code = exit_code_of(*outcome);
    return code == 0 && !questions_.empty() ? exit_code(Blame::learner) : code;
}

namespace {

int run_grade(const GradeVerbOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    return GradeVerb(options, std::move(*course)).run();
}

constexpr const char* grade_footer = R"(Exit codes
   0  every hand-in is graded, whatever its marks, or on its way to the cluster
   1  a hand-in, or a stage of one, has no mark: a person has to look
   2  the command line or a course file is wrong
   3  this machine cannot: no NVRTC, no GPU, no walls around what was handed in
  70  a defect of warpgrade's own: the stage that it was met in has no mark
 130  stopped with Ctrl-C: the same command goes on
)";

}  // namespace

Verb add_grade(CLI::App& parent) {
    const auto options = std::make_shared<GradeVerbOptions>();
    CLI::App* app = parent.add_subcommand("grade", "grade a class: a folder or an archive a student");
    app->footer(grade_footer);
    app->add_option("what", options->paths, "folder of the hand-ins, or hand-ins: folders, zip, tar, 7z, rar")
        ->type_name("PATH");
    app->add_option("--roster", options->roster, "who is in the course: CSV, also a platform's export")
        ->type_name("FILE");
    app->add_option("--out", options->out, "where results go; run again to go on (default: graded)")->type_name("DIR");
    app->add_option("--assignment", options->assignments, "that counts; repeatable; else all that was handed in")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--stage", options->stages, "that counts; repeatable; else all of the assignments")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--map", options->map, "whose each hand-in is, which file is which: as OUT/map.csv")
        ->type_name("FILE");
    app->add_flag("--dry-run", options->is_dry_run, "say who gets what, write OUT/map.csv, and grade nothing");
    app->add_flag("--pseudonyms", options->wants_pseudonyms, "no names in what is written but OUT/identities.json");
    app->add_option("--executor", options->executor, "local, or slurm: as a job array")->type_name("WHERE");
    app->add_option("--slurm", options->slurm, "for sbatch: --slurm=--gres=gpu:1; repeatable")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--collector", options->slurm_collector, "for the job that collects, in place of those of --slurm")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--prefix", options->prefix, "slurm: what elements run in: \"apptainer exec --nv x.sif\"")
        ->type_name("COMMAND");
    app->add_option("--mail", options->mail, "slurm: where to write when all is collected")->type_name("ADDRESS");
    app->add_option("--chunk", options->stages_an_element, "slurm: stages in an element (default: 16)")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    app->add_option("--at-once", options->elements_at_once, "slurm: elements at work at a time, as many as GPUs")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    app->add_flag("--no-reports", options->wants_no_reports, "marks only: no HTML and PDF");
    app->add_flag("--without-walls", options->trusts_hand_ins, "grade where no walls keep hand-ins from your files");
    app->add_option("--jobs", options->jobs, "stages graded at a time; else as many as cores")
        ->type_name("N")
        ->check(whole_number(1, 1024));
    app->add_option("--device", options->device, "auto, virtual or cuda")->type_name("DEVICE");
    add_profile(*app, *options);
    CLI::Option* seed =
        app->add_option("--seed", options->seed, "of shapes and contents; else the one in solutions/seed")
            ->type_name("N")
            ->check(whole_number(0, largest_seed));
    add_format(*app, *options);
    return {app,
            [options, seed] {
                options->has_seed = seed->count() > 0;
                return run_grade(*options);
            },
            true};
}

}  // namespace warpgrade::cli
