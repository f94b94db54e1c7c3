// The cases of a grading in order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grade/result.hpp"
#include "grade/wrong_outputs.hpp"
#include "run/cases.hpp"
#include "run/side_by_side.hpp"

namespace warpgrade {

struct Evidence;

// Runs shapes in order. After a case that never ends, three that faulted or three that took too much work, the rest is
// `skipped`: what is left to learn is not worth the wait. A case that is not run has its place in the series all the
// same: points are a share of the cases, and how many there are does not depend on the submission.
class CaseSeries {
public:
    explicit CaseSeries(StageResult& result) : result_(result) {}
    // Where each case is kept; nullptr: nowhere.
    void keep_in(Evidence* evidence) { evidence_ = evidence; }
    // Called behind each case, with how many there are.
    void tell_each(std::function<void(std::size_t)> on_case) { on_case_ = std::move(on_case); }
    // `look`: at each outcome, before it is added.
    Status run(
        const Bench& bench, const std::vector<Shape>& shapes, const CaseOptions& options = {},
        const std::function<void(const CaseOutcome&)>& look = [](const CaseOutcome&) {});
    // `budget`: of the whole check, of which little is left after a timeout; null: it has none.
    void add(CaseOutcome outcome, vgpu::Budget* budget = nullptr);
    void skip(const std::vector<Shape>& shapes, const std::string& variant, const std::string& why);
    WrongOutputs& wrong() { return wrong_; }
    // Says once what ran only in launches that are too large to be looked at whole, where all is right otherwise.
    void report_unfollowed(const std::string& path, const std::string& source);
    // Where CUDA did not take a launch.
    const std::set<std::string>& refused_shapes() const { return refused_shapes_; }
    bool has_stopped() const { return !stop_reason_.empty(); }
    const std::string& stop_reason() const { return stop_reason_; }  // "the submission did not end on 64 x 96"
    bool all_passed() const;
    // All that have run, and enough of them: who is right and needs long loses no mark to the machine.
    static constexpr std::ptrdiff_t enough_to_go_by = 3;
    bool is_right_so_far() const;
    std::uint64_t work_of(std::uint64_t elements) const;  // that the next case may take: see work_of_case
    // Two thirds are right, and nothing was given up: what is timed is looked at for itself.
    bool may_be_timed() const;
    // Of a shape that passed as handed in; nullptr if there is none.
    const ObservedRun* observed(const Shape& shape) const;
    const std::set<std::uint32_t>& dynamic_shared_sizes() const { return dynamic_shared_sizes_; }
    // Of a block, where others of it waited at a barrier.
    std::uint64_t most_ended_before_barriers() const { return most_ended_before_barriers_; }

private:
    Status stop_at_gap(const Diagnostic& gap);
    std::vector<CaseToRun> next_cases(const Bench& bench, std::span<const Shape> shapes,
                                      const CaseOptions& options) const;
    void name_largest_in(CaseOutcome& outcome) const;
    void note_output(const CaseOutcome& outcome);

    std::function<void(std::size_t)> on_case_;
    Evidence* evidence_ = nullptr;
    StageResult& result_;
    WrongOutputs wrong_{result_};
    std::vector<std::pair<Shape, ObservedRun>> observed_;
    std::string stop_reason_;
    int faults_ = 0, timeouts_ = 0;
    std::string first_fault_, first_timeout_;    // their shapes
    std::uint64_t work_ = 0, largest_work_ = 0;  // of all cases, of one
    std::string largest_;                        // its shape
    std::set<std::uint32_t> dynamic_shared_sizes_;
    std::uint64_t most_ended_before_barriers_ = 0;
    vgpu::Meetings meetings_;
    std::map<std::pair<std::string, int>, std::string> unfollowed_on_;  // of these, the first shape
    std::set<std::string> refused_shapes_;
};

// Adds a finding unless it is there: same code, same lines in any order.
void add_finding(std::vector<Diagnostic>& findings, Diagnostic diagnostic);
}  // namespace warpgrade
