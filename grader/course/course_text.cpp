#include "course/course_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>

#include "base/files.hpp"
#include "base/make_diagnostic.hpp"
#include "course/course_names.hpp"
#include "course/source_text.hpp"
#include "source/tokens.hpp"

namespace warpgrade {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t shortest_words = 60;  // of a rule: what the number means here, and what to change

std::optional<std::string> text_of(const fs::path& path) {
    auto text = read_whole_file(path, 1 << 20);
    return text ? std::optional(std::move(*text)) : std::nullopt;
}

Diagnostic problem(std::string code, std::string title, const fs::path& path, int line, std::vector<std::string> facts,
                   std::string help) {
    return make_error(Blame::course, std::move(code), std::move(title), {{path.string(), line, 0, 1, ""}},
                      std::move(facts), std::move(help));
}

// Of a key in assignment.toml, or of the block where it is not given.
int line_of(const Stage& stage, const char* key) {
    const auto at = stage.lines.find(key);
    return at != stage.lines.end() ? at->second : stage.lines.at("stage");
}

// The numbers of "TODO 1:", in order. `after`: what follows a number.
std::vector<int> gaps_in(const std::string& text, std::string_view after = ":") {
    const std::string_view word = "TODO ";
    std::vector<int> numbers;
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos;) {
        at += word.size();
        int number = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        if (error == std::errc() && std::string_view(end).starts_with(after)) numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

// "fill the two TODOs" and "(one TODO)": the number that a stub announces, 0 where it announces none.
std::size_t announced_gaps(const std::string& text) {
    static const std::vector<std::string> words{"one", "two", "three", "four", "five", "six"};
    const auto at = std::ranges::find_if(words, [&](const std::string& word) {
        return text.find("fill the " + word + " TODOs") != text.npos || text.find("(" + word + " TODO)") != text.npos;
    });
    return at == words.end() ? 0 : static_cast<std::size_t>(at - words.begin()) + 1;
}

// One stage: what was found goes to `problems_`.
class StageText {
public:
    StageText(const Assignment& assignment, const Stage& stage)
        : assignment_(assignment),
          stage_(stage),
          toml_(fs::path(assignment.folder) / "assignment.toml"),
          stub_path_(fs::path(assignment.folder) / stage.file),
          solution_path_(fs::path(assignment.solutions) / stage.file),
          stub_(text_of(stub_path_)),
          solution_(text_of(solution_path_)) {}

    std::vector<Diagnostic> check() {
        check_files();
        check_points();
        check_words();
        check_rules();
        check_also_passes();
        if (stub_) check_stub();
        if (solution_) check_source(*solution_, solution_path_);
        if (solution_) check_solution();
        return std::move(problems_);
    }

private:
    void report(std::string code, std::string title, const fs::path& path, int line, std::vector<std::string> facts,
                std::string help) {
        problems_.push_back(problem(std::move(code), std::move(title), path, line, std::move(facts), std::move(help)));
    }
    // In assignment.toml, at the key where there is one.
    void report_key(const char* key, std::string code, std::string title, std::vector<std::string> facts,
                    std::string help) {
        report(std::move(code), std::move(title), toml_, line_of(stage_, key), std::move(facts), std::move(help));
    }

    void check_files() {
        const std::string expected = fmt::format("{}_{}.cu", stage_.number, stage_.id);
        if (stage_.file != expected)
            report_key("file", "file_name",
                       fmt::format("the file of {} is not called by its number and id", stage_.name()),
                       {"found " + stage_.file}, "call it " + expected);
        if (!stub_)
            report("missing_stub", fmt::format("the stub of {} is not there", stage_.name()), stub_path_, 0, {},
                   "write it, or take the stage out of assignment.toml");
        if (!solution_)
            report("missing_solution", fmt::format("the solution of {} is not there", stage_.name()), solution_path_, 0,
                   {}, "write it: it is what a submission is compared with");
    }

    // A course may do without: then no stage of the assignment has any.
    bool has_performance() const {
        return std::ranges::any_of(assignment_.stages, [](const Stage& stage) { return stage.performance_points > 0; });
    }

    void check_points() {
        if (!stage_.is_graded || is_exercise()) return;
        if (stage_.max_points() == 0)
            report_key("points", "no_points", fmt::format("{} is graded but has no points", stage_.name()), {},
                       "give it points, or set graded = false");
        if (stage_.technique_points == 0 && !stage_.technique.empty())
            report_key("points", "rules_without_points",
                       fmt::format("the rules of {} are worth nothing", stage_.name()),
                       {fmt::format("{} rules, 0 technique points", stage_.technique.size())},
                       "give the stage technique points, or take the rules out");
        if (stage_.performance_points == 0 && has_performance())
            report_key("points", "no_performance_points",
                       fmt::format("{} has no points for performance", stage_.name()), {},
                       "give it some: how fast the kernel is belongs to every stage");
        if (stage_.band.full > 1)
            report_key("band", "band_above_solution",
                       fmt::format("the band of {} asks for more than its solution gives", stage_.name()),
                       {fmt::format("full = {} of the solution's bandwidth", stage_.band.full)},
                       "set full to 1 at most");
    }

    // Of an assignment that gives no points at all.
    bool is_exercise() const {
        return std::ranges::all_of(assignment_.stages, [](const Stage& stage) { return stage.max_points() <= 0; });
    }

    void check_words() {
        const std::set<std::string> different(stage_.hints.begin(), stage_.hints.end());
        if (different.size() != hint_levels || stage_.hints.size() != hint_levels || different.count("") != 0)
            report_key("hints", "hints", fmt::format("{} does not have three different hints", stage_.name()),
                       {fmt::format("found {}, of which {} differ", stage_.hints.size(), different.size())},
                       "write a nudge, a direction and nearly the answer");
        if (stage_.first_step.empty())
            report_key("first_step", "no_first_step", fmt::format("{} does not say what to do first", stage_.name()),
                       {}, "add first_step: `check` shows it for the untouched stub");
        if (!stub_ || !stage_.is_graded) return;
        const std::vector<int> gaps = gaps_in(*stub_);
        for (const int named : gaps_in(stage_.first_step, ""))
            if (std::ranges::find(gaps, named) == gaps.end())
                report_key("first_step", "no_such_gap",
                           fmt::format("first_step of {} names a TODO that the stub does not have", stage_.name()),
                           {fmt::format("named: TODO {}", named), fmt::format("the stub has {}", gaps.size())},
                           "number it anew");
    }

    void check_rules() {
        std::set<std::string> seen;
        for (const TechniqueRule& rule : stage_.technique) {
            if (!seen.insert(rule.expression).second)
                report("rule_twice", fmt::format("{} has a rule twice", stage_.name()), toml_, rule.line,
                       {rule.expression}, "take one out");
            const bool is_sentence = rule.says.ends_with('.') || rule.says.ends_with('?');
            if (!is_sentence || rule.says.size() < shortest_words)
                report("rule_words", fmt::format("a rule of {} does not explain itself", stage_.name()), toml_,
                       rule.line,
                       {rule.expression, fmt::format("says {} characters{}", rule.says.size(),
                                                     is_sentence ? "" : ", and does not end like a sentence")},
                       "say what the number means here, and what to change");
        }
    }

    void check_also_passes() {
        for (const std::string& id : stage_.also_passes)
            for (const Stage& other : assignment_.stages)
                if (other.id == id && other.number <= stage_.number)
                    report_key("also_passes", "also_passes_earlier",
                               fmt::format("also_passes of {} names {}, which does not come later", stage_.name(), id),
                               {}, "name stages that build on this one");
    }

    void check_stub() {
        const std::string digest = text_digest(*stub_);
        if ((stage_.is_graded || !stage_.stub_digest.empty()) && stage_.stub_digest != digest)
            report_key("stub", "stub_digest", fmt::format("the digest of the stub of {} is not its own", stage_.name()),
                       {"an untouched stub is known by its digest",
                        stage_.stub_digest.empty() ? "none is recorded" : "recorded: " + stage_.stub_digest},
                       fmt::format("if the stub is meant to be as it is, set stub = \"{}\", or let `warpgrade verify "
                                   "{} --update` do it",
                                   digest, stage_.name()));
        check_source(*stub_, stub_path_);
        if (!stage_.is_graded) {
            if (solution_ && !is_same_text(*stub_, *solution_))
                report("example_differs",
                       fmt::format("{} is a worked example, but its two files differ", stage_.name()), stub_path_, 0,
                       {fmt::format("the other is solutions/{}/{}", assignment_.name, stage_.file)},
                       "copy one over the other");
            return;
        }
        const std::vector<int> gaps = gaps_in(*stub_);
        bool are_numbered = !gaps.empty();
        for (std::size_t i = 0; i < gaps.size(); ++i) are_numbered &= gaps[i] == static_cast<int>(i) + 1;
        if (!are_numbered)
            report("gaps", fmt::format("the gaps of {} are not numbered from 1", stage_.name()), stub_path_, 0,
                   {gaps.empty() ? "there is no `TODO 1:`" : fmt::format("found {} gaps", gaps.size())},
                   "mark each with `TODO 1:`, `TODO 2:` ...");
        if (const auto announced = announced_gaps(*stub_); announced != 0 && announced != gaps.size())
            report("gaps_announced", fmt::format("the stub of {} announces another number of gaps", stage_.name()),
                   stub_path_, 0, {fmt::format("announced {}, found {}", announced, gaps.size())},
                   "correct the sentence");
        if (stub_->find("warpgrade ") == std::string::npos)
            report("no_command", fmt::format("the stub of {} names no command", stage_.name()), stub_path_, 0, {},
                   "say what `./grader/warpgrade check` should show when it is done");
    }

    void check_solution() {
        if (!stage_.is_graded) return;
        if (const auto at = solution_->find("TODO"); at != std::string::npos)
            report("gap_in_solution", fmt::format("the solution of {} has a gap", stage_.name()), solution_path_,
                   line_at(*solution_, at), {}, "fill it, or reword the comment");
    }

    void check_source(const std::string& text, const fs::path& path) {
        if (stage_.is_program()) return;  // it may include what a program may
        const source::Tokens tokens = source::tokens_of(text);
        for (const std::string_view header : tokens.includes)
            if (header != "cuda_runtime.h" && header != "cstddef")
                report("header", fmt::format("a file of {} includes more than it may", stage_.name()), path,
                       line_at(text, static_cast<std::size_t>(header.data() - tokens.text->data())), {},
                       "<cuda_runtime.h> and <cstddef> are there on every machine");
        if ((text.find("#ifndef THREADS") != std::string::npos) == stage_.sweep_threads.empty())
            report(
                "sweep",
                stage_.sweep_threads.empty()
                    ? fmt::format("a file of {} lets the block size be set, but nothing sweeps it", stage_.name())
                    : fmt::format("a file of {} does not let the block size be set", stage_.name()),
                path, 0, {"sweep_threads compiles it with -DTHREADS=n"},
                "write `#ifndef THREADS`, `#define THREADS 256`, `#endif` where sweep_threads is set, and only there");
    }

    const Assignment& assignment_;
    const Stage& stage_;
    fs::path toml_, stub_path_, solution_path_;
    std::optional<std::string> stub_, solution_;
    std::vector<Diagnostic> problems_;
};

// Entries of a folder but those that start with a dot, by name.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (!entry.path().filename().string().starts_with('.')) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

// Of an assignment's folder: what describes it and its problem.
bool is_of_course(const std::string& name) {
    return name == "assignment.toml" || name == "problem.toml" || name == "problem.cu";
}

Diagnostic stray(const fs::path& path, std::string help) {
    return problem("stray_file", fmt::format("`{}` belongs to no stage", path.filename().string()), path, 0, {},
                   std::move(help));
}

}  // namespace

std::vector<Diagnostic> check_stage_text(const Assignment& assignment, const Stage& stage) {
    return StageText(assignment, stage).check();
}

Result<RecordedStubs> record_stubs(const Assignment& assignment, const std::vector<const Stage*>& stages) {
    RecordedStubs recorded;
    recorded.path = (fs::path(assignment.folder) / "assignment.toml").string();
    const auto toml = read_whole_file(recorded.path);
    if (!toml) return toml.error();
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < toml->size();) {
        const std::size_t end = std::min(toml->find('\n', at), toml->size() - 1);
        lines.push_back(toml->substr(at, end + 1 - at));
        at = end + 1;
    }
    static const std::regex value(R"re((stub\s*=\s*)("[^"]*"|'[^']*'))re");
    for (const Stage* stage : stages) {
        const auto stub = text_of(fs::path(assignment.folder) / stage->file);
        if (!stub || (!stage->is_graded && stage->stub_digest.empty())) continue;
        const std::string digest = text_digest(*stub);
        if (digest == stage->stub_digest) continue;
        // A new line goes behind that of the file, without moving those that other stages' places count.
        const bool has_key = stage->lines.contains("stub");
        std::string& line = lines.at(static_cast<std::size_t>(line_of(*stage, has_key ? "stub" : "file")) - 1);
        if (has_key)
            line = std::regex_replace(line, value, "$1\"" + digest + "\"", std::regex_constants::format_first_only);
        else
            line += fmt::format("stub = \"{}\"\n", digest);
        recorded.changed.push_back(stage->name());
    }
    for (const std::string& line : lines) recorded.text += line;
    return recorded;
}

std::vector<Diagnostic> check_assignment_text(const Assignment& assignment) {
    std::vector<Diagnostic> problems;
    const fs::path toml = fs::path(assignment.folder) / "assignment.toml";
    const std::vector<std::string> left_out = left_out_of(fs::path(assignment.folder).parent_path().string());
    const bool is_part =
        std::ranges::any_of(left_out, [&](const std::string& name) { return name.starts_with(assignment.name + "/"); });
    double points = 0, performance = 0;
    int number = assignment.stages.front().number;
    std::set<std::string> files;
    for (const Stage& stage : assignment.stages) {
        points += stage.max_points();
        performance += stage.performance_points;
        files.insert(stage.file);
        const bool is_next = is_part ? stage.number >= number : stage.number == number;
        const int expected = std::exchange(number, stage.number + 1);
        if (!is_next)
            problems.push_back(
                problem("numbers", fmt::format("the stages of {} are not numbered in a row", assignment.name), toml,
                        line_of(stage, "number"), {fmt::format("expected {}", expected)}, "leave no number out"));
    }
    // Less where stages are left out, or performance.
    const bool may_be_less = is_part || performance == 0;
    if (points != 0 && points != points_of_an_assignment && !(may_be_less && points < points_of_an_assignment))
        problems.push_back(problem(
            "points", fmt::format("the points of {} do not add up to {}", assignment.name, points_of_an_assignment),
            toml, 0, {fmt::format("the sum is {}", points)}, "shift points between the stages"));
    for (const fs::path& path : entries_of(assignment.folder))
        if (!is_of_course(path.filename().string()) && files.count(path.filename().string()) == 0)
            problems.push_back(stray(path, "give it a [[stage]] in assignment.toml, or move it away"));
    for (const fs::path& path : entries_of(assignment.solutions))
        if (path.filename() != "wrong" && path.filename() != "proved.toml" &&
            files.count(path.filename().string()) == 0)
            problems.push_back(stray(path, "name it as its stub is named, or move it away"));
    return problems;
}

std::vector<Diagnostic> check_course_text(const std::string& root, const std::vector<Assignment>& course,
                                          const std::vector<std::string>& verbs) {
    std::vector<Diagnostic> problems;
    std::set<std::string> names;
    for (const Assignment& assignment : course) names.insert(assignment.name);
    const auto is_document = [](const fs::path& path) { return path.extension() == ".md"; };
    const auto is_seed = [](const fs::path& path) { return path.filename() == "seed"; };  // of `grade`
    const auto is_for_editors = [](const fs::path& path) {
        return path.filename() == "compile_flags.txt" || path.stem() == "editor";
    };
    for (const char* folder : {"assignments", "solutions"})
        for (const fs::path& path : entries_of(fs::path(root) / folder))
            if (names.count(path.filename().string()) == 0 && !is_document(path) && !is_seed(path) &&
                !is_for_editors(path) && !fs::is_regular_file(path / "problem.toml"))
                problems.push_back(stray(path,
                                         "an assignment is a folder with an assignment.toml, and its solutions "
                                         "are in a folder of the same name"));

    // The handout of an assignment that is left out, and the list of these.
    const std::vector<std::string> left_out = left_out_of((fs::path(root) / "assignments").string());
    const auto is_of_another = [&](const fs::path& path) {
        return path.filename() == "left_out.md" || std::ranges::find(left_out, path.stem().string()) != left_out.end();
    };
    NameCheck names_in_texts(root, course, verbs);
    std::vector<fs::path> texts{fs::path(root) / "README.md", fs::path(root) / ".github" / "CONTRIBUTING.md"};
    for (const char* folder : {"handouts", "assignments", "solutions"})
        for (const fs::path& path : entries_of(fs::path(root) / folder))
            if (is_document(path) && !is_of_another(path)) texts.push_back(path);
    for (const Assignment& assignment : course)
        for (const std::string& folder : {assignment.folder, assignment.solutions})
            for (const fs::path& path : entries_of(folder)) texts.push_back(path);
    for (const fs::path& path : texts)
        if (const auto text = text_of(path)) names_in_texts.read(*text, path.string());
    for (Diagnostic& found : names_in_texts.take_problems()) problems.push_back(std::move(found));
    return problems;
}

}  // namespace warpgrade
