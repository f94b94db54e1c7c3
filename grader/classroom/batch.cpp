#include "classroom/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "classroom/gradescope.hpp"
#include "classroom/result_tests.hpp"
#include "classroom/stage_json.hpp"
#include "classroom/utf8.hpp"
#include "classroom/worker_pool.hpp"
#include "grade/rescore.hpp"
#include "grade/result.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* key_schema = "stage/2";  // raised when the meaning of an entry changes

class Batch {
public:
    Batch(const std::vector<Submission>& submissions, const BatchSettings& settings)
        : submissions_(submissions), settings_(settings), store_(settings.out / graded_store) {}

    Result<BatchOutcome> run();

private:
    struct Part {
        const Assignment* assignment = nullptr;
        const Stage* stage = nullptr;
        std::string key;      // empty: not handed in
        std::string unclear;  // or why nobody knows yet
    };
    struct Work {
        std::string file_name;
        std::vector<Part> parts;
        std::set<std::string> waiting_for;
    };

    Status lay_out();
    Status hand_over(std::size_t student);
    void grade_missing();
    Status grade_elsewhere();
    Status finish_waiting(const std::string& key);
    void take(const StageOrder& order, PoolReply reply);
    Json stage_json(const Part& part);
    Status finish(std::size_t student);
    void remove_stale();

    const std::vector<Submission>& submissions_;
    const BatchSettings& settings_;
    StageStore store_;
    std::vector<Work> works_;
    std::vector<StageOrder> orders_;
    std::map<std::string, std::vector<std::size_t>> waiting_;  // students, by the key of a stage that is to be graded
    std::map<std::string, std::string> failures_;              // why there is no result, by key
    std::set<std::string> rescored_;                           // keys of results with points of now
    std::set<std::string> limits_;                             // of these, where the kit or the machine cannot
    std::optional<Diagnostic> stopped_by_;
    BatchOutcome outcome_;
};

// Each student gets a name for files that nobody else has, also where the case of letters does not count.
Status Batch::lay_out() {
    std::set<std::string> taken;
    for (const Submission& submission : submissions_) {
        Work work;
        work.file_name = file_name_for(submission.student.id);
        for (int copy = 2; !taken.insert(lower_case(work.file_name)).second; ++copy)
            work.file_name = file_name_for(submission.student.id + "." + std::to_string(copy));
        works_.push_back(std::move(work));
    }
    std::set<std::string> ordered;
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
        if (auto status = hand_over(i); !status) return status;
        for (const Part& part : works_[i].parts) {
            if (part.key.empty()) continue;
            if (store_.has(part.key)) {
                outcome_.known_before += ordered.insert(part.key).second;
                continue;
            }
            works_[i].waiting_for.insert(part.key);
            waiting_[part.key].push_back(i);
            if (!ordered.insert(part.key).second) continue;
            orders_.push_back({part.key, part.stage->name(), settings_.out / "handed-in" / works_[i].file_name,
                               part.assignment->name + "/" + part.stage->file});
        }
    }
    return Nothing{};
}

// Writes the student's files where they are graded and kept, and names each by what decides its result.
Status Batch::hand_over(std::size_t student) {
    const Submission& submission = submissions_[student];
    Work& work = works_[student];
    const fs::path folder = settings_.out / "handed-in" / work.file_name;
    std::set<std::string> wanted;
    for (const Assignment* assignment : settings_.assignments) {
        for (const Stage& stage : assignment->stages) {
            if (!settings_.counts(stage)) continue;
            Part part{assignment, &stage, "", ""};
            const auto source = submission.sources.find(stage.name());
            if (source != submission.sources.end()) {
                const std::string file = assignment->name + "/" + stage.file;
                wanted.insert(file);
                const auto known = read_whole_file(folder / file, 2ull << 20);
                if (!known || *known != source->second.text)
                    if (auto status = replace_file(folder / file, source->second.text); !status) return status;
                Sha256 hash;
                for (const std::string& field :
                     {std::string(key_schema), settings_.run_digest, settings_.course_digests.at(assignment->name),
                      measuring_text(stage, settings_.is_on_card), source->second.text})
                    hash.add_field(field);
                part.key = hash.hex();
            } else if (const auto unclear = submission.unclear.find(stage.name());
                       unclear != submission.unclear.end()) {
                part.unclear = unclear->second;
            } else if (stage.max_points() <= 0) {
                continue;  // a worked example, or an exercise
            }
            work.parts.push_back(std::move(part));
        }
    }
    // A stage's file that is somebody else's by now; it is kept by its digest.
    std::error_code error;
    for (const Assignment* assignment : settings_.assignments)
        for (const Stage& stage : assignment->stages)
            if (const std::string file = assignment->name + "/" + stage.file;
                !wanted.contains(file) && settings_.counts(stage))
                fs::remove(folder / file, error);
    return Nothing{};
}

void Batch::grade_missing() {
    std::vector<wire::Fields> jobs;
    for (const StageOrder& order : orders_) jobs.push_back(settings_.worker_job(order));
    settings_.progress(0, jobs.size());
    std::size_t done = 0;
    run_jobs(settings_.worker_verb, jobs, settings_.workers, {.cards = settings_.cards},
             [&](std::size_t job, PoolReply reply) {
                 take(orders_[job], std::move(reply));
                 settings_.progress(++done, jobs.size());
                 return !stopped_by_;  // a full disk keeps nothing of what would be graded
             });
    outcome_.graded_now = done;
}

void Batch::take(const StageOrder& order, PoolReply reply) {
    if (reply.ok() && reply.fields.size() == 2 && reply.fields[0] == "ok") {
        Json stage = Json::parse(reply.fields[1], nullptr, false);
        if (stage.is_discarded()) {
            failures_[order.key] = "the process that graded it answered in no known way";
        } else if (mark_of(stage).state == ScoreState::internal_error) {
            failures_[order.key] = mark_of(stage).why;
        } else if (auto status = store_.keep(order.key, stage); !status) {
            stopped_by_ = status.error();
        }
    } else if (reply.ok() && reply.fields.size() == 3 && reply.fields[0] == "error") {
        failures_[order.key] = reply.fields[2];
        if (reply.fields[1] == std::to_string(exit_code(Blame::host))) limits_.insert(order.key);
    } else {
        failures_[order.key] = reply.ok() ? "the process that graded it answered in no known way" : reply.failure;
    }
    if (auto status = finish_waiting(order.key); !status) stopped_by_ = status.error();
}

// Whoever waited for this stage alone is done.
Status Batch::finish_waiting(const std::string& key) {
    for (const std::size_t student : waiting_[key]) {
        works_[student].waiting_for.erase(key);
        if (!works_[student].waiting_for.empty()) continue;
        if (auto status = finish(student); !status) return status;
    }
    return Nothing{};
}

Status Batch::grade_elsewhere() {
    if (orders_.empty()) return Nothing{};
    auto elsewhere = settings_.executor(orders_);
    if (!elsewhere) return elsewhere.error();
    outcome_.pending = elsewhere->pending;
    if (outcome_.pending > 0) return Nothing{};
    failures_ = std::move(elsewhere->given_up);
    for (const StageOrder& order : orders_)
        if (auto status = finish_waiting(order.key); !status) return status;
    return Nothing{};
}

Json Batch::stage_json(const Part& part) {
    if (!part.unclear.empty()) {
        Json json = stage_without_result(*part.assignment, *part.stage, ScoreState::noisy, part.unclear);
        json["score"]["state"] = unclear_state;
        json["handed_in"] = false;
        return json;
    }
    if (part.key.empty()) {
        Json json = stage_without_result(*part.assignment, *part.stage, ScoreState::final, "no file was handed in");
        json["handed_in"] = false;
        return json;
    }
    if (auto stored = store_.find(part.key)) {
        if (rescore(*stored, *part.stage)) rescored_.insert(part.key);
        stored->erase("marking");
        (*stored)["key"] = part.key;  // by which it is graded again
        return *stored;
    }
    const auto failure = failures_.find(part.key);
    Json json = stage_without_result(
        *part.assignment, *part.stage, ScoreState::internal_error,
        failure == failures_.end() ? "its result was damaged; run the command again" : failure->second);
    json["source"] = part.assignment->name + "/" + part.stage->file;
    if (limits_.contains(part.key)) json["score"]["is_limit"] = true;
    return json;
}

Status Batch::finish(std::size_t student) {
    const Submission& submission = submissions_[student];
    StudentMarks& marks = outcome_.students[student];
    const Work& work = works_[student];
    marks.stages.clear();
    // Points that a person gives are a mark also of what was not handed in. An excuse from a part of it is none.
    std::size_t excused = 0;
    bool is_decided = false;
    for (const Part& part : work.parts) {
        const Override* decided = settings_.overrides.find(submission.student.id, part.stage->name());
        if (decided == nullptr) continue;
        excused += decided->is_excused;
        is_decided = is_decided || !decided->is_excused;
    }
    is_decided = is_decided || (excused > 0 && excused == work.parts.size());
    if ((submission.is_missing() || submission.sources.empty()) && !is_decided) {
        marks.standing = submission.is_missing()       ? Standing::missing
                         : submission.hand_ins.empty() ? Standing::review
                                                       : Standing::unreadable;
        return Nothing{};
    }
    Json result = settings_.header;
    result["student"] = submission.student.id;
    result["stages"] = Json::array();
    double total = 0, max = 0;
    for (const Part& part : work.parts) {
        result["stages"].push_back(stage_json(part));
        add_evidence(result["stages"].back(), submission, *part.stage);
        if (const Override* decided = settings_.overrides.find(submission.student.id, part.stage->name()))
            apply(*decided, result["stages"].back());
        marks.stages.push_back(mark_of(result["stages"].back()));
        marks.stages.back().is_rescored = rescored_.contains(part.key);
        total += marks.stages.back().total;
        max += marks.stages.back().max;
    }
    result["score"] = {{"total", hundredths(total)}, {"max", hundredths(max)}};
    marks.standing = submission.doubt.empty() ? standing_of(marks.stages) : Standing::review;
    const auto write = [&](const char* folder, const Json& json) {
        const fs::path path = settings_.out / folder / (work.file_name + ".json");
        const std::string text = json_text(json, 1) + "\n";
        const auto known = read_whole_file(path);
        return known && *known == text ? Status(Nothing{}) : replace_file(path, text);
    };
    if (auto status = write("results", result); !status) return status;
    return write("gradescope", gradescope_json(result, submission.notes));
}

// Results of students who are no longer in the class would be counted by the class report. Only files of students whom
// the ledger knew are this kit's to remove, and nothing is lost: their stages and their files stay in the store. And
// what a run that was killed had half written: only this process writes there.
void Batch::remove_stale() {
    std::set<std::string> wanted;
    for (const StudentMarks& marks : outcome_.students)
        if (!marks.stages.empty()) wanted.insert(marks.file_name + ".json");
    for (const char* folder : {"results", "gradescope"}) {
        std::error_code error;
        std::vector<fs::path> stale;
        for (fs::directory_iterator at(settings_.out / folder, error), end; !error && at != end; at.increment(error))
            if (const std::string name = at->path().filename().string();
                (!wanted.contains(name) && settings_.known_files.contains(name)) || is_half_written(name))
                stale.push_back(at->path());
        for (const fs::path& path : stale) fs::remove(path, error);
    }
}

Result<BatchOutcome> Batch::run() {
    if (auto status = lay_out(); !status) return status.error();
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
        StudentMarks marks;
        marks.submission = &submissions_[i];
        marks.file_name = works_[i].file_name;
        outcome_.students.push_back(std::move(marks));
    }
    for (std::size_t i = 0; i < submissions_.size(); ++i)
        if (works_[i].waiting_for.empty())
            if (auto status = finish(i); !status) return status.error();
    if (settings_.executor) {
        if (auto status = grade_elsewhere(); !status) return status.error();
        if (outcome_.pending > 0) return std::move(outcome_);
    } else {
        grade_missing();
    }
    if (stopped_by_) return *stopped_by_;
    remove_stale();
    outcome_.rescored = rescored_.size();
    return std::move(outcome_);
}

}  // namespace

Result<BatchOutcome> grade_class(const std::vector<Submission>& submissions, const BatchSettings& settings) {
    return Batch(submissions, settings).run();
}

}  // namespace warpgrade::classroom
