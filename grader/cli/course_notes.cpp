#include "cli/course_notes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "course/source_text.hpp"

namespace warpgrade::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_bytes = 1 << 20;

fs::path own_file(const Assignment& assignment, const Stage& stage) { return fs::path(assignment.folder) / stage.file; }

fs::path stub_path(const Course& course, const Assignment& assignment, const Stage& stage) {
    return fs::path(course.root) / "build" / "stubs" / assignment.name / stage.file;
}

fs::path note_path(const Course& course, const Assignment& assignment, const Stage& stage) {
    return fs::path(course.root) / "build" / "checked" / assignment.name / stage.id;
}

bool has_build_folder(const Course& course) {
    std::error_code error;
    return fs::is_directory(fs::path(course.root) / "build", error);
}

}  // namespace

void keep_stubs(const Course& course) {
    if (!has_build_folder(course)) return;
    for (const Assignment& assignment : course.assignments) {
        for (const Stage& stage : assignment.stages) {
            const fs::path to = stub_path(course, assignment, stage);
            if (const auto kept = read_whole_file(to, most_bytes); kept && stage.is_stub(*kept)) continue;
            const auto text = read_whole_file(own_file(assignment, stage), most_bytes);
            if (text && stage.is_stub(*text)) (void)replace_file(to, *text, 0666, Flush::never);
        }
    }
}

std::optional<std::string> kept_stub(const Course& course, const Assignment& assignment, const Stage& stage) {
    for (const fs::path& path : {stub_path(course, assignment, stage), own_file(assignment, stage)})
        if (auto text = read_whole_file(path, most_bytes); text && stage.is_stub(*text)) return std::move(*text);
    return std::nullopt;
}

void note_check(const Course& course, const Target& target, const SummaryRow& row) {
    std::error_code error;
    const fs::path own = own_file(*target.assignment, *target.stage);
    if (!has_build_folder(course) || !fs::equivalent(own, target.path, error) || error) return;
    const auto text = read_whole_file(own, most_bytes);
    if (!text) return;
    const std::string note =
        fmt::format("{} {} {} {}\n", text_digest(*text), row.points, row.most, row.passes ? "passes" : "fails");
    (void)replace_file(note_path(course, *target.assignment, *target.stage), note, 0666, Flush::never);
}

std::optional<CheckNote> last_check(const Course& course, const Assignment& assignment, const Stage& stage) {
    const auto note = read_whole_file(note_path(course, assignment, stage), most_bytes);
    const auto text = read_whole_file(own_file(assignment, stage), most_bytes);
    if (!note || !text) return std::nullopt;
    std::istringstream words(*note);
    std::string digest, outcome;
    CheckNote found;
    if (!(words >> digest >> found.points >> found.most >> outcome) || digest != text_digest(*text))
        return std::nullopt;
    found.passes = outcome == "passes";
    return found;
}

FileState state_of(const Course& course, const Assignment& assignment, const Stage& stage) {
    const auto text = read_whole_file(own_file(assignment, stage), most_bytes);
    if (!text) return FileState::missing;
    if (!stage.is_graded) return FileState::example;
    if (stage.is_stub(*text)) return FileState::untouched;
    const auto check = last_check(course, assignment, stage);
    return !check ? FileState::unchecked : check->passes ? FileState::done : FileState::unfinished;
}

const char* words_of(FileState state) {
    switch (state) {
        case FileState::missing: return "missing";
        case FileState::example: return "example";
        case FileState::untouched: return "untouched";
        case FileState::unchecked: return "not checked yet";
        case FileState::unfinished: return "not done";
        case FileState::done: return "done";
    }
    return "";
}

Paint paint_of(FileState state) {
    switch (state) {
        case FileState::missing: return Paint::red;
        case FileState::example:
        case FileState::untouched: return Paint::dim;
        case FileState::done: return Paint::green;
        case FileState::unchecked:
        case FileState::unfinished: break;
    }
    return Paint::none;
}

}  // namespace warpgrade::cli
