// Runs cases: prepare, launch, look for hazards, judge; explain/telling makes words of what was seen.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "course/technique.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"
#include "problem/verdict.hpp"
#include "run/observation.hpp"
#include "source/questions.hpp"

namespace warpgrade {

struct CaseResult {
    Shape shape;
    Verdict verdict = Verdict::none;
    std::string detail;                  // one line: what it failed by, and where
    std::string variant;                 // "" = as handed in; or "THREADS=64", "not optimised, another order of warps"
    std::optional<Judgement> judgement;  // when wrong
    std::vector<std::string> seen{};     // Problem::values_seen, of a small shape that was asked for
    bool is_planned = false;             // its launcher alone was asked (grade/planned_sizes.hpp)
    bool is_proved = false;              // the same, of a shape that a proof of the program holds for
    std::string title{};                 // of the finding that it failed by
    // `line`: 0 where there is none.
    void fail_by(std::string finding, int line = 0);
};

// What every case of a build shares.
struct Bench {
    const Problem& problem;
    DeviceProgram& program;
    const std::map<std::string, std::string>& launchers;  // by element type
    const std::string& path;
    const std::string& source;
    std::uint64_t seed = 0;
    int threads = 0;
    vgpu::Budget* budget = nullptr;   // of the whole check; null: none but that of each case
    DeviceProgram* beside = nullptr;  // another one of the same build (run/side_by_side.hpp); null: there is none
    std::shared_ptr<source::Reading> reading = std::make_shared<source::Reading>();

    // Of the source, which is read when something of it has first to be explained.
    const source::Facts& facts() const { return reading->of(source); }
};

struct CaseOptions {
    std::string variant;
    std::uint64_t schedule = 0;
    std::uint32_t shared_poison = 0;  // 0 = the device's own
    bool trace_first_warp = false;
    bool trace_whole_blocks = false;  // vgpu::RunOptions
    std::optional<vgpu::Dim3> traced_block{};
    bool checks_races = true;
    bool tries_old_values = false;     // of loads that nothing orders (vgpu/old_values.hpp), where all else is right
    vgpu::SourceSite old_values_at{};  // of this one
    const std::set<int>* drawing_lines = nullptr;  // vgpu::RunOptions; null: not known
    bool is_told = true;                           // in words; false: the verdict is enough
    std::string set_back;                          // this __device__ variable, before the call that is judged
    std::uint64_t most_warp_instructions = 0;      // 0 = by the size of the shape
    // What the virtual GPU counted of the same shape, for a device that counts nothing.
    const ObservedRun* counted = nullptr;
    bool finds_needed = false;  // DeviceRun::needed, of the judged call
};

struct CaseOutcome {
    CaseResult result;
    Case prepared;
    DeviceRun run;                     // of the judged call
    Observation seen;                  // what the words are made of
    std::vector<Diagnostic> findings;  // errors and warnings of the run
    std::optional<Diagnostic> wrong;   // the judgement in words, when wrong
    // The __device__ variables that the call before left changed, and where it did, as far as that is known.
    std::vector<std::pair<DeviceProgram::Variable, int>> left_changed;
    std::string stops;            // why nothing further is to be run: "the submission did not end on 64 x 96"
    bool is_check_spent = false;  // that: what a check may take is gone, most of it on other shapes perhaps
    std::uint64_t work = 0;       // of all calls (vgpu/budget.hpp)
    bool passed() const { return result.verdict == Verdict::pass; }
};

// What a case of so many elements may take, in warp instructions (vgpu/budget.hpp).
std::uint64_t work_of_case(std::uint64_t elements);
// The same for a program that is right so far, or a shape that is asked for alone.
std::uint64_t most_work_of_case(std::uint64_t elements);

// Of the contents of a shape, from the seed of the run.
std::uint64_t contents_seed(std::uint64_t seed, const Shape& shape);

// What was seen of a case, without words. Error: host or kit, e.g. something the virtual GPU does not support.
Result<CaseOutcome> run_case(const Bench& bench, const Shape& shape, const CaseOptions& options = {});

// The kernel launches of a plan, in order.
std::vector<LaunchInfo> launches_of(const LaunchPlan& plan);

// For technique rules, of this run alone; takes what of it was needed.
Measured measured_of(CaseOutcome& outcome, const Problem& problem);

}  // namespace warpgrade
