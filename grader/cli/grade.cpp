#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
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

#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
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
#include "compile/cache.hpp"

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
    bool trusts_hand_ins = false;
    bool has_seed = false;
};

// The folder of the class: nobody else's, and of one run at a time. Two would each remove what the other writes.
class ClassHome {
public:
    ~ClassHome() {
        if (lock_ >= 0) close(lock_);
    }
    Status take(const fs::path& folder) {
        const fs::path store = folder / graded_store;
        std::error_code error;
        // What is kept there decides marks: another user's would decide them too.
        for (const fs::path& path : {folder, store}) {
            fs::create_directories(path, error);
            if (error && !fs::exists(fs::symlink_status(path))) return cannot_write(folder, error.message());
            if (auto status = expect_own(path); !status) return status;
        }
        // Whatever the umask was when it was made.
        fs::permissions(store, fs::perms::owner_all, error);
        lock_ = open((folder / graded_lock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (lock_ < 0) return cannot_write(folder, std::strerror(errno));
        if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return Nothing{};
        return usage("folder_in_use", fmt::format("another `grade` is at work in `{}`", folder.string()),
                     "wait for it, or name another folder with --out");
    }

private:
    static Diagnostic cannot_write(const fs::path& folder, const std::string& why) {
        return diagnose(Blame::host, "cannot_write", fmt::format("cannot write into `{}`", folder.string()),
                        "name another folder with --out", {why});
    }
    static Status expect_own(const fs::path& path) {
        struct stat found {};
        const bool is_own = lstat(path.c_str(), &found) == 0 && found.st_uid == geteuid();
        const bool is_link = S_ISLNK(found.st_mode);
        // A file in its place is nobody's trick: the first result that cannot be kept says it.
        if (is_own && !is_link && (found.st_mode & S_IWOTH) == 0) return Nothing{};
        return usage("foreign_folder", fmt::format("`{}` is not yours alone", path.string()),
                     "name a folder of your own with --out",
                     {is_link  ? "it is a symbolic link"
                      : is_own ? "every user of this machine may write into it"
                               : "it belongs to another user, who could decide marks in it"});
    }

    int lock_ = -1;
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

// Notes are for a person: thousands of names, each as long as names may be, are for nobody.
void shorten(std::vector<std::string>& notes) {
    constexpr std::size_t most_notes = 20;
    constexpr int most_columns = 300;
    const std::size_t all = notes.size();
    if (all > most_notes) {
        notes.resize(most_notes - 1);
        notes.push_back(fmt::format("and {} more notes", all - notes.size()));
    }
    for (std::string& note : notes) note = cut(escape(note), most_columns);
}

// What of a student's hand-ins can be graded. Only what is wrong with this machine is an error: whatever else happens
// concerns this student, and is said there.
Status read_one(const Course& course, const fs::path& scratch, Submission& submission) {
    std::vector<Source> found;
    std::string problem;
    for (const HandIn& hand_in : submission.hand_ins) {
        auto contents = read_hand_in(hand_in, scratch);
        if (!contents) return contents.error();
        if (!contents->problem.empty())
            problem = fmt::format("`{}` cannot be read: {}", hand_in.shown, contents->problem);
        if (submission.hand_ins.size() > 1)
            for (Source& source : contents->sources) source.hand_in = hand_in.shown;
        std::move(contents->sources.begin(), contents->sources.end(), std::back_inserter(found));
        submission.notes.insert(submission.notes.end(), contents->notes.begin(), contents->notes.end());
    }
    choose_sources(course.assignments, std::move(found), submission);
    if (!problem.empty() && submission.sources.empty()) submission.problem = problem;
    if (!problem.empty() && !submission.sources.empty()) submission.notes.push_back(problem);
    if (problem.empty() && submission.sources.empty() && !submission.is_missing())
        submission.problem = "no file of it has the name of a stage's file";
    shorten(submission.notes);
    return Nothing{};
}

// Opens every hand-in, several at a time: an archive is a process each.
Status read_all(const Course& course, const fs::path& scratch, int workers, std::vector<Submission>& submissions) {
    std::error_code error;
    fs::remove_all(scratch, error);  // of a run that was killed
    fs::create_directories(scratch, error);
    std::atomic<std::size_t> next{0};
    std::vector<std::optional<Diagnostic>> failures(submissions.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < submissions.size(); i = next++) {
            try {
                if (auto status = read_one(course, scratch, submissions[i]); !status) failures[i] = status.error();
            } catch (const std::exception& failure) {
                submissions[i].sources.clear();
                submissions[i].problem = fmt::format("reading it failed: {}", failure.what());
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    fs::remove_all(scratch, error);
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
    for (const char* key : {"device", "seed"}) hash.add_field(json_text(header[key]));
    hash.add_field(header["tool"].value("nvrtc", ""));
    return hash.hex();
}

class GradeVerb {
public:
    GradeVerb(GradeVerbOptions options, Course course) : options_(std::move(options)), course_(std::move(course)) {}
    int run();

private:
    Status find_walls();
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
    ClassHome home_;
    fs::path out_;
    int workers_ = 1;
    Roster roster_;
    std::vector<const Assignment*> assignments_;
    std::vector<Submission> submissions_;
    std::vector<std::string> notes_;
    WallSet walls_;
    nlohmann::ordered_json header_;
};

// `check` looks at one's own file; here are those of many, in an instructor's account.
Status GradeVerb::find_walls() {
    walls_ = walls_here();
    if (walls_.holds() || options_.trusts_hand_ins) return Nothing{};
    return diagnose(Blame::host, "no_walls", "nothing here would keep a hand-in from your files and your network",
                    "grade on a machine that has one of the two, or add --without-walls if you trust every hand-in",
                    {"neither seccomp nor landlock can be had: `warpgrade doctor` says what they stop"});
}

Status GradeVerb::prepare() {
    if (auto status = check_choices(options_); !status) return status.error();
    if (auto status = find_walls(); !status) return status.error();
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
    header_["walls"] = walls_.list();
    if (auto status = home_.take(out_); !status) return status;
    setenv(store_variable, (out_ / graded_store).c_str(), 1);
    return Nothing{};
}

Status GradeVerb::read_hand_ins() {
    auto discovery = discover(options_.paths, course_.assignments);
    if (!discovery) return discovery.error();
    notes_ = discovery->notes;
    submissions_ = assign(*discovery, roster_, !options_.roster.empty(), notes_);
    if (!options_.roster.empty()) note_strangers();
    if (auto status = read_all(course_, out_ / graded_store / "incoming", workers_, submissions_); !status)
        return status.error();
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
    settings.worker_job = [&](const StageOrder& order) { return grade_worker_job(order, options_, 1, walls_); };
    Progress progress("grading", "stages");
    settings.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    return grade_class(submissions_, settings);
}

Status GradeVerb::write_tables(const BatchOutcome& outcome) {
    if (auto status = replace_file(out_ / "gradebook.csv", gradebook_csv(roster_, assignments_, outcome.students));
        !status)
        return status.error();
    return replace_file(out_ / "class.json", json_text(class_json(header_, outcome.students), 1) + "\n");
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
    umask(077);  // marks, work and the seed are for whoever grades
    if (auto status = prepare(); !status) return fail(status.error());
    if (auto status = read_hand_ins(); !status) return fail(status.error());
    for (const std::string& note : notes_) say(wrap_after("note: ", escape(note), style_of(STDOUT_FILENO).columns));
    auto outcome = grade();
    if (!outcome) return fail(outcome.error());
    if (auto status = write_tables(*outcome); !status) return fail(status.error());
    if (!options_.wants_no_reports) make_reports(*outcome);
    if (options_.is_json())
        show(json_text(class_json(header_, outcome->students), 2) + "\n");
    else
        show(render_class(*outcome, style_of(STDOUT_FILENO)) +
             fmt::format("\nwalls around what was handed in: {}", walls_.names()) +
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
   3  this machine cannot: no NVRTC, no GPU, no walls around what was handed in
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
    app->add_flag("--without-walls", options->trusts_hand_ins,
                  "grade where no walls keep hand-ins from your files");
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
