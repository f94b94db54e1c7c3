#include "course/course_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"

namespace warpgrade {

namespace {

namespace fs = std::filesystem;

// Verbs whose plain words are stages, and options whose value is a word that is none.
constexpr std::array stage_verbs{"check", "explain", "hint", "quiz", "reset", "solution", "bench", "verify"};
constexpr std::array word_options{"--device", "--profile", "--format", "--out", "--results", "--level", "--type"};
constexpr std::string_view program = "warpgrade ";
constexpr std::string_view end_of_command = "`#|>;\"";

template <class Words>
bool is_among(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool is_name_character(char c) { return std::islower(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_name_character); }
bool is_path_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_./-").find(c) != std::string_view::npos;
}

// "transpose/padding" as its two parts, or two empty ones.
std::pair<std::string_view, std::string_view> parts_of(std::string_view word) {
    const auto slash = word.find('/');
    if (slash == std::string_view::npos) return {};
    const auto first = word.substr(0, slash), second = word.substr(slash + 1);
    if (!is_name(first) || !is_name(second)) return {};
    return {first, second};
}

// "4_padding.cu" -> "padding"
std::string id_of_file(const std::string& name) {
    const auto bar = name.find('_'), dot = name.rfind('.');
    return bar == std::string::npos || dot == std::string::npos || dot < bar ? "" : name.substr(bar + 1, dot - bar - 1);
}

}  // namespace

std::vector<std::string> left_out_of(const std::string& assignments_folder) {
    std::vector<std::string> names;
    const auto text = read_whole_file(fs::path(assignments_folder) / "left_out.md", 1 << 20);
    std::istringstream lines(text ? *text : "");
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("- ")) continue;
        const auto end = std::find_if_not(line.begin() + 2, line.end(), is_path_character);
        names.emplace_back(line.begin() + 2, end);
    }
    return names;
}

bool is_left_out(const std::vector<std::string>& left_out, std::string_view assignment, std::string_view stage) {
    return is_among(left_out, assignment) || is_among(left_out, fmt::format("{}/{}", assignment, stage));
}

NameCheck::NameCheck(std::string root, const std::vector<Assignment>& course, const std::vector<std::string>& verbs)
    : root_(std::move(root)), verbs_(verbs), left_out_(left_out_of((fs::path(root_) / "assignments").string())) {
    // Known, though not there.
    for (const std::string& name : left_out_) {
        stages_.push_back(name);
        if (const auto slash = name.find('/'); slash != std::string::npos) stages_.push_back(name.substr(slash + 1));
    }
    for (const Assignment& assignment : course) {
        assignments_.push_back(assignment.name);
        for (const Stage& stage : assignment.stages) {
            stages_.push_back(stage.name());
            stages_.push_back(stage.id);
        }
    }
}

bool NameCheck::is_stage(const std::string& word) const {
    return is_among(stages_, word) || is_among(assignments_, word) || is_among(made_, word);
}

void NameCheck::report(std::string code, const std::string& word, const std::string& what,
                       const std::vector<std::string>& known, const Place& place) {
    problems_.push_back(make_error(Blame::course, std::move(code), fmt::format("there is no {} `{}`", what, word),
                                   {{place.path, place.line, place.column, static_cast<int>(word.size()), ""}}, {},
                                   near_or(word, known, fmt::format("name a {} that exists", what))));
}

// `warpgrade new problem NAME`, `warpgrade new stage ASSIGNMENT NAME`: the last word is there from then on.
void NameCheck::find_made(std::string_view text) {
    made_.clear();
    constexpr std::string_view making = "warpgrade new ";
    for (auto at = text.find(making); at != std::string_view::npos; at = text.find(making, at + 1)) {
        const std::string_view rest = text.substr(at + making.size());
        std::istringstream words(std::string(rest.substr(0, rest.find_first_of("\n`#|>;\""))));
        std::string name;
        for (std::string word; words >> word && is_name(word);) name = word;
        if (!name.empty()) made_.push_back(name);
    }
}

void NameCheck::read(std::string_view text, const std::string& path) {
    find_made(text);
    for (int line = 1; !text.empty(); ++line) {
        const auto end = text.find('\n');
        read_line(text.substr(0, end), {path, line, 0});
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

void NameCheck::read_line(std::string_view line, const Place& start) {
    for (auto at = line.find(program); at != std::string_view::npos; at = line.find(program, at + 1)) {
        // A command stands in backticks, is the path of the launcher, or begins a line of a code block.
        const bool begins = line.find_first_not_of(" $") == at;
        if (begins || line[at - 1] == '`' || line[at - 1] == '/') check_command(line, at + program.size(), start);
    }
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (!is_path_character(line[at])) continue;
        const auto past =
            std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), is_path_character);
        const auto end = static_cast<std::size_t>(past - line.begin());
        std::string_view word = line.substr(at, end - at);
        while (word.ends_with('.')) word.remove_suffix(1);
        const bool is_pattern =
            end < line.size() && std::string_view("*<{$[").find(line[end]) != std::string_view::npos;
        if (!is_pattern && !word.empty()) check_path(word, {start.path, start.line, static_cast<int>(at) + 1});
        at = end;
    }
}

void NameCheck::check_path(std::string_view word, const Place& place) {
    if (const auto parts = fs::path(word); *parts.begin() == "assignments" || *parts.begin() == "solutions") {
        // Other files of these folders are made by a verb, as solutions/seed is, or are not there yet.
        if (std::distance(parts.begin(), parts.end()) < 3) return;
        if (is_left_out(left_out_, std::next(parts.begin())->string(), id_of_file(parts.filename().string()))) return;
        std::error_code error;
        if (!fs::exists(fs::path(root_) / word, error)) report("no_such_file", std::string(word), "file", {}, place);
        return;
    }
    const auto [assignment, stage] = parts_of(word);
    if (is_among(assignments_, assignment) && !is_among(assignments_, stage) && !is_stage(std::string(word)))
        report("no_such_stage", std::string(word), "stage", stages_, place);
}

void NameCheck::check_command(std::string_view line, std::size_t at, const Place& start) {
    std::string verb, previous;
    while (at < line.size() && end_of_command.find(line[at]) == std::string_view::npos) {
        if (line[at] == ' ') {
            if (line.substr(at, 2) == "  ") return;  // what it does, in a column of its own
            ++at;
            continue;
        }
        const auto end = std::min(line.find_first_of(" `#|>;\"", at), line.size());
        const std::string word(line.substr(at, end - at));
        const Place place{start.path, start.line, static_cast<int>(at) + 1};
        at = end;
        if (verb.empty()) {
            verb = word;
            if (!is_name(verb)) return;
            if (!verbs_.empty() && !is_among(verbs_, verb)) {
                report("no_such_verb", verb, "verb", verbs_, place);
                return;
            }
            if (!is_among(stage_verbs, verb)) return;
        } else if (is_name(word) && !is_among(word_options, previous) && !is_stage(word)) {
            report("no_such_stage", word, "stage", stages_, place);
        }
        previous = word;
    }
}

}  // namespace warpgrade
