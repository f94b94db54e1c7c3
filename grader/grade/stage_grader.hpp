// Grades one source file as one stage: compile, find the launcher, check every shape, look for hazards, read counters,
// apply technique rules, score.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "device/device.hpp"
#include "grade/result.hpp"

namespace warpgrade {

namespace explain {
struct Rule;
}
class Card;
class BandwidthSource;
struct Evidence;

struct GradeOptions {
    std::uint64_t seed = 0;
    std::vector<Shape> shapes;  // empty = the problem's own
    int threads = 0;
    Card* card = nullptr;                   // the cases run there as well
    BandwidthSource* bandwidths = nullptr;  // nullptr: performance stays open
    bool traces = false;                    // record the first warp's accesses on the technique shape
    bool traces_whole_blocks = false;       // of `explain`: of all warps of the first and last block, and of this one
    std::optional<vgpu::Dim3> traced_block{};
    bool runs_timed = false;  // a large shape is run to its end as well, where the time is modelled
    // What passes is proved for every shape, beside what is timed, as far as that takes this share of the processor
    // time before; 0: it is not.
    double proof_share = 0;
    bool runs_what_is_proved = true;  // false, in `check`: of a large shape that a proof holds for, only the launcher
    bool measures_all = false;        // also what only other stages' rules ask about, for comparing stages
    const std::vector<explain::Rule>* rules = nullptr;  // changes of a wrong program that are tried; nullptr: none
    std::function<void(std::size_t done, std::size_t all)> on_shape{};  // of the shapes that are run: how far it is
    // What is known before anything is timed, and before changes of a wrong program are tried.
    std::function<void(const StageResult&)> on_checked{};
    Evidence* evidence = nullptr;  // where it is kept what was found out; nullptr: it is not
};

// A learner's failure is a StageResult; an error here is a host, course or kit Diagnostic.
Result<StageResult> grade_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                Device& device, const GradeOptions& options);

// The messages anew, from what a grading has found out: of the result only its findings and the compiler's messages.
StageResult told_again(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                       const GradeOptions& options, const Evidence& evidence);

// The result of a stage whose grading was stopped: it took more than it may, and nothing is known of any shape. `why`:
// the learner's error that says so.
StageResult stopped_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                          const GradeOptions& options, Diagnostic why);

// For `explain`: compiles, runs one shape with the first warp traced. No technique, no score.
Result<StageResult> explain_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                  Device& device, const GradeOptions& options);

}  // namespace warpgrade
