// Whose hand-in is whose.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "base/characters.hpp"
#include "classroom/archive.hpp"
#include "classroom/hand_in_names.hpp"
#include "classroom/intake.hpp"
#include "classroom/plain_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr const char* how_to_say = "say whose it is with --map";

// One person of one hand-in, and who that may be.
struct Claim {
    const HandIn* hand_in = nullptr;
    Person person;
    std::string why;  // it is not sure
    bool is_decided = false;
    bool is_of_several = false;  // it may be of more than one student
};

// An address is one word of a name: "Ann Lee (annlee@x.edu)".
std::vector<std::string> words_with_addresses(const std::string& name) {
    constexpr std::string_view between = " ()[]<>,;";
    std::vector<std::string> words;
    for (std::size_t at = name.find_first_not_of(between); at < name.size();) {
        const auto end = std::min(name.find_first_of(between, at), name.size());
        words.push_back(name.substr(at, end - at));
        at = name.find_first_not_of(between, end);
    }
    return words;
}

// "s1234567 Ann Lee" is one student's id and name; of any other name, students whom a part of it fits, are added.
std::optional<Match> find_by_words(const Roster& roster, const std::vector<std::string>& words, Match& match) {
    const auto find = [&](const std::string& text) {
        return find_student(roster, {"", "", {Key(Key::Kind::whole, text)}, "", false});
    };
    if (words.size() < 2) return std::nullopt;
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
        std::string part;
        for (std::size_t end = begin; end < words.size() && end < begin + 4; ++end) {
            part += (part.empty() ? "" : " ") + words[end];
            const Match found = find(part);
            if (!found.is_one()) continue;
            std::string rest;
            for (std::size_t i = 0; i < words.size(); ++i)
                if (i < begin || i > end) rest += (rest.empty() ? "" : " ") + words[i];
            const Match other = rest.empty() ? Match{} : find(rest);
            if (found.is_sure() && other.is_sure() && found.students == other.students) return other;
            match.students.push_back(found.students.front());
        }
    }
    return std::nullopt;
}

Match find_by_parts(const Roster& roster, const Person& person) {
    Match match;
    for (const Key& key : person.keys) {
        if (key.kind != Key::Kind::whole) continue;
        for (const auto& words : {words_in(key.text), words_with_addresses(key.text)})
            if (const auto sure = find_by_words(roster, words, match)) return *sure;
    }
    std::sort(match.students.begin(), match.students.end());
    match.students.erase(std::unique(match.students.begin(), match.students.end()), match.students.end());
    match.likeness = Likeness::nearly;
    return match;
}

// The cells of a map: "ann", or a group: "ann + bo", "ann; bo".
std::vector<std::string> names_in_cell(const std::string& cell) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= cell.size();) {
        const auto end = std::min(cell.find_first_of("+;", at), cell.size());
        const auto first = cell.find_first_not_of(' ', at), last = cell.find_last_not_of(" +;", end);
        if (first < end) names.push_back(cell.substr(first, std::min(last + 1, end) - first));
        at = end + 1;
    }
    return names;
}

class Assigner {
public:
    Assigner(const Roster& roster, bool has_roster, const HandInMap& map, std::vector<std::string>& notes,
             std::vector<std::string>& questions)
        : roster_(roster),
          has_roster_(has_roster),
          map_(map),
          notes_(notes),
          questions_(questions),
          sure_(roster.students.size()),
          maybe_(roster.students.size()) {}

    std::vector<Submission> run(const Discovery& discovery) {
        const HandInNames names = names_of(discovery);
        for (const HandIn& hand_in : discovery.hand_ins)
            for (const Person& person : hand_in.people)
                for (const Key& key : person.keys) numbers_of_name_[key.squeezed].insert(person.number);
        for (std::size_t i = 0; i < discovery.hand_ins.size(); ++i) claim(discovery.hand_ins[i], names.hand_ins[i]);
        for (std::size_t i = 0; i < discovery.strays.size(); ++i) {
            if (map_.student_of(names.strays[i]))
                claim(discovery.strays[i], names.strays[i]);
            else
                questions_.push_back(fmt::format("`{}` lies among the hand-ins, and nothing says whose it is",
                                                 escape(discovery.strays[i].shown)));
        }
        std::vector<Submission> all;
        for (std::size_t i = 0; i < roster_.students.size(); ++i) all.push_back(of_student(i));
        if (!has_roster_) note_likeness();
        for (auto& [key, submission] : others_) {
            note_several(submission);
            all.push_back(std::move(submission));
        }
        return all;
    }

private:
    // Where names are kept back all hand-ins are called alike, and only numbers differ.
    bool is_shared(const Person& person) const {
        return std::all_of(person.keys.begin(), person.keys.end(),
                           [&](const Key& key) { return numbers_of_name_.at(key.squeezed).size() > 1; });
    }
    void claim(const HandIn& hand_in, const std::vector<std::string>& names);
    void claim_by_map(const HandIn& hand_in, const std::string& cell);
    bool claim_for_group(const HandIn& hand_in, const Person& person);
    void claim_for(const HandIn& hand_in, const Person& person);
    Submission& stranger(const Claim& claim);
    std::string ids_of(const std::vector<std::size_t>& students) const {
        std::string ids;
        for (const std::size_t student : students)
            ids += (ids.empty() ? "`" : ", `") + escape(roster_.students[student].id) + "`";
        return ids;
    }
    Submission of_student(std::size_t index);
    void note_several(Submission& submission);
    void note_likeness();
    const Roster& roster_;
    const bool has_roster_;
    const HandInMap& map_;
    std::vector<std::string>& notes_;
    std::vector<std::string>& questions_;
    std::vector<std::vector<Claim>> sure_, maybe_;  // by student
    std::map<std::string, std::set<std::string>> numbers_of_name_;
    std::map<std::pair<std::string, std::string>, Submission> others_;  // by id as it is written, and number
};

// A row of its own, for a hand-in of which nobody knows whose it is.
Submission& Assigner::stranger(const Claim& claim) {
    const Person& person = claim.person;
    const std::string id = person.id.empty() ? claim.hand_in->shown : person.id;
    const auto [place, is_new] = others_.try_emplace({id, person.number});
    Submission& submission = place->second;
    if (is_new) {
        submission.student.id = id;
        submission.student.name = person.name;
        for (const auto& [key, other] : others_)
            if (&other != &submission && other.student.id == id)
                submission.student.id = id + " (" + person.number + ")";
        // Identifying cells: the id in the first column, the name in the one that says so.
        auto& cells = submission.student.cells;
        cells.assign(roster_.columns.size(), "");
        if (!cells.empty()) cells.front() = submission.student.id;
        for (std::size_t i = 1; i < cells.size(); ++i)
            if (squeezed(roster_.columns[i]) == "name") cells[i] = submission.student.name;
    }
    submission.hand_ins.push_back(*claim.hand_in);
    if (!claim.why.empty()) submission.notes.push_back(claim.why);
    return submission;
}

void Assigner::claim(const HandIn& hand_in, const std::vector<std::string>& names) {
    if (const auto decided = map_.student_of(names)) {
        claim_by_map(hand_in, *decided);
        return;
    }
    for (const Person& person : hand_in.people) claim_for(hand_in, person);
}

void Assigner::claim_by_map(const HandIn& hand_in, const std::string& cell) {
    if (cell == "-") {
        notes_.push_back(fmt::format("`{}` is graded for no student: the map has `-` for it", hand_in.shown));
        return;
    }
    // Unless somebody's own id has a sign in it that stands between those of a group.
    const bool is_one = students_called(roster_, cell).size() == 1;
    for (const std::string& name : is_one ? std::vector{cell} : names_in_cell(cell)) {
        Claim claim{&hand_in, {name, "", {}, "", false}, "", true};
        const auto found = students_called(roster_, name);
        if (found.size() == 1) {
            sure_[found.front()].push_back(std::move(claim));
            continue;
        }
        claim.why = has_roster_ ? "not on the roster" : "";
        stranger(claim);
        if (!has_roster_) continue;
        questions_.push_back(fmt::format(
            "the map gives `{}` to `{}`, and {}: write what the roster has under {}", escape(hand_in.shown),
            escape(name),
            found.empty() ? "the roster has no such student" : "the roster has more than one student of that name",
            id_columns_text(roster_)));
    }
}

// A group's name is not a person's: each member has the hand-in. False: it is no group's.
bool Assigner::claim_for_group(const HandIn& hand_in, const Person& person) {
    const Members members = find_members(roster_, person);
    if (members.students.empty()) return false;
    Match match = find_student(roster_, person);
    const bool is_of_member =
        std::includes(members.students.begin(), members.students.end(), match.students.begin(), match.students.end());
    if (members.is_sure && is_of_member) {
        for (const std::size_t student : members.students) sure_[student].push_back({&hand_in, person, ""});
        return true;
    }
    match.students.insert(match.students.end(), members.students.begin(), members.students.end());
    std::sort(match.students.begin(), match.students.end());
    match.students.erase(std::unique(match.students.begin(), match.students.end()), match.students.end());
    Claim claim{&hand_in, person, "", false, true};
    claim.why = fmt::format("`{}` may be of {}: {}", escape(hand_in.shown), ids_of(match.students),
                            members.is_sure ? "a group is called so, and its name or number is also a student's"
                                            : "more than one group is called so");
    for (const std::size_t student : match.students) maybe_[student].push_back(claim);
    Submission& row = stranger(claim);
    row.doubt = fmt::format("{}; {}", claim.why, how_to_say);
    return true;
}

void Assigner::claim_for(const HandIn& hand_in, const Person& person) {
    const std::string name = escape(hand_in.shown);
    if (person.keys.empty() && person.number.empty()) {
        Claim claim{&hand_in, person, "", false};
        Submission& row = stranger(claim);
        row.doubt = fmt::format("nothing says whose `{}` is: {}", name, how_to_say);
        return;
    }
    if (!has_roster_) {
        stranger({&hand_in, person, "", false});
        return;
    }
    if (claim_for_group(hand_in, person)) return;
    Match match = find_student(roster_, person);
    if (match.students.empty()) match = find_by_parts(roster_, person);
    Claim claim{&hand_in, person, "", false};
    if (match.is_sure() && !(match.is_other_name && !is_shared(person))) {
        sure_[match.students.front()].push_back(std::move(claim));
        return;
    }
    const std::string ids = ids_of(match.students);
    claim.is_of_several = !match.is_one();
    const bool is_number = match.likeness == Likeness::by_number;
    claim.why = match.students.empty() ? "not on the roster"
                : match.is_other_name
                    ? fmt::format("`{}` is {} by the number {}, and is called otherwise, as one of a group is", name,
                                  ids, person.number)
                : is_number      ? fmt::format("`{}` is {} by the number {} alone", name, ids, person.number)
                : match.is_one() ? fmt::format("`{}` may be {}: only a part of its name says so", name, ids)
                                 : fmt::format("`{}` may be of {}: more than one student is called so", name, ids);
    if (match.students.empty()) {
        Submission& row = stranger(claim);
        questions_.push_back(
            fmt::format("nobody on the roster is called `{}`: {}", escape(row.student.id), how_to_say));
        return;
    }
    for (const std::size_t student : match.students) maybe_[student].push_back(claim);
    if (!match.is_one()) {
        Submission& row = stranger(claim);
        row.doubt = fmt::format("{}; {}", claim.why, how_to_say);
    }
}

Submission Assigner::of_student(std::size_t index) {
    Submission submission;
    submission.student = roster_.students[index];
    submission.is_on_roster = true;
    for (const Claim& claim : sure_[index]) submission.hand_ins.push_back(*claim.hand_in);
    const std::vector<Claim>& maybe = maybe_[index];
    for (const Claim& claim : maybe) {
        submission.notes.push_back(claim.why);
        if (sure_[index].empty()) {
            submission.doubt = fmt::format("{}; {}", claim.why, how_to_say);
            if (maybe.size() == 1 && !claim.is_of_several) {
                submission.hand_ins.push_back(*claim.hand_in);
                return submission;
            }
        }
        if (!claim.is_of_several) {
            Submission& row = stranger(claim);
            row.doubt = fmt::format("{}; {}", claim.why, how_to_say);
        }
    }
    note_several(submission);
    return submission;
}

// Several of one person in one place, and no platform's dates between them.
void Assigner::note_several(Submission& submission) {
    for (std::size_t i = 1; i < submission.hand_ins.size(); ++i) {
        const HandIn &one = submission.hand_ins[i - 1], &other = submission.hand_ins[i];
        if (one.container != other.container || (one.time && other.time)) continue;
        if (one.platform != Platform::none && one.platform == other.platform) continue;
        submission.questions.push_back(
            fmt::format("`{}` and `{}` are both this student's", escape(one.shown), escape(other.shown)));
    }
}

// Hand-ins of two people who are called nearly the same: rarely one person, and never without somebody's word.
void Assigner::note_likeness() {
    std::map<std::string, std::vector<Submission*>> alike;
    for (auto& [id, submission] : others_) {
        const std::string key = squeezed(submission.student.id);
        if (!key.empty()) alike[key].push_back(&submission);
    }
    for (const auto& [key, its] : alike) {
        if (its.size() < 2) continue;
        std::string names;
        for (std::size_t i = 0; i < its.size(); ++i)
            names += (i == 0 ? "`" : i + 1 == its.size() ? " and `" : ", `") + escape(its[i]->student.id) + "`";
        notes_.push_back(names + " are called nearly alike; each is a row of its own");
        for (Submission* one : its) one->notes.push_back(notes_.back());
    }
}

}  // namespace

std::vector<Submission> assign(Discovery discovery, const Roster& roster, bool has_roster, const HandInMap& map,
                               std::vector<std::string>& notes, std::vector<std::string>& questions) {
    return Assigner(roster, has_roster, map, notes, questions).run(discovery);
}

namespace {

// Whose name a folder, an archive or a file inside a hand-in has, if anybody's.
const Student* student_called(const std::string& part, const Roster& roster, const std::vector<Assignment>& course) {
    for (const std::string& name : {part, without_course_words(part, course)}) {
        if (says_nobody(name, course)) continue;
        const Match match = find_student(roster, {"", "", {Key(Key::Kind::whole, name)}, "", false});
        if (match.is_sure()) return &roster.students[match.students.front()];
    }
    return nullptr;
}

}  // namespace

void ask_about_others(const Roster& roster, const std::vector<Assignment>& course,
                      std::vector<Submission>& submissions) {
    std::map<std::string, std::set<std::string>> owners;  // ids, by hand-in
    for (const Submission& submission : submissions)
        for (const HandIn& hand_in : submission.hand_ins) owners[hand_in.shown].insert(submission.student.id);
    for (Submission& submission : submissions) {
        for (FileDecision& decision : submission.decisions) {
            if (!decision.is_graded || decision.is_decided) continue;
            const std::filesystem::path path(decision.file);
            for (const auto& part : path) {
                const bool is_file = part == path.filename();
                const Student* other = student_called(
                    is_file ? without_stage(part.string(), course) : without_archive_suffix(part.string()), roster,
                    course);
                if (other == nullptr || owners[decision.hand_in].contains(other->id)) continue;
                const std::string why =
                    fmt::format("`{}` has the name of `{}`: whose is it?", escape(decision.file), escape(other->id));
                submission.sources.erase(decision.stage);
                submission.unclear[decision.stage] = why;
                decision.leave_open(why);
                if (submission.sources.empty()) submission.problem = why;
                break;
            }
        }
    }
}

}  // namespace warpgrade::classroom
