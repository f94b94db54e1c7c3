// The course checked against itself (`warpgrade verify`): every stub fails as it is handed out, every solution earns
// all points, and the rules of a stage let no other stage's solution pass that `also_passes` does not list.
//
// Theory of operation. What can be read is read (course_text.hpp). Then every stub and every solution is graded as a
// submission is, on several threads, and the numbers of each solution are put to the rules of every other stage of its
// assignment: nothing is run for that. The wrong programs beside the solutions must get what they say, and the problems
// that folders describe must prove themselves (problem/proof.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "grade/result.hpp"
#include "model/profile.hpp"

namespace warpgrade {

struct StageCheck {
    const Assignment* assignment = nullptr;
    const Stage* stage = nullptr;
    StageResult stub, solution;            // without cases where the file is not there
    std::vector<std::string> also_passed;  // ids of other stages whose solutions pass the rules of this one
    std::vector<Diagnostic> problems;      // of the course, or of the kit where it could not grade
};

struct CourseCheck {
    std::vector<StageCheck> stages;
    std::size_t wrong_programs = 0;    // that were graded
    std::size_t proved_problems = 0;   // described by folders
    std::vector<Diagnostic> problems;  // that belong to no single stage
    std::vector<std::string> notes;    // on the time model (ladder.hpp); no fault of the course
    struct Recorded {                  // a file proved.toml that differs from what is proved (proved_rows.hpp)
        std::string assignment, text;
        std::vector<std::string> stages;  // names of those that differ
    };
    std::vector<Recorded> recorded;  // where `records_proofs`
    bool has_found_nothing() const;
};

struct CourseCheckOptions {
    std::uint64_t seed = 0;
    std::vector<std::string> verbs;  // of the program; commands in texts name one of them
    // Empty = all. Else only these and what they say of each other, and of assignments that are wholly among them.
    std::vector<const Stage*> stages;
    double proof_share = 0;       // of the solutions: GradeOptions'
    bool records_proofs = false;  // what is proved becomes what should be; else what was lost is a problem
    const GpuProfile* profile =
        nullptr;  // the solutions' times are modelled for it; null: performance is not looked at
    // Called as programs are graded, by several threads.
    std::function<void(std::size_t done, std::size_t all)> on_graded{};
};

// Runs on the virtual GPU: what is checked is the course, not this machine. Error: host, or a course without solutions.
Result<CourseCheck> check_course(const std::string& root, const std::vector<Assignment>& course,
                                 const CourseCheckOptions& options);

// Its steps. What a graded solution falls short of; and the rules of each row put to the solutions of the other rows of
// its assignment, which adds to also_passed and problems.
std::vector<Diagnostic> problems_of_solution(const Stage& stage, const StageResult& solution);
void compare_rules(std::vector<StageCheck*>& rows);

}  // namespace warpgrade
