#include "grade/course_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/make_diagnostic.hpp"
#include "base/parallel.hpp"
#include "course/course_text.hpp"
#include "course/technique.hpp"
#include "device/device.hpp"
#include "explain/say.hpp"
#include "grade/ladder.hpp"
#include "grade/proved_rows.hpp"
#include "grade/size_twins.hpp"
#include "grade/stage_grader.hpp"
#include "grade/triage.hpp"
#include "grade/wrong_programs.hpp"
#include "problem/proof.hpp"
#include "timing/modelled.hpp"

namespace warpgrade {

namespace {

namespace fs = std::filesystem;

Diagnostic problem(std::string code, std::string title, SourceMark place, std::string help,
                   std::vector<std::string> facts = {}) {
    return make_error(Blame::course, std::move(code), std::move(title), {std::move(place)}, std::move(facts),
                      std::move(help));
}

// "launches is 3"; those that do not hold, or all.
std::vector<std::string> values_of(const std::vector<TechniqueResult>& rules, bool has_all = false) {
    std::vector<std::string> values;
    for (const TechniqueResult& rule : rules)
        if (has_all || !rule.ok) values.push_back(fmt::format("{} is {:.4g}", rule.rule, rule.value));
    return values;
}

std::string first_compiler_error(const StageResult& result) {
    for (const CompilerMessage& message : result.compiler_messages)
        if (message.severity == Severity::error) return fmt::format("line {}: {}", message.line, message.message);
    return "";
}

// Up to three of what keeps a file from passing, in words.
std::vector<std::string> reasons(const StageResult& result) {
    std::vector<std::string> facts;
    if (const std::string error = first_compiler_error(result); !error.empty()) facts.push_back(error);
    for (const Diagnostic& finding : result.findings) {
        if (finding.severity != Severity::error && finding.severity != Severity::warning) continue;
        facts.push_back(code_and_title(finding));
    }
    for (const CaseResult& one : result.cases)
        if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
            facts.push_back(fmt::format("{}: {}{}", describe_case(one.shape), to_string(one.verdict),
                                        one.variant.empty() ? "" : ", " + one.variant));
    for (std::string& value : values_of(result.technique)) facts.push_back(std::move(value));
    if (facts.size() > 3) facts.resize(3);
    return facts;
}

bool is_run(const StageResult& result) {
    return std::ranges::any_of(result.cases, [](const CaseResult& one) { return one.verdict != Verdict::skipped; });
}

// A template is called with its types, an ordinary launcher without: neither can be handed in for the other.
bool can_be_graded_as(const Stage& solution, const Stage& stage) {
    const auto has = [&](const std::string& type) {
        return std::ranges::find(solution.types, type) != solution.types.end();
    };
    return solution.problem == stage.problem && (solution.types.size() > 1) == (stage.types.size() > 1) &&
           std::ranges::all_of(stage.types, has);
}

std::vector<TechniqueResult> put_to_rules(const StageCheck& other, const Stage& stage) {
    std::vector<Measured> measured;
    for (const std::string& type : stage.types) {
        const auto at = std::ranges::find(other.stage->types, type) - other.stage->types.begin();
        measured.push_back(other.solution.measured[static_cast<std::size_t>(at)]);
    }
    return apply_rules(stage.technique, measured, stage.types);
}

SourceMark toml_place(const StageCheck& row, const char* key) {
    const auto at = row.stage->lines.find(key);
    const int line = at != row.stage->lines.end() ? at->second : row.stage->lines.at("stage");
    return {(fs::path(row.assignment->folder) / "assignment.toml").string(), line, 0, 1, ""};
}

// Another stage's solution earns half of the points at most: correctness alone, as a rule that decides does not hold.
void hold_to_half(StageCheck& row, const StageCheck& other, const std::vector<TechniqueResult>& rules) {
    const Stage& stage = *row.stage;
    if (!stage.is_graded || stage.max_points() <= 0) return;
    bool is_decided = false;
    for (std::size_t i = 0; i < rules.size(); ++i)
        is_decided = is_decided || (stage.technique[i].points > 0 && !rules[i].ok);
    // Where performance is left out, correctness is a larger part of what is left.
    const bool has_performance =
        std::ranges::any_of(row.assignment->stages, [](const Stage& one) { return one.performance_points > 0; });
    if (is_decided && (2 * stage.correctness_points <= stage.max_points() || !has_performance)) return;
    row.problems.push_back(problem("worth_too_much", say("solution_can_earn_more", other.stage->id, stage.name()),
                                   toml_place(row, is_decided ? "points" : "stage"),
                                   is_decided ? say("correctness_half_points_most") : say("give_points_own_rule"),
                                   values_of(rules)));
}

void compare_rules(StageCheck& row, const StageCheck& other) {
    const Stage& stage = *row.stage;
    const auto& listed = stage.also_passes;
    const bool is_listed = std::ranges::find(listed, other.stage->id) != listed.end();
    if (other.solution.measured.empty() || stage.technique.empty()) {
        if (is_listed && stage.technique.empty())
            row.problems.push_back(problem("also_passes",
                                           say("also_passes_names_but_stage", stage.name(), other.stage->id),
                                           toml_place(row, "also_passes"), "take it out"));
        return;
    }
    std::vector<TechniqueResult> rules;
    bool passes = can_be_graded_as(*other.stage, stage);
    if (passes) {
        rules = put_to_rules(other, stage);
        passes = std::ranges::all_of(rules, [](const TechniqueResult& rule) { return rule.ok; });
    }
    if (passes) row.also_passed.push_back(other.stage->id);
    if (!passes && !is_listed && !rules.empty()) hold_to_half(row, other, rules);
    if (passes == is_listed) return;
    if (passes) {
        row.problems.push_back(problem("rules_too_wide", say("rules_solution_pass", stage.name(), other.stage->id),
                                       toml_place(row, "stage"), say("make_rule_stricter_add", other.stage->id),
                                       values_of(rules, true)));
        return;
    }
    auto facts = values_of(rules);
    if (rules.empty()) facts.push_back(say("launcher_other_types_cannot"));
    row.problems.push_back(problem("also_passes", say("solution_does_pass_rules", other.stage->id, stage.name()),
                                   toml_place(row, "also_passes"), say("take_out_also_passes_loosen"),
                                   std::move(facts)));
}

std::vector<Diagnostic> problems_of_stub(const Stage& stage, const StageResult& stub) {
    std::vector<Diagnostic> problems;
    const SourceMark place{stub.source_path, 0, 0, 1, ""};
    const auto report = [&](std::string code, std::string title, std::string help) {
        problems.push_back(problem(std::move(code), std::move(title), place, std::move(help), reasons(stub)));
    };
    if (!stub.compiles)
        report("stub_does_not_compile", fmt::format("the stub of {} does not compile", stage.name()),
               say("student_first_check_about"));
    else if (!is_run(stub))
        report("stub_cannot_run", fmt::format("the stub of {} cannot be run", stage.name()),
               say("give_launcher_solution"));
    else if (stage.is_graded && stub.is_right_throughout())
        report("stub_passes", say("stub_passes_nothing_left", stage.name()), say("take_out_student_write"));
    else if (!stage.is_graded && !stub.is_right_throughout())
        report("example_fails", fmt::format("the worked example {} does not pass", stage.name()),
               "fix it: it is shown as right");
    return problems;
}

// One file to grade.
struct Job {
    StageCheck* row = nullptr;
    std::string path;
    bool is_solution = false;
    std::optional<Diagnostic> failure;
    std::optional<WrongProgram> wrong;  // it is one, and this is what it must get
    StageResult result;                 // of a wrong program
};

void grade(Job& job, const CourseCheckOptions& with) {
    GradeOptions options;
    options.seed = with.seed;
    options.threads = 1;  // the files are what runs side by side
    options.traces = true;
    options.measures_all = job.is_solution;
    if (job.is_solution) options.proof_share = with.proof_share;
    const auto device = make_virtual_device();
    std::unique_ptr<ModelledSource> modelled;
    if (job.is_solution && with.profile) {
        auto opened = ModelledSource::open(*with.profile);
        if (!opened) {
            job.failure = opened.error();
            return;
        }
        modelled = std::move(*opened);
        options.bandwidths = modelled.get();
    }
    auto result = grade_stage(*job.row->assignment, *job.row->stage, job.path, *device, options);
    if (!result) {
        job.failure = result.error();
        return;
    }
    StageCheck& row = *job.row;
    (job.wrong ? job.result : job.is_solution ? row.solution : row.stub) = std::move(*result);
}

// The wrong programs of the stages that are looked at.
Status add_wrong_programs(CourseCheck& check, std::vector<Job>& jobs) {
    const Assignment* last = nullptr;
    for (const StageCheck& row : check.stages) {
        if (row.assignment == last) continue;
        last = row.assignment;
        auto programs = wrong_programs(*row.assignment);
        if (!programs) return programs.error();
        for (WrongProgram& program : *programs)
            for (StageCheck& of : check.stages) {
                if (of.assignment != row.assignment || of.stage->id != program.stage) continue;
                program.path = fs::relative(program.path).string();
                jobs.push_back({&of, program.path, false, {}, std::move(program), {}});
                ++check.wrong_programs;
                break;
            }
    }
    return Nothing{};
}

void prove_problems(CourseCheck& check, std::uint64_t seed) {
    std::vector<const Problem*> problems;
    for (const StageCheck& row : check.stages) {
        const Problem* described = find_problem(row.stage->problem);
        if (described && std::ranges::find(problems, described) == problems.end()) problems.push_back(described);
    }
    for (const Problem* described : problems) {
        std::vector<const Problem*> parts;
        for (const auto& [buffer, one] : described->by_output()) parts.push_back(one.get());
        if (parts.empty()) parts.push_back(described);
        for (const Problem* part : parts)
            for (Diagnostic& found : prove(*part, seed).problems) check.problems.push_back(std::move(found));
        std::vector<const Stage*> stages;
        const Assignment* assignment = nullptr;
        for (const StageCheck& row : check.stages)
            if (find_problem(row.stage->problem) == described && (!assignment || assignment == row.assignment)) {
                assignment = row.assignment;
                stages.push_back(row.stage);
            }
        for (Diagnostic& found : check_sizes(*described, stages, *assignment, seed))
            check.problems.push_back(std::move(found));
    }
    check.proved_problems = problems.size();
}

}  // namespace

bool CourseCheck::has_found_nothing() const {
    return problems.empty() && std::ranges::all_of(stages, [](const StageCheck& row) { return row.problems.empty(); });
}

std::vector<Diagnostic> problems_of_solution(const Stage& stage, const StageResult& solution) {
    std::vector<Diagnostic> problems;
    const auto report = [&](std::string code, std::string title, std::vector<std::string> facts, std::string help) {
        problems.push_back(problem(std::move(code), std::move(title), {solution.source_path, 0, 0, 1, ""},
                                   std::move(help), std::move(facts)));
    };
    const bool has_warning = std::ranges::any_of(
        solution.findings, [](const Diagnostic& finding) { return finding.severity == Severity::warning; });
    const bool is_wrong = std::ranges::any_of(solution.findings,
                                              [](const Diagnostic& finding) { return finding.code == "wrong_output"; });
    if (!solution.passes() || has_warning)
        report("solution_falls_short", say("solution_does_pass_without", stage.name()), reasons(solution),
               is_wrong ? say("fix_solution_reference_if") : say("fix_solution_rule_does"));
    const double missing = stage.performance_points - solution.score.performance;
    if (solution.passes() && solution.bandwidth && missing > 1e-9)
        report("solution_is_slow", say("solution_misses_points_performance", stage.name()),
               {fmt::format("{:.4g} GB/s, {} points of {}", solution.bandwidth->gb_per_s, solution.score.performance,
                            stage.performance_points)},
               say("look_band_whether_machine"));
    return problems;
}

void compare_rules(std::vector<StageCheck*>& rows) {
    for (StageCheck* row : rows)
        for (const StageCheck* other : rows)
            if (row != other && row->assignment == other->assignment) compare_rules(*row, *other);
}

namespace {

void compare_proofs(CourseCheck& check, bool records) {
    const Assignment* last = nullptr;
    for (const StageCheck& first : check.stages) {
        if (std::exchange(last, first.assignment) == first.assignment) continue;
        const auto recorded = recorded_rows(*first.assignment);
        if (!recorded) {
            check.problems.push_back(recorded.error());
            continue;
        }
        ProvedRows rows = *recorded;
        CourseCheck::Recorded file{first.assignment->name, "", {}};
        for (StageCheck& row : check.stages) {
            if (row.assignment != first.assignment || !row.solution.proof || !row.solution.proof->was_tried) continue;
            const auto& known = rows[row.stage->id];
            auto lost = records ? std::nullopt : lost_row(*row.stage, known, row.solution);
            if (lost) row.problems.push_back(std::move(*lost));
            if (auto now = proved_now(known, row.solution); now != known) {
                rows[row.stage->id] = std::move(now);
                file.stages.push_back(row.stage->name());
            }
        }
        file.text = text_of(*first.assignment, rows);
        if (records && !file.stages.empty()) check.recorded.push_back(std::move(file));
    }
}

// A problem that cannot be run stops each of its files in the same way. It is said where it is met first.
void say_once(CourseCheck& check) {
    std::set<std::tuple<std::string, std::string, int>> said;
    const auto is_repeated = [&](const Diagnostic& each) {
        if (each.blame != Blame::course || each.marks.empty() || !each.code.starts_with("reference_")) return false;
        return !said.insert({each.code, each.marks.front().path, each.marks.front().line}).second;
    };
    for (StageCheck& row : check.stages) std::erase_if(row.problems, is_repeated);
    std::erase_if(check.problems, is_repeated);
}

}  // namespace

Result<CourseCheck> check_course(const std::string& root, const std::vector<Assignment>& course,
                                 const CourseCheckOptions& options) {
    CourseCheck check;
    for (const Assignment& assignment : course) {
        if (assignment.solutions.empty())
            return problem("no_solutions", fmt::format("there are no solutions of {}", assignment.name),
                           {(fs::path(root) / "solutions" / assignment.name).string(), 0, 0, 1, ""},
                           say("verify_course_author_student"));
        for (const Stage& stage : assignment.stages)
            if (options.stages.empty() || std::ranges::find(options.stages, &stage) != options.stages.end())
                check.stages.push_back({&assignment, &stage, {}, {}, {}, {}});
    }

    std::vector<Job> jobs;
    for (StageCheck& row : check.stages) {
        row.problems = check_stage_text(*row.assignment, *row.stage);
        for (const bool is_solution : {true, false}) {
            const fs::path path =
                fs::path(is_solution ? row.assignment->solutions : row.assignment->folder) / row.stage->file;
            std::error_code error;
            if (fs::is_regular_file(path, error))
                jobs.push_back({&row, fs::relative(path).string(), is_solution, {}, {}, {}});
        }
    }
    if (auto status = add_wrong_programs(check, jobs); !status) return status.error();
    std::atomic<std::size_t> graded = 0;
    const auto tell = [&] {
        if (options.on_graded) options.on_graded(graded, jobs.size());
    };
    tell();
    prove_problems(check, options.seed);
    for_each_in_parallel(jobs.size(), threads_for(jobs.size()), [&](std::size_t i) {
        grade(jobs[i], options);
        ++graded;
        tell();
    });
    for (Job& job : jobs) {
        StageCheck& row = *job.row;
        if (job.failure && job.failure->blame == Blame::host) return *job.failure;
        if (job.wrong && !job.failure) {
            if (auto found = disappointment(*job.wrong, job.result)) row.problems.push_back(std::move(*found));
            continue;
        }
        auto found = job.failure       ? std::vector{*job.failure}
                     : job.is_solution ? problems_of_solution(*row.stage, row.solution)
                                       : problems_of_stub(*row.stage, row.stub);
        for (Diagnostic& each : found) row.problems.push_back(std::move(each));
    }
    say_once(check);
    std::vector<StageCheck*> rows;
    for (StageCheck& row : check.stages) rows.push_back(&row);
    compare_rules(rows);
    compare_proofs(check, options.records_proofs);
    std::vector<const StageResult*> solutions;
    for (const StageCheck& row : check.stages) solutions.push_back(&row.solution);
    if (options.profile != nullptr) check.notes = notes_on_ladder(solutions, *options.profile);

    for (const Assignment& assignment : course) {
        const auto asked =
            std::ranges::count_if(check.stages, [&](const StageCheck& row) { return row.assignment == &assignment; });
        if (asked != static_cast<std::ptrdiff_t>(assignment.stages.size())) continue;
        for (Diagnostic& found : check_assignment_text(assignment)) check.problems.push_back(std::move(found));
    }
    if (!options.stages.empty()) return check;
    for (Diagnostic& found : check_course_text(root, course, options.verbs)) check.problems.push_back(std::move(found));
    return check;
}

}  // namespace warpgrade
