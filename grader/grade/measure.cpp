#include "grade/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/sha256.hpp"
#include "grade/measure_yardstick.hpp"
#include "grade/score.hpp"

namespace warpgrade {

namespace {

// How much better than the yardstick a right program may look: what the copy itself loses, and half a microsecond that
// an event may be off at either end.
constexpr double above_yardstick = 1.05;
constexpr double event_seconds = 1e-6;
constexpr int rounds_between_looks = 5;

Diagnostic broken_reference(const std::string& path, const std::string& what) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = "reference_fails";
    diagnostic.title = "the reference solution cannot be timed";
    diagnostic.marks.push_back({path, 0, 0, 1, ""});
    diagnostic.facts.push_back(what);
    diagnostic.help = fmt::format("`warpgrade check {}`", path);
    return diagnostic;
}

double gb_per_s(std::uint64_t bytes, double seconds) {
    return seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0;
}

}  // namespace

const std::vector<double>& Timing::best_yardstick() const {
    return memcpy.empty() || quantile(yardstick, 0.5) <= quantile(memcpy, 0.5) ? yardstick : memcpy;
}

TimingLimits Measurer::limits() const {
    const cuda::CardFacts& facts = card_.facts();
    return {facts.l2_bytes, facts.free_bytes, facts.peak_gb_per_s()};
}

Result<CardProgram*> Measurer::program(const std::string& path, const std::string& ptx) {
    std::unique_ptr<CardProgram>& known = programs_[sha256_hex(ptx)];
    if (!known) {
        auto loaded = CardProgram::load(card_, ptx, path);
        if (!loaded) return loaded.error();
        known = std::move(*loaded);
    }
    if (auto ready = known->ensure_loaded(); !ready) return ready.error();
    return known.get();
}

Result<CardProgram*> Measurer::kit(const Problem& problem) {
    CompileRequest request;
    request.path = "kit.cu";
    request.source = std::string(problem.card_source()) + std::string(yardstick_source());
    request.arch = card_.arch();
    const auto compiled = compile(request);
    if (!compiled) return compiled.error();
    if (!compiled->ok)
        throw std::logic_error("the kit's kernels do not compile: " + compiled->messages.front().message);
    return program(request.path, compiled->ptx);
}

Result<std::optional<Entry>> Measurer::reference(const Assignment& assignment, const Stage& stage,
                                                 const Problem& problem, const std::string& type) {
    if (assignment.solutions.empty()) return std::optional<Entry>();
    const std::string path = (std::filesystem::path(assignment.solutions) / stage.file).string();
    if (std::error_code error; !std::filesystem::exists(path, error)) return std::optional<Entry>();
    if (const auto known = references_.find(path); known != references_.end()) return std::optional(known->second);
    auto source = read_submission(path);
    if (!source) return source.error();
    BuildOptions with;
    with.arch = card_.arch();
    const auto built = compile_stage(stage, problem, path, *source, with);
    if (!built) return built.error();
    const auto launcher = built->launchers.find(type);
    if (!built->compiled.ok || !built->failures.empty() || launcher == built->launchers.end())
        return broken_reference(path, "it does not compile as this stage");
    return std::optional(references_[path] = Entry{"the reference", path, built->compiled.ptx, launcher->second});
}

Result<Timing> Measurer::time(const Problem& problem, const Shape& shape, const std::vector<Entry>& entries,
                              std::uint64_t seed, Enough is_enough, const void* context) {
    const auto kit_program = kit(problem);
    if (!kit_program) return kit_program.error();
    std::vector<CardProgram*> programs;
    for (const Entry& entry : entries) {
        auto loaded = program(entry.path, entry.ptx);
        if (!loaded) return loaded.error();
        programs.push_back(*loaded);
    }
    auto rig = Rig::open(card_, problem, shape, **kit_program, seed);
    if (!rig) return rig.error();
    Timing timing;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto added = (*rig)->add(*programs[i], entries[i].launcher);
        if (!added) return added.error();
        if ((timing.trouble = added->trouble)) return timing;
    }
    const int count = static_cast<int>(entries.size());
    if (!problem.only_reads())
        if (auto added = (*rig)->add_memcpy(); !added) return added.error();
    const auto yardstick = (*rig)->add_yardstick();
    if (!yardstick) return yardstick.error();

    const auto collect = [&] {
        timing.entries.clear();
        for (int i = 0; i < count; ++i) timing.entries.push_back((*rig)->seconds(i));
        if (!problem.only_reads()) timing.memcpy = (*rig)->seconds(count);
        timing.yardstick = (*rig)->seconds(*yardstick);
        timing.seconds_spent = (*rig)->seconds_spent();
    };
    std::uint64_t reasons = 0;
    for (int round = -options_.warm_ups; round < options_.most_samples; ++round) {
        auto trouble = (*rig)->round(round < 0);
        if (!trouble) return trouble.error();
        if (*trouble) {
            timing.trouble = *trouble;
            return timing;
        }
        if (round + 1 < options_.samples || (round + 1 - options_.samples) % rounds_between_looks != 0) continue;
        auto telemetry = card_.telemetry();
        if (!telemetry) return telemetry.error();
        reasons |= telemetry->throttle_reasons;
        timing.telemetry = *telemetry;
        timing.telemetry.throttle_reasons = reasons;
        collect();
        if (!is_enough || is_enough(timing, context)) break;
    }
    return timing;
}

namespace {

// The share of the performance points at both ends of the interval of the ratio reference / submission.
struct Judged {
    Interval fraction;  // of the reference's bandwidth
    double width = 0;   // of the points
};
Judged judged(const Timing& timing, const PerformanceBand& band) {
    Judged result;
    result.fraction = median_interval(ratios(timing.entries.at(1), timing.entries.at(0)));
    result.width = performance_share(band, result.fraction.high) - performance_share(band, result.fraction.low);
    return result;
}

struct NoiseLimit {
    PerformanceBand band;
    double most = 0;
};

}  // namespace

Bandwidth Measurer::judge(const Subject& subject, const Shape& shape, const Timing& timing, bool has_reference) const {
    Bandwidth b;
    b.origin = "measured";
    b.shape = to_string(shape);
    b.shape_class = shape.shape_class;
    b.yardstick = subject.problem.only_reads() ? "read" : "copy";
    if (timing.trouble) {
        b.verdict = timing.trouble->verdict;
        b.detail = timing.trouble->detail;
        return b;
    }
    const std::uint64_t bytes = subject.problem.useful_bytes(shape);
    const Spread own = spread_of(timing.entries[0]), best = spread_of(timing.best_yardstick());
    b.seconds = own.median;
    b.iqr_seconds = own.iqr;
    b.samples = own.samples;
    b.gb_per_s = gb_per_s(bytes, own.median);
    b.copy_gb_per_s = gb_per_s(bytes, best.median);
    if (!timing.memcpy.empty()) b.memcpy_gb_per_s = gb_per_s(bytes, quantile(timing.memcpy, 0.5));
    b.sm_clock_mhz = timing.telemetry.sm_clock_mhz;
    b.memory_clock_mhz = timing.telemetry.memory_clock_mhz;
    b.temperature_c = timing.telemetry.temperature_c;
    b.throttled_by = cuda::throttle_names(timing.telemetry.throttle_reasons);
    b.seconds_spent = timing.seconds_spent;
    b.verdict = "ok";
    if (has_reference) {
        const Judged ratio = judged(timing, subject.stage.band);
        b.reference_gb_per_s = gb_per_s(bytes, quantile(timing.entries[1], 0.5));
        b.reference_origin = "measured";
        // The median of the ratios, not the ratio of the medians: what drifts during a run drifts for both.
        b.share_of_reference = quantile(ratios(timing.entries[1], timing.entries[0]), 0.5);
        b.share_low = ratio.fraction.low;
        b.share_high = ratio.fraction.high;
        if (ratio.width > options_.noise) {
            b.verdict = "noisy";
            b.detail =
                fmt::format("95 % interval of the share of the reference: {:.3f} to {:.3f}", b.share_low, b.share_high);
        }
    } else if (profile_) {
        const ProfileReference* recorded = profile_->reference(subject.stage.name(), shape.shape_class);
        if (recorded) {
            b.reference_gb_per_s = recorded->share_of_copy * b.copy_gb_per_s;
            b.reference_origin = "profile";
            b.share_of_reference = b.gb_per_s / b.reference_gb_per_s;
            b.share_low = b.share_high = b.share_of_reference;
        }
    }
    const double peak = card_.facts().peak_gb_per_s();
    const bool beats_yardstick = own.median + event_seconds < best.median / above_yardstick;
    const bool beats_peak =
        peak > 0 && gb_per_s(bytes, own.median + event_seconds) > peak && bytes > 4 * card_.facts().l2_bytes;
    if (beats_yardstick || beats_peak) {
        b.verdict = "impossible";
        b.detail = beats_peak ? fmt::format("{:.0f} GB/s is more than the memory of this GPU can move, {:.0f} GB/s",
                                            b.gb_per_s, peak)
                              : fmt::format("{:.0f} GB/s is more than 1.05 times the {}, {:.0f} GB/s", b.gb_per_s,
                                            b.yardstick, b.copy_gb_per_s);
    }
    return b;
}

Result<std::vector<Bandwidth>> Measurer::bandwidths(const Subject& subject, const std::vector<Shape>& shapes) {
    const auto launcher = subject.build.launchers.find("float");
    if (launcher == subject.build.launchers.end()) return std::vector<Bandwidth>();  // timed with floats only
    std::vector<Entry> entries{{"the submission", subject.path, subject.build.compiled.ptx, launcher->second}};
    auto recorded = reference(subject.assignment, subject.stage, subject.problem, "float");
    if (!recorded) return recorded.error();
    if (*recorded) entries.push_back(**recorded);

    const NoiseLimit limit{subject.stage.band, options_.noise};
    const Enough is_enough = [](const Timing& timing, const void* context) {
        const auto& [band, most] = *static_cast<const NoiseLimit*>(context);
        return judged(timing, band).width <= most;
    };
    std::vector<Bandwidth> all;
    for (const Shape& shape : shapes.empty() ? subject.problem.timing_shapes(limits()) : shapes) {
        const auto timing =
            time(subject.problem, shape, entries, subject.seed, *recorded ? is_enough : nullptr, &limit);
        if (!timing) return timing.error();
        if (timing->trouble && timing->trouble->contender == 1)
            return broken_reference(entries[1].path, timing->trouble->detail);
        all.push_back(judge(subject, shape, *timing, recorded->has_value()));
    }
    // Of a class of submissions, none is timed again.
    if (!*recorded || entries[0].ptx != entries[1].ptx) programs_.erase(sha256_hex(entries[0].ptx));
    return all;
}

}  // namespace warpgrade
