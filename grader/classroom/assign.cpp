// Whose hand-in is whose, and which file is which stage's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "classroom/intake.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What browsers and platforms add when a name is taken: "4_padding (1)", "4_padding-1", "4_padding copy".
std::string without_copy_mark(std::string stem) {
    if (stem.ends_with(" copy")) return stem.substr(0, stem.size() - 5);
    if (stem.ends_with(')')) {
        const auto open = stem.rfind('(');
        if (open != std::string::npos && is_digits(stem.substr(open + 1, stem.size() - open - 2))) {
            stem.erase(open);
            while (stem.ends_with(' ')) stem.pop_back();
        }
        return stem;
    }
    const auto dash = stem.rfind('-');
    if (dash != std::string::npos && is_digits(stem.substr(dash + 1))) stem.erase(dash);
    return stem;
}

// How well a file's name says that it is the stage's: 0 exactly, 3 only the stage's id; nullopt: not.
std::optional<int> quality(const std::string& file_name, const Stage& stage) {
    const std::string name = lower(file_name), wanted = lower(stage.file);
    if (name == wanted) return 0;
    const std::string stem = without_copy_mark(fs::path(name).stem().string());
    const std::string wanted_stem = fs::path(wanted).stem().string();
    if (stem == wanted_stem) return 1;
    if (stem.size() > wanted_stem.size() && stem.ends_with(wanted_stem) &&
        std::string_view(" _-").find(stem[stem.size() - wanted_stem.size() - 1]) != std::string_view::npos)
        return 2;
    if (stem == lower(stage.id)) return 3;
    return std::nullopt;
}

// The stage that a file is for. Where two assignments have one of that name, the folders above decide, nearest first.
struct FileMatch {
    const Stage* stage = nullptr;
    int quality = 0;
    bool is_ambiguous = false;
};
FileMatch match_of(const std::vector<Assignment>& course, const Source& source) {
    const fs::path path(source.path);
    std::vector<FileMatch> matches;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (const auto how = quality(path.filename().string(), stage)) matches.push_back({&stage, *how, false});
    if (matches.empty()) return {};
    const auto best = std::min_element(matches.begin(), matches.end(),
                                       [](const FileMatch& a, const FileMatch& b) { return a.quality < b.quality; });
    const int best_quality = best->quality;
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const FileMatch& match) { return match.quality > best_quality; }),
                  matches.end());
    if (matches.size() == 1) return matches.front();
    for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path())
        for (const FileMatch& match : matches)
            if (lower(folder.filename().string()) == match.stage->assignment) return match;
    matches.front().is_ambiguous = true;
    return matches.front();
}

struct Candidate {
    const Source* source = nullptr;
    int quality = 0;
    // The first is graded.
    auto rank() const {
        const auto depth = std::count(source->path.begin(), source->path.end(), '/');
        return std::tuple(~source->order, quality, depth, source->path);
    }
};

}  // namespace

void choose_sources(const std::vector<Assignment>& course, std::vector<Source> found, Submission& submission) {
    std::map<std::string, std::vector<Candidate>> candidates;
    for (const Source& source : found) {
        const FileMatch match = match_of(course, source);
        if (match.stage == nullptr) {
            submission.notes.push_back(fmt::format("`{}` is no stage's file", source.path));
        } else if (match.is_ambiguous) {
            submission.notes.push_back(
                fmt::format("`{}` may be of more than one assignment, and was not graded", source.path));
        } else {
            candidates[match.stage->name()].push_back({&source, match.quality});
        }
    }
    for (auto& [stage, files] : candidates) {
        std::sort(files.begin(), files.end(),
                  [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
        const Source& chosen = *files.front().source;
        for (std::size_t i = 1; i < files.size(); ++i)
            if (files[i].source->text != chosen.text)
                submission.notes.push_back(fmt::format("of two files for {}, `{}` was graded and `{}` was not", stage,
                                                       chosen.path, files[i].source->path));
        submission.sources[stage] = chosen;
    }
}

std::vector<Submission> assign(const Discovery& discovery, const Roster& roster, bool has_roster) {
    std::vector<Submission> all;
    for (const Student& student : roster.students) {
        Submission submission;
        submission.student = student;
        submission.is_on_roster = true;
        all.push_back(std::move(submission));
    }
    std::map<std::string, Submission> others;  // by id, squeezed: one person in two cases is one person
    for (const HandIn& hand_in : discovery.hand_ins) {
        for (const Person& person : hand_in.people) {
            const Match match = find_student(roster, person);
            Submission* submission = nullptr;
            if (match.student) {
                submission = &all[*match.student];
                if (match.is_by_number)
                    submission->notes.push_back(
                        fmt::format("`{}` is this student's by the number {} alone", hand_in.shown, person.number));
            } else {
                const std::string key = squeezed(person.id).empty() ? person.id : squeezed(person.id);
                submission = &others[key];
                submission->student.id = person.id;
                submission->student.name = person.name;
                submission->student.cells.assign(roster.columns.size(), "");
                if (has_roster && submission->hand_ins.empty())
                    submission->notes.push_back(match.is_ambiguous ? "more than one student of the roster is called so"
                                                                   : "not on the roster");
            }
            submission->is_late = submission->is_late || hand_in.is_late;
            submission->hand_ins.push_back(hand_in);
        }
    }
    for (auto& [key, submission] : others) {
        // Identifying cells: the id in the first column, the name in the one that says so.
        auto& cells = submission.student.cells;
        if (!cells.empty()) cells.front() = submission.student.id;
        for (std::size_t i = 1; i < cells.size(); ++i)
            if (squeezed(roster.columns[i]) == "name") cells[i] = submission.student.name;
        all.push_back(std::move(submission));
    }
    return all;
}

}  // namespace warpgrade::classroom
