#include "classroom/similarity.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "course/source_text.hpp"

namespace warpgrade::classroom {
namespace {

struct One {
    std::string student, text, ptx, hand_in;
};

using Groups = std::map<std::string, std::vector<const One*>>;

// Of more than one person, who did not hand in together.
bool is_shared(const std::vector<const One*>& group) {
    std::set<std::string> hand_ins;
    for (const One* one : group) hand_ins.insert(one->hand_in);
    return hand_ins.size() > 1;
}

bool has_one_text(const std::vector<const One*>& group) {
    return std::all_of(group.begin(), group.end(), [&](const One* one) { return one->text == group.front()->text; });
}

AlikeGroup group_of(const std::string& stage, bool is_same_text, const std::vector<const One*>& members) {
    AlikeGroup group{stage, is_same_text, {}};
    for (const One* one : members) group.students.push_back(one->student);
    return group;
}

// What was attempted, by stage in the order in which stages are met.
std::vector<std::pair<std::string, std::vector<One>>> attempts_of(const std::vector<StudentMarks>& students) {
    std::vector<std::pair<std::string, std::vector<One>>> found;
    for (const StudentMarks& marks : students) {
        if (!marks.submission->doubt.empty()) continue;
        for (const StageMark& mark : marks.stages) {
            const auto source = marks.submission->sources.find(mark.stage);
            if (source == marks.submission->sources.end() || !mark.is_attempted()) continue;
            auto at =
                std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.first == mark.stage; });
            if (at == found.end()) at = found.insert(found.end(), {mark.stage, {}});
            at->second.push_back({marks.submission->student.id, text_digest(source->second.text), mark.ptx_digest,
                                  source->second.hand_in});
        }
    }
    return found;
}

}  // namespace

std::vector<ProgramCount> programs_of(const std::vector<StudentMarks>& students) {
    std::vector<ProgramCount> found;
    for (const auto& [stage, all] : attempts_of(students)) {
        std::map<std::string, std::size_t> by_ptx;
        ProgramCount count{stage};
        for (const One& one : all)
            if (!one.ptx.empty()) count.commonest = std::max(count.commonest, ++by_ptx[one.ptx]);
        count.different = by_ptx.size();
        for (const auto& [digest, files] : by_ptx) count.files += files;
        found.push_back(count);
    }
    return found;
}

std::vector<AlikeGroup> alike_files(const std::vector<StudentMarks>& students) {
    std::vector<AlikeGroup> texts, programs;
    for (const auto& [stage, all] : attempts_of(students)) {
        Groups by_text, by_ptx;
        for (const One& one : all) {
            by_text[one.text].push_back(&one);
            if (!one.ptx.empty()) by_ptx[one.ptx].push_back(&one);
        }
        std::size_t sharing = 0;
        for (const auto& [digest, group] : by_ptx) sharing += is_shared(group) ? group.size() : 0;
        constexpr std::size_t rare = 4;  // a quarter of those who attempted the stage
        const auto first_before = [](const AlikeGroup& a, const AlikeGroup& b) { return a.students < b.students; };
        std::vector<AlikeGroup> here, compiled;
        for (const auto& [digest, group] : by_text)
            if (is_shared(group)) here.push_back(group_of(stage, true, group));
        if (sharing * rare <= all.size())
            for (const auto& [digest, group] : by_ptx)
                if (is_shared(group) && !has_one_text(group)) compiled.push_back(group_of(stage, false, group));
        std::sort(here.begin(), here.end(), first_before);
        std::sort(compiled.begin(), compiled.end(), first_before);
        texts.insert(texts.end(), here.begin(), here.end());
        programs.insert(programs.end(), compiled.begin(), compiled.end());
    }
    texts.insert(texts.end(), programs.begin(), programs.end());
    return texts;
}

}  // namespace warpgrade::classroom
