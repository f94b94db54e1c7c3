#include "classroom/ledger_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/sha256.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

// What this run has read, whoever it gave it to: a student whose files are all somebody else's now is gone.
using Evidence = std::set<std::tuple<std::string, std::string, std::string>>;  // hand-in, file, digest

Evidence evidence_of_run(const std::vector<Submission>& submissions) {
    Evidence all;
    for (const Submission& submission : submissions)
        for (const auto& [stage, source] : submission.sources)
            all.emplace(source.hand_in, source.path, sha256_hex(source.text));
    return all;
}

bool is_elsewhere(const Evidence& read, const TakenFile& file) {
    return read.contains({file.hand_in, file.file, file.sha256});
}

Result<Source> source_of(const TakenFile& file, const std::filesystem::path& folder) {
    auto text = find_evidence(folder, file.sha256);
    if (!text) return text.error();
    Source source;
    source.path = file.file;
    source.text = std::move(*text);
    source.time = file.time;
    source.hand_in = file.hand_in;
    source.is_late = file.is_late;
    source.late_seconds = file.late_seconds;
    return source;
}

// True where what was taken before counts, and not what this run has.
bool is_later(const TakenFile& before, const Source& now) {
    return before.time && now.time && *now.time < *before.time;
}

Status add_files(const LedgerStudent& known, const std::filesystem::path& folder, const Evidence& read,
                 Submission& submission) {
    std::string kept;
    if (!submission.doubt.empty() && !known.files.empty() && submission.doubt != known.doubt) {
        // What is surely this student's stays; what may be, is a question.
        submission.questions.push_back(submission.doubt);
        submission.doubt.clear();
        submission.sources.clear();
    }
    for (const auto& [stage, file] : known.files) {
        const auto now = submission.sources.find(stage);
        const bool has_now = now != submission.sources.end();
        if (!has_now && is_elsewhere(read, file)) continue;  // somebody else's, as it turned out
        if (has_now && !is_later(file, now->second)) continue;
        auto source = source_of(file, folder);
        if (!source) return source.error();
        if (has_now)
            submission.notes.push_back(
                fmt::format("{}: what was handed in earlier is of a later date, and counts", stage));
        if (const auto unclear = submission.unclear.find(stage); unclear != submission.unclear.end()) {
            submission.questions.push_back(
                fmt::format("{}: {}; what was handed in earlier counts", stage, unclear->second));
            submission.unclear.erase(unclear);
        }
        submission.sources[stage] = std::move(*source);
        const bool is_listed = std::any_of(submission.hand_ins.begin(), submission.hand_ins.end(),
                                           [&, &file = file](const HandIn& one) { return one.shown == file.hand_in; });
        HandIn hand_in;
        hand_in.shown = file.hand_in;
        hand_in.time = file.time;
        if (!is_listed) submission.hand_ins.push_back(std::move(hand_in));
        submission.is_late = submission.is_late || file.is_late;
    }
    if (!submission.sources.empty()) submission.problem.clear();
    return Nothing{};
}

std::string state_word(const StageMark& mark) {
    return mark.is_unclear ? unclear_state : std::string(to_string(mark.state));
}

std::string shown(const GivenMark& mark) {
    const bool has_points = mark.state == "final" || mark.state == "provisional";
    return has_points ? points_text(mark.total) : "no mark (" + mark.state + ")";
}

// As it was, but for the files.
void restore(const LedgerStudent& known, Submission& submission) {
    submission.notes = known.notes;
    submission.questions = known.questions;
    submission.unclear = known.unclear;
    submission.problem = known.problem;
    submission.doubt = known.doubt;
    submission.is_late = known.is_late;
    for (const auto& [name, time] : known.hand_ins) {
        HandIn hand_in;
        hand_in.shown = name;
        hand_in.time = time;
        submission.hand_ins.push_back(std::move(hand_in));
    }
}

Json student_line(const Submission& submission) {
    Json line{{"kind", "student"},
              {"student", submission.student.id},
              {"name", submission.student.name},
              {"email", submission.student.email},
              {"on_roster", submission.is_on_roster},
              {"cells", submission.student.cells},
              {"late", submission.is_late},
              {"notes", submission.notes},
              {"questions", submission.questions},
              {"unclear", submission.unclear},
              {"problem", submission.problem},
              {"doubt", submission.doubt}};
    line["hand_ins"] = Json::array();
    for (const HandIn& hand_in : submission.hand_ins)
        line["hand_ins"].push_back({{"name", hand_in.shown}, {"time", hand_in.time ? text_of(*hand_in.time) : ""}});
    return line;
}

bool is_as_known(const LedgerStudent& known, const Submission& now) {
    std::vector<std::pair<std::string, std::optional<HandInTime>>> hand_ins;
    for (const HandIn& one : now.hand_ins) hand_ins.emplace_back(one.shown, one.time);
    return known.student.name == now.student.name && known.student.email == now.student.email &&
           known.student.cells == now.student.cells && known.is_on_roster == now.is_on_roster &&
           known.is_late == now.is_late && known.notes == now.notes && known.questions == now.questions &&
           known.unclear == now.unclear && known.problem == now.problem && known.doubt == now.doubt &&
           known.hand_ins == hand_ins;
}

Json file_line(const std::string& student, const std::string& stage, const Source& source, const std::string& digest) {
    Json line{{"kind", "file"},        {"student", student},        {"stage", stage},
              {"sha256", digest},      {"hand_in", source.hand_in}, {"file", source.path},
              {"late", source.is_late}};
    if (source.time) line["handed_in"] = text_of(*source.time);
    if (source.late_seconds) line["late_seconds"] = *source.late_seconds;
    return line;
}

}  // namespace

Status merge_ledger(const Ledger& ledger, const std::filesystem::path& folder, bool has_roster,
                    std::vector<Submission>& submissions, std::vector<std::string>& notes) {
    const Evidence read = evidence_of_run(submissions);
    std::set<std::string> here;
    std::size_t kept = 0;
    for (Submission& submission : submissions) {
        here.insert(submission.student.id);
        const auto known = ledger.students.find(submission.student.id);
        if (known == ledger.students.end()) continue;
        const bool is_unheard_of = submission.is_missing();
        if (is_unheard_of) restore(known->second, submission);
        if (auto status = add_files(known->second, folder, read, submission); !status) return status;
        kept += is_unheard_of && !submission.sources.empty();
    }
    for (const std::string& id : ledger.order) {
        const LedgerStudent& known = ledger.students.at(id);
        if (here.contains(id)) continue;
        const bool is_moved =
            !known.files.empty() && std::all_of(known.files.begin(), known.files.end(),
                                                [&](const auto& one) { return is_elsewhere(read, one.second); });
        if (is_moved) continue;
        // Who is on no roster any more and handed in nothing, is gone.
        if (known.files.empty() && known.hand_ins.empty() && (has_roster || !known.is_on_roster)) continue;
        Submission submission;
        submission.student = known.student;
        submission.is_on_roster = known.is_on_roster;
        restore(known, submission);
        if (auto status = add_files(known, folder, {}, submission); !status) return status;
        kept += !submission.sources.empty();
        submissions.push_back(std::move(submission));
    }
    if (kept > 0)
        notes.push_back(fmt::format("of {} this run has heard nothing: what was handed in earlier counts",
                                    kept == 1 ? "1 student" : std::to_string(kept) + " students"));
    return Nothing{};
}

std::optional<Roster> roster_of(const Ledger& ledger) {
    if (ledger.columns.empty()) return std::nullopt;
    std::string text = csv_line(ledger.columns);
    std::size_t students = 0;
    for (const std::string& id : ledger.order) {
        const LedgerStudent& one = ledger.students.at(id);
        if (!one.is_on_roster) continue;
        text += csv_line(one.student.cells);
        ++students;
    }
    if (students == 0) return std::nullopt;
    auto roster = parse_roster(text, "the roster of an earlier run");
    return roster ? std::optional(std::move(*roster)) : std::nullopt;
}

Status record_hand_ins(const Ledger& ledger, const LedgerWriter& writer, const Roster& roster,
                       const std::vector<Submission>& submissions) {
    std::vector<Json> lines;
    if (ledger.columns != roster.columns) lines.push_back({{"kind", "course"}, {"columns", roster.columns}});
    std::set<std::string> here;
    for (const Submission& submission : submissions) {
        const std::string& id = submission.student.id;
        here.insert(id);
        const auto known = ledger.students.find(id);
        if (known == ledger.students.end() || !is_as_known(known->second, submission))
            lines.push_back(student_line(submission));
        if (!submission.doubt.empty()) continue;  // nobody knows yet whose it is
        for (const auto& [stage, source] : submission.sources) {
            const std::string digest = sha256_hex(source.text);
            if (auto status = keep_evidence(writer.folder, digest, source.text); !status) return status;
            const TakenFile* before = nullptr;
            if (known != ledger.students.end())
                if (const auto file = known->second.files.find(stage); file != known->second.files.end())
                    before = &file->second;
            const bool is_same = before != nullptr && before->sha256 == digest && before->hand_in == source.hand_in &&
                                 before->file == source.path && before->time == source.time &&
                                 before->is_late == source.is_late && before->late_seconds == source.late_seconds;
            if (!is_same) lines.push_back(file_line(id, stage, source, digest));
        }
        if (known == ledger.students.end()) continue;
        for (const auto& [stage, file] : known->second.files)
            if (!submission.sources.contains(stage))
                lines.push_back({{"kind", "file"}, {"student", id}, {"stage", stage}, {"sha256", ""}});
    }
    for (const std::string& id : ledger.order)
        if (!here.contains(id)) lines.push_back({{"kind", "gone"}, {"student", id}});
    return writer.append(lines);
}

std::vector<MarkChange> changes_of(const Ledger& ledger, const LedgerWriter& writer,
                                   const std::vector<StudentMarks>& students) {
    std::vector<MarkChange> changes;
    for (const StudentMarks& marks : students) {
        const std::string& id = marks.submission->student.id;
        const auto known = ledger.students.find(id);
        for (const StageMark& mark : marks.stages) {
            GivenMark now{mark.correctness,
                          mark.technique,
                          mark.performance,
                          mark.total,
                          mark.max,
                          marks.submission->doubt.empty() ? state_word(mark) : "doubt",
                          "",
                          writer.seed};
            const auto source = marks.submission->sources.find(mark.stage);
            if (source != marks.submission->sources.end()) now.sha256 = sha256_hex(source->second.text);
            const GivenMark* before = nullptr;
            if (known != ledger.students.end())
                if (const auto found = known->second.marks.find(mark.stage); found != known->second.marks.end())
                    before = &found->second;
            if (before != nullptr && before->is_alike(now)) continue;
            const bool is_other_file = before != nullptr && before->sha256 != now.sha256;
            const std::string why = !mark.override_reason.empty() ? "set by a person: " + mark.override_reason
                                    : before == nullptr           ? "new"
                                    : is_other_file               ? "another file"
                                    : before->seed != writer.seed ? "another seed"
                                    : mark.is_rescored            ? "other points"
                                    : before->state != now.state  ? "another state"
                                                                  : "another kit or course";
            MarkChange change;
            change.student = id;
            change.stage = mark.stage;
            change.is_new = before == nullptr;
            change.text =
                fmt::format("{}: {} -> {} of {} ({})", mark.stage, before == nullptr ? "no mark" : shown(*before),
                            shown(now), points_text(now.max), why);
            change.line = {{"kind", "mark"},
                           {"student", id},
                           {"stage", mark.stage},
                           {"correctness", mark.correctness},
                           {"technique", mark.technique},
                           {"performance", mark.performance},
                           {"total", mark.total},
                           {"max", mark.max},
                           {"state", now.state},
                           {"sha256", now.sha256},
                           {"seed", writer.seed},
                           {"device", writer.device},
                           {"why", why}};
            if (before != nullptr) change.line["before"] = before->total;
            if (source != marks.submission->sources.end()) change.line["from"] = source->second.hand_in;
            changes.push_back(std::move(change));
        }
    }
    return changes;
}

}  // namespace warpgrade::classroom
