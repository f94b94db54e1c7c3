#include <algorithm>

#include "base/make_diagnostic.hpp"
#include "course/technique.hpp"
#include "device/card.hpp"
#include "device/guarded.hpp"
#include "explain/say.hpp"
#include "explain/telling.hpp"
#include "grade/dispatch_thresholds.hpp"
#include "grade/grading.hpp"
#include "grade/index_width.hpp"
#include "grade/planned_sizes.hpp"
#include "grade/proved_shapes.hpp"
#include "grade/sampled_sizes.hpp"
#include "grade/sweep.hpp"
#include "proof/prove.hpp"
#include "run/side_by_side.hpp"

namespace warpgrade {

Status Grading::check_shapes() {
    build_.beside = build_.program->another();
    drawing_lines_ = build_.program->lines_that_draw();
    if (options_.shapes.empty()) {
        const std::vector<Shape> all = shapes();
        const auto others = all.begin() + std::min(std::ssize(all), CaseSeries::enough_to_go_by);
        if (auto status = series_.run(bench(build_), {all.begin(), others}); !status) return status;
        prepare_timing();  // beside what follows
        for (auto next = others; next != all.end();) {
            const auto large = std::find_if(
                next, all.end(), [&](const Shape& shape) { return is_long_to_run(shape) && is_proved_at(shape); });
            if (auto status = series_.run(bench(build_), {next, large}); !status) return status;
            next = large;
            if (large == all.end()) break;
            if (auto status = add_proved(*large); !status) return status;
            ++next;
        }
        return Nothing{};
    }
    for (const Shape& shape : shapes())
        if (auto status = check_and_show(shape); !status) return status;
    return Nothing{};
}

// Where all of what it runs is moved, not computed: a proof does not know what sums are rounded to.
bool Grading::is_long_to_run(const Shape& shape) const {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 20;
    return !options_.runs_what_is_proved && problem_.description().reference == ReferenceForm::moves &&
           problem_.elements(shape) > most_elements && shape.contents.empty() && shape.previous.empty() &&
           shape.base_offset_bytes == 0;
}

// A proof of all that a shape is run for is an answer, too, and takes a tenth of the time.
bool Grading::is_proved_at(const Shape& shape) {
    constexpr double seconds = 1;
    if (!series_.all_passed() || !proof::speaks_of(shape.extents)) return false;
    auto known = proved_.find(shape.type);
    if (known == proved_.end()) {
        Stage of_type = stage_;
        of_type.types = {shape.type};
        const auto proved = proved_types(of_type, problem_, path_, build_, seconds);
        if (!proved || proved->empty()) return false;
        known = proved_.emplace(shape.type, proved->front()).first;
    }
    return known->second.claim.is_whole();
}

// The launcher runs all the same, and all of it where a shape that has run since the proof is wrong.
Status Grading::add_proved(const Shape& shape) {
    if (!series_.all_passed()) return series_.run(bench(build_), {shape});
    auto outcome = plan_case(bench(build_), shape, build_.compiled.ptx);
    if (!outcome) return outcome.error();
    if (!outcome->passed()) return series_.run(bench(build_), {shape});
    outcome->result.variant.clear();
    outcome->result.is_planned = false;
    outcome->result.is_proved = true;
    series_.add(std::move(*outcome));
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
    if (!to_see) {
        const bool is_shown = shape.type == shown_type() && shape.extents == options_.shapes.front().extents;
        with.trace_first_warp = options_.traces && is_shown;
        const auto keep = [&](const CaseOutcome& outcome) {
            if (is_shown) given_ = outcome.run;
        };
        if (auto status = series_.run(bench(build_), {shape}, with, keep); !status) return status;
        const CaseResult& last = result_.cases.back();
        if (last.verdict != Verdict::skipped || series_.has_stopped()) return Nothing{};
        Diagnostic error = make_error(Blame::host, std::string(reference_takes_too_long), last.detail);
        error.help = say("take_smaller_shape");
        return error;
    }
    auto outcome = told_case(bench(build_), *to_see, with);
    if (!outcome) return outcome.error();
    outcome->result.seen = problem_.values_seen(*build_.program, outcome->prepared);
    outcome->result.shape = shape;
    if (outcome->passed()) {
        auto usual = told_case(bench(build_), shape, with);
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
            note(failed_variant(built->compiled, variant, path_, source_));
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
            auto outcome = told_case(bench(*built), shape, with);
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
        if (is_known && has_words(outcome->seen)) tell_into({path_, bench(plain_build_).facts()}, *outcome);
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
        auto outcome = told_case(bench(plain_build_), shape, without_optimisation(shape, with));
        if (!outcome || outcome->result.verdict != Verdict::timeout || !outcome->stops.empty()) return outcome;
    }
    with.variant = reordered;
    return told_case(bench(build_), shape, with);
}

// What the full check does with small shapes, with those that were given: only what is wrong there is shown.
Status Grading::look_again_at_given_shapes() {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 20;
    if (!series_.all_passed()) return Nothing{};
    CaseOptions with = hazard(backwards, reordered);
    for (const bool is_optimised : {true, false}) {
        for (const Shape& shape : shapes()) {
            if (series_.has_stopped() || problem_.elements(shape) > most_elements) continue;
            auto outcome = is_optimised ? told_case(bench(build_), shape, with) : run_not_optimised(shape, with);
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
    const auto ways = unchecked_dispatches(bench(built), checked, timed, built.compiled.ptx);
    if (!ways) return ways.error();
    CaseOptions with;
    with.variant = other_way;
    std::uint64_t elements = 0;
    for (const UncheckedDispatch& way : *ways) {
        elements += problem_.elements(way.shape);
        if (elements > most_elements) {
            note(dispatch_not_checked(way.shape, path_));
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

// A shape with more elements than 32 bits count is not run. That its index does not reach them is seen all the same,
// and costs what a wrong shape costs.
Status Grading::look_at_indices() {
    if (!plain_build_.ok() || !options_.shapes.empty() || series_.has_stopped()) return Nothing{};
    auto narrow = narrow_index(bench(plain_build_), shown_type(), plain_build_.compiled.ptx);
    if (!narrow) return narrow.error();
    if (*narrow) note(std::move(**narrow));
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

}  // namespace warpgrade
