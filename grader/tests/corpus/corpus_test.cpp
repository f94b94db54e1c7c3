// Grades every program of grader/tests/submissions and compares what the kit says with the folder that it is in.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "compile/support.hpp"
#include "corpus/program.hpp"
#include "corpus/verdict.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"

using namespace warpgrade;
using corpus::Program;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

// One grading: a program with a seed.
struct Job {
    const Program* program = nullptr;
    std::uint64_t seed = 1;
    bool is_repeated = false;  // another seed of a program graded before
    std::string verdict;
    std::string complaint;
};

// What depends on the seed, and is quick: the sizes that are drawn, and the contents.
std::vector<Shape> drawn_shapes(const Stage& stage, std::uint64_t seed) {
    const Problem& problem = *find_problem(stage.problem);
    std::vector<Shape> all = problem.few_shapes(seed, "float");
    const auto other = problem.shapes(seed + 1, stage.types);
    for (const Shape& shape : problem.shapes(seed, stage.types)) {
        const bool is_drawn = std::find(other.begin(), other.end(), shape) == other.end();
        if (is_drawn && problem.elements(shape) <= 300'000) all.push_back(shape);
    }
    return all;
}

void grade(const std::vector<Assignment>& course, Job& job) {
    const auto match = find_stage(course, job.program->stage);
    if (!match) {
        job.verdict = "unexplained";
        job.complaint = match.error().title;
        return;
    }
    GradeOptions options;
    options.seed = job.seed;
    options.threads = 1;  // the programs are what runs side by side
    if (job.is_repeated) options.shapes = drawn_shapes(*match->stage, job.seed);
    const auto device = make_virtual_device();
    auto result = grade_stage(*match->assignment, *match->stage, job.program->path, *device, options);
    if (!result) {
        const bool is_limit = result.error().code == "unsupported" && result.error().blame == Blame::host;
        job.verdict = is_limit ? "unsupported" : "unexplained";
        if (!is_limit) job.complaint = result.error().code + ": " + result.error().title;
        return;
    }
    if (job.is_repeated) result->technique.clear();  // rules are about the technique shape, which was not run
    job.verdict = corpus::verdict_of(*result);
    job.complaint = corpus::missing_from(*result, *job.program);
    if (!job.complaint.empty() || job.verdict == job.program->expected) return;
    for (const Diagnostic& finding : result->findings)
        if (corpus::is_serious(finding))
            job.complaint += fmt::format("\n      {}[{}] line {}: {}", to_string(finding.severity), finding.code,
                                         finding.marks.empty() ? 0 : finding.marks.front().line, finding.title);
    for (const TechniqueResult& rule : result->technique)
        if (!rule.ok) job.complaint += fmt::format("\n      {} is {}", rule.rule, rule.value);
}

void grade_all(const std::vector<Assignment>& course, std::vector<Job>& jobs) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back([&] {
            for (std::size_t j = next++; j < jobs.size(); j = next++) grade(course, jobs[j]);
        });
    for (std::thread& worker : workers) worker.join();
}

std::string confusion_matrix(const std::vector<Job>& jobs) {
    std::set<std::string> verdicts;
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const Job& job : jobs) {
        if (job.is_repeated) continue;
        verdicts.insert({job.program->expected, job.verdict});
        ++counts[{job.program->expected, job.verdict}];
    }
    std::string text = fmt::format("{:26}", "expected \\ got");
    for (std::size_t column = 1; column <= verdicts.size(); ++column) text += fmt::format("{:4}", column);
    int row = 1;
    for (const std::string& expected : verdicts) {
        text += fmt::format("\n{:3} {:22}", row++, expected);
        for (const std::string& got : verdicts) {
            const auto found = counts.find({expected, got});
            text += found == counts.end() ? fmt::format("{:>4}", ".") : fmt::format("{:4}", found->second);
        }
    }
    return text + "\n";
}

}  // namespace

TEST_CASE("the kit says of every submission what its folder says") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto programs = corpus::all_programs(root + "/grader/tests/submissions");
    REQUIRE(programs.size() >= 80);
    // WARPGRADE_CORPUS=race_: all programs whose name holds this text.
    const char* wanted = std::getenv("WARPGRADE_CORPUS");
    const test::Part part = wanted != nullptr ? test::Part{} : test::part_of(24, "programs of submissions/");
    const bool is_whole = part.parts == 1;

    std::vector<Job> jobs;
    std::size_t number = 0;
    for (const Program& program : programs) {
        INFO(program.name);
        CHECK(!program.stage.empty());
        CHECK((program.says.empty() == (program.expected == "right")));
        if (!part.is_in(number++)) continue;
        if (wanted != nullptr && program.name.find(wanted) == std::string::npos) continue;
        jobs.push_back({&program, 1, false, "", ""});
        // What is right must be right whatever is drawn: for a few of a part, or for all of the whole.
        if (program.expected != "right") continue;
        for (const std::uint64_t seed : {2, 3})
            if (is_whole || (seed == 2 && std::hash<std::string>{}(program.name) % 16 == 0))
                jobs.push_back({&program, seed, true, "", ""});
    }
    REQUIRE(!jobs.empty());
    grade_all(*course, jobs);

    std::cout << confusion_matrix(jobs) << std::flush;
    for (const Job& job : jobs) {
        INFO(fmt::format("{}, seed {}: {}", job.program->name, job.seed, job.complaint));
        CHECK(job.verdict == job.program->expected);
        if (job.verdict == job.program->expected) CHECK(job.complaint.empty());
    }
}

TEST_CASE("no solution is accused of anything, whatever is drawn", "[eighth_5]") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    std::vector<Program> solutions;
    for (const Assignment& assignment : *course) {
        if (assignment.solutions.empty()) continue;
        for (const Stage& stage : assignment.stages) {
            if (stage.is_program()) continue;  // whole programs have no seed
            Program program;
            program.name = "solutions/" + assignment.name + "/" + stage.file;
            program.path = assignment.solutions + "/" + stage.file;
            program.expected = "right";
            program.stage = stage.name();
            solutions.push_back(std::move(program));
        }
    }
    REQUIRE(!solutions.empty());
    const test::Part part = test::part_of(12, "solutions with three seeds");
    std::vector<Job> jobs;
    std::size_t number = 0;
    for (const Program& program : solutions)
        for (const std::uint64_t seed : {1, 2, 3})
            if (part.is_in(number++)) jobs.push_back({&program, seed, true, "", ""});
    grade_all(*course, jobs);
    for (const Job& job : jobs) {
        INFO(fmt::format("{}, seed {}: {}", job.program->name, job.seed, job.complaint));
        CHECK(job.verdict == "right");
    }
}
