#include <algorithm>

#include "course/technique.hpp"
#include "explain/say.hpp"
#include "explain/telling.hpp"
#include "grade/advice.hpp"
#include "grade/grading.hpp"

namespace warpgrade {

namespace {

// Of a technique shape that was run and did not come out right.
std::string why_unmeasured(const CaseResult& outcome, bool names_type) {
    const std::string type = names_type ? " for " + outcome.shape.type : "";
    if (outcome.verdict == Verdict::wrong) return say("output_wrong_technique_shape", type);
    if (outcome.verdict == Verdict::timeout) return say("submission_did_end_technique", type);
    return say("submission_failed_technique_shape", type);
}

std::uint64_t dynamic_bytes_used(const vgpu::Needed& needed) {
    std::uint64_t most = 0;
    for (const vgpu::NeededLaunch& launch : needed.launches) most = std::max(most, launch.dynamic_shared_bytes);
    return most;
}

}  // namespace

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
    const bool is_needed =
        std::ranges::any_of(stage_.technique, [](const TechniqueRule& rule) { return needs_other_shapes(rule.left); });
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
        return std::ranges::any_of(shape.extents, is_short) ||
               problem_.elements(shape) > problem_.elements(problem_.technique_shape());
    });
    std::ranges::stable_sort(
        candidates, [&](const Shape& a, const Shape& b) { return problem_.elements(a) < problem_.elements(b); });
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
void Grading::show(const Shape& shape, DeviceRun& run) {
    result_.counters_shape = shape;
    result_.useful_bytes = problem_.useful_bytes(shape);
    result_.elements = problem_.elements(shape);
    result_.flops = problem_.flops(shape);
    result_.launches = launches_of(run.plan);
    result_.counters = run.result.counters;
    result_.by_line = run.result.by_line;
    result_.trace = std::move(run.result.trace);
}

// Of the type that is shown; where nothing is to be said of that, of the one that a rule names.
void Grading::advise(const std::vector<TypeCounters>& by_type) {
    if (options_.evidence != nullptr) {
        options_.evidence->by_type = by_type;
        options_.evidence->steps.emplace_back().is_advice = true;
    }
    for (const auto& [type, lines] : by_type) {
        const bool is_named = std::ranges::any_of(
            result_.technique, [&, &type = type](const auto& rule) { return !rule.ok && rule.type == type; });
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
    std::vector<TypeCounters> by_type;  // the shown one first
    technique_shape_is_right_ = !series_.has_stopped();
    if (series_.has_stopped()) why_unmeasured_ = say("technique_shape_run_fix", series_.stop_reason());
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
        auto outcome = told_case(bench(build_), shape, with);
        if (!outcome) return outcome.error();
        if (!outcome->passed() && technique_shape_is_right_) {
            technique_shape_is_right_ = false;
            why_unmeasured_ = why_unmeasured(outcome->result, stage_.types.size() > 1);
        }
        measured.push_back(measured_of(*outcome, problem_));
        measured.back().dynamic_shared_sizes = series_.dynamic_shared_sizes().size();
        if (is_shown && measured.back().needed) result_.unneeded = measured.back().needed->unneeded;
        if (is_shown && technique_shape_is_right_) checked_profile_ = outcome->run.result.profile;
        by_type.insert(is_shown ? by_type.begin() : by_type.end(), {type, outcome->run.result.by_line});
        if (is_shown && !has_own_shapes) show(shape, outcome->run);
        if (!has_own_shapes) series_.add(std::move(*outcome));
    }
    if (has_own_shapes && !series_.has_stopped()) {
        Shape shape = options_.shapes.front();
        shape.type = shown_type();
        if (!given_) {
            with.trace_first_warp = options_.traces;
            with.finds_needed = false;
            auto outcome = run_case(bench(build_), shape, with);
            if (!outcome) return outcome.error();
            given_ = std::move(outcome->run);
        }
        show(shape, *given_);
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
    if (options_.evidence != nullptr) {
        options_.evidence->technique = result_.technique;
        options_.evidence->launches = result_.launches;
    }
    if (!technique_shape_is_right_) return Nothing{};
    advise(by_type);
    return Nothing{};
}

// Rows of a tile as they are advised have to be right, and to help.
Status Grading::try_rows() {
    const bool is_told =
        std::ranges::any_of(result_.findings, [](const Diagnostic& d) { return d.code == "bank_conflict"; });
    if (!is_told || !technique_shape_is_right_ || !build_.ok() || !options_.shapes.empty()) return Nothing{};
    std::vector<CaseToRun> others;
    for (const Shape& shape : few_shapes()) others.push_back({shape, {}});
    CaseToRun measured{technique_shape(shown_type()), {}};
    measured.options.most_warp_instructions = most_work_of_case(problem_.elements(measured.shape));
    const auto tried =
        try_pitches({stage_, problem_, path_, device_, build_options(true), options_.seed, options_.threads, &budget_},
                    facts(), result_.findings, measured, result_.counters, others);
    if (!tried) return tried.error();
    if (options_.evidence != nullptr) options_.evidence->pitches = *tried;
    tell_pitches(*tried, result_.findings);
    return Nothing{};
}

}  // namespace warpgrade
