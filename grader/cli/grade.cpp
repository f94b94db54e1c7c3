#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/near_names.hpp"
#include "base/sha256.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/intake_plan.hpp"
#include "classroom/ledger_merge.hpp"
#include "classroom/reports.hpp"
#include "classroom/seed.hpp"
#include "classroom/utf8.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_view.hpp"
#include "cli/grade_worker.hpp"
#include "cli/machine.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "compile/cache.hpp"
#include "grade/source_text.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;

struct GradeVerbOptions : SharedOptions {
    std::vector<std::string> paths;
    std::string roster;
    std::string out = "graded";
    std::vector<std::string> assignments;
    std::vector<std::string> stages;
    std::string map;
    bool is_dry_run = false;
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
Status read_one(const Course& course, const std::vector<StubWords>& stubs, const HandInMap& map,
                const fs::path& scratch, Submission& submission) {
    Contents found;
    for (HandIn& hand_in : submission.hand_ins) {
        auto contents = read_hand_in(hand_in, scratch);
        if (!contents) return contents.error();
        const auto add = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
        add(found.sources, contents->sources);
        add(found.others, contents->others);
        add(found.notes, contents->notes);
        add(found.problems, contents->problems);
    }
    const std::string problem = found.problems.empty() ? "" : found.problems.front();
    choose_sources(course.assignments, stubs, std::move(found), map, submission);
    if (submission.sources.empty() && !submission.hand_ins.empty())
        submission.problem = problem.empty() ? "no file of it has the name of a stage's file" : problem;
    shorten(submission.notes);
    shorten(submission.questions);
    return Nothing{};
}

// Opens every hand-in, several at a time: an archive is a process each.
Status read_all(const Course& course, const HandInMap& map, const fs::path& scratch, int workers,
                std::vector<Submission>& submissions) {
    std::error_code error;
    const std::vector<StubWords> stubs = words_of_stubs(course.assignments);
    std::atomic<std::size_t> next{0};
    std::vector<std::optional<Diagnostic>> failures(submissions.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < submissions.size(); i = next++) {
            try {
                if (auto status = read_one(course, stubs, map, scratch, submissions[i]); !status) failures[i] = status.error();
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

// An assignment that hardly anybody has begun is not one that everybody failed: a stray upload changes nobody's maximum.
void leave_out_unused(const std::vector<Submission>& submissions, std::vector<const Assignment*>& assignments,
                      std::vector<std::string>& notes, std::vector<std::string>& questions) {
    const auto has_begun = [](const Submission& submission, const Assignment& assignment) {
        return std::any_of(assignment.stages.begin(), assignment.stages.end(), [&](const Stage& stage) {
            const auto source = submission.sources.find(stage.name());
            return source != submission.sources.end() &&
                   (stage.stub_digest.empty() || text_digest(source->second.text) != stage.stub_digest);
        });
    };
    const auto count = [&](const Assignment& assignment) {
        return static_cast<std::size_t>(std::count_if(
            submissions.begin(), submissions.end(),
            [&](const Submission& submission) { return has_begun(submission, assignment); }));
    };
    std::size_t most = 0;
    for (const Assignment* assignment : assignments) most = std::max(most, count(*assignment));
    std::vector<const Assignment*> used;
    for (const Assignment* assignment : assignments) {
        const std::size_t begun = count(*assignment);
        constexpr std::size_t enough = 4;  // a quarter of those who began what most have begun
        if (begun > 0 && begun * enough >= most) {
            used.push_back(assignment);
            continue;
        }
        if (begun == 0) {
            notes.push_back(fmt::format("nobody handed in {}: it does not count; `--assignment {}` makes it count",
                                        assignment->name, assignment->name));
            continue;
        }
        std::string who;
        for (const Submission& submission : submissions)
            if (has_begun(submission, *assignment)) who += (who.empty() ? "`" : ", `") + submission.student.id + "`";
        questions.push_back(fmt::format("only {} handed in {}: it does not count; `--assignment {}` makes it count", who,
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
    Status choose_stages();
    void take_edits();
    Status open_ledger();
    Status read_rules();
    void settle_scope(bool is_asked_for);
    Status record(bool is_asked_for);
    Status record_marks(const BatchOutcome& outcome);
    Status read_hand_ins();
    Status write_map() const;
    int show_plan() const;
    void show_questions() const;
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
    std::vector<std::string> notes_, questions_;
    std::set<std::string> stages_;  // that count; empty: all of the assignments
    HandInMap map_;
    Ledger ledger_;
    LedgerWriter writer_;
    Overrides overrides_;
    LateRules late_;
    bool has_roster_ = false;
    std::string course_name_, changes_text_;
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
    if (auto status = choose_stages(); !status) return status.error();
    if (!options_.map.empty()) {
        auto map = read_hand_in_map(options_.map);
        if (!map) return map.error();
        map_ = std::move(*map);
    }
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

// Of `--stage`; the assignments that count are then those of these stages.
Status GradeVerb::choose_stages() {
    for (const std::string& name : options_.stages) {
        const auto match = find_stage(course_.assignments, name);
        if (!match) return match.error();
        stages_.insert(match->stage->name());
    }
    if (stages_.empty()) return Nothing{};
    std::erase_if(assignments_, [&](const Assignment* assignment) {
        return std::none_of(assignment->stages.begin(), assignment->stages.end(),
                            [&](const Stage& stage) { return stages_.contains(stage.name()); });
    });
    return Nothing{};
}

// What a person changed in the map that the last run left.
void GradeVerb::take_edits() {
    const auto edited = read_hand_in_map((out_ / "map.csv").string());
    const auto written = read_hand_in_map((out_ / graded_store / "map.csv").string());
    if (edited && written) add_decisions(map_, changes_in(*edited, *written));
    const auto decided = read_hand_in_map((out_ / graded_store / "decisions.csv").string());
    if (!decided) return;
    HandInMap all = *decided;
    add_decisions(all, map_);
    map_ = std::move(all);
}

Status GradeVerb::read_hand_ins() {
    const fs::path scratch = out_ / graded_store / "incoming";
    std::error_code error;
    fs::remove_all(scratch, error);  // of a run that was killed
    fs::create_directories(scratch, error);
    take_edits();
    if (auto status = open_ledger(); !status) return status;
    if (auto status = read_rules(); !status) return status;
    auto discovery = discover(options_.paths, course_.assignments, roster_, scratch);
    if (!discovery) return discovery.error();
    notes_.insert(notes_.end(), discovery->notes.begin(), discovery->notes.end());
    questions_ = discovery->questions;
    submissions_ = assign(std::move(*discovery), roster_, has_roster_, map_, notes_, questions_);
    if (has_roster_) note_strangers();
    if (auto status = read_all(course_, map_, scratch, workers_, submissions_); !status) return status.error();
    if (auto status = write_map(); !status) return status;
    if (options_.is_dry_run) {
        if (options_.assignments.empty() && stages_.empty())
            leave_out_unused(submissions_, assignments_, notes_, questions_);
        return Nothing{};
    }
    if (auto status = merge_ledger(ledger_, out_, has_roster_, submissions_, notes_); !status) return status;
    const bool is_asked_for = !options_.assignments.empty() || !options_.stages.empty();
    settle_scope(is_asked_for);
    std::vector<std::string> ids;
    for (const Submission& submission : submissions_) ids.push_back(submission.student.id);
    for (const std::string& note : overrides_.of_nobody(ids)) questions_.push_back(note);
    return record(is_asked_for);
}

// What a person has laid into the folder: overrides, a policy, extensions.
Status GradeVerb::read_rules() {
    std::error_code error;
    const auto text_of_file = [&](const char* name) -> std::optional<std::string> {
        if (!fs::exists(out_ / name, error)) return std::nullopt;
        auto text = read_whole_file(out_ / name, 16ull << 20);
        return text ? std::optional(std::move(*text)) : std::nullopt;
    };
    const auto shown = [&](const char* name) { return shown_path((out_ / name).string()); };
    if (const auto text = text_of_file(overrides_file)) {
        auto overrides = parse_overrides(*text, shown(overrides_file), course_.assignments);
        if (!overrides) return overrides.error();
        overrides_ = std::move(*overrides);
    }
    if (const auto text = text_of_file(policy_file)) {
        auto policy = parse_policy(*text, shown(policy_file), course_.assignments);
        if (!policy) return policy.error();
        late_.policy = std::move(*policy);
    }
    if (const auto text = text_of_file(extensions_file)) {
        auto extensions = parse_extensions(*text, shown(extensions_file), course_.assignments);
        if (!extensions) return extensions.error();
        late_.extensions = std::move(*extensions);
    }
    return Nothing{};
}

// The folder's own book: of this course, or of none yet.
Status GradeVerb::open_ledger() {
    auto read = read_ledger(out_);
    if (!read) return read.error();
    ledger_ = std::move(read->ledger);
    if (read->damaged > 0)
        notes_.push_back(fmt::format("{} of {} cannot be read, and was left out",
                                     counted(read->damaged, "line", "lines"), ledger_file));
    for (const Assignment& assignment : course_.assignments)
        course_name_ += (course_name_.empty() ? "" : ", ") + assignment.name;
    if (!ledger_.course.empty() && ledger_.course != course_name_)
        return usage("another_course", fmt::format("`{}` is the book of another course", options_.out),
                     "name another folder with --out",
                     {"its assignments: " + ledger_.course, "those of this course: " + course_name_});
    has_roster_ = !options_.roster.empty();
    if (has_roster_) return Nothing{};
    if (auto known = roster_of(ledger_)) {
        roster_ = std::move(*known);
        has_roster_ = true;
        notes_.push_back("no --roster: it is the one of an earlier run");
    }
    return Nothing{};
}

// What counts: what is asked for now or was before, else what the class has begun.
void GradeVerb::settle_scope(bool is_asked_for) {
    std::set<std::string> counts = stages_;
    for (const std::string& stage : ledger_.stages) counts.insert(stage);
    if (is_asked_for && stages_.empty())
        for (const Assignment* assignment : assignments_)
            for (const Stage& stage : assignment->stages) counts.insert(stage.name());
    if (is_asked_for && ledger_.stages.empty())
        for (const auto& [id, student] : ledger_.students)
            for (const auto& [stage, mark] : student.marks) counts.insert(stage);
    if (counts.empty()) {
        leave_out_unused(submissions_, assignments_, notes_, questions_);
        return;
    }
    stages_ = std::move(counts);
    assignments_.clear();
    for (const Assignment& assignment : course_.assignments)
        if (std::any_of(assignment.stages.begin(), assignment.stages.end(),
                        [&](const Stage& stage) { return stages_.contains(stage.name()); }))
            assignments_.push_back(&assignment);
    std::set<std::string> beside;
    for (const Submission& submission : submissions_)
        for (const auto& [stage, source] : submission.sources)
            if (!stages_.contains(stage)) beside.insert(stage);
    for (const std::string& stage : beside)
        notes_.push_back(fmt::format("{} was handed in and does not count; `--stage {}` makes it count", stage, stage));
}

// Before anything is graded: what was handed in is kept, whatever happens then.
Status GradeVerb::record(bool is_asked_for) {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    const passwd* user = getpwuid(geteuid());
    writer_ = {out_,
               user != nullptr ? user->pw_name : std::to_string(geteuid()),
               fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
               fmt::format("{} {}", tool_version, program_digest().substr(0, 12)),
               header_["device"].value("kind", "") + " " + header_["device"].value("profile", ""),
               options_.seed};
    std::vector<nlohmann::ordered_json> lines;
    const bool has_new_stage = is_asked_for && std::any_of(stages_.begin(), stages_.end(), [&](const std::string& one) {
        return !ledger_.stages.contains(one);
    });
    if (ledger_.course.empty()) lines.push_back({{"kind", "course"}, {"course", course_name_}});
    if (has_new_stage) lines.push_back({{"kind", "course"}, {"stages", stages_}});
    if (auto status = writer_.append(lines); !status) return status;
    return record_hand_ins(ledger_, writer_, roster_, submissions_);
}

// Every mark that is another one now: on the disk before any table says so, and in few words.
Status GradeVerb::record_marks(const BatchOutcome& outcome) {
    const std::vector<MarkChange> changes = changes_of(ledger_, writer_, outcome.students);
    std::vector<nlohmann::ordered_json> lines;
    for (const MarkChange& change : changes) lines.push_back(change.line);
    if (auto status = writer_.append(lines); !status) return status;
    const bool is_first = ledger_.course.empty();
    if (is_first) return Nothing{};
    constexpr std::size_t most = 20;
    std::string text;
    std::size_t said = 0;
    std::set<std::string> new_students;
    for (const MarkChange& change : changes) {
        if (change.is_new) {
            new_students.insert(change.student);
        } else if (++said <= most) {
            text += wrap_after("  " + escape(change.student) + "  ", escape(change.text), style_of(STDOUT_FILENO).columns);
        }
    }
    if (said > most) text += fmt::format("  and {} more, in {}\n", said - most, ledger_file);
    if (!text.empty()) changes_text_ = "\nMarks that are others than before:\n" + text;
    if (!new_students.empty())
        changes_text_ += fmt::format("\nmarks that are new: of {}\n", counted(new_students.size(), "student", "students"));
    return Nothing{};
}

Status GradeVerb::write_map() const {
    const std::string text = hand_in_map_csv(submissions_), decided = decisions_csv(map_);
    if (auto status = replace_file(out_ / graded_store / "decisions.csv", decided); !status) return status;
    if (auto status = replace_file(out_ / "map.csv", text); !status) return status;
    return replace_file(out_ / graded_store / "map.csv", text);
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
    settings.header = header_;
    settings.overrides = overrides_;
    settings.workers = workers_;
    settings.worker_verb = grade_worker_verb;
    settings.worker_job = [&](const StageOrder& order) { return grade_worker_job(order, options_, 1, walls_); };
    Progress progress("grading", "stages");
    settings.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
    return grade_class(submissions_, settings);
}

Status GradeVerb::write_tables(const BatchOutcome& outcome) {
    if (auto status = replace_file(out_ / "gradebook.csv", gradebook_csv(roster_, assignments_, outcome.students, stages_, late_));
        !status)
        return status.error();
    if (auto status = replace_file(
            out_ / "marks.json", json_text(marks_json(assignments_, outcome.students, stages_, late_), 1) + "\n");
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
    auto outcome = grade();
    if (!outcome) return fail(outcome.error());
    if (auto status = record_marks(*outcome); !status) return fail(status.error());
    if (auto status = write_tables(*outcome); !status) return fail(status.error());
    if (!options_.wants_no_reports) make_reports(*outcome);
    if (options_.is_json()) {
        show(json_text(class_json(header_, outcome->students), 2) + "\n");
    } else {
        show(render_class(*outcome, style_of(STDOUT_FILENO)));
        show_questions();
        show(changes_text_);
        show(fmt::format("\nwalls around what was handed in: {}", walls_.names()) +
             fmt::format("\ngraded {} stages now, {} were known; see {}\n", outcome->graded_now, outcome->known_before,
                         shown_path((out_ / "gradebook.csv").string())));
    }
    const int code = exit_code_of(*outcome);
    return code == 0 && !questions_.empty() ? exit_code(Blame::learner) : code;
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
    app->add_option("--stage", options->stages, "that counts; repeatable; else all of the assignments")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--map", options->map, "whose each hand-in is, which file is which: as OUT/map.csv")
        ->type_name("FILE");
    app->add_flag("--dry-run", options->is_dry_run, "say who gets what, write OUT/map.csv, and grade nothing");
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
