#include "calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade {

namespace {

Diagnostic course_error(std::string title, std::string fact) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = "cannot_calibrate";
    diagnostic.title = std::move(title);
    diagnostic.facts.push_back(std::move(fact));
    return diagnostic;
}

// Interquartile range of bytes / seconds.
double gb_iqr(std::uint64_t bytes, const std::vector<double>& seconds) {
    const auto at = [&](double q) { return static_cast<double>(bytes) / quantile(seconds, q) / 1e9; };
    return at(0.25) - at(0.75);
}

ProfileBandwidth yardstick(std::string_view what, const CalibrationRun& run, std::uint64_t bytes,
                           const std::vector<double>& seconds) {
    return {std::string(what), to_string(run.shape), static_cast<double>(bytes) / quantile(seconds, 0.5) / 1e9,
            gb_iqr(bytes, seconds), static_cast<int>(seconds.size())};
}

}  // namespace

ProfileDevice device_facts(const cuda::CardFacts& facts) {
    ProfileDevice device;
    device.compute_capability = fmt::format("{}.{}", facts.compute_major, facts.compute_minor);
    device.multiprocessors = facts.multiprocessors;
    device.sm_clock_mhz = facts.sm_clock_mhz;
    device.memory_clock_mhz = facts.memory_clock_mhz;
    device.registers_per_sm = facts.registers_per_sm;
    device.shared_bytes_per_sm = facts.shared_bytes_per_sm;
    device.shared_bytes_per_block = facts.shared_bytes_per_block_optin;
    device.max_threads_per_sm = facts.max_threads_per_sm;
    device.max_blocks_per_sm = facts.max_blocks_per_sm;
    device.l2_bytes = facts.l2_bytes;
    device.dram_bytes = facts.total_bytes;
    device.dram_peak_gb_per_s = facts.peak_gb_per_s();
    return device;
}

std::vector<CalibrationRun> calibration_runs(const std::vector<Assignment>& course, const TimingLimits& limits) {
    std::vector<CalibrationRun> runs;
    for (const Assignment& assignment : course) {
        std::vector<std::pair<const Problem*, std::vector<const Stage*>>> by_problem;
        for (const Stage& stage : assignment.stages) {
            const Problem* problem = find_problem(stage.problem);
            if (problem == nullptr || !stage.is_graded || stage.performance_points <= 0) continue;
            auto known = std::find_if(by_problem.begin(), by_problem.end(),
                                      [&](const auto& one) { return one.first == problem; });
            if (known == by_problem.end()) known = by_problem.insert(known, {problem, {}});
            known->second.push_back(&stage);
        }
        for (const auto& one : by_problem)
            for (const Shape& shape : one.first->timing_shapes(limits))
                runs.push_back({&assignment, one.first, one.second, shape});
    }
    return runs;
}

Result<GpuProfile> calibrate(Measurer& measurer, const std::vector<Assignment>& course, std::uint64_t seed,
                             const std::function<void(std::size_t, std::size_t)>& progress) {
    const cuda::CardFacts& facts = measurer.card().facts();
    GpuProfile profile;
    profile.slug = profile_slug(facts.name);
    profile.name = facts.name;
    profile.is_calibrated = true;
    profile.device = device_facts(facts);

    const std::vector<CalibrationRun> runs = calibration_runs(course, measurer.limits());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const CalibrationRun& run = runs[i];
        std::vector<Entry> entries;
        std::vector<const Stage*> stages;
        for (const Stage* stage : run.stages) {
            auto reference = measurer.reference(*run.assignment, *stage, *run.problem, "float");
            if (!reference) return reference.error();
            if (!*reference) continue;
            entries.push_back(**reference);
            stages.push_back(stage);
        }
        if (entries.empty())
            return course_error("there are no reference solutions to calibrate with",
                                "a student's package has none; its profile comes from the course");
        const auto timing = measurer.time(*run.problem, run.shape, entries, seed);
        if (!timing) return timing.error();
        if (timing->trouble)
            return course_error(
                "a reference solution fails on this card",
                entries[static_cast<std::size_t>(timing->trouble->contender)].path + ": " + timing->trouble->detail);
        const std::uint64_t bytes = run.problem->useful_bytes(run.shape);
        if (!timing->memcpy.empty()) profile.bandwidths.push_back(yardstick("memcpy", run, bytes, timing->memcpy));
        profile.bandwidths.push_back(yardstick(to_string(run.problem->yardstick()), run, bytes, timing->yardstick));
        for (std::size_t a = 0; a < entries.size(); ++a) {
            const auto shares = ratios(timing->best_yardstick(), timing->entries[a]);
            profile.references.push_back({stages[a]->name(), run.shape.shape_class, to_string(run.shape),
                                          static_cast<double>(bytes) / quantile(timing->entries[a], 0.5) / 1e9,
                                          quantile(shares, 0.5), quantile(shares, 0.75) - quantile(shares, 0.25)});
            for (std::size_t b = 0; b < a; ++b) {
                const double ratio = quantile(ratios(timing->entries[a], timing->entries[b]), 0.5);
                if (std::min(ratio, 1 / ratio) > told_apart_below)
                    profile.cannot_tell_apart.push_back(
                        {{stages[b]->name(), stages[a]->name()}, run.shape.shape_class});
            }
        }
        progress(i + 1, runs.size());
    }
    return profile;
}

}  // namespace warpgrade
