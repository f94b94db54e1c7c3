#include "classroom/similarity_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/code_text.hpp"
#include "base/files.hpp"
#include "classroom/csv.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

// JPlag's and Dolos's C++ knows .cpp; MOSS is told the language, and its page asks for .cc.
const char* suffix_for(SimilarityTool tool) { return tool == SimilarityTool::moss ? ".cc" : ".cpp"; }

struct Copied {
    std::size_t students = 0;
    std::vector<std::string> files;  // below the target's own folder
};

Status copy_stub(const fs::path& from, const fs::path& to) {
    const auto text = read_whole_file(from, 2ull << 20);
    if (!text) return text.error();
    return replace_file(to, without_launches(*text));
}

// handed-in/<student>/<assignment>/<N>_<stage>.cu -> <place>/<student>/<assignment>_<stage>.cpp
Result<Copied> copy_class(const fs::path& handed_in, const std::vector<Assignment>& course, SimilarityTool tool,
                          const fs::path& place) {
    Copied copied;
    std::error_code error;
    std::vector<fs::path> students;
    for (fs::directory_iterator at(handed_in, error), end; !error && at != end; at.increment(error))
        if (at->is_directory(error)) students.push_back(at->path());
    std::sort(students.begin(), students.end());
    for (const fs::path& student : students) {
        bool has_file = false;
        for (const Assignment& assignment : course) {
            for (const Stage& stage : assignment.stages) {
                const fs::path file = student / assignment.name / stage.file;
                const auto text =
                    fs::exists(file, error) ? read_whole_file(file, 2ull << 20) : Result<std::string>(std::string());
                if (!text || text->empty()) continue;
                if (stage.is_stub(*text)) continue;
                const std::string name =
                    student.filename().string() + "/" + assignment.name + "_" + stage.id + suffix_for(tool);
                if (auto status = replace_file(place / name, without_launches(*text)); !status) return status.error();
                copied.files.push_back(name);
                has_file = true;
            }
        }
        copied.students += has_file;
    }
    return copied;
}

std::string command_for(SimilarityTool tool, std::size_t years) {
    std::string old;
    for (std::size_t past = 1; past <= years; ++past)
        old += (old.empty() ? " --old " : ",") + ("old/" + std::to_string(past));
    switch (tool) {
        case SimilarityTool::jplag:
            return fmt::format("java -jar jplag.jar -l cpp --new submissions{} -bc base -t 12 --normalize --csv-export",
                               old);
        case SimilarityTool::dolos: return "dolos run -l cpp -f terminal info.csv";
        case SimilarityTool::moss:
            return fmt::format("moss -l cc -d $(printf -- '-b %s ' base/*.cc) submissions/*/*.cc{}",
                               years > 0 ? " old/*/*/*.cc" : "");
    }
    return "";
}

std::string readme_for(SimilarityTool tool, const std::string& command) {
    std::string text =
        "Files of a class, for a tool that looks for similarity. Launch configurations (<<<...>>>) are blanks, so "
        "that\n"
        "C++ parsers follow; lines and columns are those of the files that were handed in. `base` has the stubs.\n\n"
        "In this folder:\n\n    " +
        command + "\n\n";
    if (tool == SimilarityTool::moss)
        text += "MOSS sends the files to a server at Stanford: ask whether your rules allow that.\n";
    else
        text += "It runs on this machine; do not upload students' work to somebody else's server.\n";
    return text + "What it finds is for a person to read, and no verdict.\n";
}

}  // namespace

std::optional<SimilarityTool> similarity_tool_named(const std::string& name) {
    if (name == "jplag") return SimilarityTool::jplag;
    if (name == "dolos") return SimilarityTool::dolos;
    if (name == "moss") return SimilarityTool::moss;
    return std::nullopt;
}

std::string without_launches(std::string_view source) {
    std::string text(source);
    const std::string code = without_comments(source);
    for (auto at = code.find("<<<"); at != std::string::npos; at = code.find("<<<", at + 3)) {
        const auto end = code.find(">>>", at);
        if (end == std::string::npos) break;
        for (std::size_t i = at; i < end + 3; ++i)
            if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
        at = end;
    }
    return text;
}

Result<SimilarityExport> export_similarity(SimilarityTool tool, const fs::path& from,
                                           const std::vector<std::string>& old, const std::vector<Assignment>& course,
                                           const fs::path& out) {
    auto now = copy_class(from / "handed-in", course, tool, out / "submissions");
    if (!now) return now.error();
    if (now->files.empty())
        return Diagnostic{.blame = Blame::usage,
                          .code = "no_files",
                          .title = fmt::format("`{}` holds no files that were handed in", from.string()),
                          .marks = {},
                          .facts = {},
                          .help = "name the folder that `grade` wrote, with --from"};
    SimilarityExport made;
    made.students = now->students;
    made.files = now->files.size();
    for (std::size_t past = 0; past < old.size(); ++past) {
        const auto before =
            copy_class(fs::path(old[past]) / "handed-in", course, tool, out / "old" / std::to_string(past + 1));
        if (!before) return before.error();
    }
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (auto status = copy_stub(fs::path(assignment.folder) / stage.file,
                                        out / "base" / (assignment.name + "_" + stage.id + suffix_for(tool)));
                !status)
                return status.error();
    if (tool == SimilarityTool::dolos) {
        std::string table = csv_line({"filename", "full_name", "label"});
        for (const std::string& file : now->files)
            table += csv_line({"submissions/" + file, file.substr(0, file.find('/')), file.substr(file.find('/') + 1)});
        if (auto status = replace_file(out / "info.csv", table); !status) return status.error();
    }
    made.command = command_for(tool, old.size());
    if (auto status = replace_file(out / "README.txt", readme_for(tool, made.command)); !status) return status.error();
    return made;
}

}  // namespace warpgrade::classroom
