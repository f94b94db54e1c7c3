// The stage that a file is of: by the map, its name, its folder, what is in it.
#include <fmt/format.h>

#include <filesystem>

#include "classroom/chooser.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

namespace {

namespace fs = std::filesystem;

std::set<std::string> stages_in(const std::vector<Assignment>& course, const std::vector<std::string>& assignments) {
    std::set<std::string> names;
    for (const Assignment& assignment : course)
        if (std::find(assignments.begin(), assignments.end(), assignment.name) != assignments.end())
            for (const Stage& stage : assignment.stages) names.insert(stage.name());
    return names;
}

}  // namespace

// Where two assignments have a stage of that name, the folders above decide, nearest first, and then what is in it.
PlacedFile Chooser::by_name(const Source& source, const NameReading& reading, const ContentReading& content) const {
    PlacedFile place;
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
    place.how = stages.front().how == NameMatch::exactly     ? FoundBy::exactly
                : stages.front().how == NameMatch::decorated ? FoundBy::decorated
                                                             : FoundBy::by_id;
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

PlacedFile Chooser::place_of(const Source& source) const {
    PlacedFile place;
    if (const auto decided = map_.stage_of(source.hand_in, source.path)) {
        place.stage = *decided == "-" ? nullptr : stage_named(*decided);
        place.how = FoundBy::decided;
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
        place.how = FoundBy::by_content;
    };
    const Stage* of_folder = stage_of_folder(source);
    if (of_folder != nullptr && (content.stages.empty() || content.stages.front() == of_folder)) {
        settle(of_folder);
        place.how = FoundBy::by_folder;
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
    PlacedFile place = place_of(source);
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

}  // namespace warpgrade::classroom
