// One grading, from source to score: in steps. Internal to grade/.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "build/submission.hpp"
#include "grade/case_series.hpp"
#include "grade/evidence.hpp"
#include "grade/on_card.hpp"
#include "grade/proved_shapes.hpp"
#include "grade/sampled_sizes.hpp"
#include "grade/score.hpp"
#include "grade/stage_grader.hpp"
#include "grade/time_breakdown.hpp"
#include "problem/pattern.hpp"
#include "problem/shapes.hpp"
#include "timing/measure.hpp"

namespace warpgrade {

// Orders of warps (vgpu::RunOptions::schedule): the plain one turned round, since of two warps an order that is drawn
// may be the plain one again; and drawn ones, others with each seed.
inline constexpr std::uint64_t backwards = 1;
inline std::uint64_t drawn(std::uint64_t seed) { return hash_of(seed, 0x5C4ED) | 2; }

inline constexpr const char* reordered = "warps in another order";
inline constexpr const char* other_way = "another way through the launcher";
inline constexpr const char* not_optimised = "not optimised, warps in another order";

inline std::string sweep_variant(int threads) { return fmt::format("THREADS={}", threads); }

// Of the virtual GPU, for all cases. No right program of the corpus needs more than 700 million; one of test_sums, with
// a barrier for each element of a block, more than 1000 million.
inline constexpr std::uint64_t work_of_a_check = 1'300'000'000;
// And to try changes after a check that a loop without an end has ended, which leaves nothing.
inline constexpr std::uint64_t work_of_trials = 1'100'000'000;

// One grading, from source to score. Members are filled in the order of the steps.
class Grading {
public:
    Grading(const Assignment& assignment, const Stage& stage, const Problem& problem, const std::string& path,
            Device& device, const GradeOptions& options)
        : assignment_(assignment),
          stage_(stage),
          problem_(problem),
          path_(path),
          device_(device),
          options_(options),
          result_(blank_result(assignment, stage, path)),
          series_(result_) {
        series_.keep_in(options.evidence);
        result_.performance_points = stage.performance_points;
        result_.quiz_points = stage.quiz_points;
    }

    Result<StageResult> grade();
    StageResult stop(Diagnostic why);
    StageResult tell_again(const Evidence& evidence);

private:
    Status run_steps();
    Status read();
    Status compile_source();
    void look_at_messages(bool has_ptx, const std::vector<Diagnostic>& failures);
    void note(Diagnostic finding);
    Status check_legality();
    Status check_shapes();
    bool is_long_to_run(const Shape& shape) const;
    bool is_proved_at(const Shape& shape);
    Status add_proved(const Shape& shape);
    Status check_and_show(const Shape& shape);
    void prepare_timing();
    Status sweep();
    Status look_for_hidden_hazards();
    Status look_again_at_given_shapes();
    CaseOptions without_optimisation(const Shape& shape, CaseOptions with) const;
    Result<CaseOutcome> run_not_optimised(const Shape& shape, CaseOptions with);
    void count_registers();
    Status look_at_other_ways(const Build& built);
    Status look_at_indices();
    Status plan_large_sizes();
    Status run_one_block_of_large();
    void note_sizes_run();
    void skip_everything(const std::string& why);
    Status measure_technique();
    Result<std::optional<std::uint64_t>> dynamic_bytes_elsewhere(const Measured& measured);
    void advise(const std::vector<TypeCounters>& by_type);
    Status take_answers();
    Status try_changes();
    Status try_rows();
    CaseOptions hazard(std::uint64_t schedule, const char* variant) const;
    Result<std::vector<LaunchInfo>> launches_for(Shape shape);
    Status look_at_other_shapes(Measured& measured);
    void show(const Shape& shape, DeviceRun& run);
    Subject subject() const {
        const bool is_wrong_above = std::ranges::any_of(result_.cases, [](const CaseResult& one) {
            return one.variant == sampled_variant && one.verdict == Verdict::wrong;
        });
        return {assignment_,
                stage_,
                problem_,
                path_,
                build_,
                options_.seed,
                &checked_profile_,
                options_.threads,
                options_.runs_timed,
                is_wrong_above};
    }
    Status finish_and_time();
    Status measure_bandwidth();
    Counting counting();
    void look_and_finish();
    void tell_checked();
    void settle();
    // `may_look`: what is asked of `counting` may be asked.
    void finish(bool may_look, const std::optional<NarrowValue>& narrow, const Counting& counting);
    void score();
    void begin_proof();
    void prove();

    const source::Facts& facts() const { return reading_->of(source_); }
    Bench bench(const Build& built) const {
        return {problem_,         *built.program, built.launchers,    path_,   source_, options_.seed,
                options_.threads, &budget_,       built.beside.get(), reading_};
    }
    // The same PTX is looked at on the virtual GPU and timed on the card.
    Result<Build> build_with(bool is_optimised, std::vector<std::string> definitions = {}) {
        const Stopwatch watch(result_.seconds.compiling, &result_.seconds.on_virtual_gpu);
        return build(stage_, problem_, path_, source_, device_, build_options(is_optimised, std::move(definitions)));
    }
    BuildOptions build_options(bool is_optimised, std::vector<std::string> definitions = {}) const {
        BuildOptions with;
        with.is_optimised = is_optimised;
        with.definitions = std::move(definitions);
        if (options_.card) with.arch = options_.card->arch();
        return with;
    }
    // The shapes from the command line for every type of the stage, or the problem's own.
    std::vector<Shape> shapes() const;
    // For checks that take another build or schedule.
    std::vector<Shape> few_shapes() const { return problem_.few_shapes(options_.seed, shown_type()); }
    Shape technique_shape(const std::string& type) const {
        Shape shape = problem_.technique_shape();
        shape.type = type;
        return shape;
    }
    // The type that counters and launches are shown for.
    std::string shown_type() const { return warpgrade::shown_type(stage_.types); }

    const Assignment& assignment_;
    const Stage& stage_;
    const Problem& problem_;
    const std::string& path_;
    Device& device_;
    const GradeOptions& options_;
    mutable vgpu::Budget budget_{work_of_a_check};
    StageResult result_;
    CaseSeries series_;
    std::string source_;
    std::shared_ptr<source::Reading> reading_ = std::make_shared<source::Reading>();  // of it, once for all that ask
    std::vector<CompilerMessage> notes_;  // on the file, for the compiler's messages
    Build build_;
    Build plain_build_;            // without optimisation: every load, store and call of the source
    std::set<int> drawing_lines_;  // vgpu::lines_that_draw, of build_
    bool has_suspicious_place_ = false;
    bool returns_early_ = false;  // before a barrier, in the text
    bool has_unset_sum_ = false;  // in the text: what is added to it says nothing of how often elements count
    bool is_blank_ = false;       // the stub, of which there is nothing to say but the first step
    bool technique_shape_is_right_ = false;
    std::map<std::string, ProvedType> proved_;              // by type, of what was proved before large shapes
    std::future<Result<std::vector<ProvedType>>> proving_;  // beside what is timed
    std::optional<DeviceRun> given_;                        // of the first shape of --shape
    vgpu::ProfileByKernel checked_profile_;                 // of the technique shape, where it is
    std::string why_unmeasured_;                            // when it is not
};

}  // namespace warpgrade
