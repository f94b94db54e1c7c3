#include "classroom/plain_names.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "classroom/archive.hpp"
#include "classroom/file_stage.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr std::string_view separators = " _-.,;()[]{}+#&";

struct Word {
    std::string text;
    std::size_t begin = 0, end = 0;
};

std::vector<Word> split(const std::string& name) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < name.size();) {
        const auto begin = name.find_first_not_of(separators, at);
        if (begin == std::string::npos) break;
        const auto end = std::min(name.find_first_of(separators, begin), name.size());
        words.push_back({name.substr(begin, end - begin), begin, end});
        at = end;
    }
    return words;
}

// Words of courses, in the languages that students write them in.
const std::set<std::string>& course_words() {
    static const std::set<std::string> words{
        "a",          "abgabe",      "abgaben",     "aufgabe",   "aufgaben", "ass",      "assgn",     "assign",
        "assignment", "assignments", "attempt",     "blatt",     "class",    "code",     "copy",      "course",
        "cu",         "cuda",        "devoir",      "download",  "ex",       "exercise", "exercises", "export",
        "files",      "final",       "gpu",         "hand",      "handed",   "handin",   "handins",   "hausaufgabe",
        "homework",   "homeworks",   "hw",          "in",        "ins",      "kit",      "lab",       "labs",
        "late",       "main",        "master",      "new",       "of",       "part",     "problem",   "project",
        "serie",      "sheet",       "solution",    "solutions", "source",   "sources",  "src",       "stage",
        "stages",     "submission",  "submissions", "submitted", "tar",      "task",     "tasks",     "tarea",
        "ubung",      "uebung",      "update",      "updated",   "upload",   "uploads",  "v",         "version",
        "w",          "warpgrade",   "week",        "weeks",     "wk",       "woche",    "work",      "works",
        "zip",        "parallel",    "programming", "the",       "my",       "and",      "old"};
    return words;
}

bool is_course_word(const std::string& word, const std::vector<Assignment>& course) {
    std::string plain = squeezed(word);
    const auto last = plain.find_last_not_of("0123456789");
    const std::size_t digits = plain.size() - (last == std::string::npos ? 0 : last + 1);
    if (digits == plain.size()) return digits <= 4;  // a number of a week or a year; longer ones are ids
    if (digits > 2) return false;
    plain.resize(plain.size() - digits);
    if (plain.size() == 1 && digits == 0) return false;  // an initial
    if (course_words().contains(plain)) return true;
    return std::any_of(course.begin(), course.end(),
                       [&](const Assignment& assignment) { return squeezed(assignment.name) == plain; });
}

// Where the stage's id, and its number in front of it, stand in the name.
std::optional<std::pair<std::size_t, std::size_t>> place_of_stage(const std::string& name, const Stage& stage) {
    const std::string lower = lower_case(name);
    for (std::size_t begin = 0; begin < lower.size(); ++begin) {
        std::size_t at = begin;
        bool fits = true;
        for (const char c : stage.id) {
            if (c == '_') {
                while (at < lower.size() && separators.find(lower[at]) != std::string_view::npos) ++at;
                continue;
            }
            fits = at < lower.size() && lower[at] == c;
            if (!fits) break;
            ++at;
        }
        if (!fits) continue;
        std::size_t first = begin;
        while (first > 0 && separators.find(lower[first - 1]) != std::string_view::npos) --first;
        const std::size_t after_digits = first;
        while (first > 0 && lower[first - 1] >= '0' && lower[first - 1] <= '9') --first;
        return std::pair(first == after_digits ? begin : first, at);
    }
    return std::nullopt;
}

bool is_plain_of(const HandIn& hand_in, const std::string& container) {
    return hand_in.container == container && hand_in.platform == Platform::none && hand_in.people.size() == 1 &&
           !hand_in.people.front().keys.empty();
}

}  // namespace

std::string without_course_words(const std::string& name, const std::vector<Assignment>& course) {
    const std::vector<Word> words = split(name);
    std::size_t first = 0, last = words.size();
    while (first < last && is_course_word(words[first].text, course)) ++first;
    while (last > first && is_course_word(words[last - 1].text, course)) --last;
    return first == last ? "" : name.substr(words[first].begin, words[last - 1].end - words[first].begin);
}

std::vector<std::string> words_in(const std::string& name) {
    std::vector<std::string> texts;
    for (const Word& word : split(name)) texts.push_back(word.text);
    return texts;
}

bool says_nobody(const std::string& name, const std::vector<Assignment>& course) {
    return without_course_words(name, course).empty();
}

std::string without_stage(const std::string& file_name, const std::vector<Assignment>& course) {
    std::string stem = file_name;
    while (stem.find('.') != std::string::npos && kind_of(stem) != FileKind::other && stem.rfind('.') > 0 &&
           stem.size() - stem.rfind('.') < 6)
        stem.erase(stem.rfind('.'));
    const NameReading reading = read_name(course, file_name);
    if (!reading.stages.empty())
        if (const auto place = place_of_stage(stem, *reading.stages.front().stage))
            stem.replace(place->first, place->second - place->first, " ");
    return without_course_words(stem, course);
}

void settle_titles(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container) {
    // The longest beginning of all names, up to a bar: "HW3_" of "HW3_ann_lee" and "HW3_bo".
    std::vector<std::pair<HandIn*, std::string>> names;
    for (std::size_t i = first; i < hand_ins.size(); ++i) {
        HandIn& hand_in = hand_ins[i];
        if (hand_in.container != container || hand_in.platform != Platform::blackboard) continue;
        if (!hand_in.people.front().is_guess) continue;
        const std::string& file = hand_in.parts.front().name;
        names.emplace_back(&hand_in, file.substr(0, file.find("_attempt_")));
    }
    std::string title = names.empty() ? "" : names.front().second;
    for (const auto& [hand_in, name] : names) {
        const auto differs = std::mismatch(title.begin(), title.end(), name.begin(), name.end()).first;
        title.erase(differs, title.end());
    }
    const auto bar = title.rfind('_');
    const bool has_two =
        std::any_of(names.begin(), names.end(), [&](const auto& one) { return one.second != names.front().second; });
    if (bar == std::string::npos || !has_two) return;
    for (auto& [hand_in, name] : names) {
        if (bar + 1 >= name.size()) return;
        Person& person = hand_in->people.front();
        person.id = name.substr(bar + 1);
        person.is_guess = false;
        // A user's name that begins as all others do would be cut: the longer readings stay.
        std::erase_if(person.keys,
                      [&, &name = name](const Key& key) { return key.text.size() < name.size() - bar - 1; });
    }
}

void settle_teams(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container) {
    std::vector<Person*> people;
    for (std::size_t i = first; i < hand_ins.size(); ++i) {
        HandIn& hand_in = hand_ins[i];
        if (hand_in.container != container || hand_in.platform != Platform::moodle) continue;
        if (hand_in.people.front().name.find('-') == std::string::npos) return;
        people.push_back(&hand_in.people.front());
    }
    constexpr std::size_t enough_to_tell = 3;
    if (people.size() < enough_to_tell) return;
    // A team's name may have a dash, and so may a person's: each reading is one.
    for (Person* person : people)
        for (auto dash = person->name.find('-'); dash != std::string::npos; dash = person->name.find('-', dash + 1))
            add_key(person->keys, Key::Kind::name, std::string_view(person->name).substr(dash + 1));
}

void settle_prefixes(std::vector<HandIn>& hand_ins, std::size_t first, const std::string& container,
                     const std::vector<Assignment>& course) {
    std::vector<std::vector<Word>> names;
    for (std::size_t i = first; i < hand_ins.size(); ++i)
        if (is_plain_of(hand_ins[i], container)) names.push_back(split(hand_ins[i].people.front().id));
    std::size_t shared = 0;
    const auto is_shared = [&](std::size_t at) {
        return std::all_of(names.begin(), names.end(), [&](const std::vector<Word>& words) {
            return at + 1 < words.size() && words[at].text == names.front()[at].text;
        });
    };
    constexpr std::size_t enough_to_tell = 3;
    while (names.size() >= enough_to_tell && is_shared(shared)) ++shared;
    for (std::size_t i = first; i < hand_ins.size(); ++i) {
        HandIn& hand_in = hand_ins[i];
        if (!is_plain_of(hand_in, container)) continue;
        Person& person = hand_in.people.front();
        std::string rest = person.id;
        if (const auto found = find_time(rest)) {
            rest.erase(found->begin, found->end - found->begin);
            if (!hand_in.time) hand_in.time = found->time;
            person.id = without_course_words(rest, course);
            if (person.id.empty()) person.id = hand_in.parts.front().name;
        }
        const std::vector<Word> words = split(rest);
        if (shared > 0 && shared < words.size()) rest.erase(0, words[shared].begin);
        // "hw3-the-foxes": a group's name may begin with such a word, too.
        const std::vector<Word> left = split(rest);
        for (std::size_t at = 0; at + 1 < left.size() && is_course_word(left[at].text, course); ++at)
            add_key(person.keys, Key::Kind::whole, std::string_view(rest).substr(left[at + 1].begin));
        add_key(person.keys, Key::Kind::whole, without_course_words(rest, course));
    }
}

}  // namespace warpgrade::classroom
