#include "timing/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/sha256.hpp"
#include "timing/measure_yardstick.hpp"

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

constexpr const char* plan_service = "reference_plan";

// Empty: there is none.
std::string reference_path(const Assignment& assignment, const Stage& stage) {
    if (assignment.solutions.empty()) return "";
    const std::string path = (std::filesystem::path(assignment.solutions) / stage.file).string();
    std::error_code error;
    return std::filesystem::exists(path, error) ? path : "";
}

double gb_per_s(std::uint64_t bytes, double seconds) {
    return seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0;
}

}  // namespace

bool is_timing_shape(const Problem& problem, const TimingLimits& limits, std::uint64_t seed, const Shape& shape) {
    for (const std::uint64_t drawn : {std::uint64_t{0}, seed})
        for (const Shape& one : problem.timing_shapes(limits, drawn))
            if (one.extents == shape.extents && one.shape_class == shape.shape_class) return true;
    return false;
}

std::string why_impossible(const Bandwidth& b, std::uint64_t bytes, const TimingLimits& device, double clock_seconds) {
    const double at_least = b.seconds + clock_seconds;
    const double peak = device.peak_gb_per_s;
    if (peak > 0 && gb_per_s(bytes, at_least) > peak && bytes > 4 * device.l2_bytes)
        return fmt::format("{:.0f} GB/s is more than the memory of this GPU can move, {:.0f} GB/s", b.gb_per_s, peak);
    if (b.copy_gb_per_s > 0 && gb_per_s(bytes, at_least) > above_yardstick * b.copy_gb_per_s)
        return fmt::format("{:.0f} GB/s is more than 1.05 times the {}, {:.0f} GB/s", b.gb_per_s, words_of(b.yardstick),
                           b.copy_gb_per_s);
    return "";
}

const std::vector<double>& Timing::best_yardstick() const {
    return memcpy.empty() || quantile(yardstick, 0.5) <= quantile(memcpy, 0.5) ? yardstick : memcpy;
}

TimingLimits Measurer::limits() const {
    const cuda::CardFacts& facts = card_.facts();
    return {facts.l2_bytes, facts.free_bytes, facts.peak_gb_per_s()};
}

Services Measurer::services(const Assignment& assignment, const Stage& stage) {
    Services all = card_services(card_);
    const bool has_reference = !reference_path(assignment, stage).empty();
    // In a process apart, as the model's reference is.
    all[plan_service] = [this, &assignment, &stage, has_reference](const wire::Fields& request) -> wire::Fields {
        const Problem* problem = find_problem(stage.problem);
        if (request.empty() || !has_reference || !problem) return {has_reference ? "yes" : "no"};
        const auto shape = problem->parse_shape(request.front());
        if (!shape) return wire::to_fields(shape.error());
        std::vector<std::uint64_t> addresses;
        wire::Reader in(request);
        for (in.text(); in.is_good() && !in.is_done();) addresses.push_back(in.number());
        if (addresses.size() != problem->buffers(*shape).size())
            return wire::to_fields(broken_reference("", "as many buffers as it takes were not named"));
        const auto run = run_apart(
            [&]() -> wire::Fields {
                const auto plan = reference_plan(assignment, stage, *shape, addresses);
                return plan ? wire::Fields{"plan", cuda::to_bytes(*plan)} : wire::to_fields(plan.error());
            },
            card_services(card_));
        if (!run) return wire::to_fields(run.error());
        if (run->end != ConfinedRun::End::done) return wire::to_fields(broken_reference("", run->what));
        return run->reply;
    };
    return all;
}

Result<std::vector<cuda::Command>> Measurer::reference_plan(const Assignment& assignment, const Stage& stage,
                                                            const Shape& shape,
                                                            const std::vector<std::uint64_t>& addresses) {
    const Problem& problem = *find_problem(stage.problem);
    const auto entry = reference(assignment, stage, problem, "float");
    if (!entry) return entry.error();
    const auto loaded = program((*entry)->path, (*entry)->ptx);
    if (!loaded) return loaded.error();
    const auto plan = (*loaded)->plan((*entry)->launcher, problem.arguments(shape, addresses));
    if (!plan) return plan.error();
    if (!plan->findings.empty())
        return broken_reference((*entry)->path, std::string(to_string(plan->findings.front().kind)));
    return commands_of(*plan, (*loaded)->module());
}

Result<std::vector<cuda::Command>> Measurer::ask_for_plan(const Shape& shape,
                                                          const std::vector<std::uint64_t>& addresses) {
    wire::Fields request{shape_argument(shape)};
    for (const std::uint64_t address : addresses) request.push_back(std::to_string(address));
    const wire::Fields answer = ask_outside(plan_service, request);
    if (auto error = wire::diagnostic_from(answer)) return std::move(*error);
    auto commands = answer.size() == 2 ? cuda::commands_from(answer[1]) : std::nullopt;
    if (!commands) throw std::logic_error("the reference's plan is none");
    return std::move(*commands);
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
    if (is_confined()) {
        if (ask_outside(plan_service, {}) != wire::Fields{"yes"}) return std::optional<Entry>();
        return std::optional(Entry{"the reference", assignment.solutions + "/" + stage.file, "", ""});
    }
    const std::string path = reference_path(assignment, stage);
    if (path.empty()) return std::optional<Entry>();
    const std::string key = path + " for " + type;  // a template has a launcher for each
    if (const auto known = references_.find(key); known != references_.end()) return std::optional(known->second);
    auto source = read_submission(path);
    if (!source) return source.error();
    BuildOptions with;
    with.arch = card_.arch();
    const auto built = compile_stage(stage, problem, path, *source, with);
    if (!built) return built.error();
    const auto launcher = built->launchers.find(type);
    if (!built->compiled.ok || !built->failures.empty() || launcher == built->launchers.end())
        return broken_reference(path, "it does not compile as this stage");
    return std::optional(references_[key] = Entry{"the reference", path, built->compiled.ptx, launcher->second});
}

Result<Timing> Measurer::time(const Problem& problem, const Shape& shape, const std::vector<Entry>& entries,
                              std::uint64_t seed, Enough is_enough, const void* context) {
    const auto kit_program = kit(problem);
    if (!kit_program) return kit_program.error();
    std::vector<CardProgram*> programs;
    for (const Entry& entry : entries) {
        if (entry.ptx.empty()) {
            programs.push_back(nullptr);
            continue;
        }
        auto loaded = program(entry.path, entry.ptx);
        if (!loaded) return loaded.error();
        programs.push_back(*loaded);
    }
    auto rig = Rig::open(card_, problem, shape, **kit_program, seed);
    if (!rig) return rig.error();
    Timing timing;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!programs[i]) {
            auto plan = ask_for_plan(shape, (*rig)->addresses());
            if (!plan) return plan.error();
            if (auto added = (*rig)->add_plan(std::move(*plan)); !added) return added.error();
            continue;
        }
        const auto added = (*rig)->add(*programs[i], entries[i].launcher);
        if (!added) return added.error();
        if ((timing.trouble = added->trouble)) return timing;
    }
    const int count = static_cast<int>(entries.size());
    const bool is_copy = problem.yardstick() == Yardstick::copy;
    if (is_copy)
        if (auto added = (*rig)->add_memcpy(); !added) return added.error();
    const auto yardstick = (*rig)->add_yardstick();
    if (!yardstick) return yardstick.error();

    const auto collect = [&] {
        timing.entries.clear();
        for (int i = 0; i < count; ++i) timing.entries.push_back((*rig)->seconds(i));
        if (is_copy) timing.memcpy = (*rig)->seconds(count);
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
        const bool is_slow = (*rig)->seconds_spent() > options_.slow_seconds;
        if (is_slow && round < 0) round = -1;
        const bool is_few = is_slow && round + 1 >= options_.few_samples;
        if (!is_few && (round + 1 < options_.samples || (round + 1 - options_.samples) % rounds_between_looks != 0))
            continue;
        auto telemetry = card_.telemetry();
        if (!telemetry) return telemetry.error();
        reasons |= telemetry->throttle_reasons;
        timing.telemetry = *telemetry;
        timing.telemetry.throttle_reasons = reasons;
        collect();
        if (is_few || !is_enough || is_enough(timing, context)) break;
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
    b.origin = Origin::measured;
    b.shape = to_string(shape);
    b.elements = subject.problem.elements(shape);
    b.shape_class = shape.shape_class;
    b.yardstick = subject.problem.yardstick();
    b.flops = subject.problem.flops(shape);
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
    b.verdict = Verdict::ok;
    if (has_reference) {
        const Judged ratio = judged(timing, subject.stage.band);
        b.reference_gb_per_s = gb_per_s(bytes, quantile(timing.entries[1], 0.5));
        b.reference_origin = Origin::measured;
        // The median of the ratios, not the ratio of the medians: what drifts during a run drifts for both.
        b.share_of_reference = quantile(ratios(timing.entries[1], timing.entries[0]), 0.5);
        b.share_low = ratio.fraction.low;
        b.share_high = ratio.fraction.high;
        if (ratio.width > options_.noise) {
            b.verdict = Verdict::noisy;
            b.detail =
                fmt::format("95 % interval of the share of the reference: {:.3f} to {:.3f}", b.share_low, b.share_high);
        }
    } else if (profile_) {
        const ProfileReference* recorded = profile_->reference(subject.stage.name(), shape.shape_class);
        if (recorded) {
            b.reference_gb_per_s = recorded->share_of_copy * b.copy_gb_per_s;
            b.reference_origin = Origin::profile;
            b.share_of_reference = b.gb_per_s / b.reference_gb_per_s;
            b.share_low = b.share_high = b.share_of_reference;
        }
    }
    if (const std::string why = why_impossible(b, bytes, limits(), event_seconds); !why.empty()) {
        b.verdict = Verdict::impossible;
        b.detail = why;
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
    for (const Shape& shape : shapes.empty() ? subject.problem.timing_shapes(limits(), subject.seed) : shapes) {
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
