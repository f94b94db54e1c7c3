// Which file of a student's hand-ins is which stage's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "classroom/chooser.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

std::string_view words_for(FoundBy how) {
    switch (how) {
        case FoundBy::decided: return "as the map says";
        case FoundBy::exactly: return "by its name";
        case FoundBy::decorated:
        case FoundBy::by_id: return "by a part of its name";
        case FoundBy::by_folder: return "by the name of its folder";
        case FoundBy::by_content: return "by what is in it";
    }
    return "";
}

// "4_padding-2.cu" -> {"4_padding.cu", 2}: Canvas counts uploads of one name so.
std::pair<std::string, int> canvas_upload(const std::string& path) {
    const fs::path file(path);
    const std::string stem = file.stem().string();
    const auto dash = stem.rfind('-');
    const bool counts = dash != std::string::npos && dash + 1 < stem.size() && stem.size() - dash < 4 &&
                        stem.find_first_not_of("0123456789", dash + 1) == std::string::npos;
    if (!counts) return {path, 0};
    return {(file.parent_path() / (stem.substr(0, dash) + file.extension().string())).string(),
            std::stoi(stem.substr(dash + 1))};
}

bool are_alike(const std::vector<Candidate>& files) {
    return std::all_of(files.begin(), files.end(),
                       [&](const Candidate& one) { return one.source->text == files.front().source->text; });
}

// Takes away what something says is not what counts, as long as something is left.
template <class IsLess>
void prefer(std::vector<Candidate>& files, const IsLess& counts_less) {
    std::vector<Candidate> left;
    std::copy_if(files.begin(), files.end(), std::back_inserter(left),
                 [&](const Candidate& one) { return !counts_less(one); });
    if (!left.empty()) files = std::move(left);
}

}  // namespace

std::string shown(const Source& source) {
    const std::string file = "`" + source.path + "`";
    return source.hand_in.empty() || source.is_sole_hand_in ? file : file + " of `" + source.hand_in + "`";
}

void Chooser::grade(const std::string& stage, const Candidate& chosen) {
    submission_.sources[stage] = *chosen.source;
    FileDecision& decision = submission_.decisions[chosen.decision];
    decision.is_graded = true;
    decision.is_decided = chosen.how == FoundBy::decided;
    decision.how = words_for(chosen.how);
    if (chosen.how == FoundBy::by_content)
        submission_.notes.push_back(fmt::format("{} was taken for {} by what is in it", shown(*chosen.source), stage));
    if (!chosen.source->remark.empty())
        submission_.notes.push_back(fmt::format("{}: {}", shown(*chosen.source), chosen.source->remark));
}

void Chooser::pass_over(const std::string& stage, const Candidate& chosen, const Candidate& other) {
    const bool is_same = other.source->text == chosen.source->text;
    submission_.decisions[other.decision].how = is_same ? "not graded: the same text is" : "not graded: another one is";
    if (!is_same)
        submission_.notes.push_back(fmt::format("of two files for {}, {} was graded and {} was not", stage,
                                                shown(*chosen.source), shown(*other.source)));
}

void Chooser::choose(const std::string& stage, std::vector<Candidate>& files) {
    std::sort(files.begin(), files.end(), [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    std::vector<Candidate> left = files;
    prefer(left, [](const Candidate& one) { return one.how != FoundBy::decided; });
    // The last attempt, where every one of them says when it was.
    const bool all_dated = std::all_of(left.begin(), left.end(), [](const Candidate& one) { return one.source->time; });
    if (all_dated) {
        HandInTime last = *left.front().source->time;
        for (const Candidate& one : left) last = std::max(last, *one.source->time);
        prefer(left, [&](const Candidate& one) { return *one.source->time < last; });
    }
    prefer(left, [](const Candidate& one) { return one.is_set_aside; });
    prefer(left, [](const Candidate& one) { return one.is_stub; });
    const bool is_canvas = std::all_of(left.begin(), left.end(), [&](const Candidate& one) {
        return one.source->platform == Platform::canvas &&
               canvas_upload(one.source->path).first == canvas_upload(left.front().source->path).first;
    });
    if (is_canvas) {
        int last = 0;
        for (const Candidate& one : left) last = std::max(last, canvas_upload(one.source->path).second);
        prefer(left, [&](const Candidate& one) { return canvas_upload(one.source->path).second < last; });
    }
    const Candidate chosen = left.front();
    // Work that is set aside, and in its place the stub: which of the two is meant?
    const auto work = std::find_if(files.begin(), files.end(), [&](const Candidate& one) {
        return chosen.is_stub && chosen.how != FoundBy::decided && one.is_set_aside && !one.is_stub;
    });
    if (are_alike(left) && work == files.end() && !(chosen.is_set_aside && chosen.how != FoundBy::decided)) {
        grade(stage, chosen);
        for (const Candidate& other : files)
            if (other.decision != chosen.decision) pass_over(stage, chosen, other);
        return;
    }
    std::string why =
        work != files.end()   ? fmt::format("{} is as it was handed out, and {} may not be what counts, by its name",
                                            shown(*chosen.source), shown(*work->source))
        : chosen.is_set_aside ? fmt::format("{} may not be what counts, by its name", shown(*chosen.source))
                              : fmt::format("{} and {} differ, and nothing says which is the last",
                                            shown(*chosen.source), shown(*left[1].source));
    for (const Candidate& one : files) submission_.decisions[one.decision].leave_open(why);
    submission_.unclear[stage] = std::move(why);
}

// Two files, each with what the other should hold. A file that was begun as a copy of another stage's is no such pair.
void Chooser::ask_about_swaps() {
    const auto holds = [&](const std::string& stage) -> const Stage* {
        const auto files = candidates_.find(stage);
        if (files == candidates_.end() || files->second.size() != 1 || files->second.front().how == FoundBy::decided)
            return nullptr;
        const Stage* found = files->second.front().of_content;
        return found != nullptr && found->name() != stage && submission_.sources.contains(stage) ? found : nullptr;
    };
    for (const auto& [stage, files] : candidates_) {
        const Stage* other = holds(stage);
        const Stage* back = other == nullptr ? nullptr : holds(other->name());
        if (back == nullptr || back->name() != stage) continue;
        const std::string why =
            fmt::format("the files of {} and {} hold what the other one should", stage, other->name());
        for (const std::string& one : {stage, other->name()}) {
            submission_.sources.erase(one);
            submission_.unclear[one] = why;
            submission_.decisions[candidates_.at(one).front().decision].leave_open(why);
        }
    }
}

void FileDecision::leave_open(const std::string& why) {
    is_graded = false;
    is_open = true;
    how = "a person has to say: " + why;
}

void choose_sources(const std::vector<Assignment>& course, const std::vector<StubWords>& stubs, Contents found,
                    const HandInMap& map, Submission& submission) {
    for (Source& source : found.sources) source.is_sole_hand_in = submission.hand_ins.size() < 2;
    submission.notes.insert(submission.notes.end(), found.notes.begin(), found.notes.end());
    // Attempts date themselves, or none does: the roster knows one time for all.
    const bool is_dated =
        std::any_of(found.sources.begin(), found.sources.end(), [](const Source& one) { return one.time.has_value(); });
    for (Source& source : found.sources) {
        if (!is_dated) source.time = submission.student.handed_in;
        source.late_seconds = submission.student.late_seconds;
        source.is_late = source.is_late || source.late_seconds.value_or(0) > 0;
    }
    Chooser(course, stubs, map, submission).run(found);
    submission.is_late = std::any_of(submission.sources.begin(), submission.sources.end(),
                                     [](const auto& source) { return source.second.is_late; });
}

}  // namespace warpgrade::classroom
