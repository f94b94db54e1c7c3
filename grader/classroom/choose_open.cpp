// Stages that a person has to decide: files that nobody can place, and attempts that may have been meant otherwise.
#include <fmt/format.h>

#include <filesystem>

#include "classroom/chooser.hpp"

namespace warpgrade::classroom {

namespace fs = std::filesystem;

const HandIn* Chooser::hand_in_called(const std::string& name) const {
    const auto found = std::find_if(submission_.hand_ins.begin(), submission_.hand_ins.end(),
                                    [&](const HandIn& one) { return one.shown == name; });
    return found == submission_.hand_ins.end() ? nullptr : &*found;
}

// What is no source text, and may be the work all the same.
void Chooser::list_other(const OtherFile& other) {
    const HandIn* hand_in = hand_in_called(other.hand_in);
    const auto time = hand_in == nullptr ? std::nullopt : hand_in->time;
    const bool is_decided = map_.stage_of(other.hand_in, other.path) == "-";
    FileDecision decision{other.hand_in, other.path, "", "not graded: " + other.why, time};
    decision.is_decided = is_decided;
    if (is_decided) decision.how = "not graded, as the map says";
    submission_.decisions.push_back(std::move(decision));
    if (is_decided) return;
    const std::string where = submission_.hand_ins.size() > 1 ? " of `" + other.hand_in + "`" : "";
    const NameReading reading = read_name(course_, fs::path(other.path).filename().string());
    Unplaced one{
        "`" + other.path + "`" + where, "cannot be graded: " + other.why, {}, time, submission_.decisions.size() - 1};
    for (const NamedStage& named : reading.stages)
        if (named.how != NameMatch::by_id || reading.stages.size() == 1) one.stages.insert(named.stage->name());
    // Of no stage by its name: a report is none's, and what may hold the work is any's.
    const bool may_be_any = other.may_be_work || (is_document_name(other.path) && !is_about_work(other.path));
    if (!one.stages.empty() || may_be_any) unplaced_.push_back(std::move(one));
}

// What is of this stage by its name alone, came after what was found for it, and cannot be graded.
bool Chooser::is_superseded(const std::string& stage, const Unplaced& by) const {
    const auto source = submission_.sources.find(stage);
    const bool is_decided =
        std::any_of(submission_.decisions.begin(), submission_.decisions.end(),
                    [&](const auto& one) { return one.is_graded && one.stage == stage && one.is_decided; });
    return source != submission_.sources.end() && !is_decided && by.stages.size() == 1 && by.time &&
           source->second.time && *source->second.time < *by.time;
}

void Chooser::take_back(const std::string& stage, const std::string& why) {
    submission_.sources.erase(stage);
    for (FileDecision& decision : submission_.decisions)
        if (decision.is_graded && decision.stage == stage) decision.leave_open(why);
    submission_.unclear[stage] = why;
}

// A stage without a file is not handed in only if no file is left that may be it.
void Chooser::leave_open(const Contents& found) {
    for (const OtherFile& other : found.others) list_other(other);
    for (const std::string& problem : found.problems) {
        unplaced_.push_back({problem, "", {}});
        submission_.questions.push_back(problem);
    }
    for (const Assignment& assignment : course_) {
        for (const Stage& stage : assignment.stages) {
            const std::string name = stage.name();
            if (!stage.is_graded || stage.max_points() <= 0 || submission_.unclear.contains(name)) continue;
            const bool has_source = submission_.sources.contains(name);
            for (const Unplaced& file : unplaced_) {
                if (!file.stages.empty() && !file.stages.contains(name)) continue;
                if (has_source && !is_superseded(name, file)) continue;
                if (file.decision != Unplaced::none) submission_.decisions[file.decision].leave_open(file.why);
                if (!submission_.unclear.contains(name))
                    take_back(name, file.shown + (file.why.empty() ? "" : " " + file.why));
            }
        }
    }
}

// With the last attempt somebody may have meant to hand in all of it, or nothing any more.
void Chooser::ask_about_last_attempt(const Contents& found) {
    const HandIn* last = nullptr;
    for (const HandIn& one : submission_.hand_ins) {
        if (!one.time) return;
        if (last == nullptr || *last->time < *one.time) last = &one;
    }
    if (submission_.hand_ins.size() < 2 || submission_.sources.empty()) return;
    const auto is_of_last = [&](const auto& file) { return file.hand_in == last->shown; };
    if (std::any_of(found.sources.begin(), found.sources.end(), is_of_last)) return;
    std::size_t others = 0, beside = 0;  // beside: a report and the like
    for (const OtherFile& other : found.others) {
        if (!is_of_last(other)) continue;
        ++others;
        beside += is_about_work(other.path) || map_.stage_of(other.hand_in, other.path) == "-";
    }
    if (others > 0 && others == beside) return;
    submission_.questions.push_back(fmt::format(
        "`{}` is the last attempt, and nothing in it can be graded: what came before it counts", last->shown));
}

}  // namespace warpgrade::classroom
