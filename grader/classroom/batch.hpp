// Grades a class: every stage that was handed in, in worker processes, and puts the students' results together.
//
// What is in the folder afterwards:
//   gradebook.csv                 a row a student
//   class.json                    who handed in what, for the class report
//   results/<student>.json        "warpgrade.result/1", written as soon as all of the student's stages are graded
//   gradescope/<student>.json     the same for Gradescope
//   reports/<student>/            report.html and report.pdf (classroom/reports.hpp)
//   class.html, class.pdf
//   handed-in/<student>/<assignment>/<N>_<stage>.cu    what was graded
//   .store/                       graded stages (stage_store.hpp)
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/wire.hpp"
#include "classroom/intake.hpp"
#include "classroom/overrides.hpp"
#include "classroom/stage_json.hpp"
#include "classroom/stage_store.hpp"
#include "grade/result.hpp"

namespace warpgrade::classroom {

struct StudentMarks {
    const Submission* submission = nullptr;
    std::string file_name;  // of results/<file_name>.json
    std::vector<StageMark> stages;
    Standing standing = Standing::missing;
    // In the course: not an auditor, nor who has dropped it.
    bool counts() const { return submission->student.role.empty(); }
    bool has_total() const { return standing == Standing::graded || standing == Standing::provisional; }
};

// One file to grade. What a student's work is graded with is the caller's: a worker is handed `order` and replies
// {"ok", JSON of the stage} or {"error", blame, why}.
struct StageOrder {
    std::string key;
    std::string stage;
    std::filesystem::path folder;  // handed-in/<student>
    std::string file;              // "transpose/4_padding.cu", inside the folder
};

// What became of the stages that were to be graded somewhere else.
struct Elsewhere {
    std::size_t pending = 0;                        // that are not graded yet
    std::map<std::string, std::string> given_up{};  // why there is no result and will be none, by key
};

struct BatchSettings {
    std::filesystem::path out;
    std::vector<const Assignment*> assignments;         // that count
    std::set<std::string> stages;                       // of them, by name; empty: all
    std::set<std::string> known_files;                  // in results/ and gradescope/, of earlier runs
    std::map<std::string, std::string> course_digests;  // by assignment
    Overrides overrides;
    bool is_on_card = false;        // bandwidth is measured, not modelled
    std::string run_digest;         // of device, seed, tool: what else decides a result
    nlohmann::ordered_json header;  // a result without its stages
    int workers = 1;
    std::vector<int> cards{0};  // that time, one submission at a time each
    const char* worker_verb = nullptr;
    std::function<wire::Fields(const StageOrder&)> worker_job;
    // Instead of workers here: takes the orders whose results are not in the store.
    std::function<Result<Elsewhere>(const std::vector<StageOrder>&)> executor{};
    bool counts(const Stage& stage) const { return stages.empty() || stages.contains(stage.name()); }
    std::function<void(std::size_t done, std::size_t all)> progress;  // of stages that have to be graded in this run
};

struct BatchOutcome {
    std::vector<StudentMarks> students;  // in the order of the submissions
    std::size_t graded_now = 0, known_before = 0;
    std::size_t rescored = 0;  // of these, with the points that the stage has now; nothing was run for it
    std::size_t pending = 0;   // are graded somewhere else; until that is done there are no tables
};

// Error: host (cannot write), or what kept a worker from grading anything (host, course).
Result<BatchOutcome> grade_class(const std::vector<Submission>& submissions, const BatchSettings& settings);

}  // namespace warpgrade::classroom
