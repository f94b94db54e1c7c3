#include "cli/verify_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_view.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

std::size_t passed_cases(const StageResult& result) {
    return static_cast<std::size_t>(std::count_if(result.cases.begin(), result.cases.end(),
                                                  [](const CaseResult& one) { return one.verdict == Verdict::pass; }));
}

std::size_t held_rules(const StageResult& result) {
    return static_cast<std::size_t>(std::count_if(result.technique.begin(), result.technique.end(),
                                                  [](const TechniqueResult& rule) { return rule.ok; }));
}

// "fails", as it should; "example" for a worked one; what is wrong otherwise.
Cell stub_cell(const StageCheck& row) {
    const StageResult& stub = row.stub;
    if (stub.stage.empty()) return {"missing", Paint::red};
    if (!stub.compiles) return {"does not compile", Paint::red};
    const bool is_as_it_should_be = stub.is_right_throughout() != row.stage->is_graded;
    const char* fate = stub.is_right_throughout() ? "passes" : "fails";
    if (!row.stage->is_graded && stub.is_right_throughout()) return {"example", Paint::green};
    return {fate, is_as_it_should_be ? Paint::green : Paint::red};
}

Cell solution_cell(const StageCheck& row) {
    const StageResult& solution = row.solution;
    if (solution.stage.empty()) return {"missing", Paint::red};
    if (!solution.compiles) return {"does not compile", Paint::red};
    return solution.passes() ? Cell{"passes", Paint::green} : Cell{"falls short", Paint::red};
}

Cell share(std::size_t held, std::size_t total) {
    if (total == 0) return {"-", Paint::dim};
    return {fmt::format("{}/{}", held, total), held == total ? Paint::green : Paint::red};
}

Json problem_json(const Diagnostic& problem) {
    Json json{{"kind", problem.code}, {"severity", to_string(problem.severity)}, {"message", problem.title}};
    if (!problem.marks.empty()) {
        json["path"] = problem.marks.front().path;
        json["line"] = problem.marks.front().line;
    }
    json["facts"] = problem.facts;
    json["help"] = problem.help;
    return json;
}

Json problems_json(const std::vector<Diagnostic>& problems) {
    Json json = Json::array();
    for (const Diagnostic& problem : problems) json.push_back(problem_json(problem));
    return json;
}

// The obligations that hold for every shape.
std::vector<std::string> proved_names(const StageResult& result) {
    std::vector<std::string> names;
    if (result.proof)
        for (const proof::Row& row : result.proof->rows)
            if (row.is_proved) names.emplace_back(proof::to_string(row.what));
    return names;
}

Json file_json(const StageResult& result) {
    if (result.stage.empty()) return nullptr;
    return {{"source", result.source_path},           {"compiles", result.compiles},
            {"passes", result.is_right_throughout()}, {"untouched", result.is_untouched_stub},
            {"cases_passed", passed_cases(result)},   {"cases", result.cases.size()},
            {"rules_held", held_rules(result)},       {"rules", result.technique.size()},
            {"proved", proved_names(result)}};
}

}  // namespace

std::string render_course_check(const CourseCheck& check, const RenderStyle& style) {
    Table table(
        {{"stage"}, {"stub"}, {"solution"}, {"shapes", true}, {"rules", true}, {"points", true}, {"proved", true}});
    std::string details;
    std::size_t problems = check.problems.size();
    bool is_known = true;
    const Bandwidth* modelled = nullptr;
    for (const StageCheck& row : check.stages) {
        table.add({{row.stage->name(), row.problems.empty() ? Paint::none : Paint::red},
                   stub_cell(row),
                   solution_cell(row),
                   share(passed_cases(row.solution), row.solution.cases.size()),
                   share(held_rules(row.solution), row.solution.technique.size()),
                   {row.stage->is_graded ? number(row.stage->max_points()) : "-"},
                   {row.solution.proof && !proved_names(row.solution).empty()
                        ? fmt::format("{}/{}", proved_names(row.solution).size(), proof::obligations)
                        : "-"}});
        problems += row.problems.size();
        const auto& bandwidth = row.solution.bandwidth;
        is_known &= bandwidth.has_value() || row.stage->performance_points == 0;
        if (bandwidth && bandwidth->origin == Origin::modelled) modelled = &*bandwidth;
        for (const Diagnostic& problem : row.problems) details += "\n" + render(problem, "", style);
    }
    for (const Diagnostic& problem : check.problems) details += "\n" + render(problem, "", style);
    std::string out = table.text(style) + details + "\n";
    if (problems != 0)
        return out + paint(counted(problems, "problem", "problems"), Paint::red, style) + " in this course.\n";
    out += fmt::format("{}: every stub fails as it should, every solution passes.\n",
                       counted(check.stages.size(), "stage", "stages"));
    if (check.wrong_programs != 0)
        out += fmt::format("{}: each gets the verdict that its first line names.\n",
                           counted(check.wrong_programs, "wrong program", "wrong programs"));
    if (check.proved_problems != 0)
        out += wrap_after(counted(check.proved_problems, "problem of a folder", "problems of folders") + ": ",
                          "the reference passes, wrong outputs made from it do not.", style.columns);
    if (!is_known) return out + "Performance was neither measured nor modelled: its points were not looked at.\n";
    if (modelled == nullptr) return out;
    out += wrap_after("Performance is ", modelled_text(*modelled) + ".", style.columns);
    for (const std::string& note : check.notes)
        out += wrap_after("The time model: ", escape(note) + ".", style.columns);
    return out;
}

nlohmann::ordered_json json_of(const CourseCheck& check, const RunReport& report) {
    Json json{{"schema", "warpgrade.verify/1"},
              {"tool", {{"version", report.tool_version}, {"git", report.tool_git}, {"nvrtc", report.nvrtc}}},
              {"seed", report.seed},
              {"ok", check.has_found_nothing()},
              {"stages", Json::array()}};
    for (const StageCheck& row : check.stages)
        json["stages"].push_back({{"assignment", row.assignment->name},
                                  {"stage", row.stage->id},
                                  {"ok", row.problems.empty()},
                                  {"stub", file_json(row.stub)},
                                  {"solution", file_json(row.solution)},
                                  {"also_passed", row.also_passed},
                                  {"problems", problems_json(row.problems)}});
    json["problems"] = problems_json(check.problems);
    json["notes"] = check.notes;
    return json;
}

}  // namespace warpgrade::cli
