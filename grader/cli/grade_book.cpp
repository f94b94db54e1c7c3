// The book of a class as `grade` keeps it: what was handed in and decided before, what counts, what changed.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/intake_plan.hpp"
#include "classroom/seed.hpp"
#include "classroom/similarity.hpp"
#include "classroom/utf8.hpp"
#include "cli/class_intake.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_verb.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {

namespace fs = std::filesystem;
using namespace classroom;

// What a person changed in the map that the last run left.
Status GradeVerb::take_edits() {
    const auto edited = read_hand_in_map((out_ / "map.csv").string());
    std::error_code error;
    if (!edited && fs::exists(out_ / "map.csv", error)) return edited.error();
    const auto written = read_hand_in_map((out_ / graded_store / "map.csv").string());
    if (edited && written) {
        const HandInMap changes = changes_in(*edited, *written);
        add_decisions(map_, changes);
        add_decisions(said_, changes);
    }
    const auto decided = read_hand_in_map((out_ / graded_store / "decisions.csv").string());
    if (!decided) return Nothing{};
    HandInMap all = *decided;
    add_decisions(all, map_);
    map_ = std::move(all);
    return Nothing{};
}

std::set<std::string> GradeVerb::hand_ins_before() const {
    std::set<std::string> names;
    for (const auto& [id, student] : ledger_.students) {
        for (const auto& [name, time] : student.hand_ins) names.insert(name);
        for (const auto& [stage, file] : student.files) names.insert(file.hand_in);
    }
    return names;
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
    settle_zones(late_);
    return Nothing{};
}

// Before anything is graded: a date that cannot be compared with when something was handed in decides nothing.
Status GradeVerb::check_clocks() const {
    const std::string path = shown_path((out_ / policy_file).string());
    for (const Submission& submission : submissions_) {
        std::vector<DatedPoints> stages;
        for (const auto& [stage, source] : submission.sources)
            stages.push_back({stage, 0, source.time, source.is_late, source.late_seconds});
        if (auto clash = clash_of_clocks(late_, submission.student.id, stages, path)) return *clash;
    }
    return Nothing{};
}

// A book keeps the seed of its first run: with another one two students would be graded on different shapes.
Status GradeVerb::settle_seed() {
    std::error_code error;
    const bool has_own = options_.has_seed || ledger_.seed.has_value();
    if (!has_own || fs::exists(seed_path(course_.root), error)) {
        const auto seed = course_seed(course_.root);
        if (!seed) return seed.error();
        if (ledger_.seed && !options_.has_seed && *seed != *ledger_.seed)
            notes_.push_back("the seed is the one that this book began with, and not the one in solutions/seed");
        if (!has_own) options_.seed = *seed;
    }
    if (ledger_.seed && options_.has_seed && options_.seed != *ledger_.seed)
        return usage("another_seed",
                     fmt::format("`{}` is graded with seed {}, and not {}", options_.out, *ledger_.seed, options_.seed),
                     "leave --seed out; to grade everybody with another seed, name another folder with --out");
    if (ledger_.seed) options_.seed = *ledger_.seed;
    header_["seed"] = options_.seed;
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
    auto identities = read_identities(out_);
    if (!identities) return identities.error();
    identities_ = std::move(*identities);
    if (options_.wants_pseudonyms && !identities_ && !ledger_.students.empty())
        return usage("has_names", fmt::format("`{}` has names in it already", options_.out),
                     "name another folder with --out");
    if (options_.wants_pseudonyms && !identities_) identities_ = new_identities();
    if (!ledger_.course.empty() && ledger_.course != course_name_)
        return usage("another_course", fmt::format("`{}` is the book of another course", options_.out),
                     "name another folder with --out",
                     {"its assignments: " + ledger_.course, "those of this course: " + course_name_});
    if (auto status = settle_seed(); !status) return status;
    has_roster_ = !options_.roster.empty();
    if (has_roster_) return Nothing{};
    if (identities_) {
        roster_ = identities_->all.empty() ? roster_ : identities_->roster();
        has_roster_ = !roster_.students.empty();
        return Nothing{};
    }
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
    note_what_does_not_count();
}

// But for stubs as they were handed out: who hands in the whole kit has those of every week.
void GradeVerb::note_what_does_not_count() {
    std::vector<std::string> beside;
    for (const Assignment& assignment : course_.assignments)
        for (const Stage& stage : assignment.stages)
            if (!stages_.contains(stage.name()) &&
                std::any_of(submissions_.begin(), submissions_.end(), [&](const Submission& submission) {
                    const auto source = submission.sources.find(stage.name());
                    return source != submission.sources.end() && !stage.is_stub(source->second.text);
                }))
                beside.push_back(stage.name());
    if (beside.empty()) return;
    constexpr std::size_t most_named = 3;
    const std::size_t named = std::min(most_named, beside.size());
    std::string text = fmt::format("{}", fmt::join(beside.begin(), beside.begin() + std::ptrdiff_t(named), ", "));
    if (beside.size() > named)
        text += fmt::format(" and {}", counted(beside.size() - named, "more stage", "more stages"));
    notes_.push_back(beside.size() == 1
                         ? fmt::format("{} was handed in and does not count; `--stage {}` makes it count", text, text)
                         : fmt::format("{} were handed in and do not count; `--stage NAME` makes one count", text));
}

// Before anything is graded: what was handed in is kept, whatever happens then.
Status GradeVerb::record(bool is_asked_for) {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    const passwd* user = getpwuid(geteuid());
    writer_ = {out_,
               user != nullptr ? user->pw_name : std::to_string(geteuid()),
               fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
               kit_of(header_["tool"]),
               header_["device"].value("kind", "") + " " + header_["device"].value("profile", ""),
               options_.seed};
    std::vector<nlohmann::ordered_json> lines;
    const bool has_new_stage = is_asked_for && std::any_of(stages_.begin(), stages_.end(), [&](const std::string& one) {
                                   return !ledger_.stages.contains(one);
                               });
    if (ledger_.course.empty())
        lines.push_back({{"kind", "course"}, {"course", course_name_}, {"seed", options_.seed}});
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
            text +=
                wrap_after("  " + escape(change.student) + "  ", escape(change.text), style_of(STDOUT_FILENO).columns);
        }
    }
    if (said > most) text += fmt::format("  and {} more, in {}\n", said - most, ledger_file);
    if (!text.empty()) changes_text_ = "\nMarks that are others than before:\n" + text;
    if (!new_students.empty())
        changes_text_ +=
            fmt::format("\nmarks that are new: of {}\n", counted(new_students.size(), "student", "students"));
    return Nothing{};
}

// Only where a policy would take something.
void GradeVerb::ask_about_lateness(const BatchOutcome& outcome) {
    if (!late_.policy.is_there()) return;
    std::size_t undated = 0;
    for (const StudentMarks& marks : outcome.students) {
        const LateEffect effect = late_effect_of(marks, late_);
        undated += effect.is_undated;
        if (effect.asks)
            questions_.push_back(
                fmt::format("`{}` is late, as the platform says, and not by how much: give the days in {}",
                            marks.submission->student.id, extensions_file));
    }
    if (undated > 0)
        say(wrap_after("note: ",
                       fmt::format("nothing says when {} handed in: the policy takes nothing from them",
                                   counted(undated, "student", "students")),
                       style_of(STDOUT_FILENO).columns));
}

Status GradeVerb::write_map() const {
    const std::string text = hand_in_map_csv(submissions_), decided = decisions_csv(map_);
    if (auto status = replace_file(out_ / graded_store / "decisions.csv", decided); !status) return status;
    // The mark is for spreadsheets, which take the names for another encoding without it.
    if (auto status = replace_file(out_ / "map.csv", "\xef\xbb\xbf" + text); !status) return status;
    return replace_file(out_ / graded_store / "map.csv", text);
}

Status GradeVerb::write_tables(const BatchOutcome& outcome) {
    if (auto status = replace_file(out_ / "gradebook.csv",
                                   gradebook_csv(roster_, assignments_, outcome.students, stages_, late_));
        !status)
        return status.error();
    if (auto status = replace_file(out_ / "marks.json",
                                   json_text(marks_json(assignments_, outcome.students, stages_, late_), 1) + "\n");
        !status)
        return status.error();
    return replace_file(out_ / "class.json", json_text(class_json(header_, outcome.students), 1) + "\n");
}

}  // namespace warpgrade::cli
