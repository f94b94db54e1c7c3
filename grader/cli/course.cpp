#include "cli/course.hpp"
#include "cli/diagnose.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/files.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "assignments", error);
}

std::optional<fs::path> root_above(fs::path folder) {
    for (;; folder = folder.parent_path()) {
        if (is_root(folder)) return folder;
        if (folder == folder.parent_path()) return std::nullopt;
    }
}

Result<std::string> find_root() {
    if (const char* given = std::getenv("WARPGRADE_ROOT"); given != nullptr && *given != '\0') {
        if (is_root(given)) return fs::absolute(given).lexically_normal().string();
        return usage("no_course", "WARPGRADE_ROOT names a folder without `assignments`",
                     "set it to the course's folder, or unset it", {std::string("WARPGRADE_ROOT is ") + given});
    }
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    if (!error)
        if (const auto found = root_above(executable.parent_path())) return found->string();
    // Not above the current folder: it may be a hand-in, and the root is where programs are started from.
    return usage("no_course", "no course here: no folder with `assignments` was found",
                 "start the course's own `grader/warpgrade`, or set WARPGRADE_ROOT to the course's folder",
                 {"looked above the program, " + executable.string()});
}

std::vector<std::string> profile_names(const std::string& root) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(root) / "grader" / "profiles", error))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string command_for(const std::string& root) {
    if (const char* given = std::getenv("WARPGRADE_COMMAND"); given != nullptr && *given != '\0') return given;
    std::error_code error;
    const fs::path script = fs::path(root) / "grader" / "warpgrade";
    if (!fs::exists(script, error)) return "warpgrade";
    const std::string path = shown_path(script.string());
    return path.starts_with('/') || path.starts_with("../") ? path : "./" + path;
}

std::string first_line_of(const fs::path& path) {
    const auto start = read_start_of_file(path, 4096);
    return start ? start->substr(0, start->find('\n')) : "";
}

}  // namespace

Result<Course> open_course() {
    auto root = find_root();
    if (!root) return root.error();
    auto assignments = load_course(*root);
    if (!assignments) return assignments.error();
    return Course{*root, std::move(*assignments), profile_names(*root), command_for(*root)};
}

Result<std::vector<explain::Rule>> rules_of(const Course& course) {
    const fs::path folder = fs::path(course.root) / "grader" / "explain" / "rules";
    std::error_code error;
    if (!fs::is_directory(folder, error)) return std::vector<explain::Rule>();
    return explain::load_rules(folder);
}

std::string kit_command() {
    const auto root = find_root();
    return command_for(root ? *root : "");
}

bool is_student_kit() {
    const auto root = find_root();
    std::error_code error;
    return root && !fs::exists(fs::path(*root) / "solutions", error);
}

const Stage* next_stage(const Assignment& assignment, const Stage& stage) {
    const Stage* next = nullptr;
    for (const Stage& other : assignment.stages)
        if (other.number > stage.number && (next == nullptr || other.number < next->number)) next = &other;
    return next;
}

StageMatch next_in_course(const Course& course, const Assignment& assignment, const Stage& stage) {
    if (const Stage* next = next_stage(assignment, stage)) return {&assignment, next};
    bool is_behind = false;
    for (const Assignment& other : course.assignments) {
        if (is_behind)
            for (const Stage& first : other.stages)
                if (first.is_graded) return {&other, &first};
        is_behind = is_behind || other.name == assignment.name;
    }
    return {};
}

std::string shown_path(const std::string& path) {
    std::error_code error;
    const fs::path relative = fs::relative(path, error);
    if (error || relative.empty()) return path;
    // A bare name needs no "./" as a file, but a command does.
    std::string text = relative.string();
    return text.size() <= path.size() ? text : path;
}

std::string with_command(std::string text, const std::string& command) {
    constexpr std::string_view plain = "`warpgrade ";
    for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos; at += command.size() + 2)
        text.replace(at, plain.size(), "`" + command + " ");
    return text;
}

std::string git_revision(const std::string& root) {
    fs::path folder = fs::path(root) / ".git";
    std::error_code error;
    if (fs::is_regular_file(folder, error)) {  // a worktree's: "gitdir: PATH"
        const std::string line = first_line_of(folder);
        if (!line.starts_with("gitdir: ")) return "";
        folder = fs::path(root) / line.substr(8);
    }
    std::string head = first_line_of(folder / "HEAD");
    if (head.starts_with("ref: ")) {
        const std::string name = head.substr(5);
        fs::path common = folder;
        if (const std::string line = first_line_of(folder / "commondir"); !line.empty()) common = folder / line;
        head = first_line_of(common / name);
        if (head.empty()) {
            const auto refs = read_whole_file(common / "packed-refs", 16 << 20);
            std::istringstream packed(refs ? *refs : "");
            for (std::string line; std::getline(packed, line);)
                if (line.size() > 41 && line.substr(41) == name) head = line.substr(0, 40);
        }
    }
    const bool is_hash = head.size() >= 40 && head.find_first_not_of("0123456789abcdef") == std::string::npos;
    return is_hash ? head.substr(0, 12) : "";
}

}  // namespace warpgrade::cli
