#include "grade/modelled.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <future>

namespace warpgrade {

struct ModelledSource::Program {
    std::string path, ptx, launcher;
    std::map<std::string, int> registers;
};

Result<std::unique_ptr<ModelledSource>> ModelledSource::open(const GpuProfile& profile) {
    auto gpu = parameters_of(profile);
    if (!gpu) return gpu.error();
    return std::unique_ptr<ModelledSource>(new ModelledSource(profile, *gpu));
}

// "9.0" -> "sm_90"
std::string ModelledSource::machine_arch() const {
    std::string name = "sm_";
    for (const char c : profile_.device.compute_capability)
        if (c != '.') name += c;
    return name;
}

Result<ModelledSource::Program> ModelledSource::program(const Subject& subject, const std::string& path,
                                                        const Build& build, const std::string& type) const {
    Program program{path, build.compiled.ptx, build.launchers.at(type), {}};
    auto source = read_submission(path);
    if (!source) return source.error();
    BuildOptions with;
    with.definitions = build.definitions;
    with.arch = machine_arch();
    with.reports_registers = true;
    const auto assembled = compile_stage(subject.stage, subject.problem, path, *source, with);
    if (!assembled) return assembled.error();
    program.registers = assembled->compiled.registers;
    return program;
}

Result<std::optional<ModelledSource::Timed>> ModelledSource::time(const Program& program, const Problem& problem,
                                                                  const Shape& shape, bool explains) const {
    LaunchLimits limits;
    limits.multiprocessors = static_cast<std::uint32_t>(gpu_.multiprocessors);
    limits.shared_bytes_per_block_optin = static_cast<std::uint32_t>(profile_.device.shared_bytes_per_block);
    auto sampled = SampledProgram::load(program.ptx, program.path, limits);
    if (!sampled) return sampled.error();
    const auto addresses = (*sampled)->allocate(problem.buffers(shape));
    if (!addresses) return addresses.error();
    const auto launches =
        (*sampled)->sample(program.launcher, problem.arguments(shape, *addresses), program.registers, gpu_);
    if (!launches) {
        if (launches.error().blame == Blame::learner) return std::optional<Timed>();
        return launches.error();
    }
    const auto is_whole = [](const SampledLaunch& launch) { return launch.is_complete && launch.occupancy.blocks > 0; };
    if (launches->empty() || !std::all_of(launches->begin(), launches->end(), is_whole)) return std::optional<Timed>();
    Timed timed;
    const PlanTime time = time_of(*launches, gpu_);
    timed.seconds = time.seconds;
    if (explains) timed.why = explain_time(*launches, time, gpu_);
    return std::optional(std::move(timed));
}

// A good copy, or a good read: bandwidth and a launch.
double ModelledSource::yardstick_seconds(const Problem& problem, const Shape& shape) const {
    const double rate = problem.only_reads() ? gpu_.dram_read_gb_per_s : gpu_.dram_copy_gb_per_s;
    return gpu_.launch_us * 1e-6 + static_cast<double>(problem.useful_bytes(shape)) / (rate * 1e9);
}

Result<double> ModelledSource::reference_seconds(const Subject& subject, const Shape& shape) {
    if (subject.assignment.solutions.empty()) return 0.0;
    const std::string path = (std::filesystem::path(subject.assignment.solutions) / subject.stage.file).string();
    if (std::error_code error; !std::filesystem::exists(path, error)) return 0.0;
    const std::string key = path + " " + to_string(shape) + " " + shape.type;
    if (const auto known = references_.find(key); known != references_.end()) return known->second;
    auto source = read_submission(path);
    if (!source) return source.error();
    const auto built = compile_stage(subject.stage, subject.problem, path, *source, {});
    if (!built) return built.error();
    double seconds = 0;
    if (built->compiled.ok && built->failures.empty() && built->launchers.contains(shape.type)) {
        const auto ready = program(subject, path, *built, shape.type);
        if (!ready) return ready.error();
        const auto timed = time(*ready, subject.problem, shape, false);
        if (!timed) return timed.error();
        if (*timed) seconds = (*timed)->seconds;
    }
    return references_[key] = seconds;
}

Result<std::vector<Bandwidth>> ModelledSource::bandwidths(const Subject& subject, const std::vector<Shape>& shapes) {
    const std::string type = subject.build.launchers.contains("float") ? "float" : subject.stage.types.front();
    std::vector<Shape> wanted = shapes;
    if (wanted.empty()) {
        const auto counts = [&](const Shape& shape) {
            const auto& weights = subject.stage.class_weights;
            return weights.empty() ? shape.shape_class == "aligned" : weights.contains(shape.shape_class);
        };
        for (const Shape& shape : subject.problem.timing_shapes(limits()))
            if (counts(shape)) wanted.push_back(shape);
    }
    std::vector<Bandwidth> all;
    const auto ready = program(subject, subject.path, subject.build, type);
    if (!ready) return ready.error();
    for (Shape shape : wanted) {
        shape.type = type;
        // Submission and reference side by side: two cores are the least a laptop has.
        auto reference = std::async(std::launch::async, [&] { return reference_seconds(subject, shape); });
        const auto timed = time(*ready, subject.problem, shape, all.empty());  // one explanation is enough
        const auto reference_time = reference.get();
        if (!timed) return timed.error();
        if (!reference_time) return reference_time.error();
        if (!*timed) continue;
        const auto bytes = static_cast<double>(subject.problem.useful_bytes(shape));
        Bandwidth b;
        b.origin = "modelled";
        b.modelled_gpu = profile_.name;
        b.error_band = profile_.error_band;
        b.shape = to_string(shape);
        b.shape_class = shape.shape_class;
        b.seconds = (*timed)->seconds;
        b.gb_per_s = bytes / b.seconds / 1e9;
        b.yardstick = subject.problem.only_reads() ? "read" : "copy";
        b.copy_gb_per_s = bytes / yardstick_seconds(subject.problem, shape) / 1e9;
        b.limiter = (*timed)->why.limiter;
        b.limiter_line = (*timed)->why.line;
        b.stalls = (*timed)->why.stalls;
        b.gain_without_limit = (*timed)->why.gain_without_limit;
        if (*reference_time > 0) {
            b.reference_gb_per_s = bytes / *reference_time / 1e9;
            b.reference_origin = "modelled";
        } else if (const ProfileReference* recorded = profile_.reference(subject.stage.name(), shape.shape_class)) {
            b.reference_gb_per_s = recorded->share_of_copy * b.copy_gb_per_s;
            b.reference_origin = "profile";
        }
        if (b.reference_gb_per_s > 0) b.share_of_reference = b.gb_per_s / b.reference_gb_per_s;
        b.share_low = b.share_high = b.share_of_reference;
        all.push_back(std::move(b));
    }
    return all;
}

Result<std::vector<ModelledReference>> model_references(const GpuProfile& profile,
                                                        const std::vector<Assignment>& course,
                                                        const std::function<void(std::size_t, std::size_t)>& progress) {
    auto source = ModelledSource::open(profile);
    if (!source) return source.error();
    struct Wanted {
        const Assignment* assignment;
        const Stage* stage;
        const ProfileReference* measured;
    };
    std::vector<Wanted> all;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages)
            if (const ProfileReference* measured = profile.reference(stage.name(), "aligned"))
                all.push_back({&assignment, &stage, measured});
    std::vector<ModelledReference> references;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [assignment, stage, measured] = all[i];
        const Problem* problem = find_problem(stage->problem);
        if (!problem) continue;
        auto shape = problem->parse_shape(measured->shape);
        if (!shape) return shape.error();
        const Build nothing;
        const auto seconds =
            (*source)->reference_seconds({*assignment, *stage, *problem, stage->file, nothing}, *shape);
        if (!seconds) return seconds.error();
        if (*seconds > 0)
            references.push_back({stage->name(), measured->shape, measured->gb_per_s,
                                  static_cast<double>(problem->useful_bytes(*shape)) / *seconds / 1e9});
        progress(i + 1, all.size());
    }
    return references;
}

double error_band_of(const std::vector<ModelledReference>& references) {
    std::vector<double> errors;
    for (const ModelledReference& one : references) errors.push_back(std::abs(one.error()));
    const double nine_of_ten = errors.empty() ? 0 : quantile(errors, 0.9);
    return nine_of_ten <= most_error_of_calibrated ? 0 : nine_of_ten;
}

}  // namespace warpgrade
