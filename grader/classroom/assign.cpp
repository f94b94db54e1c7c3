// Whose hand-in is whose, and which file is which stage's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "base/characters.hpp"
#include "classroom/intake.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

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
    const std::string name = lower_case(file_name), wanted = lower_case(stage.file);
    if (name == wanted) return 0;
    const std::string stem = without_copy_mark(fs::path(name).stem().string());
    const std::string wanted_stem = fs::path(wanted).stem().string();
    if (stem == wanted_stem) return 1;
    if (stem.size() > wanted_stem.size() && stem.ends_with(wanted_stem) &&
        std::string_view(" _-").find(stem[stem.size() - wanted_stem.size() - 1]) != std::string_view::npos)
        return 2;
    if (stem == lower_case(stage.id)) return 3;
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
            if (lower_case(folder.filename().string()) == match.stage->assignment) return match;
    matches.front().is_ambiguous = true;
    return matches.front();
}

std::string shown(const Source& source) {
    const std::string file = "`" + source.path + "`";
    return source.hand_in.empty() ? file : file + " of `" + source.hand_in + "`";
}

struct Candidate {
    const Source* source = nullptr;
    int quality = 0;
    // The first is graded.
    auto rank() const {
        const auto depth = std::count(source->path.begin(), source->path.end(), '/');
        return std::tuple(~source->order, quality, depth, source->path, source->hand_in);
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
                submission.notes.push_back(fmt::format("of two files for {}, {} was graded and {} was not", stage,
                                                       shown(chosen), shown(*files[i].source)));
        submission.sources[stage] = chosen;
    }
}

namespace {

// One person of one hand-in, and who that is.
struct Claim {
    const HandIn* hand_in = nullptr;
    const Person* person = nullptr;
    Match match;
};

bool is_surely_one(const Claim& one, const Claim& other) {
    if (one.match.likeness == Likeness::exactly && other.match.likeness == Likeness::exactly) return true;
    if (!one.person->number.empty() && one.person->number == other.person->number) return true;
    return !one.match.text.empty() && one.match.text == other.match.text;
}

// Of the hand-ins that may be this student's the surest, and those that surely are of the same person; the others go.
std::vector<Claim> take_own(std::vector<Claim>& claims) {
    const Claim best = *std::min_element(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
        return a.match.likeness < b.match.likeness;
    });
    const auto others = std::stable_partition(claims.begin(), claims.end(),
                                              [&](const Claim& claim) { return is_surely_one(best, claim); });
    std::vector<Claim> own(claims.begin(), others);
    claims.erase(claims.begin(), others);
    return own;
}

void give(const Claim& claim, Submission& submission) {
    submission.is_late = submission.is_late || claim.hand_in->is_late;
    submission.hand_ins.push_back(*claim.hand_in);
}

Submission stranger(const Claim& claim, const Roster& roster) {
    Submission submission;
    submission.student.id = claim.person->id;
    submission.student.name = claim.person->name;
    // Identifying cells: the id in the first column, the name in the one that says so.
    auto& cells = submission.student.cells;
    cells.assign(roster.columns.size(), "");
    if (!cells.empty()) cells.front() = submission.student.id;
    for (std::size_t i = 1; i < cells.size(); ++i)
        if (squeezed(roster.columns[i]) == "name") cells[i] = submission.student.name;
    return submission;
}

// Hand-ins of two people who are called nearly the same: rarely one person, and never without somebody's word.
void note_likeness(std::vector<Submission*> people, std::vector<std::string>& notes) {
    std::map<std::string, std::vector<Submission*>> alike;
    for (Submission* one : people) {
        const std::string key = squeezed(one->student.id);
        if (!key.empty()) alike[key].push_back(one);
    }
    for (const auto& [key, its] : alike) {
        if (its.size() < 2) continue;
        std::string names;
        for (std::size_t i = 0; i < its.size(); ++i)
            names += (i == 0 ? "`" : i + 1 == its.size() ? " and `" : ", `") + escape(its[i]->student.id) + "`";
        notes.push_back(names + " are called nearly alike; each is a row of its own");
        for (Submission* one : its) one->notes.push_back(notes.back());
    }
}

}  // namespace

std::vector<Submission> assign(const Discovery& discovery, const Roster& roster, bool has_roster,
                               std::vector<std::string>& notes) {
    std::vector<std::vector<Claim>> claims(roster.students.size());
    std::map<std::string, Submission> others;  // by id, as it is written
    const auto add_stranger = [&](const Claim& claim, const std::string& note) {
        const auto [place, is_new] = others.try_emplace(claim.person->id, stranger(claim, roster));
        if (is_new && !note.empty()) place->second.notes.push_back(note);
        give(claim, place->second);
    };
    for (const HandIn& hand_in : discovery.hand_ins) {
        for (const Person& person : hand_in.people) {
            const Claim claim{&hand_in, &person, find_student(roster, person)};
            if (claim.match.student)
                claims[*claim.match.student].push_back(claim);
            else
                add_stranger(claim, !has_roster                ? ""
                                    : claim.match.is_ambiguous ? "more than one student of the roster is called so"
                                                               : "not on the roster");
        }
    }
    std::vector<Submission> all;
    for (std::size_t i = 0; i < roster.students.size(); ++i) {
        Submission submission;
        submission.student = roster.students[i];
        submission.is_on_roster = true;
        const std::vector<Claim> own = claims[i].empty() ? std::vector<Claim>{} : take_own(claims[i]);
        for (const Claim& claim : own) {
            give(claim, submission);
            const std::string name = escape(claim.hand_in->shown);
            if (claim.match.likeness == Likeness::nearly && !claim.match.text.empty() &&
                squeezed(claim.match.text) == squeezed(submission.student.id))
                submission.notes.push_back(fmt::format("`{}` was taken for this student's, whose id is `{}`", name,
                                                       escape(submission.student.id)));
            if (claim.match.likeness == Likeness::by_number)
                submission.notes.push_back(
                    fmt::format("`{}` is this student's by the number {} alone", name, claim.person->number));
        }
        for (const Claim& claim : claims[i]) {
            const std::string mine = escape(own.front().hand_in->shown), other = escape(claim.hand_in->shown);
            const std::string note =
                fmt::format("`{}` and `{}` are called nearly alike; the roster's `{}` was given the first alone", mine,
                            other, escape(submission.student.id));
            // Neither is called as the roster says: which of them is the student's is for a person to say.
            if (own.front().match.likeness != Likeness::exactly)
                submission.doubt = fmt::format("`{}` and `{}` may both be this student's: say which", mine, other);
            submission.notes.push_back(note);
            add_stranger(claim, note);
            notes.push_back(note);
        }
        all.push_back(std::move(submission));
    }
    if (!has_roster) {
        std::vector<Submission*> people;
        for (auto& [id, submission] : others) people.push_back(&submission);
        note_likeness(std::move(people), notes);
    }
    for (auto& [id, submission] : others) all.push_back(std::move(submission));
    return all;
}

}  // namespace warpgrade::classroom
