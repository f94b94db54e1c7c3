#include "grade/on_card.hpp"

#include <algorithm>

#include "base/make_diagnostic.hpp"
#include "device/card.hpp"
#include "explain/say.hpp"
#include "grade/time_breakdown.hpp"

namespace warpgrade {

namespace {

constexpr const char* not_right = "not right on the virtual GPU";

// A shape that was to be timed, and whose output was wrong or never came.
Diagnostic describe_untimed(const Bandwidth& b, const std::string& path) {
    Diagnostic diagnostic =
        make_error(Blame::learner,
                   b.verdict == Verdict::wrong     ? "wrong_output"
                   : b.verdict == Verdict::timeout ? "timeout"
                                                   : "gpu_fault",
                   b.verdict == Verdict::wrong     ? say("output_wrong_shape_timed")
                   : b.verdict == Verdict::timeout ? say("kernels_did_end_shape")
                                                   : say("kernels_fail_shape_timed"),
                   {{path, 0, 0, 1, ""}}, {b.detail}, say("smaller_shapes_right_look", b.shape_text()));
    diagnostic.shape = b.shape_text();
    return diagnostic;
}

// It counts as a shape like any other.
Result<CaseResult> case_of(const Bandwidth& b, const Problem& problem) {
    auto shape = problem.parse_shape(b.shape_text());
    if (!shape) return shape.error();
    CaseResult result;
    result.shape = std::move(*shape);
    result.shape.shape_class = b.shape_class;
    result.verdict = b.verdict;
    result.detail = b.detail;
    result.variant = "where it is timed";
    return result;
}

Diagnostic describe_impossible(const Bandwidth& b, const std::string& path) {
    return make_diagnostic(Blame::learner, Severity::warning, "impossible_bandwidth", "this is too fast to be true",
                           {{path, 0, 0, 1, ""}}, {b.detail, "on " + b.shape}, say("points_until_person_looked"));
}

// What the virtual GPU found right, on a real one: nothing is looked for but the outcome.
Status check_cases(const Subject& subject, const std::string& source, const std::vector<Shape>& shapes,
                   const GradeOptions& options, CaseSeries& series, StageResult& result) {
    const Stopwatch watch(result.seconds.on_card, &result.seconds.on_virtual_gpu);
    const auto is_right = [&](const Shape& shape) { return series.observed(shape) != nullptr; };
    CaseOptions with;
    with.variant = variant_on(*options.card);
    if (series.has_stopped() || std::ranges::none_of(shapes, is_right)) {
        series.skip(shapes, with.variant, series.has_stopped() ? series.stop_reason() : not_right);
        return Nothing{};
    }
    auto program = make_cuda_device(*options.card)->load(subject.build.compiled.ptx, subject.path);
    if (!program) return program.error();
    const Bench bench{subject.problem, **program,    subject.build.launchers, subject.path,
                      source,          options.seed, options.threads};
    for (const Shape& shape : shapes) {
        if (!is_right(shape)) {
            series.skip({shape}, with.variant, not_right);
            continue;
        }
        with.counted = series.observed(shape);
        if (auto status = series.run(bench, {shape}, with); !status) return status;
    }
    return Nothing{};
}

Status measure(const Subject& subject, const GradeOptions& options, const CaseSeries& series, StageResult& result) {
    const Stopwatch watch(result.seconds.timing, &result.seconds.on_virtual_gpu);
    auto bandwidths = options.bandwidths->bandwidths(subject, options.shapes);
    if (!bandwidths) return bandwidths.error();
    result.bandwidths = std::move(*bandwidths);
    result.why_untimed = options.bandwidths->why_none();
    if (result.bandwidths.empty()) return Nothing{};
    const auto is_timed = [](const Bandwidth& b) { return b.seconds > 0; };
    if (is_timed(result.bandwidths.front())) result.bandwidth = result.bandwidths.front();
    for (const Bandwidth& b : result.bandwidths) {
        if (b.verdict == Verdict::impossible) add_finding(result.findings, describe_impossible(b, subject.path));
        if (is_timed(b)) continue;
        // What is wrong on a smaller shape is easier to find there.
        if (series.all_passed()) add_finding(result.findings, describe_untimed(b, subject.path));
        auto failed = case_of(b, subject.problem);
        if (!failed) return failed.error();
        result.cases.push_back(std::move(*failed));
    }
    return Nothing{};
}

}  // namespace

std::string variant_on(const Card& card) { return "on " + card.facts().name; }

Status check_and_measure(const Subject& subject, const std::string& source, const std::vector<Shape>& shapes,
                         const GradeOptions& options, CaseSeries& series, StageResult& result) {
    // One process at a time: what others run on the card would be seen in the times.
    const auto turn = options.card ? options.card->take_turn() : nullptr;
    if (options.card)
        if (auto status = check_cases(subject, source, shapes, options, series, result); !status) return status;
    if (!options.bandwidths || !series.may_be_timed() || subject.stage.performance_points <= 0) return Nothing{};
    return measure(subject, options, series, result);
}

}  // namespace warpgrade
