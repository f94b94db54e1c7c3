// Which file of a student's hand-ins is which stage's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "classroom/file_content.hpp"
#include "classroom/intake.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

std::string shown(const Source& source) {
    const std::string file = "`" + source.path + "`";
    return source.hand_in.empty() || source.is_sole_hand_in ? file : file + " of `" + source.hand_in + "`";
}

// How a file was found to be a stage's, the surest first.
enum class How { decided, exactly, decorated, by_id, by_folder, by_content };

std::string_view words_for(How how) {
    switch (how) {
        case How::decided: return "as the map says";
        case How::exactly: return "by its name";
        case How::decorated:
        case How::by_id: return "by a part of its name";
        case How::by_folder: return "by the name of its folder";
        case How::by_content: return "by what is in it";
    }
    return "";
}

struct Candidate {
    const Source* source = nullptr;
    How how = How::exactly;
    bool is_set_aside = false;
    bool is_stub = false;
    std::size_t decision = 0;           // index into the submission's decisions
    const Stage* of_content = nullptr;  // the one that its first line or its kernel says
    auto rank() const {
        const auto depth = std::count(source->path.begin(), source->path.end(), '/');
        return std::tuple(how, depth, source->path, source->hand_in);
    }
};

// A file of which nobody can say the stage; it may be any of an assignment's, or any.
struct Unplaced {
    std::string shown;
    std::string why;
    std::set<std::string> stages;  // that it may be; empty: any
    std::optional<HandInTime> time{};
    std::size_t decision = none;  // index into the submission's decisions
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

struct Place {
    const Stage* stage = nullptr;
    How how = How::exactly;
    bool is_set_aside = false;
    Unplaced unplaced;  // where there is no stage
    bool is_decided_against = false;
    const Stage* of_content = nullptr;
};

class Chooser {
public:
    Chooser(const std::vector<Assignment>& course, const std::vector<StubWords>& stubs, const HandInMap& map,
            Submission& submission)
        : course_(course), stubs_(stubs), map_(map), submission_(submission) {}

    void run(const Contents& found) {
        for (const Source& source : found.sources) place(source);
        for (auto& [stage, files] : candidates_) choose(stage, files);
        ask_about_swaps();
        leave_open(found);
        ask_about_last_attempt(found);
    }

private:
    const Stage* stage_named(const std::string& name) const {
        for (const Assignment& assignment : course_)
            for (const Stage& stage : assignment.stages)
                if (stage.name() == name || stage.id == name) return &stage;
        return nullptr;
    }
    bool came_with_the_kit(const std::string& path) const;
    Place place_of(const Source& source) const;
    const Stage* stage_of_folder(const Source& source) const;
    Place by_name(const Source& source, const NameReading& reading, const ContentReading& content) const;
    void place(const Source& source);
    void choose(const std::string& stage, std::vector<Candidate>& files);
    void ask_about_swaps();
    const HandIn* hand_in_called(const std::string& name) const;
    void list_other(const OtherFile& other);
    bool is_superseded(const std::string& stage, const Unplaced& by) const;
    void take_back(const std::string& stage, const std::string& why);
    void leave_open(const Contents& found);
    void ask_about_last_attempt(const Contents& found);
    void grade(const std::string& stage, const Candidate& chosen);
    void pass_over(const std::string& stage, const Candidate& chosen, const Candidate& other);

    const std::vector<Assignment>& course_;
    const std::vector<StubWords>& stubs_;
    const HandInMap& map_;
    Submission& submission_;
    std::map<std::string, std::vector<Candidate>> candidates_;
    std::vector<Unplaced> unplaced_;
};

std::set<std::string> stages_in(const std::vector<Assignment>& course, const std::vector<std::string>& assignments) {
    std::set<std::string> names;
    for (const Assignment& assignment : course)
        if (std::find(assignments.begin(), assignments.end(), assignment.name) != assignments.end())
            for (const Stage& stage : assignment.stages) names.insert(stage.name());
    return names;
}

// Where two assignments have a stage of that name, the folders above decide, nearest first, and then what is in it.
Place Chooser::by_name(const Source& source, const NameReading& reading, const ContentReading& content) const {
    Place place;
    place.is_set_aside = reading.is_set_aside || source.is_set_aside;
    std::vector<NamedStage> stages = reading.stages;
    const fs::path path(source.path);
    for (fs::path folder = path.parent_path(); !folder.empty() && stages.size() > 1; folder = folder.parent_path()) {
        for (const NamedStage& named : reading.stages)
            if (squeezed(folder.filename().string()) == squeezed(named.stage->assignment)) stages = {named};
        if (!folder.has_parent_path()) break;
    }
    for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path())
        place.is_set_aside = place.is_set_aside || says_set_aside(folder.filename().string());
    const auto is_of_content = [&](const NamedStage& named) {
        return std::find(content.assignments.begin(), content.assignments.end(), named.stage->assignment) !=
               content.assignments.end();
    };
    if (stages.size() > 1 && !content.assignments.empty())
        std::erase_if(stages, [&](const NamedStage& named) { return !is_of_content(named); });
    if (stages.size() != 1) {
        place.unplaced = {shown(source), "may be of more than one assignment, and was not graded", {}};
        for (const NamedStage& named : reading.stages) place.unplaced.stages.insert(named.stage->name());
        return place;
    }
    if (!content.assignments.empty() && !is_of_content(stages.front())) {
        place.unplaced = {shown(source),
                          fmt::format("is called as {} is, and what is in it is of {}", stages.front().stage->name(),
                                      content.assignments.front()),
                          stages_in(course_, content.assignments)};
        place.unplaced.stages.insert(stages.front().stage->name());
        return place;
    }
    place.stage = stages.front().stage;
    place.how = stages.front().how == NameMatch::exactly     ? How::exactly
                : stages.front().how == NameMatch::decorated ? How::decorated
                                                             : How::by_id;
    place.of_content = content.stages.size() == 1 ? content.stages.front() : nullptr;
    return place;
}

// "4_padding/main.cu", "4_padding.zip/main.cu": the folder or the archive is called as a stage is.
const Stage* Chooser::stage_of_folder(const Source& source) const {
    const std::string folder = fs::path(source.path).parent_path().filename().string();
    if (folder.empty()) return nullptr;
    const NameReading reading = read_name(course_, folder);
    const bool is_sure = reading.stages.size() == 1 && !reading.is_set_aside && reading.stages.front().stage->is_graded;
    return is_sure ? reading.stages.front().stage : nullptr;
}

Place Chooser::place_of(const Source& source) const {
    Place place;
    if (const auto decided = map_.stage_of(source.hand_in, source.path)) {
        place.stage = *decided == "-" ? nullptr : stage_named(*decided);
        place.how = How::decided;
        place.is_decided_against = *decided == "-";
        if (place.stage != nullptr || place.is_decided_against) return place;
        place.unplaced = {shown(source), fmt::format("is `{}` in the map, and there is no such stage", *decided), {}};
        return place;
    }
    const NameReading reading = read_name(course_, fs::path(source.path).filename().string());
    const ContentReading content = read_content(stubs_, source.text);
    if (!reading.stages.empty()) return by_name(source, reading, content);
    place.unplaced = {shown(source), "is no stage's file", stages_in(course_, content.assignments)};
    if (!reading.contradiction.empty()) {
        place.unplaced.why = reading.contradiction;
        return place;
    }
    const auto settle = [&](const Stage* stage) {
        place.stage = stage;
        place.how = How::by_content;
    };
    const Stage* of_folder = stage_of_folder(source);
    if (of_folder != nullptr && (content.stages.empty() || content.stages.front() == of_folder)) {
        settle(of_folder);
        place.how = How::by_folder;
    } else if (of_folder != nullptr && content.stages.size() == 1) {
        place.unplaced.why = fmt::format("lies in a folder of {}, and what is in it is of {}", of_folder->name(),
                                         content.stages.front()->name());
        place.unplaced.stages = {of_folder->name(), content.stages.front()->name()};
    } else if (content.stages.size() == 1) {
        settle(content.stages.front());
    } else if (reading.number) {
        std::vector<const Stage*> numbered;
        for (const Stage* stage : content.with_launcher)
            if (stage->number == *reading.number && stage->is_graded) numbered.push_back(stage);
        if (numbered.size() == 1) settle(numbered.front());
    }
    return place;
}

// In the student's folder `assignments` beside the stages: problems, headers for editors.
bool Chooser::came_with_the_kit(const std::string& path) const {
    if (course_.empty()) return false;
    fs::path inside;
    bool is_below = false;
    for (const fs::path& part : fs::path(path)) {
        if (is_below) inside /= part;
        if (part != "assignments") continue;
        is_below = true;
        inside.clear();
    }
    if (!is_below) inside = fs::path(path).parent_path().filename() / fs::path(path).filename();
    const bool is_stage = std::any_of(course_.begin(), course_.end(), [&](const Assignment& assignment) {
        return std::any_of(assignment.stages.begin(), assignment.stages.end(),
                           [&](const Stage& stage) { return inside == fs::path(assignment.name) / stage.file; });
    });
    std::error_code error;
    return !is_stage && (is_below || inside.has_parent_path()) &&
           fs::is_regular_file(fs::path(course_.front().folder).parent_path() / inside, error);
}

void Chooser::place(const Source& source) {
    FileDecision decision{source.hand_in, source.path, "", "", source.time};
    if (!map_.stage_of(source.hand_in, source.path) && came_with_the_kit(source.path)) {
        decision.how = "not graded: it came with the kit";
        submission_.decisions.push_back(std::move(decision));
        return;
    }
    Place place = place_of(source);
    if (place.stage != nullptr) {
        decision.stage = place.stage->name();
        const bool is_stub = place.stage->is_stub(source.text);
        candidates_[place.stage->name()].push_back(
            {&source, place.how, place.is_set_aside, is_stub, submission_.decisions.size(), place.of_content});
    } else if (place.is_decided_against) {
        decision.stage = "-";
        decision.how = "not graded, as the map says";
        decision.is_decided = true;
    } else {
        decision.leave_open(place.unplaced.why);
        submission_.notes.push_back(place.unplaced.shown + " " + place.unplaced.why);
        place.unplaced.time = source.time;
        place.unplaced.decision = submission_.decisions.size();
        unplaced_.push_back(std::move(place.unplaced));
    }
    submission_.decisions.push_back(std::move(decision));
}

void Chooser::grade(const std::string& stage, const Candidate& chosen) {
    submission_.sources[stage] = *chosen.source;
    FileDecision& decision = submission_.decisions[chosen.decision];
    decision.is_graded = true;
    decision.is_decided = chosen.how == How::decided;
    decision.how = words_for(chosen.how);
    if (chosen.how == How::by_content)
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

void Chooser::choose(const std::string& stage, std::vector<Candidate>& files) {
    std::sort(files.begin(), files.end(), [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    std::vector<Candidate> left = files;
    prefer(left, [](const Candidate& one) { return one.how != How::decided; });
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
        return chosen.is_stub && chosen.how != How::decided && one.is_set_aside && !one.is_stub;
    });
    if (are_alike(left) && work == files.end() && !(chosen.is_set_aside && chosen.how != How::decided)) {
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
        if (files == candidates_.end() || files->second.size() != 1 || files->second.front().how == How::decided)
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

}  // namespace

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
