#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/build_id.hpp"
#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "compile/cache.hpp"
#include "problem/shapes.hpp"
#include "timing/modelled.hpp"
#include "timing/modelled_work.hpp"

namespace warpgrade {

namespace {

constexpr const char* seconds_service = "reference_seconds";
constexpr std::size_t most_shapes_asked_for = 64;

wire::Fields fields_of(const std::vector<double>& all) {
    wire::Fields fields;
    for (const double one : all) fields.push_back(wire::real_text(one));
    return fields;
}

std::vector<double> reals_of(const wire::Fields& fields, std::size_t count) {
    wire::Reader reader(fields);
    std::vector<double> all(count);
    for (double& one : all) one = reader.real();
    return all;
}

}  // namespace

Services ModelledSource::services(const Assignment& assignment, const Stage& stage) {
    return {{seconds_service, [this, &assignment, &stage](const wire::Fields& request) -> wire::Fields {
                 const auto seconds = references_apart(assignment, stage, request);
                 return seconds ? fields_of(*seconds) : wire::to_fields(seconds.error());
             }}};
}

// The solution is read and run in a process apart, so that no confined one finds it in the memory it was given.
Result<std::vector<double>> ModelledSource::references_apart(const Assignment& assignment, const Stage& stage,
                                                             const wire::Fields& request) {
    const auto failed = [&](std::string why) {
        return Diagnostic{.blame = Blame::kit,
                          .code = "reference_fails",
                          .title = "the reference solution of " + stage.name() + " cannot be modelled",
                          .marks = {},
                          .facts = {std::move(why)},
                          .help = "this is a defect of the kit; please report it"};
    };
    const Problem* problem = find_problem(stage.problem);
    if (!problem || request.size() < 3 || request.size() > 2 + most_shapes_asked_for ||
        std::find(stage.types.begin(), stage.types.end(), request[1]) == stage.types.end())
        return failed("no shape of the stage was asked for");
    const std::uint64_t seed = wire::Reader({request[0]}).number();
    std::vector<Shape> shapes;
    for (std::size_t i = 2; i < request.size(); ++i) {
        auto shape = problem->parse_shape(request[i]);
        if (!shape) return shape.error();
        shape->type = request[1];
        shapes.push_back(std::move(*shape));
    }
    std::string key = stage.name();
    for (const std::string& field : request) key += " " + field;
    if (const auto known = references_apart_.find(key); known != references_apart_.end()) return known->second;
    const auto run = run_apart([&]() -> wire::Fields {
        const Build nothing;
        const auto seconds = reference_seconds({assignment, stage, *problem, stage.file, nothing, seed}, shapes);
        return seconds ? fields_of(*seconds) : wire::to_fields(seconds.error());
    });
    if (!run) return run.error();
    if (run->end == ConfinedRun::End::out_of_memory)
        return Diagnostic{.blame = Blame::host,
                          .code = "out_of_memory",
                          .title = "this machine has too little free memory for the time model",
                          .marks = {},
                          .facts = {"of the reference solution of " + stage.name()},
                          .help = "close other programs"};
    if (run->end != ConfinedRun::End::done) return failed(run->what);
    if (auto error = wire::diagnostic_from(run->reply)) return std::move(*error);
    return references_apart_[key] = reals_of(run->reply, shapes.size());
}

// Of all that its times follow from. Empty: this program cannot be told from another build of it.
std::string ModelledSource::key_of_reference(const Program& program, const Subject& subject,
                                             const std::vector<Shape>& shapes) const {
    const std::string build = build_id();
    if (build.empty()) return {};
    Sha256 hash;
    const ProblemDescription& problem = subject.problem.description();
    const auto described = read_whole_file(problem.toml_path);
    for (const std::string& field :
         {std::string("seconds of a reference"), build, to_toml(profile_), described ? *described : "", problem.cuda,
          program.ptx, program.launcher, std::to_string(subject.seed)})
        hash.add_field(field);
    for (const auto& [kernel, count] : program.registers) hash.add_field(kernel + " " + std::to_string(count));
    for (const Shape& shape : shapes) hash.add_field(shape.type + " " + shape_argument(shape));
    return hash.hex();
}

Result<std::vector<double>> ModelledSource::reference_seconds(const Subject& subject,
                                                              const std::vector<Shape>& shapes) {
    std::vector<double> all(shapes.size(), 0.0);
    if (shapes.empty()) return all;
    if (!opens_files()) {
        wire::Fields request{std::to_string(subject.seed), shapes.front().type};
        for (const Shape& shape : shapes) request.push_back(shape_argument(shape));
        const wire::Fields answer = ask_outside(seconds_service, request);
        if (auto error = wire::diagnostic_from(answer)) return std::move(*error);
        return reals_of(answer, shapes.size());
    }
    if (subject.assignment.solutions.empty()) return all;
    const std::string path = (std::filesystem::path(subject.assignment.solutions) / subject.stage.file).string();
    if (std::error_code error; !std::filesystem::exists(path, error)) return all;
    auto source = read_submission(path);
    if (!source) return source.error();
    const auto built = compile_stage(subject.stage, subject.problem, path, *source, {});
    if (!built) return built.error();
    const std::string& type = shapes.front().type;
    if (!built->compiled.ok || !built->failures.empty() || !built->launchers.contains(type)) return all;
    const Subject its{subject.assignment, subject.stage, subject.problem, path, *built, subject.seed};
    const auto ready = program(its, shapes);
    if (!ready) return ready.error();
    const ContentCache cache = ContentCache::of_user();
    const std::string key = key_of_reference(*ready, its, shapes);
    if (const auto kept = key.empty() ? std::nullopt : cache.find(key))
        if (const auto fields = wire::unpack(*kept)) return reals_of(*fields, shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        WorkOfTiming without_end(false);  // in a process apart
        auto sampled = sample(*ready, its, shapes[i], without_end.samples.left(), Whose::course, false);
        if (!sampled) return sampled.error();
        const auto found = look_at(std::move(*sampled), its, shapes[i], false, without_end);
        if (!found) return found.error();
        if (found->timed) all[i] = found->timed->seconds;
    }
    if (!key.empty()) cache.keep(key, wire::pack(fields_of(all)));
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
            (*source)->reference_seconds({*assignment, *stage, *problem, stage->file, nothing}, {*shape});
        if (!seconds) return seconds.error();
        if (const double taken = seconds->front(); taken > 0)
            references.push_back({stage->name(), measured->shape, measured->gb_per_s,
                                  static_cast<double>(problem->useful_bytes(*shape)) / taken / 1e9});
        progress(i + 1, all.size());
    }
    return references;
}

// The shapes that are timed differ with the seed, and with them the share. The least of a few does nobody wrong.
constexpr std::uint64_t drawn_for_a_share = 6;

Result<std::vector<ModelledShare>> model_shares(const GpuProfile& profile, const std::vector<Assignment>& course,
                                                const std::function<void(std::size_t, std::size_t)>& progress) {
    auto source = ModelledSource::open(profile);
    if (!source) return source.error();
    std::vector<std::tuple<const Assignment*, const Stage*, Shape, std::uint64_t>> all;
    for (const Assignment& assignment : course)
        for (const Stage& stage : assignment.stages) {
            const Problem* problem = find_problem(stage.problem);
            if (!problem || stage.performance_points <= 0) continue;
            for (std::uint64_t seed = 0; seed < drawn_for_a_share; ++seed)
                for (Shape& shape : problem->timing_shapes((*source)->limits(), seed)) {
                    shape.type = shown_type(stage.types);
                    all.emplace_back(&assignment, &stage, std::move(shape), seed);
                }
        }
    std::vector<ModelledShare> shares;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [assignment, stage, shape, seed] = all[i];
        const Problem& problem = *find_problem(stage->problem);
        const Build nothing;
        const auto seconds =
            (*source)->reference_seconds({*assignment, *stage, problem, stage->file, nothing, seed}, {shape});
        if (!seconds) return seconds.error();
        progress(i + 1, all.size());
        if (seconds->front() <= 0) continue;
        const double share = (*source)->yardstick_seconds(problem, shape) / seconds->front();
        const auto known =
            std::find_if(shares.begin(), shares.end(), [&, &stage = stage, &shape = shape](const ModelledShare& one) {
                return one.stage == stage->name() && one.shape_class == shape.shape_class;
            });
        if (known == shares.end())
            shares.push_back({stage->name(), shape.shape_class, share});
        else
            known->share_of_copy = std::min(known->share_of_copy, share);
    }
    return shares;
}

double error_band_of(const std::vector<ModelledReference>& references) {
    std::vector<double> errors;
    for (const ModelledReference& one : references) errors.push_back(std::abs(one.error()));
    const double nine_of_ten = errors.empty() ? 0 : quantile(errors, 0.9);
    return nine_of_ten <= most_error_of_calibrated ? 0 : nine_of_ten;
}

}  // namespace warpgrade
