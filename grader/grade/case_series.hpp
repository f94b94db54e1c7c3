// The cases of a grading in order, and what their findings and wrong outputs have in common.
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
#include "run/cases.hpp"
#include "run/counted_elements.hpp"
#include "run/counted_output.hpp"
#include "run/side_by_side.hpp"

namespace warpgrade {

struct Evidence;

// What is counted in further runs, of shapes that came out wrong.
struct Counting {
    std::function<std::optional<CountedOutput>(const Shape& shape, std::uint64_t wrong)> output;
    std::function<std::optional<CountedElements>(const std::vector<Shape>& wrong, bool is_named)> elements;
};

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
    Status run(const Bench& bench, const std::vector<Shape>& shapes, const CaseOptions& options = {});
    // `budget`: of the whole check, of which little is left after a timeout; null: it has none.
    void add(CaseOutcome outcome, vgpu::Budget* budget = nullptr);
    void skip(const std::vector<Shape>& shapes, const std::string& variant, const std::string& why);
    // Which elements a wrong sum counts how often, where no pattern is known to fit; before `report_wrong`.
    void explain_counts(const Counting& counting, const Submitted& text);
    // What a sum that is off by more than its additions explain comes from; before `report_wrong`.
    void explain_rounding(const NarrowValue& value, const std::string& path, const std::string& source);
    // Adds what the wrong outputs have in common to the findings: two mistakes at most, recognised ones first.
    void report_wrong(const std::string& source = {});
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
    struct Mistake {
        std::string pattern;
        bool is_recognised = false;
        bool is_cause = false;  // explains faults on the way, and so comes before them
        int cases = 0;
        int general_cases = 0;    // of these, on shapes that are neither thin nor small: on those, patterns look alike
        bool is_certain = false;  // a cause, on a shape so large that nothing fits by chance
        Diagnostic diagnostic;    // of the first case
    };
    void explain_elements(const Counting& counting, const Submitted& text);
    void explain_zeros();
    // Errors are seen on few shapes, beside `many` that come out wrong.
    bool are_errors_rare(int many) const;
    std::vector<CaseToRun> next_cases(const Bench& bench, std::span<const Shape> shapes,
                                      const CaseOptions& options) const;
    void name_largest_in(CaseOutcome& outcome) const;
    void note_output(const CaseOutcome& outcome);
    void note_wrong(const Judgement& judgement, Diagnostic diagnostic, const Shape& shape);

    std::function<void(std::size_t)> on_case_;
    Evidence* evidence_ = nullptr;
    StageResult& result_;
    std::vector<Mistake> mistakes_;
    std::vector<std::pair<Shape, ObservedRun>> observed_;
    std::string stop_reason_;
    std::map<std::pair<std::string, int>, int> seen_;  // findings by code and line: on how many shapes
    SourceMark rounded_;  // where the text rounds a share of the elements down; line 0: nowhere
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
