#include "classroom/release.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/files.hpp"
#include "base/text.hpp"
#include "classroom/release_parts.hpp"
#include "classroom/seed.hpp"
#include "classroom/shown_solution.hpp"
#include "course/course_names.hpp"
#include "course/source_text.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_folder = "grader/programs/";  // where grader/warpgrade looks

Diagnostic course_error(std::string code, std::string title, const std::string& path, int line, std::string help,
                        std::vector<std::string> facts = {}) {
    Diagnostic diagnostic{.blame = Blame::course,
                          .code = std::move(code),
                          .title = std::move(title),
                          .marks = {},
                          .facts = std::move(facts),
                          .help = std::move(help)};
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    return diagnostic;
}

// Of a folder whose files go in: not what tools leave behind, not tests, laboratory and what is the instructor's, no
// links.
void add_files(const fs::path& root, const std::string& folder, std::vector<std::string>& names) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(root / folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const bool is_left_out = name.starts_with('.') || name == "__pycache__" || name == "tests" || name == "bench" ||
                                 name == "lab" || name == "platforms" || name == "programs";
        if (is_left_out || at->is_symlink(error)) {
            at.disable_recursion_pending();
            continue;
        }
        if (at->is_regular_file(error)) names.push_back(at->path().lexically_relative(root).string());
    }
}

std::vector<std::string> file_names(const fs::path& root, const std::vector<Assignment>& course) {
    std::vector<std::string> names;
    for (const char* name :
         {".devcontainer/devcontainer.json", ".vscode/extensions.json", ".vscode/settings.json", ".vscode/tasks.json",
          "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "assignments/compile_flags.txt",
          "assignments/editor.h", "handouts/compile_flags.txt", "handouts/warpgrade.ipynb"})
        names.emplace_back(name);
    add_files(root, "assignments/editor", names);
    add_files(root, "grader", names);
    add_files(root, "reports", names);
    add_files(root, "handouts/figures", names);
    add_files(root, "handouts/kernels", names);
    add_files(root, "handouts/worked", names);
    add_files(root, "handouts/data", names);
    names.emplace_back("handouts/getting_started.md");
    names.emplace_back("handouts/experiments.md");
    names.emplace_back("handouts/reference.md");
    std::set<std::string> problems;
    for (const Assignment& assignment : course) {
        const std::string folder = "assignments/" + assignment.name + "/";
        names.push_back("handouts/" + assignment.name + ".md");
        names.push_back(folder + "assignment.toml");
        for (const Stage& stage : assignment.stages) names.push_back(folder + stage.file);
        // What a check compares with, which students have to have: the plainest program there is.
        for (const Stage& stage : assignment.stages) problems.insert(stage.problem);
    }
    for (const std::string& problem : problems)
        for (const char* name : {"/problem.toml", "/problem.cu"}) names.push_back("assignments/" + problem + name);
    const auto is_absent = [&](const std::string& name) { return !fs::exists(root / name); };
    names.erase(std::remove_if(names.begin(), names.end(), is_absent), names.end());
    return names;
}

// NAME.html and NAME_*.html, in order.
std::vector<fs::path> pages_of(const fs::path& folder, const std::string& name) {
    std::vector<fs::path> pages;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string stem = at->path().stem().string();
        if (at->path().extension() == ".html" && (stem == name || stem.starts_with(name + "_")))
            pages.push_back(at->path());
    }
    std::sort(pages.begin(), pages.end());
    return pages;
}

// Beside each handout its page, if `./grader/warpgrade handouts` has made one since: build/handouts/NAME.html; its
// sheets and the page of its worked example: NAME_*.html. Not where the kit's handout says less than the course's.
Status add_pages(const fs::path& root, const std::set<std::string>& shortened, std::vector<ArchiveMember>& members) {
    const std::size_t without = members.size();
    for (std::size_t i = 0; i < without; ++i) {
        const fs::path name(members[i].name);
        if (name.parent_path() != "handouts" || name.extension() != ".md" || shortened.contains(name.string()))
            continue;
        const auto written = fs::last_write_time(root / name);
        for (const fs::path& page : pages_of(root / "build" / "handouts", name.stem().string())) {
            std::error_code error;
            if (fs::last_write_time(page, error) < written) continue;
            auto text = read_whole_file(page);
            if (!text) return text.error();
            members.push_back({"handouts/" + page.filename().string(), std::move(*text), false});
        }
    }
    return Nothing{};
}

// Whatever kinds of machine they were made for.
Status add_programs(const fs::path& root, std::vector<ArchiveMember>& members) {
    std::error_code error;
    for (fs::directory_iterator at(root / "build" / "programs", error), end; !error && at != end; at.increment(error)) {
        const fs::path program = at->path() / "warpgrade-bin";
        std::error_code absent;
        if (!fs::is_regular_file(program, absent)) continue;
        auto bytes = read_whole_file(program);
        if (!bytes) return bytes.error();
        members.push_back(
            {program_folder + at->path().filename().string() + "/warpgrade-bin", std::move(*bytes), true});
    }
    return Nothing{};
}

Status add_solutions(const std::vector<Assignment>& wanted, std::vector<ArchiveMember>& members) {
    for (const Assignment& assignment : wanted) {
        for (const Stage& stage : assignment.stages) {
            const fs::path path = fs::path(assignment.solutions) / stage.file;
            if (assignment.solutions.empty() || !fs::exists(path)) continue;
            const auto text = read_whole_file(path);
            if (!text) return text.error();
            members.push_back({shown_solution_name(stage), in_digits(*text), false});
        }
    }
    return Nothing{};
}

// Each line without blanks and comments; empty where that leaves too little to tell anything. What surrounds a text in
// a program ends a line, too.
std::vector<std::string> code_lines(std::string text) {
    const auto is_of_no_text = [](unsigned char c) { return c < ' ' && !std::isspace(c); };
    std::replace_if(text.begin(), text.end(), is_of_no_text, '\n');
    std::vector<std::string> lines;
    std::istringstream stream(std::move(text));
    for (std::string line; std::getline(stream, line);) {
        line.erase(std::min(line.find("//"), line.size()));
        line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c); }),
                   line.end());
        lines.push_back(line.size() < 10 ? "" : line);
    }
    return lines;
}

Status check_stubs(const std::vector<Assignment>& course, const fs::path& root) {
    constexpr std::size_t most_named = 5;
    std::vector<std::string> changed, facts;
    for (const Assignment& assignment : course) {
        for (const Stage& stage : assignment.stages) {
            const std::string name = "assignments/" + assignment.name + "/" + stage.file;
            const auto text = read_whole_file(root / name);
            if (!text) return text.error();
            const std::string digest = text_digest(*text);
            if (stage.stub_digest.empty() || digest == stage.stub_digest) continue;
            changed.push_back((root / name).string());
            if (facts.size() < most_named)
                facts.push_back(fmt::format("digest {}, in assignment.toml {}: {}", digest, stage.stub_digest, name));
        }
    }
    if (changed.empty()) return Nothing{};
    if (changed.size() > most_named) facts.push_back(fmt::format("and {} more", changed.size() - most_named));
    const bool is_one = changed.size() == 1;
    return course_error("changed_stub",
                        is_one ? "this is not the stub that is handed out"
                               : fmt::format("{} files are not the stubs that are handed out", changed.size()),
                        changed.front(), 0,
                        is_one ? "put the stub back (`git checkout`), or write its digest into assignment.toml"
                               : "put the stubs back (`git checkout assignments`), or write their digests into "
                                 "assignment.toml",
                        std::move(facts));
}

// A number as a word of its own: not a part of a longer one.
int line_with_number(const std::string& text, const std::string& number) {
    for (std::size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
        const auto is_word = [&](std::size_t i) {
            return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
        };
        if (!is_word(at - 1) && !is_word(at + number.size()))
            return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
    return 0;
}

// What students have anyway: all stubs, one after the other.
std::string read_stubs(const std::vector<Assignment>& course, const fs::path& root) {
    std::string all;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (const auto stub = read_whole_file(root / "assignments" / assignment.name / stage.file))
                all += *stub + "\n";
    return all;
}

struct Solution {
    std::string name, text;
};

// Every file below solutions/, also what is no stage's; but not the wrong programs, whose few lines of their own are
// the point of many a handout. The others are the solution's.
std::vector<Solution> read_solutions(const fs::path& root) {
    std::vector<Solution> all;
    std::error_code error;
    for (fs::recursive_directory_iterator at(root / "solutions", error), end; !error && at != end; at.increment(error))
        if (at->path().parent_path().filename() != "wrong" &&
            (at->path().extension() == ".cu" || at->path().extension() == ".cuh"))
            if (const auto text = read_whole_file(at->path()))
                all.push_back({at->path().lexically_relative(root).string(), *text});
    std::sort(all.begin(), all.end(), [](const Solution& a, const Solution& b) { return a.name < b.name; });
    return all;
}

// The lines that only solutions have, and which solutions have each.
class LeakFinder {
public:
    LeakFinder(const std::vector<std::string>& solutions, const std::string& stubs) : lines_of_(solutions.size()) {
        std::set<std::string> known{""};
        for (std::string& line : code_lines(stubs)) known.insert(std::move(line));
        for (std::size_t i = 0; i < solutions.size(); ++i) {
            for (std::string& line : code_lines(solutions[i])) {
                if (known.contains(line)) continue;
                std::vector<std::size_t>& owners = owners_[std::move(line)];
                if (!owners.empty() && owners.back() == i) continue;
                owners.push_back(i);
                ++lines_of_[i];
            }
        }
    }

    // Of each solution what the text holds.
    std::vector<Leak> find(const std::string& text) const {
        std::vector<Leak> leaks(lines_of_.size());
        for (std::size_t i = 0; i < leaks.size(); ++i) leaks[i].all = lines_of_[i];
        std::set<std::string> found;
        const auto lines = code_lines(text);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto owners = owners_.find(lines[i]);
            if (owners == owners_.end() || !found.insert(lines[i]).second) continue;
            for (const std::size_t solution : owners->second)
                if (leaks[solution].found++ == 0) leaks[solution].line = static_cast<int>(i) + 1;
        }
        return leaks;
    }

private:
    std::unordered_map<std::string, std::vector<std::size_t>> owners_;
    std::vector<int> lines_of_;
};

Status check_secrets(const std::vector<ArchiveMember>& members, const std::vector<Assignment>& course,
                     const fs::path& root) {
    const auto solutions = read_solutions(root);
    std::vector<std::string> texts;
    for (const Solution& solution : solutions) texts.push_back(solution.text);
    const LeakFinder finder(texts, read_stubs(course, root));
    const auto seed = read_whole_file(seed_path(root.string()), 1024);
    const std::string number(seed ? trimmed(*seed) : "");
    for (const ArchiveMember& member : members) {
        // Small numbers are everywhere.
        if (number.size() >= 6)
            if (const int line = line_with_number(member.bytes, number); line > 0)
                return course_error("leaks_seed", "this file holds the course's seed", (root / member.name).string(),
                                    line, "take it out: students must not know the shapes that they are graded with");
        const std::vector<Leak> leaks = finder.find(member.bytes);
        for (std::size_t i = 0; i < leaks.size(); ++i) {
            const Leak& leak = leaks[i];
            if (!leak.is_one()) continue;
            return course_error("leaks_solution", fmt::format("this file holds lines of {}", solutions[i].name),
                                (root / member.name).string(), leak.line,
                                "take them out: the student kit must not hold solutions",
                                {fmt::format("{} of the {} lines that no stub has", leak.found, leak.all)});
        }
    }
    return Nothing{};
}

}  // namespace

Leak find_leak(const std::string& text, const std::string& solution, const std::string& stubs) {
    return LeakFinder({solution}, stubs).find(text).front();
}

std::string student_readme(const std::string& readme) {
    std::string text;
    bool is_kept = true;
    std::istringstream lines(readme);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) is_kept = line == "## For students" || line == "## Requirements";
        if (is_kept) text += line + "\n";
    }
    return text;
}

namespace {

// Makes the texts of less than the whole course fit to it; returns the names of those that changed.
std::set<std::string> shorten(const std::vector<std::string>& left_out, const KitOptions& options,
                              std::vector<ArchiveMember>& members) {
    // A notebook works on stages, so it is packed whole or not at all.
    std::erase_if(members, [&](const ArchiveMember& member) {
        return member.name.ends_with(".ipynb") && names_assignment(member.bytes, left_out);
    });
    std::set<std::string> names, changed;
    for (const ArchiveMember& member : members) names.insert(member.name);
    for (ArchiveMember& member : members) {
        const fs::path path(member.name);
        std::string text = member.bytes;
        if (options.hints && path.filename() == "assignment.toml") text = with_hints(text, *options.hints);
        const std::string above = path.parent_path().string();
        if (above == "handouts" && path.extension() == ".md") text = without_assignments(text, left_out);
        if (path.extension() == ".md") text = without_dead_links(text, above, names);
        if (text == member.bytes) continue;
        member.bytes = std::move(text);
        changed.insert(member.name);
    }
    return changed;
}

}  // namespace

Result<std::vector<ArchiveMember>> student_kit(const std::string& root, const std::vector<Assignment>& course,
                                               const KitOptions& options) {
    const fs::path folder(root);
    if (auto status = check_stubs(course, folder); !status) return status.error();
    std::vector<Assignment> wanted;
    std::vector<std::string> left_out = left_out_of((folder / "assignments").string());
    for (const Assignment& assignment : course) {
        const auto& names = options.assignments;
        if (names.empty() || std::find(names.begin(), names.end(), assignment.name) != names.end())
            wanted.push_back(assignment);
        else
            left_out.push_back(assignment.name);
    }
    std::vector<ArchiveMember> members;
    for (const std::string& name : file_names(folder, wanted)) {
        auto text = read_whole_file(folder / name);
        if (!text) return text.error();
        std::error_code error;
        const auto permissions = fs::status(folder / name, error).permissions();
        const bool is_executable = (permissions & fs::perms::owner_exec) != fs::perms::none;
        members.push_back({name, name == "README.md" ? student_readme(*text) : std::move(*text), is_executable});
    }
    const std::set<std::string> shortened = shorten(left_out, options, members);
    if (auto status = add_pages(folder, shortened, members); !status) return status.error();
    if (options.has_programs)
        if (auto status = add_programs(folder, members); !status) return status.error();
    if (options.shows_solutions)
        if (auto status = add_solutions(wanted, members); !status) return status.error();
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    if (auto status = check_secrets(members, course, folder); !status) return status.error();
    return members;
}

}  // namespace warpgrade::classroom
