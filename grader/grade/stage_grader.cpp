#include "grade/stage_grader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "base/sha256.hpp"
#include "build/legality.hpp"
#include "build/submission.hpp"
#include "course/source_text.hpp"
#include "course/technique.hpp"
#include "device/card.hpp"
#include "device/guarded.hpp"
#include "explain/warnings.hpp"
#include "grade/advice.hpp"
#include "grade/case_series.hpp"
#include "grade/effort.hpp"
#include "grade/index_width.hpp"
#include "grade/launcher_ways.hpp"
#include "grade/on_card.hpp"
#include "grade/planned_sizes.hpp"
#include "grade/proved_change.hpp"
#include "grade/quiz.hpp"
#include "grade/sampled_sizes.hpp"
#include "grade/score.hpp"
#include "grade/sweep.hpp"
#include "grade/triage.hpp"
#include "problem/pattern.hpp"
#include "run/side_by_side.hpp"
#include "timing/measure.hpp"

namespace warpgrade {

namespace {

Diagnostic first_step(const Stage& stage, const std::string& path) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.severity = Severity::advice;
    diagnostic.code = "untouched_stub";
    diagnostic.title = "this is the stub as it was handed out";
    SourceMark mark;
    mark.path = path;
    diagnostic.marks.push_back(mark);
    diagnostic.help = stage.first_step;
    return diagnostic;
}

// Orders of warps (vgpu::RunOptions::schedule): the plain one turned round, since of two warps an order that is drawn
// may be the plain one again; and drawn ones, others with each seed.
constexpr std::uint64_t backwards = 1;
std::uint64_t drawn(std::uint64_t seed) { return hash_of(seed, 0x5C4ED) | 2; }

constexpr const char* reordered = "warps in another order";
constexpr const char* other_way = "another way through the launcher";
constexpr const char* not_optimised = "not optimised, warps in another order";

std::string sweep_variant(int threads) { return fmt::format("THREADS={}", threads); }

// Of a technique shape that was run and did not come out right.
std::string why_unmeasured(const CaseResult& outcome, bool names_type) {
    const std::string type = names_type ? " for " + outcome.shape.type : "";
    if (outcome.verdict == Verdict::wrong) return fmt::format("the output is wrong on the technique shape{}", type);
    if (outcome.verdict == Verdict::timeout)
        return fmt::format("the submission did not end on the technique shape{}", type);
    return fmt::format("the submission failed on the technique shape{}", type);
}

// Of the virtual GPU, for all cases. No right program of the corpus needs more than 700 million; one of test_sums, with
// a barrier for each element of a block, more than 1000 million.
constexpr std::uint64_t work_of_a_check = 1'300'000'000;

std::uint64_t dynamic_bytes_used(const vgpu::Needed& needed) {
    std::uint64_t most = 0;
    for (const vgpu::NeededLaunch& launch : needed.launches) most = std::max(most, launch.dynamic_shared_bytes);
    return most;
}

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
          series_(result_) {
        result_.assignment = assignment.name;
        result_.stage = stage.id;
        result_.title = stage.title;
        result_.source_path = path;
        result_.correctness_points = stage.correctness_points;
        result_.technique_points = stage.technique_points;
        result_.performance_points = stage.performance_points;
        result_.quiz_points = stage.quiz_points;
        result_.band = stage.band;
    }

    Result<StageResult> grade();
    StageResult stop(Diagnostic why);

private:
    Status run_steps();
    Status read();
    Status compile_source();
    void warn();
    Status check_legality();
    Status check_shapes();
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
    void advise(const std::vector<std::pair<std::string, std::vector<vgpu::LineCounters>>>& by_line);
    Status take_answers();
    Status try_changes();
    CaseOptions hazard(std::uint64_t schedule, const char* variant) const;
    Result<std::vector<LaunchInfo>> launches_for(Shape shape);
    Status look_at_other_shapes(Measured& measured);
    void show(const Shape& shape, CaseOutcome& outcome);
    Subject subject() const {
        const bool is_wrong_above = std::any_of(result_.cases.begin(), result_.cases.end(), [](const CaseResult& one) {
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
    Status use_card() { return grade_on_card(subject(), source_, shapes(), options_, series_, result_); }
    void finish();
    void score();

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
    std::string shown_type() const {
        return std::find(stage_.types.begin(), stage_.types.end(), "float") != stage_.types.end()
                   ? "float"
                   : stage_.types.front();
    }

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
    bool is_blank_ = false;       // the stub, of which there is nothing to say but the first step
    bool technique_shape_is_right_ = false;
    vgpu::ProfileByKernel checked_profile_;  // of the technique shape, where it is
    std::string why_unmeasured_;             // when it is not
};

std::vector<Shape> Grading::shapes() const {
    if (options_.shapes.empty()) return problem_.shapes(options_.seed, stage_.types);
    std::vector<Shape> all;
    for (const std::string& type : stage_.types) {
        for (Shape shape : options_.shapes) {
            shape.type = type;
            all.push_back(shape);
        }
    }
    return all;
}

Status Grading::read() {
    auto source = read_source_file(path_);
    if (!source) {
        if (source.error().blame != Blame::learner) return source.error();
        result_.findings.push_back(source.error());
        return Nothing{};
    }
    source_ = std::move(source->text);
    notes_ = std::move(source->notes);
    result_.sha256 = sha256_hex(source_);
    // By digest: a student works in the stub's own file, so there is no other copy to compare with.
    result_.is_untouched_stub = stage_.is_graded && stage_.is_stub(source_);
    is_blank_ = result_.is_untouched_stub && !stage_.is_repair;
    if (is_blank_) result_.findings.push_back(first_step(stage_, path_));
    return Nothing{};
}

Status Grading::compile_source() {
    compile_stage_ahead(stage_, problem_, path_, source_, build_options(false));
    auto built = build_with(true);
    if (!built) return built.error();
    build_ = std::move(*built);
    result_.compiles = build_.compiled.ok;
    result_.compile_seconds = build_.compiled.seconds;
    result_.compiler_messages = build_.compiled.messages;
    result_.compiler_messages.insert(result_.compiler_messages.end(), notes_.begin(), notes_.end());
    if (build_.compiled.ok && options_.rules != nullptr) warn();
    for (const CompilerMessage& message : result_.compiler_messages)
        has_suspicious_place_ = has_suspicious_place_ || message.is_slip;
    for (const Diagnostic& failure : build_.failures) result_.findings.push_back(failure);
    count_registers();
    return Nothing{};
}

// Of what compiles and hardly ever means what it says: that explains a failure where there is one.
void Grading::warn() {
    for (const explain::Warning& warning : explain::warnings_of(facts(), *options_.rules)) {
        has_suspicious_place_ = true;
        returns_early_ = returns_early_ || warning.rule->id == "early_return";
        result_.compiler_messages.push_back(
            {Severity::warning, path_, warning.line, warning.column, warning.title + "\n" + warning.help, true});
    }
}

// PTX has no registers of the machine's: where there may be too many, the assembler in NVRTC counts them, for the GPU
// that is asked about.
void Grading::count_registers() {
    // With so few that are alive at a time the assembler stays below 64, of which 1024 threads have enough.
    constexpr std::uint32_t always_enough = 36;
    if (!build_.ok() || options_.card != nullptr || build_.program->most_live_registers() <= always_enough) return;
    const LaunchLimits limits = device_.info().limits;
    BuildOptions with;
    with.definitions = build_.definitions;
    with.arch = fmt::format("sm_{}{}", limits.compute_capability_major, limits.compute_capability_minor);
    with.reports_registers = true;
    struct Counted {
        std::once_flag once;
        std::map<std::string, int> registers;
    };
    build_.program->set_registers_of([this, with, counted = std::make_shared<Counted>()](const std::string& kernel) {
        // Without an answer no launch is refused for its registers.
        std::call_once(counted->once, [&] {
            if (const auto assembled = compile_stage(stage_, problem_, path_, source_, with); assembled)
                counted->registers = assembled->compiled.registers;
        });
        const auto known = counted->registers.find(kernel);
        return known == counted->registers.end() ? 0 : known->second;
    });
}

// NVRTC knows no host: what nvcc refuses for its sides is refused here.
Status Grading::check_legality() {
    if (!build_.compiled.ok) {
        // The compiler says this of a line of its own.
        const auto names_launch = [](const CompilerMessage& message) {
            return message.message.find("not __global__ cannot be launched") != std::string::npos;
        };
        auto illegal = illegal_places(facts(), {}, path_, {});
        if (illegal.empty() || std::erase_if(result_.compiler_messages, names_launch) == 0) return Nothing{};
        result_.compiler_messages.insert(result_.compiler_messages.begin(), illegal.begin(), illegal.end());
        return Nothing{};
    }
    if (!build_.ok()) return Nothing{};
    auto built = build_with(false);
    if (!built) return built.error();
    plain_build_ = std::move(*built);
    auto illegal = illegal_places(facts(), plain_build_.compiled.ptx, path_, plain_build_.compiled.host_uses);
    if (illegal.empty()) return Nothing{};
    result_.compiles = false;
    result_.compiler_messages.insert(result_.compiler_messages.begin(), illegal.begin(), illegal.end());
    build_.program.reset();
    return Nothing{};
}

Status Grading::check_shapes() {
    build_.beside = build_.program->another();
    drawing_lines_ = build_.program->lines_that_draw();
    if (options_.shapes.empty()) {
        const std::vector<Shape> all = shapes();
        const auto others = all.begin() + std::min(std::ssize(all), CaseSeries::enough_to_go_by);
        if (auto status = series_.run(bench(build_), {all.begin(), others}); !status) return status;
        prepare_timing();  // beside what follows
        return series_.run(bench(build_), {others, all.end()});
    }
    for (const Shape& shape : shapes())
        if (auto status = check_and_show(shape); !status) return status;
    return Nothing{};
}

// What is wrong is not timed.
void Grading::prepare_timing() {
    if (options_.bandwidths && stage_.performance_points > 0 && series_.all_passed())
        options_.bandwidths->prepare(subject());
}

// A shape that was asked for. A small one runs with contents that can be followed by eye first: what is wrong is shown
// with those. Some mistakes they hide, a first element that is 0 and left out, so what is right has to be right with
// the others too.
Status Grading::check_and_show(const Shape& shape) {
    const auto to_see = series_.has_stopped() ? std::nullopt : problem_.shape_to_see(shape);
    CaseOptions with;
    if (options_.shapes.size() == 1) with.most_warp_instructions = most_work_of_case(problem_.elements(shape));
    if (!to_see) return series_.run(bench(build_), {shape}, with);
    auto outcome = run_case(bench(build_), *to_see, with);
    if (!outcome) return outcome.error();
    outcome->result.seen = problem_.values_seen(*build_.program, outcome->prepared);
    outcome->result.shape = shape;
    if (outcome->passed()) {
        auto usual = run_case(bench(build_), shape, with);
        if (!usual) return usual.error();
        if (!usual->passed()) {
            usual->result.seen = outcome->result.seen;
            outcome = std::move(usual);
        }
    }
    series_.add(std::move(*outcome));
    return Nothing{};
}

Status Grading::sweep() {
    for (const int threads : stage_.sweep_threads) {
        const std::string variant = sweep_variant(threads);
        const auto few = few_shapes();
        auto built = build_with(true, {variant});
        if (!built) return built.error();
        if (!built->ok()) {
            const std::string why = "does not compile with " + variant;
            add_finding(result_.findings, failed_variant(built->compiled, variant, path_, source_));
            series_.skip(few, variant, why);
            continue;
        }
        for (const Shape& shape : few) {
            if (series_.has_stopped()) {
                series_.skip({shape}, variant, series_.stop_reason());
                continue;
            }
            CaseOptions with;
            with.variant = variant;
            auto outcome = run_case(bench(*built), shape, with);
            if (!outcome) return outcome.error();
            judge_block_size(*outcome, threads, path_, source_);
            series_.add(std::move(*outcome));
        }
    }
    return Nothing{};
}

// The optimiser can merge the two accesses of a race into one, and the plain order of warps can hide one: a few small
// shapes run again without optimisation, with the warps in another order and other garbage in shared memory.
Status Grading::look_for_hidden_hazards() {
    // A list of shapes is for a program that asks: nobody waits for one of them to be looked at as hard as all are.
    if (options_.shapes.size() > 1) return Nothing{};
    if (!options_.shapes.empty()) return look_again_at_given_shapes();
    const auto few = few_shapes();
    CaseOptions with = hazard(backwards, reordered);
    if (auto status = series_.run(bench(build_), {few.back()}, with); !status) return status;
    with.schedule = drawn(options_.seed);
    std::vector<CaseRun> ahead;
    if (plain_build_.ok() && series_.is_right_so_far() && (plain_build_.beside = plain_build_.program->another())) {
        std::vector<CaseToRun> cases;
        for (const Shape& shape : few) cases.push_back({shape, without_optimisation(shape, with)});
        ahead = run_side_by_side(bench(plain_build_), cases);
        plain_build_.beside.reset();  // and its memory
    }
    for (std::size_t i = 0; i < few.size(); ++i) {
        if (series_.has_stopped()) {
            series_.skip({few[i]}, not_optimised, series_.stop_reason());
            continue;
        }
        const bool is_known =
            i < ahead.size() && ahead[i].outcome && ahead[i].outcome->passed() && ahead[i].work <= budget_.left();
        if (is_known) budget_.spend(ahead[i].work);
        auto outcome = is_known ? std::move(ahead[i].outcome) : run_not_optimised(few[i], with);
        if (!outcome) return outcome.error();
        series_.add(std::move(*outcome));
    }
    return look_at_other_ways(plain_build_.ok() ? plain_build_ : build_);
}

CaseOptions Grading::hazard(std::uint64_t schedule, const char* variant) const {
    CaseOptions with;
    with.schedule = schedule;
    with.shared_poison = 0x7FC0FFEEu;
    with.variant = variant;
    with.tries_old_values = true;
    return with;
}

CaseOptions Grading::without_optimisation(const Shape& shape, CaseOptions with) const {
    with.variant = not_optimised;
    with.drawing_lines = &drawing_lines_;
    with.most_warp_instructions = 4 * work_of_case(problem_.elements(shape));
    return with;
}

// What compiles with optimisation and not without is no fault of the learner's, nor is what takes far more work
// without.
Result<CaseOutcome> Grading::run_not_optimised(const Shape& shape, CaseOptions with) {
    if (plain_build_.ok()) {
        auto outcome = run_case(bench(plain_build_), shape, without_optimisation(shape, with));
        if (!outcome || outcome->result.verdict != Verdict::timeout || !outcome->stops.empty()) return outcome;
    }
    with.variant = reordered;
    return run_case(bench(build_), shape, with);
}

// What the full check does with small shapes, with those that were given: only what is wrong there is shown.
Status Grading::look_again_at_given_shapes() {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 20;
    if (!series_.all_passed()) return Nothing{};
    CaseOptions with = hazard(backwards, reordered);
    for (const bool is_optimised : {true, false}) {
        for (const Shape& shape : shapes()) {
            if (series_.has_stopped() || problem_.elements(shape) > most_elements) continue;
            auto outcome = is_optimised ? run_case(bench(build_), shape, with) : run_not_optimised(shape, with);
            if (!outcome) return outcome.error();
            if (!outcome->passed() || !outcome->findings.empty()) series_.add(std::move(*outcome));
        }
        with.schedule = drawn(options_.seed);
    }
    return Nothing{};
}

// Shapes for what the launcher does from some size on, up to the sizes that are timed.
Status Grading::look_at_other_ways(const Build& built) {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 27, most_beside = std::uint64_t{1} << 22;  // of all
    if (series_.has_stopped()) return Nothing{};
    std::vector<Shape> timed{problem_.large_shape()};
    if (options_.bandwidths) timed = problem_.timing_shapes(options_.bandwidths->limits(), options_.seed);
    std::vector<Shape> checked = shapes();
    for (const std::string& type : stage_.types) checked.push_back(technique_shape(type));
    const auto ways = unseen_ways(bench(built), checked, timed, built.compiled.ptx);
    if (!ways) return ways.error();
    CaseOptions with;
    with.variant = other_way;
    std::uint64_t elements = 0;
    for (const UnseenWay& way : *ways) {
        elements += problem_.elements(way.shape);
        if (elements > most_elements) {
            add_finding(result_.findings, way_not_looked_at(way.shape, path_));
            return Nothing{};
        }
        std::vector<Shape> few{way.shape};
        for (const Shape& beside : way.beside)
            if (problem_.elements(beside) <= most_beside) few.push_back(beside);
        if (auto status = series_.run(bench(build_), few, with); !status) return status;
    }
    return Nothing{};
}

// Sizes of which the launcher alone is asked: its grids, its parameters, what it clears.
Status Grading::plan_large_sizes() {
    if (!options_.shapes.empty()) return Nothing{};
    const Build& built = plain_build_.ok() ? plain_build_ : build_;
    for (const Shape& shape : problem_.planned_shapes(shown_type())) {
        if (series_.has_stopped()) {
            series_.skip({shape}, planned_variant, series_.stop_reason());
            result_.cases.back().is_planned = true;
            continue;
        }
        auto outcome = plan_case(bench(built), shape, built.compiled.ptx);
        if (!outcome) return outcome.error();
        series_.add(std::move(*outcome));
    }
    return run_one_block_of_large();
}

// Of a program that is right: of another one it says nothing new.
Status Grading::run_one_block_of_large() {
    const std::vector<Shape> shapes = problem_.sampled_shapes(shown_type());
    if (shapes.empty() || !series_.all_passed()) return Nothing{};
    auto outcome = guarded("running one block of a large shape", [&] {
        return run_one_block(bench(build_), shapes, build_.compiled.ptx, device_.info().limits);
    });
    // A shape for which this machine has no memory says nothing of the program.
    if (!outcome && is_out_of_memory(outcome.error())) return Nothing{};
    if (!outcome) return outcome.error();
    if (*outcome) series_.add(std::move(**outcome));
    return Nothing{};
}

// Of what is larger nothing is known but what its launcher asks for.
void Grading::note_sizes_run() {
    for (const CaseResult& one : result_.cases) {
        if (one.verdict == Verdict::skipped) continue;
        std::uint64_t& most = one.is_planned ? result_.planned_up_to : result_.run_up_to;
        most = std::max(most, problem_.elements(one.shape));
    }
}

// A shape with more elements than 32 bits count is not run. That its index does not reach them is seen all the same,
// and costs what a wrong shape costs.
Status Grading::look_at_indices() {
    if (!plain_build_.ok() || !options_.shapes.empty() || series_.has_stopped()) return Nothing{};
    auto narrow = narrow_index(bench(plain_build_), shown_type(), plain_build_.compiled.ptx);
    if (!narrow) return narrow.error();
    if (*narrow) add_finding(result_.findings, std::move(**narrow));
    return Nothing{};
}

// The cases that the steps would have run.
void Grading::skip_everything(const std::string& why) {
    series_.skip(shapes(), "", why);
    for (const int threads : stage_.sweep_threads) series_.skip(few_shapes(), sweep_variant(threads), why);
    if (options_.shapes.empty()) {
        for (const std::string& type : stage_.types) series_.skip({technique_shape(type)}, "", why);
        series_.skip({few_shapes().back()}, reordered, why);
        series_.skip(few_shapes(), not_optimised, why);
        const auto before = std::ssize(result_.cases);
        series_.skip(problem_.planned_shapes(shown_type()), planned_variant, why);
        for (auto one = result_.cases.begin() + before; one != result_.cases.end(); ++one) one->is_planned = true;
    }
    if (options_.card) series_.skip(shapes(), variant_on(*options_.card), why);
}

Result<std::vector<LaunchInfo>> Grading::launches_for(Shape shape) {
    // Only the plan is of interest: the kernels stop after a moment, and nothing of it is judged.
    CaseOptions with;
    with.most_warp_instructions = 100'000;
    shape.type = shown_type();
    auto outcome = run_case(bench(build_), shape, with);
    if (!outcome) return outcome.error();
    return launches_of(outcome->run.plan);
}

Status Grading::look_at_other_shapes(Measured& measured) {
    const bool is_needed = std::any_of(stage_.technique.begin(), stage_.technique.end(),
                                       [](const TechniqueRule& rule) { return needs_other_shapes(rule.left); });
    if (measured.launches.empty() || (!is_needed && !options_.measures_all)) return Nothing{};
    std::set<std::uint32_t> sizes = series_.dynamic_shared_sizes();
    const auto note_sizes = [&](const std::vector<LaunchInfo>& launches) {
        for (const LaunchInfo& launch : launches)
            if (launch.shared_bytes != 0) sizes.insert(launch.shared_bytes);
    };
    auto large = launches_for(problem_.large_shape());
    if (!large) return large.error();
    note_sizes(*large);
    measured.blocks_growth = blocks_growth(measured, *large);
    if (!options_.shapes.empty()) {
        const std::vector<std::string> one_type{shown_type()};
        for (const Shape& shape : problem_.shapes(options_.seed, one_type)) {
            auto launches = launches_for(shape);
            if (!launches) return launches.error();
            note_sizes(*launches);
        }
    }
    measured.dynamic_shared_sizes = sizes.size();
    if (sizes.size() < 2 || !measured.needed) return Nothing{};
    const auto elsewhere = dynamic_bytes_elsewhere(measured);
    if (!elsewhere) return elsewhere.error();
    if (*elsewhere == dynamic_bytes_used(*measured.needed)) measured.dynamic_shared_sizes = 1;
    return Nothing{};
}

// What is used of dynamic shared memory on a small shape for which another size is asked for; nothing: none has one.
Result<std::optional<std::uint64_t>> Grading::dynamic_bytes_elsewhere(const Measured& measured) {
    constexpr std::int64_t least_extent = 64;  // whole tiles
    const auto asked_for = [](const std::vector<LaunchInfo>& launches) {
        std::uint32_t most = 0;
        for (const LaunchInfo& launch : launches) most = std::max(most, launch.shared_bytes);
        return most;
    };
    const std::vector<std::string> one_type{shown_type()};
    std::vector<Shape> candidates = problem_.shapes(options_.seed, one_type);
    std::erase_if(candidates, [&](const Shape& shape) {
        const auto is_short = [&](std::int64_t extent) { return extent < least_extent; };
        return std::any_of(shape.extents.begin(), shape.extents.end(), is_short) ||
               problem_.elements(shape) > problem_.elements(problem_.technique_shape());
    });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const Shape& a, const Shape& b) { return problem_.elements(a) < problem_.elements(b); });
    for (const Shape& shape : candidates) {
        const auto launches = launches_for(shape);
        if (!launches) return launches.error();
        if (asked_for(*launches) == 0 || asked_for(*launches) == asked_for(measured.launches)) continue;
        CaseOptions with;
        with.finds_needed = true;
        auto outcome = run_case(bench(build_), shape, with);
        if (!outcome) return outcome.error();
        if (!outcome->passed() || !outcome->run.needed) break;
        return std::optional(dynamic_bytes_used(*outcome->run.needed));
    }
    return std::optional<std::uint64_t>();
}

// Keeps what `check` and reports show of a run.
void Grading::show(const Shape& shape, CaseOutcome& outcome) {
    result_.counters_shape = shape;
    result_.useful_bytes = problem_.useful_bytes(shape);
    result_.elements = problem_.elements(shape);
    result_.launches = launches_of(outcome.run.plan);
    result_.counters = outcome.run.result.counters;
    result_.by_line = outcome.run.result.by_line;
    result_.trace = std::move(outcome.run.result.trace);
}

// Of the type that is shown; where nothing is to be said of that, of the one that a rule names.
void Grading::advise(const std::vector<std::pair<std::string, std::vector<vgpu::LineCounters>>>& by_line) {
    for (const auto& [type, lines] : by_line) {
        const bool is_named = std::any_of(result_.technique.begin(), result_.technique.end(), [&](const auto& rule) {
            return !rule.ok && rule.says.starts_with(type + ": ");
        });
        if (type != shown_type() && !is_named) continue;
        auto advice = performance_advice(stage_, result_.technique, path_, source_, lines, result_.launches);
        for (Diagnostic& diagnostic : advice) {
            if (type != shown_type()) diagnostic.facts.push_back("for " + type);
            add_finding(result_.findings, std::move(diagnostic));
        }
        if (!advice.empty()) return;
    }
}

// Rules are about the technique shape whatever --shape says: rows that start anywhere in a sector take more of them,
// and that is no fault of the kernel.
Status Grading::measure_technique() {
    const bool has_own_shapes = !options_.shapes.empty();
    std::vector<Measured>& measured = result_.measured;
    std::vector<std::pair<std::string, std::vector<vgpu::LineCounters>>> by_line;  // of each type, the shown one first
    technique_shape_is_right_ = !series_.has_stopped();
    if (series_.has_stopped())
        why_unmeasured_ = fmt::format("the technique shape was not run, as {}: fix that first", series_.stop_reason());
    result_.technique_shape = problem_.technique_shape();
    result_.counters_shape = result_.technique_shape;
    CaseOptions with;
    for (const std::string& type : stage_.types) {
        const Shape shape = technique_shape(type);
        if (series_.has_stopped() && !has_own_shapes) series_.skip({shape}, "", series_.stop_reason());
        if (series_.has_stopped() || (has_own_shapes && !technique_shape_is_right_)) continue;
        const bool is_shown = type == shown_type();
        with.trace_first_warp = options_.traces && is_shown && !has_own_shapes;
        with.most_warp_instructions = series_.work_of(problem_.elements(shape));
        with.finds_needed = !stage_.technique.empty();
        auto outcome = run_case(bench(build_), shape, with);
        if (!outcome) return outcome.error();
        if (!outcome->passed() && technique_shape_is_right_) {
            technique_shape_is_right_ = false;
            why_unmeasured_ = why_unmeasured(outcome->result, stage_.types.size() > 1);
        }
        measured.push_back({outcome->run.result.counters, launches_of(outcome->run.plan), problem_.elements(shape),
                            series_.dynamic_shared_sizes().size(), 0});
        measured.back().element_bytes = static_cast<std::uint64_t>(problem_.buffers(shape).front().element_bytes);
        measured.back().needed = std::move(outcome->run.needed);
        if (is_shown && measured.back().needed) result_.unneeded = measured.back().needed->unneeded;
        if (is_shown && technique_shape_is_right_) checked_profile_ = outcome->run.result.profile;
        by_line.emplace(is_shown ? by_line.begin() : by_line.end(), type, outcome->run.result.by_line);
        if (is_shown && !has_own_shapes) show(shape, *outcome);
        if (!has_own_shapes) series_.add(std::move(*outcome));
    }
    if (has_own_shapes && !series_.has_stopped()) {
        Shape shape = options_.shapes.front();
        shape.type = shown_type();
        with.trace_first_warp = options_.traces;
        auto outcome = run_case(bench(build_), shape, with);
        if (!outcome) return outcome.error();
        show(shape, *outcome);
    }
    if (!technique_shape_is_right_) measured.clear();
    if (!measured.empty())
        if (auto status = look_at_other_shapes(measured.front()); !status) return status;
    for (Measured& one : measured) {
        one.blocks_growth = measured.front().blocks_growth;
        one.dynamic_shared_sizes = measured.front().dynamic_shared_sizes;
        one.ended_before_barriers = series_.most_ended_before_barriers();
    }
    result_.technique = apply_rules(stage_.technique, measured, stage_.types, why_unmeasured_);
    if (!technique_shape_is_right_) return Nothing{};
    advise(by_line);
    return Nothing{};
}

// The questions are those that `quiz` asks, about the same run.
Status Grading::take_answers() {
    if (stage_.quiz_points <= 0 || result_.is_untouched_stub) return Nothing{};
    const auto explained = explain_stage(assignment_, stage_, path_, device_, {});
    if (!explained) return explained.error();
    result_.quiz = quiz_mark(quiz_questions(*explained, stage_), quiz_answers_in(source_));
    return Nothing{};
}

// A change of a wrong program that makes it right names the cause better than anything that is found in the run.
Status Grading::try_changes() {
    // What versions take to compile is charged: where more is used up, the result itself could be lost.
    constexpr std::uint64_t most_work_before = 400'000'000;
    if (options_.rules == nullptr || is_blank_ || !build_.ok() || budget_.spent() > most_work_before) return Nothing{};
    std::vector<CaseToRun> hazards;
    for (const Shape& shape : few_shapes()) {
        hazards.push_back({shape, hazard(backwards, reordered)});
        hazards.push_back({shape, without_optimisation(shape, hazard(drawn(options_.seed), not_optimised))});
    }
    const bool is_wrong_optimised = std::any_of(result_.cases.begin(), result_.cases.end(), [](const CaseResult& one) {
        return one.verdict != Verdict::pass && one.verdict != Verdict::skipped && one.variant != not_optimised;
    });
    return tell_proved_change({stage_, problem_, path_, device_, build_options(is_wrong_optimised), options_.seed,
                               options_.threads, &budget_},
                              facts(), *options_.rules, hazards, assignment_.shows_changes, result_);
}

void Grading::finish() {
    // Optimised: there the functions of CUDA's headers stand where they are called.
    const bool may_look = build_.ok() && !work_time_is_over();
    if (const auto narrow = may_look ? narrow_value(build_.compiled.ptx, path_) : std::nullopt)
        series_.explain_rounding(*narrow, path_, source_);
    if (may_look && !is_blank_) series_.explain_counts(bench(build_));
    if (!is_blank_) series_.report_wrong(source_);
    if (options_.shapes.empty()) series_.report_unfollowed(path_, source_);  // a check of every shape comes next
    // The text shows the same `return`.
    if (returns_early_)
        std::erase_if(result_.findings, [](const Diagnostic& d) {
            return d.code == "barrier_divergence" && d.severity == Severity::warning;
        });
    triage(result_.findings, series_.refused_shapes());
    // How memory is moved is for what moves the right things.
    if (!result_.findings.empty() && result_.findings.front().severity == Severity::error)
        std::erase_if(result_.findings, [](const Diagnostic& d) {
            return d.severity == Severity::advice && (d.code.starts_with("uncoalesced_") || d.code == "bank_conflict");
        });
    // What hardly ever means what it says comes before what it leads to.
    const bool fails = !result_.findings.empty() && result_.findings.front().severity == Severity::error;
    if (fails && result_.compiles && has_suspicious_place_) defer(result_.findings, 0);
}

void Grading::score() {
    result_.output = escape_output(result_.output);
    result_.source = source_;
    note_sizes_run();
    const auto points = rule_points(stage_.technique, stage_.technique_points);
    for (std::size_t i = 0; i < result_.technique.size(); ++i) result_.technique[i].points = points[i];
    result_.score = score_of(stage_, result_, technique_shape_is_right_, !options_.shapes.empty());
}

Status Grading::run_steps() {
    if (auto status = read(); !status) return status.error();
    if (options_.on_shape) {
        const std::size_t all = shapes().size();
        options_.on_shape(0, all);
        series_.tell_each([this, all](std::size_t done) { options_.on_shape(std::min(done, all), all); });
    }
    const Stopwatch watch(result_.seconds.on_virtual_gpu);
    if (!source_.empty()) {
        if (auto status = compile_source(); !status) return status.error();
        if (auto status = check_legality(); !status) return status.error();
    }
    if (build_.ok()) {
        for (const auto step :
             {&Grading::check_shapes, &Grading::sweep, &Grading::measure_technique, &Grading::look_for_hidden_hazards,
              &Grading::plan_large_sizes, &Grading::look_at_indices, &Grading::take_answers, &Grading::use_card})
            if (auto status = (this->*step)(); !status) return status.error();
    } else {
        const std::string why = "the submission cannot be run";
        skip_everything(why);
        result_.technique = apply_rules(stage_.technique, {}, stage_.types, why);
    }
    finish();
    if (auto status = try_changes(); !status) return status;
    score();
    return Nothing{};
}

Result<StageResult> Grading::grade() {
    if (auto status = run_steps(); !status) return status.error();
    return std::move(result_);
}

StageResult Grading::stop(Diagnostic why) {
    if (const std::string* source = text_read_ahead(path_)) source_ = *source;
    result_.sha256 = sha256_hex(source_);
    result_.compiles = true;  // as far as is known
    skip_everything(why.title);
    for (CaseResult& one : result_.cases) one.verdict = Verdict::timeout;
    result_.technique = apply_rules(stage_.technique, {}, stage_.types, why.title);
    why.marks.push_back({path_, 0, 0, 1, ""});
    result_.findings.push_back(std::move(why));
    finish();
    score();
    return std::move(result_);
}

Result<const Problem*> problem_of(const Stage& stage) {
    if (const Problem* problem = find_problem(stage.problem)) return problem;
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = "unknown_problem";
    diagnostic.title = fmt::format("no problem is called `{}`", stage.problem);
    return diagnostic;
}

}  // namespace

Result<StageResult> grade_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                Device& device, const GradeOptions& options) {
    const auto problem = problem_of(stage);
    if (!problem) return problem.error();
    return Grading(assignment, stage, **problem, source_path, device, options).grade();
}

StageResult stopped_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                          const GradeOptions& options, Diagnostic why) {
    const auto problem = problem_of(stage);
    if (!problem) throw std::logic_error("no such problem: " + stage.problem);  // the course loader checked it
    const auto device = make_virtual_device();
    return Grading(assignment, stage, **problem, source_path, *device, options).stop(std::move(why));
}

}  // namespace warpgrade
