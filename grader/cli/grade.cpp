#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "base/sha256.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/reports.hpp"
#include "classroom/seed.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_view.hpp"
#include "cli/grade_worker.hpp"
#include "cli/machine.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;

struct GradeVerbOptions : SharedOptions {
    std::vector<std::string> paths;
    std::string roster;
    std::string out = "graded";
    std::vector<std::string> assignments;
    int jobs = 0;  // 0: all cores
    bool wants_no_reports = false;
    bool has_seed = false;
};

// Two runs in one folder would each remove what the other writes.
class FolderLock {
public:
    ~FolderLock() {
        if (fd_ >= 0) close(fd_);
    }
    Status take(const fs::path& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (!error) {
            fd_ = open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            if (fd_ < 0) error = std::error_code(errno, std::generic_category());
        }
        if (error)
            return diagnose(Blame::host, "cannot_write", fmt::format("cannot write into `{}`", folder.string()),
                            "name another folder with --out", {error.message()});
        if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return Nothing{};
        return usage("folder_in_use", fmt::format("another `grade` is at work in `{}`", folder.string()),
                     "wait for it, or name another folder with --out");
    }

private:
    int fd_ = -1;
};

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

// Opens every hand-in, several at a time: an archive is a process each.
Status read_all(const Course& course, int workers, std::vector<Submission>& submissions) {
    std::atomic<std::size_t> next{0};
    std::vector<std::optional<Diagnostic>> failures(submissions.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < submissions.size(); i = next++) {
            Submission& submission = submissions[i];
            std::vector<Source> found;
            std::string problem;
            for (const HandIn& hand_in : submission.hand_ins) {
                auto contents = read_hand_in(hand_in);
                if (!contents) {
                    failures[i] = contents.error();
                    break;
                }
                if (!contents->problem.empty())
                    problem = fmt::format("`{}` cannot be read: {}", hand_in.shown, contents->problem);
                std::move(contents->sources.begin(), contents->sources.end(), std::back_inserter(found));
                submission.notes.insert(submission.notes.end(), contents->notes.begin(), contents->notes.end());
            }
            choose_sources(course.assignments, std::move(found), submission);
            if (!problem.empty() && submission.sources.empty()) submission.problem = problem;
            if (!problem.empty() && !submission.sources.empty()) submission.notes.push_back(problem);
            if (problem.empty() && submission.sources.empty() && !submission.is_missing())
                submission.problem = "no file of it has the name of a stage's file";
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    for (const auto& failure : failures)
        if (failure) return *failure;
    return Nothing{};
}

// An assignment that nobody has begun is not one that everybody failed.
void leave_out_unused(const std::vector<Submission>& submissions, std::vector<const Assignment*>& assignments,
                      std::vector<std::string>& notes) {
    std::vector<const Assignment*> used;
    for (const Assignment* assignment : assignments) {
        const bool is_used = std::any_of(submissions.begin(), submissions.end(), [&](const Submission& submission) {
            return std::any_of(submission.sources.begin(), submission.sources.end(),
                               [&](const auto& source) { return source.first.starts_with(assignment->name + "/"); });
        });
        if (is_used)
            used.push_back(assignment);
        else
            notes.push_back(fmt::format("nobody handed in {}: it does not count; `--assignment {}` makes it count",
                                        assignment->name, assignment->name));
    }
    if (!used.empty()) assignments = used;
}

// Everything but the course and the source that a stage's result depends on.
std::string run_digest(const nlohmann::ordered_json& header) {
    Sha256 hash;
    hash.add_field(program_digest());
    for (const char* key : {"device", "seed"}) hash.add_field(header[key].dump());
    hash.add_field(header["tool"].value("nvrtc", ""));
    return hash.hex();
}

class GradeVerb {
public:
    GradeVerb(GradeVerbOptions options, Course course) : options_(std::move(options)), course_(std::move(course)) {}
    int run();

private:
    Status prepare();
    Status read_hand_ins();
    void note_strangers();
    Result<BatchOutcome> grade();
    Status write_tables(const BatchOutcome& outcome);
    void make_reports(const BatchOutcome& outcome) const;
    void say(const std::string& text) const {
        if (!options_.is_json()) show(text);
    }

    GradeVerbOptions options_;
    Course course_;
    FolderLock lock_;
    fs::path out_;
    int workers_ = 1;
    Roster roster_;
    std::vector<const Assignment*> assignments_;
    std::vector<Submission> submissions_;
    std::vector<std::string> notes_;
    nlohmann::ordered_json header_;
};

Status GradeVerb::prepare() {
    if (auto status = check_choices(options_); !status) return status.error();
    if (auto status = check_profile(options_, course_); !status) return status.error();
    if (options_.paths.empty())
        return usage("no_path", "`grade` needs to know where the hand-ins are", "`warpgrade grade hand-ins/`");
    auto assignments = find_assignments(course_, options_.assignments);
    if (!assignments) return assignments.error();
    assignments_ = std::move(*assignments);
    if (!options_.has_seed) {
        auto seed = course_seed(course_.root);
        if (!seed) return seed.error();
        options_.seed = *seed;
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
    header_ = to_json(*report);
    return lock_.take(out_);
}

Status GradeVerb::read_hand_ins() {
    auto discovery = discover(options_.paths, course_.assignments);
    if (!discovery) return discovery.error();
    notes_ = discovery->notes;
    submissions_ = assign(*discovery, roster_, !options_.roster.empty());
    if (!options_.roster.empty()) note_strangers();
    if (auto status = read_all(course_, workers_, submissions_); !status) return status.error();
    if (options_.assignments.empty()) leave_out_unused(submissions_, assignments_, notes_);
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
    for (const Assignment* assignment : assignments_)
        settings.course_digests[assignment->name] = course_digest(course_.root, assignment->name);
    settings.run_digest = run_digest(header_);
    settings.header = header_;
    settings.workers = workers_;
    settings.worker_verb = grade_worker_verb;
    settings.worker_job = [&](const StageOrder& order) { return grade_worker_job(order, options_, 1); };
    Progress progress("grading", "stages");
    settings.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    return grade_class(submissions_, settings);
}

Status GradeVerb::write_tables(const BatchOutcome& outcome) {
    if (auto status = replace_file(out_ / "gradebook.csv", gradebook_csv(roster_, assignments_, outcome.students));
        !status)
        return status.error();
    return replace_file(out_ / "class.json", class_json(header_, outcome.students).dump(1) + "\n");
}

// Marks do not depend on reports: without them, the reason is said and the command goes on.
void GradeVerb::make_reports(const BatchOutcome& outcome) const {
    std::vector<std::string> students;
    for (const StudentMarks& marks : outcome.students)
        if (!marks.stages.empty()) students.push_back(marks.file_name);
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

int GradeVerb::run() {
    if (auto status = prepare(); !status) return fail(status.error());
    if (auto status = read_hand_ins(); !status) return fail(status.error());
    for (const std::string& note : notes_) say(wrap_after("note: ", escape(note), style_of(STDOUT_FILENO).columns));
    auto outcome = grade();
    if (!outcome) return fail(outcome.error());
    if (auto status = write_tables(*outcome); !status) return fail(status.error());
    if (!options_.wants_no_reports) make_reports(*outcome);
    if (options_.is_json())
        show(class_json(header_, outcome->students).dump(2) + "\n");
    else
        show(render_class(*outcome, style_of(STDOUT_FILENO)) +
             fmt::format("\ngraded {} stages now, {} were known; see {}\n", outcome->graded_now, outcome->known_before,
                         shown_path((out_ / "gradebook.csv").string())));
    return exit_code_of(*outcome);
}

int run_grade(const GradeVerbOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    return GradeVerb(options, std::move(*course)).run();
}

constexpr const char* footer = R"(Exit codes
   0  every hand-in is graded, whatever its marks
   1  a hand-in, or a stage of one, has no mark: a person has to look
   2  the command line or a course file is wrong
   3  this machine cannot: no NVRTC, no GPU
  70  a defect of warpgrade's own: the stage that it was met in has no mark
 130  stopped with Ctrl-C: the same command goes on
)";

}  // namespace

Verb add_grade(CLI::App& parent) {
    const auto options = std::make_shared<GradeVerbOptions>();
    CLI::App* app = parent.add_subcommand("grade", "grade a class: a folder or an archive a student");
    app->footer(footer);
    app->add_option("what", options->paths, "folder of the hand-ins, or hand-ins: folders, zip, tar, 7z, rar")
        ->type_name("PATH");
    app->add_option("--roster", options->roster, "who is in the course: CSV, also a platform's export")
        ->type_name("FILE");
    app->add_option("--out", options->out, "where results go; run again to go on (default: graded)")->type_name("DIR");
    app->add_option("--assignment", options->assignments, "that counts; repeatable; else all that was handed in")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_flag("--no-reports", options->wants_no_reports, "marks only: no HTML and PDF");
    app->add_option("--jobs", options->jobs, "stages graded at a time; else as many as cores")->type_name("N");
    app->add_option("--device", options->device, "auto, virtual or cuda")->type_name("DEVICE");
    add_profile(*app, *options);
    CLI::Option* seed =
        app->add_option("--seed", options->seed, "of shapes and contents; else the one in solutions/seed")
            ->type_name("N");
    add_format(*app, *options);
    return {app, [options, seed] {
                options->has_seed = seed->count() > 0;
                return run_grade(*options);
            }};
}

}  // namespace warpgrade::cli
