// The assignments of a course, and which stage a word or a path on the command line means.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "course/assignment.hpp"
#include "course/stages_near.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

namespace fs = std::filesystem;

namespace {

Diagnostic usage_error(std::string code, std::string title, std::vector<std::string> facts, std::string help) {
    return make_error(Blame::usage, std::move(code), std::move(title), {}, std::move(facts), std::move(help));
}

bool looks_like_path(const std::string& text) {
    return text.ends_with(".cu") || text.ends_with(".cuh") || text.starts_with(".") || text.starts_with("/");
}

// Stages a file may belong to: its name is the stage's file. The folders above it, nearest first, decide between
// assignments that use the same file name.
std::vector<StageMatch> stages_of_file(const std::vector<Assignment>& course, const std::string& text) {
    const fs::path path(text);
    std::vector<StageMatch> matches;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (stage.file == path.filename().string()) matches.push_back({&assignment, &stage});
    if (matches.size() < 2) return matches;
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored).lexically_normal();
    for (fs::path folder = whole.parent_path(); folder.has_filename(); folder = folder.parent_path())
        for (const StageMatch& match : matches)
            if (match.assignment->name == folder.filename().string()) return {match};
    return matches;
}

std::vector<std::string> stage_names(const std::vector<StageMatch>& matches) {
    std::vector<std::string> names;
    for (const StageMatch& match : matches) names.push_back(match.stage->name());
    return names;
}

}  // namespace

Result<std::vector<Assignment>> load_course(const std::string& root) {
    const fs::path folder = fs::path(root) / "assignments";
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (fs::is_regular_file(entry.path() / "assignment.toml")) paths.push_back(entry.path());
    std::ranges::sort(paths);
    if (auto status = load_problems(folder.string()); !status) return status.error();
    std::vector<Assignment> course;
    for (const fs::path& path : paths) {
        auto assignment = load_assignment(path.string());
        if (!assignment) return assignment.error();
        course.push_back(std::move(*assignment));
    }
    if (course.empty()) {
        Diagnostic diagnostic = usage_error("no_course", fmt::format("there is no assignment in `{}`", folder.string()),
                                            {"an assignment is a folder with an assignment.toml"}, "");
        diagnostic.blame = Blame::course;
        return diagnostic;
    }
    std::ranges::stable_sort(course, [](const Assignment& a, const Assignment& b) { return a.order < b.order; });
    return course;
}

std::vector<std::string> stages_near(const std::vector<Assignment>& course, const std::string& word) {
    std::string part = fs::path(word).filename().string();
    for (const char* ending : {".cuh", ".cu"})
        if (part.ends_with(ending)) part.resize(part.size() - std::string_view(ending).size());
    const auto name = part.find_first_not_of("0123456789");
    const std::string number = part.substr(0, name);
    part = name == part.npos ? std::string() : part.substr(name);
    if (!number.empty() && part.starts_with('_')) part.erase(0, 1);
    std::vector<std::string> found;
    for (const Assignment& assignment : course) {
        const std::string folder = fs::path(word).parent_path().filename().string();
        const bool is_elsewhere = std::ranges::any_of(
            course, [&](const Assignment& other) { return &other != &assignment && other.name == folder; });
        if (is_elsewhere) continue;
        for (const Stage& stage : assignment.stages) {
            const bool is_part =
                part.size() >= 3 && (stage.id.find(part) != part.npos || part.find(stage.id) != part.npos);
            const bool is_number = part.empty() && number == std::to_string(stage.number);
            if ((is_part || is_number) && found.size() < 4) found.push_back(stage.name());
        }
    }
    return found;
}

Result<StageMatch> find_stage(const std::vector<Assignment>& course, const std::string& text) {
    std::vector<StageMatch> matches;
    std::vector<std::string> known;
    for (const Assignment& assignment : course) {
        for (const Stage& stage : assignment.stages) {
            if (stage.name() == text || stage.id == text) matches.push_back({&assignment, &stage});
            known.push_back(stage.name());
            known.push_back(stage.id);
        }
    }
    if (matches.empty()) matches = stages_of_file(course, text);
    if (matches.size() == 1) return matches.front();
    if (matches.size() > 1)
        return usage_error("ambiguous_stage", fmt::format("`{}` may be more than one stage", text),
                           {fmt::format("stages: {}", fmt::join(stage_names(matches), ", "))},
                           looks_like_path(text)
                               ? fmt::format("say which with --stage {}", stage_names(matches).front())
                               : fmt::format("write {}", stage_names(matches).front()));

    if (looks_like_path(text)) {
        std::vector<std::string> files;
        for (const Assignment& assignment : course)
            for (const Stage& stage : assignment.stages) files.push_back(stage.file);
        const auto near = nearest_name(fs::path(text).filename().string(), files);
        return usage_error(
            "unknown_stage", fmt::format("the file `{}` belongs to no stage", text),
            near ? std::vector<std::string>{fmt::format("a stage's file is called `{}`", *near)}
                 : std::vector<std::string>{},
            fmt::format("name the stage with --stage, as in --stage {}", course.front().stages.front().name()));
    }
    std::vector<std::string> near = stages_near(course, text);
    if (near.empty())
        if (const auto name = nearest_name(text, known)) near.push_back(*name);
    std::string asked;
    for (std::size_t i = 0; i < near.size(); ++i)
        asked += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == near.size() ? " or " : ", ", near[i]);
    return usage_error("unknown_stage", fmt::format("no stage is called `{}`", text), {},
                       near.empty() ? "`warpgrade list` shows the stages" : fmt::format("did you mean {}?", asked));
}

}  // namespace warpgrade
