// Which file of a student's hand-ins is which stage's: files get a place, a stage chooses one of its files, and what is
// left open is asked.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "classroom/file_content.hpp"
#include "classroom/intake.hpp"

namespace warpgrade::classroom {

// How a file was found to be a stage's, the surest first.
enum class FoundBy { decided, exactly, decorated, by_id, by_folder, by_content };

struct Candidate {
    const Source* source = nullptr;
    FoundBy how = FoundBy::exactly;
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

struct PlacedFile {
    const Stage* stage = nullptr;
    FoundBy how = FoundBy::exactly;
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
    PlacedFile place_of(const Source& source) const;
    const Stage* stage_of_folder(const Source& source) const;
    PlacedFile by_name(const Source& source, const NameReading& reading, const ContentReading& content) const;
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

std::string shown(const Source& source);

}  // namespace warpgrade::classroom
