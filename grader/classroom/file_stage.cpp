#include "classroom/file_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "classroom/archive.hpp"
#include "classroom/utf8.hpp"
#include "course/source_text.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// "04_Padding - Copy" -> 4, padding, copy; "4padding" -> 4, padding. Numbers lose their zeros.
Words words_of(std::string_view text) {
    const std::string lower = lower_case(text);
    Words words;
    bool is_word_open = false;
    for (const char c : lower) {
        const bool is_part = is_digit(c) || (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80) != 0;
        if (!is_part) {
            is_word_open = false;
            continue;
        }
        if (is_word_open && is_digit(words.back().back()) == is_digit(c))
            words.back() += c;
        else
            words.emplace_back(1, c);
        is_word_open = true;
    }
    for (std::string& word : words)
        if (is_digit(word[0])) word.erase(0, std::min(word.find_first_not_of('0'), word.size() - 1));
    return words;
}

bool is_number(const std::string& word) { return is_digit(word[0]); }

// The name without its suffixes: ".cu", ".cu.txt", ".cu.cu", ".cpp".
std::string without_suffixes(std::string name) {
    for (;;) {
        const auto dot = name.rfind('.');
        if (dot == std::string::npos || dot == 0) return name;
        const FileKind kind = kind_of(name);
        const std::string suffix = name.substr(dot + 1);
        const bool is_suffix = kind == FileKind::source ||
                               (kind == FileKind::text && suffix.size() <= 5 && suffix.find(' ') == std::string::npos);
        // "document.pdf", and whatever else is no source at all, still is called something.
        if (!is_suffix && kind != FileKind::other && kind != FileKind::archive) return name;
        name.erase(dot);
    }
}

// Words that say of a file that another one counts.
constexpr std::array<std::string_view, 13> set_aside_words{"old",      "backup", "bak",      "broken", "wrong",
                                                           "orig",     "stub",   "template", "unused", "draft",
                                                           "original", "test",   "outdated"};

// Where the words of the stage's id stand one after the other; npos: nowhere.
std::size_t place_of(const Words& words, const Words& wanted) {
    const auto at = std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
    return at == words.end() ? std::string::npos : static_cast<std::size_t>(at - words.begin());
}

struct Reading {
    NamedStage named;
    std::size_t length = 0;  // of the id in words: "any_type" is before "open" in "any_type_open"
    std::size_t place = 0;
    std::string number;  // that stands where the stage's number would; empty: none
};

// Also "cornerTurning" in one word.
std::optional<Reading> read_as(const Words& words, const Stage& stage, const std::string& name) {
    Words wanted = words_of(stage.id);
    std::size_t at = place_of(words, wanted);
    if (at == std::string::npos && wanted.size() > 1) {
        std::string joined;
        for (const std::string& word : wanted) joined += word;
        at = place_of(words, {joined});
    }
    if (at == std::string::npos) return std::nullopt;
    Reading reading;
    reading.length = wanted.size();
    reading.place = at;
    reading.named.stage = &stage;
    if (at > 0 && is_number(words[at - 1])) reading.number = words[at - 1];
    const bool is_exact = lower_case(name) == lower_case(stage.file);
    const bool has_own_number = reading.number == std::to_string(stage.number);
    reading.named.how = is_exact ? NameMatch::exactly : has_own_number ? NameMatch::decorated : NameMatch::by_id;
    return reading;
}

bool has_word(std::string_view text, std::string_view word) {
    const auto is_name = [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_name(text[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == text.size() || !is_name(text[end]))) return true;
    }
    return false;
}

struct Definitions {
    std::vector<std::string> kernels, launchers;
    std::vector<std::string> repeated;  // of the launchers, that are defined more than once
};

// `padded` of stage `padding`; a name that anybody would choose, as `naive`, gives no stage away.
bool is_called_as(const std::string& kernel, const std::string& id) {
    constexpr std::size_t enough = 4;
    return kernel.size() >= enough && id.size() >= enough && kernel.compare(0, enough, id, 0, enough) == 0;
}

// Names in front of a "(" that a body follows: kernels by __global__, else functions that return void.
Definitions definitions_in(std::string_view source) {
    const std::string code = without_comments(source);
    Definitions found;
    const auto add_names = [&](std::string_view mark, std::vector<std::string>& names) {
        for (auto at = code.find(mark); at != std::string::npos; at = code.find(mark, at + 1)) {
            const bool begins =
                at == 0 || !(std::isalnum(static_cast<unsigned char>(code[at - 1])) != 0 || code[at - 1] == '_');
            const auto open = code.find('(', at);
            if (!begins || open == std::string::npos || open - at > 300) continue;
            // __launch_bounds__(256) stands between.
            auto name_end = open;
            if (mark == "__global__" &&
                std::string_view(code).substr(at, open - at).find("__launch_bounds__") != std::string_view::npos) {
                const auto close = code.find(')', open);
                name_end = close == std::string::npos ? open : code.find('(', close);
                if (name_end == std::string::npos) continue;
            }
            auto end = code.find_last_not_of(" \t\r\n", name_end - 1);
            auto begin = end;
            while (begin != std::string::npos && begin > 0 &&
                   (std::isalnum(static_cast<unsigned char>(code[begin])) != 0 || code[begin] == '_'))
                --begin;
            const std::string name = code.substr(begin + 1, end - begin);
            const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
            if (!name.empty() && !is_known) names.push_back(name);
            if (is_known && mark == "void") found.repeated.push_back(name);
        }
    };
    add_names("__global__", found.kernels);
    add_names("void", found.launchers);
    std::erase_if(found.launchers, [&](const std::string& name) {
        return std::find(found.kernels.begin(), found.kernels.end(), name) != found.kernels.end();
    });
    return found;
}

}  // namespace

bool says_set_aside(const std::string& name) {
    const Words words = words_of(name);
    return name.ends_with('~') || std::any_of(words.begin(), words.end(), [](const std::string& word) {
               return std::find(set_aside_words.begin(), set_aside_words.end(), word) != set_aside_words.end();
           });
}

NameReading read_name(const std::vector<Assignment>& course, const std::string& name) {
    NameReading result;
    const std::string stem = without_suffixes(name);
    const Words words = words_of(stem);
    std::vector<Reading> readings;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (auto reading = read_as(words, stage, name)) readings.push_back(*reading);
    // "padding - Copy" is no worked example called `copy`.
    const auto is_graded = [](const Reading& reading) { return reading.named.stage->max_points() > 0; };
    if (std::any_of(readings.begin(), readings.end(), is_graded))
        std::erase_if(readings, [&](const Reading& reading) {
            return !is_graded(reading) && reading.named.how != NameMatch::exactly;
        });
    if (readings.empty()) {
        Words numbers;
        for (const std::string& word : words)
            if (is_number(word)) numbers.push_back(word);
        if (numbers.size() == 1 && numbers.front().size() < 3) result.number = std::stoi(numbers.front());
        return result;
    }
    // The longest id: "corner_turning" and not a stage that were called "turning".
    std::size_t longest = 0;
    for (const Reading& reading : readings) longest = std::max(longest, reading.length);
    NameMatch best = NameMatch::by_id;
    for (const Reading& reading : readings) best = std::min(best, reading.named.how);
    std::erase_if(readings, [&](const Reading& reading) {
        return best == NameMatch::exactly
                   ? reading.named.how != best
                   : reading.named.how > best || (best == NameMatch::by_id && reading.length < longest);
    });
    // "1_naive_read" does not name a stage 1 "naive": the longer name that covers it wins.
    const std::vector<Reading> all = readings;
    if (best == NameMatch::decorated)
        std::erase_if(readings, [&](const Reading& reading) {
            return std::ranges::any_of(all, [&](const Reading& other) {
                return other.length > reading.length && other.place <= reading.place &&
                       reading.place + reading.length <= other.place + other.length;
            });
        });
    const Reading& first = readings.front();
    if (best == NameMatch::by_id && !first.number.empty()) {
        result.contradiction = fmt::format("its number is {}, and `{}` is stage {}", first.number,
                                           first.named.stage->id, first.named.stage->number);
        return result;
    }
    // The assignment's name in front decides where both have such a stage.
    std::vector<Reading> of_named;
    for (const Reading& reading : readings)
        if (std::find(words.begin(), words.end(), reading.named.stage->assignment) != words.end())
            of_named.push_back(reading);
    for (const Reading& reading : of_named.empty() ? readings : of_named) result.stages.push_back(reading.named);
    result.is_set_aside = best != NameMatch::exactly && says_set_aside(name);
    return result;
}

bool is_cuda_text(std::string_view text) {
    return has_word(text, "__global__") || (has_word(text, "blockIdx") && has_word(text, "threadIdx"));
}

std::vector<StubWords> words_of_stubs(const std::vector<Assignment>& course) {
    std::vector<StubWords> all;
    std::map<std::string, int> uses;  // of a kernel's name, by stubs
    for (const Assignment& assignment : course) {
        for (const Stage& stage : assignment.stages) {
            StubWords words;
            words.stage = &stage;
            const auto text = read_whole_file(fs::path(assignment.folder) / stage.file, 1 << 20);
            if (text) {
                words.first_line = line_of(*text, 1);
                Definitions found = definitions_in(*text);
                words.kernels = std::move(found.kernels);
                words.launchers = std::move(found.launchers);
            }
            for (const std::string& kernel : words.kernels) ++uses[kernel];
            all.push_back(std::move(words));
        }
    }
    for (StubWords& words : all)
        std::erase_if(words.kernels, [&](const std::string& kernel) {
            return uses[kernel] > 1 || !is_called_as(kernel, words.stage->id);
        });
    return all;
}

ContentReading read_content(const std::vector<StubWords>& stubs, std::string_view text) {
    ContentReading result;
    const Definitions found = definitions_in(text);
    std::set<std::string> assignments;
    std::vector<const Stage*> by_line, by_kernel;
    for (const StubWords& words : stubs) {
        const auto defines = [&](const std::vector<std::string>& own, const std::vector<std::string>& theirs) {
            return std::any_of(own.begin(), own.end(), [&](const std::string& name) {
                return std::find(theirs.begin(), theirs.end(), name) != theirs.end();
            });
        };
        if (defines(words.launchers, found.launchers)) {
            assignments.insert(words.stage->assignment);
            result.with_launcher.push_back(words.stage);
        }
        if (words.first_line.size() > 12 && words.first_line.starts_with("//") &&
            text.find(words.first_line) != std::string_view::npos)
            by_line.push_back(words.stage);
        if (defines(words.kernels, found.kernels)) by_kernel.push_back(words.stage);
    }
    result.assignments.assign(assignments.begin(), assignments.end());
    // Several programs in one file: no single stage's.
    for (const StubWords& words : stubs)
        for (const std::string& launcher : words.launchers)
            if (std::find(found.repeated.begin(), found.repeated.end(), launcher) != found.repeated.end())
                return result;
    // The stub's first line says the stage; a kernel may have been carried over from the stage before.
    result.stages = by_line.empty() ? by_kernel : by_line;
    return result;
}

}  // namespace warpgrade::classroom
