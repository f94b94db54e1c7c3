#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/text.hpp"
#include "course/stages_near.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

std::string file_of(const Assignment& assignment, const Stage& stage) {
    return shown_path((fs::path(assignment.folder) / stage.file).string());
}

Target target_of(const Assignment& assignment, const Stage& stage) {
    return {&assignment, &stage, file_of(assignment, stage), stage.name()};
}

void add_all(const Assignment& assignment, std::vector<Target>& targets) {
    for (const Stage& stage : assignment.stages) targets.push_back(target_of(assignment, stage));
}

bool is_same_folder(const std::string& a, const std::string& b) {
    std::error_code error;
    return fs::equivalent(a, b, error) && !error;
}

bool is_file_name(const std::string& word) {
    std::error_code error;
    return word.ends_with(".cu") || word.ends_with(".cuh") || fs::is_regular_file(word, error);
}

std::string quoted_for_shell(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:,@%";
    if (word.starts_with('-')) return quoted_for_shell("./" + word);
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    // What would not be shown as it is: as bash writes it.
    const bool has_escapes = escape(word) != word;
    std::string out = has_escapes ? "$'" : "'";
    for (std::size_t at = 0; at < word.size();) {
        const Character character = character_at(word, at);
        const std::string_view bytes = std::string_view(word).substr(at, character.bytes);
        if (has_escapes && (!character.is_valid || !is_shown(character.code_point)))
            for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        else if (has_escapes && (bytes == "'" || bytes == "\\"))
            out += "\\" + std::string(bytes);
        else
            out += bytes == "'" ? "'\\''" : std::string(bytes);
        at += character.bytes;
    }
    return out + "'";
}

// What a worked example says of itself near its beginning: "// stage: transpose/corner_turning". Empty: nothing.
std::string stage_in_text(const std::string& path) {
    constexpr std::string_view mark = "// stage: ";
    constexpr int lines_to_read = 5;
    const auto start = read_start_of_file(path, 4096);
    std::istringstream file(start ? *start : "");
    std::string line;
    for (int i = 0; i < lines_to_read && std::getline(file, line); ++i) {
        if (!line.starts_with(mark)) continue;
        const auto end = line.find_last_not_of(" \t\r");
        return line.substr(mark.size(), end + 1 - mark.size());
    }
    return "";
}

Result<Target> file_target(const Course& course, const std::string& word, const std::string& as_stage) {
    std::error_code error;
    if (!fs::exists(word, error)) {
        std::vector<std::string> known;
        const fs::path folder = fs::path(word).parent_path();
        for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error))
            if (entry.path().extension() == ".cu") known.push_back((folder / entry.path().filename()).string());
        const auto near = nearest_name(word, known);
        if (const auto stages = stages_near(course.assignments, word); !near && stages.size() == 1) {
            const auto match = find_stage(course.assignments, stages.front());
            return usage("no_such_file", fmt::format("there is no file `{}`", word),
                         fmt::format("`{}` exists; as a stage it is called `{}`",
                                     file_of(*match->assignment, *match->stage), stages.front()));
        }
        return usage("no_such_file", fmt::format("there is no file `{}`", word),
                     near ? fmt::format("`{}` exists", *near) : std::string("check the folder and the spelling"));
    }
    if (!as_stage.empty()) {
        auto match = find_stage(course.assignments, as_stage);
        if (!match) return match.error();
        return Target{match->assignment, match->stage, word,
                      quoted_for_shell(word) + " --stage " + match->stage->name()};
    }
    // By its full path, so that a file of the current folder has a folder to be matched by.
    auto match = find_stage(course.assignments, fs::absolute(word, error).lexically_normal().string());
    if (!match) {
        if (const std::string named = stage_in_text(word); !named.empty()) {
            const auto said = find_stage(course.assignments, named);
            if (said) return Target{said->assignment, said->stage, word, quoted_for_shell(word)};
        }
        Diagnostic failure = match.error();
        failure.title = fmt::format("`{}` does not say which stage it is", word);
        return failure;
    }
    const std::string own_file = (fs::path(match->assignment->folder) / match->stage->file).string();
    if (is_same_folder(own_file, word)) return Target{match->assignment, match->stage, word, match->stage->name()};
    return Target{match->assignment, match->stage, word, quoted_for_shell(word)};
}

}  // namespace

Result<std::vector<Target>> find_targets(const Course& course, const std::vector<std::string>& words,
                                         const std::string& as_stage) {
    std::vector<Target> targets;
    if (words.empty() && !as_stage.empty()) return find_targets(course, {as_stage}, "");
    if (words.empty()) {
        for (const Assignment& assignment : course.assignments)
            if (is_same_folder(assignment.folder, ".")) add_all(assignment, targets);
        if (targets.empty())
            for (const Assignment& assignment : course.assignments) add_all(assignment, targets);
        return targets;
    }
    for (const std::string& word : words) {
        const auto whole = std::find_if(course.assignments.begin(), course.assignments.end(), [&](const Assignment& a) {
            return a.name == word || is_same_folder(a.folder, word);
        });
        if (whole != course.assignments.end()) {
            add_all(*whole, targets);
        } else if (is_file_name(word)) {
            auto target = file_target(course, word, as_stage);
            if (!target) return target.error();
            targets.push_back(*target);
        } else {
            auto match = find_stage(course.assignments, word);
            if (!match) return match.error();
            targets.push_back(target_of(*match->assignment, *match->stage));
        }
    }
    return targets;
}

}  // namespace warpgrade::cli
