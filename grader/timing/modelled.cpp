#include "timing/modelled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <new>

#include "base/build_id.hpp"
#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/sha256.hpp"
#include "compile/cache.hpp"
#include "device/guarded.hpp"
#include "problem/pattern.hpp"
#include "problem/shapes.hpp"
#include "run/cases.hpp"
#include "run/placeholder_buffers.hpp"
#include "timing/modelled_work.hpp"

namespace warpgrade {

namespace {

const Doubt another_is_wrong{"another large shape came out wrong"};
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

// Of the blocks that are looked at beside those that are always taken; the submission's and the reference's are the
// same, for a mean of few blocks that do not all do the same moves with the choice.
std::uint64_t sampling_seed(const Subject& subject, Shape shape) {
    shape.contents.clear();
    return hash_of(contents_seed(subject.seed, shape), subject.seed);
}

// That is timed.
const std::string& type_of(const Subject& subject) {
    static const std::string usual = "float";
    return subject.build.launchers.contains(usual) ? usual : subject.stage.types.front();
}

// Why sampled blocks have no time.
std::string why_incomplete(const SampledPlan& plan, const ModelParameters& gpu) {
    const bool is_waiting =
        std::any_of(plan.findings.begin(), plan.findings.end(), std::mem_fn(&vgpu::Finding::is_waiting));
    for (const SampledLaunch& launch : plan.launches) {
        if (launch.lanes_draw)
            return fmt::format("the time model does not know how fast the lanes of {} draw their work from one counter",
                               launch.kernel);
        if (launch.is_complete) continue;
        const std::string idle = idle_multiprocessors(launch, gpu);
        return fmt::format("the time model runs some blocks of a launch, and those of {} {}{}", launch.kernel,
                           is_waiting ? "wait for others" : "take too long", idle.empty() ? "" : " (" + idle + ")");
    }
    return "the time model knows of no time for these launches";
}

}  // namespace

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

BuildOptions ModelledSource::machine_options(const Build& build) const {
    BuildOptions with;
    with.definitions = build.definitions;
    with.arch = machine_arch();
    with.reports_registers = true;
    return with;
}

// Whether fewer blocks may fit for the registers that they take, which only the assembler knows. It aims at 32 a
// thread, with which as many threads fit as there may be: of 727 kernels (solutions, corpus and mistakes, for sm_90)
// the 578 with at most 21 alive at a time take no more. And of no more blocks than there are multiprocessors each has
// one to itself.
bool ModelledSource::may_registers_count(const Subject& subject, const std::vector<Shape>& shapes) const {
    DeviceProgram* const program = subject.build.program.get();
    if (program == nullptr) return true;
    constexpr std::uint32_t few_alive = 18, few = 32;
    const std::uint32_t alive = program->most_live_registers();
    if (alive > 0 && alive <= few_alive &&
        few * static_cast<std::uint64_t>(gpu_.max_threads_per_sm) <= gpu_.registers_per_sm)
        return false;
    const auto has_few_blocks = [&](const Shape& shape) {
        const auto addresses = allocate_placeholders(*program, subject.problem, shape);
        if (!addresses) return false;
        vgpu::Limits limits;
        limits.warp_instructions = 200'000;
        const auto plan =
            program->plan(subject.build.launchers.at(shape.type), subject.problem.arguments(shape, *addresses), limits);
        program->release_all();
        return plan && plan->findings.empty() &&
               std::all_of(plan->steps.begin(), plan->steps.end(), [&](const PlannedStep& step) {
                   const auto* launch = std::get_if<PlannedLaunch>(&step);
                   return !launch || launch->launch.grid.count() <= static_cast<std::uint64_t>(gpu_.multiprocessors);
               });
    };
    return !std::all_of(shapes.begin(), shapes.end(), has_few_blocks);
}

std::vector<Shape> ModelledSource::shapes_that_count(const Subject& subject) const {
    const auto& weights = subject.stage.class_weights;
    std::vector<Shape> shapes;
    for (Shape& shape : subject.problem.timing_shapes(limits(), subject.seed)) {
        if (weights.empty() ? shape.shape_class != "aligned" : !weights.contains(shape.shape_class)) continue;
        shape.type = type_of(subject);
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

void ModelledSource::prepare(const Subject& subject) const {
    if (!may_registers_count(subject, shapes_that_count(subject))) return;
    if (const auto source = read_submission(subject.path))
        compile_stage_ahead(subject.stage, subject.problem, subject.path, *source, machine_options(subject.build));
}

Result<ModelledSource::Program> ModelledSource::program(const Subject& subject,
                                                        const std::vector<Shape>& shapes) const {
    const Build& build = subject.build;
    Program program{subject.path, build.compiled.ptx, build.launchers.at(shapes.front().type), {}};
    if (!may_registers_count(subject, shapes)) return program;
    auto source = read_submission(subject.path);
    if (!source) return source.error();
    const auto assembled = compile_stage(subject.stage, subject.problem, subject.path, *source, machine_options(build));
    if (!assembled) return assembled.error();
    program.registers = assembled->compiled.registers;
    return program;
}

std::optional<ModelledSource::Timed> ModelledSource::time(const SampledPlan& plan, bool explains) const {
    const auto is_whole = [](const SampledLaunch& launch) {
        return launch.is_complete && !launch.lanes_draw && launch.occupancy.blocks > 0;
    };
    if (plan.launches.empty() || !std::all_of(plan.launches.begin(), plan.launches.end(), is_whole))
        return std::nullopt;
    Timed timed;
    const PlanTime time = time_of(plan.launches, gpu_);
    timed.seconds = time.seconds;
    if (explains) timed.why = explain_time(plan.launches, time, gpu_);
    if (work_time_is_over()) return std::nullopt;  // in the middle of it
    return timed;
}

Result<ModelledSource::Sampled> ModelledSource::sample(const Program& program, const Subject& subject,
                                                       const Shape& shape, std::uint64_t most_work, Whose whose,
                                                       bool explains) const {
    const Problem& problem = subject.problem;
    auto sampled = SampledProgram::load(program.ptx, program.path, launch_limits(profile_));
    if (!sampled) return sampled.error();
    std::vector<vgpu::BufferSpec> buffers = problem.buffers(shape);
    const std::uint64_t seed = contents_seed(subject.seed, shape);
    for (std::size_t b = 0; b < buffers.size(); ++b)
        buffers[b].contents = [&problem, &shape, seed, b](std::uint64_t first, std::span<std::byte> bytes) {
            problem.contents(shape, seed, b, first, bytes);
        };
    const auto addresses = (*sampled)->allocate(buffers);
    if (!addresses) return addresses.error();
    vgpu::Budget budget(most_work);
    auto plan = (*sampled)->sample(program.launcher, problem.arguments(shape, *addresses), program.registers, gpu_,
                                   sampling_seed(subject, shape), &budget);
    if (!plan) return plan.error();
    Sampled found;
    found.timed = time(*plan, explains);
    if (!found.timed) found.why_none = why_incomplete(*plan, gpu_);
    found.doubt = doubt_about(*plan, **sampled, subject, shape, whose);
    found.work = most_work - budget.left(), found.most_work = most_work;
    plan->launches.clear();
    found.plan = std::move(*plan);
    return found;
}

// In the order of the shapes, as if they were sampled one after another. Two at a time are: the second may have half of
// the work that is left, and is sampled anew where that was too little, or more than is left in its turn.
Result<ModelledSource::Sampled> ModelledSource::sample_ahead(const Program& program, const Subject& subject,
                                                             const std::vector<Shape>& shapes, std::size_t i,
                                                             WorkOfTiming& work, Ahead& ahead) const {
    const std::uint64_t left = work.samples.left();
    if (const auto known = ahead.extract(i); !known.empty()) {
        auto& sampled = known.mapped();
        const bool had_enough = sampled && (sampled->work < sampled->most_work || sampled->most_work >= left);
        if (!sampled || (had_enough && sampled->work <= left)) return std::move(sampled);
    }
    const bool is_alone = i + 1 == shapes.size() || subject.threads == 1 || work.work_of_an_element > 0;
    std::array<std::optional<Result<Sampled>>, 2> both;
    const auto take = [&](std::size_t k) {
        both[k] = sample(program, subject, shapes[i + k], k == 0 ? left : left / 2, Whose::submission, i + k == 0);
    };
    if (!is_alone)
        for_each_in_parallel(both.size(), static_cast<unsigned>(both.size()), [&](std::size_t k) {
            // There may be no memory for two: then the second is left for later.
            try {
                take(k);
                if (!*both[k] && is_out_of_memory(both[k]->error())) both[k].reset();
            } catch (const std::bad_alloc&) {
            }
        });
    if (both[1]) ahead.emplace(i + 1, std::move(*both[1]));
    if (!both[0]) take(0);
    return std::move(*both[0]);
}

Result<ModelledSource::Found> ModelledSource::look_at(Sampled sampled, const Subject& subject, const Shape& shape,
                                                      bool is_first, WorkOfTiming& work) const {
    const Problem& problem = subject.problem;
    work.samples.spend(sampled.work);
    Found found;
    found.plan = std::move(sampled.plan);
    const SampledPlan& plan = found.plan;
    found.timed = std::move(sampled.timed);
    found.why_none = std::move(sampled.why_none);
    if (found.timed && plan.has_bulk)
        found.timed->seconds =
            std::max(found.timed->seconds, seconds_of_moving(problem, plan.loaded_bytes + plan.stored_bytes));
    // Where a sample is too long, and nothing else is wrong with it, to run all of it would take longer still.
    const auto is_long = [](const vgpu::Finding& finding) { return finding.kind == vgpu::FindingKind::timeout; };
    if (!found.timed && !plan.findings.empty() && std::all_of(plan.findings.begin(), plan.findings.end(), is_long))
        return found;
    std::optional<Doubt> doubt = std::move(sampled.doubt);
    const double peak = gpu_.dram_peak_gb_per_s * 1e9;
    const auto is_too_fast = [&] {
        return found.timed && static_cast<double>(problem.useful_bytes(shape)) / found.timed->seconds > peak;
    };
    if (!doubt && is_too_fast()) doubt = Doubt{"it is faster than the memory", false, true};
    if (work.is_wrong_somewhere && (!doubt || doubt->is_about_the_way)) doubt = another_is_wrong;
    if (!doubt && !(subject.runs_timed && is_first)) {
        cap(found, problem, shape);
        found.is_unproved = true;
        return found;
    }
    if (auto status = run_all_of(doubt, subject, shape, work, found); !status) return status.error();
    return found;
}

Status ModelledSource::run_all_of(const std::optional<Doubt>& doubt, const Subject& subject, const Shape& shape,
                                  WorkOfTiming& work, Found& found) const {
    const SampledPlan& plan = found.plan;
    const Problem& problem = subject.problem;
    const LaunchLimits limits = launch_limits(profile_);
    const auto settled =
        doubt ? settle(*doubt, plan, subject, shape, limits, work) : run_all_blocks(plan, subject, shape, limits, work);
    if (!settled) return settled.error();
    if (settled->verdict == Verdict::none && (!doubt || doubt->is_of_the_model)) {
        cap(found, problem, shape);  // too long to be run
        found.is_unproved = true;
    } else if (settled->verdict == Verdict::none) {
        found.timed.reset();
        if (found.why_none.empty())
            found.why_none = fmt::format(
                "the time model looks at some blocks of a launch ({}), and all of them would "
                "take too long to run",
                doubt->sign);
    } else if (settled->verdict != Verdict::pass) {
        found.verdict = settled->verdict;
        found.detail = settled->detail;
    } else if (found.timed) {
        found.is_unproved = !settled->is_whole;
        found.timed->seconds *= settled->times_the_work;
        cap(found, problem, shape);
        // All blocks have run on this shape, and those of the sample do not stand for them.
        if (settled->is_other_work) {
            found.timed.reset();
            found.why_none = "the blocks that the time model looked at do less than all of them";
        }
    }
    return Nothing{};
}

// The work is done, so what would be faster than the copy is an error of the model.
void ModelledSource::cap(Found& found, const Problem& problem, const Shape& shape) const {
    if (!found.timed) return;
    const double least = yardstick_seconds(problem, shape);
    found.is_capped = found.timed->seconds < least;
    found.timed->seconds = std::max(found.timed->seconds, least);
}

double ModelledSource::seconds_of_moving(const Problem& problem, double bytes) const {
    const double rate = problem.yardstick() == Yardstick::read ? gpu_.dram_read_gb_per_s : gpu_.dram_copy_gb_per_s;
    return gpu_.launch_us * 1e-6 + bytes / (rate * 1e9);
}

double ModelledSource::yardstick_seconds(const Problem& problem, const Shape& shape) const {
    const double moving = seconds_of_moving(problem, static_cast<double>(problem.useful_bytes(shape)));
    if (problem.yardstick() != Yardstick::compute) return moving;
    return std::max(moving, gpu_.launch_us * 1e-6 + problem.flops(shape) / (gpu_.fma_gflop_per_s() * 1e9));
}

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

// What the model has no memory for is not known, and no fault of the submission's.
Result<std::vector<Bandwidth>> ModelledSource::bandwidths(const Subject& subject, const std::vector<Shape>& shapes) {
    constexpr const char* too_much = "the time model needs more memory for it than a check may have";
    try {
        auto all = bandwidths_of(subject, shapes);
        if (all || !is_out_of_memory(all.error())) return all;
    } catch (const std::bad_alloc&) {
    }
    why_none_ = too_much;
    return std::vector<Bandwidth>();
}

Result<std::vector<Bandwidth>> ModelledSource::bandwidths_of(const Subject& subject, const std::vector<Shape>& shapes) {
    std::vector<Shape> wanted = shapes.empty() ? shapes_that_count(subject) : shapes;
    if (wanted.empty()) return std::vector<Bandwidth>{};
    for (Shape& shape : wanted) shape.type = type_of(subject);
    const auto ready = program(subject, wanted);
    if (!ready) return ready.error();
    // Submission and reference side by side: two cores are the least a laptop has.
    const std::shared_future<Result<std::vector<double>>> references =
        std::async(std::launch::async, [&] { return reference_seconds(subject, wanted); });
    std::vector<Found> found_of;  // of the first shapes
    WorkOfTiming work(true, subject.runs_timed && is_about_speed(subject));
    work.is_wrong_somewhere = subject.is_wrong_above;
    Ahead ahead;
    why_none_.clear();
    constexpr const char* too_late = "checking took so long that no time was left to model it";
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (work_time_is_short()) {
            if (found_of.empty()) why_none_ = too_late;
            break;
        }
        auto sampled = sample_ahead(*ready, subject, wanted, i, work, ahead);
        if (!sampled) return sampled.error();
        auto found = look_at(std::move(*sampled), subject, wanted[i], found_of.empty(), work);
        if (!found) return found.error();
        if (found->verdict == Verdict::ok && work_time_is_over()) {
            if (found_of.empty()) why_none_ = too_late;
            break;
        }
        work.is_wrong_somewhere = work.is_wrong_somewhere || found->verdict != Verdict::ok;
        found_of.push_back(std::move(*found));
        if (i == 0 && !found_of[0].timed && found_of[0].verdict == Verdict::ok) {
            why_none_ = found_of[0].why_none;
            break;  // nor would the others of its kind
        }
    }
    if (!references.get()) return references.get().error();
    std::vector<Bandwidth> all;
    for (std::size_t i = 0; i < found_of.size(); ++i) {
        Found& found = found_of[i];
        const Shape& shape = wanted[i];
        if (work.is_wrong_somewhere && found.is_unproved)
            if (auto status = run_all_of(another_is_wrong, subject, shape, work, found); !status) return status.error();
        const double reference_time = (*references.get())[i];
        const auto bytes = static_cast<double>(subject.problem.useful_bytes(shape));
        Bandwidth b;
        b.origin = Origin::modelled;
        b.modelled_gpu = profile_.name;
        b.error_band = profile_.error_band;
        if (const KnownError* known = profile_.error_of(subject.problem.name()))
            b.error_rows = known->rows, b.error_median = known->median, b.error_nine_of_ten = known->nine_of_ten;
        b.shape = to_string(shape);
        b.elements = subject.problem.elements(shape);
        b.shape_class = shape.shape_class;
        b.verdict = found.verdict;
        b.detail = found.detail;
        b.yardstick = subject.problem.yardstick();
        b.flops = subject.problem.flops(shape);
        if (b.verdict != Verdict::ok) {
            all.push_back(std::move(b));
            continue;
        }
        if (!found.timed) continue;
        const Timed& timed = *found.timed;
        b.seconds = timed.seconds;
        b.gb_per_s = bytes / b.seconds / 1e9;
        b.copy_gb_per_s = bytes / yardstick_seconds(subject.problem, shape) / 1e9;
        b.limiter = timed.why.limiter;
        b.limiter_line = timed.why.line;
        b.stalls = timed.why.stalls;
        b.timeline = timed.why.timeline;
        b.is_launching = timed.why.is_launching;
        b.is_capped = found.is_capped;
        b.gain_without_limit = timed.why.gain_without_limit;
        const bool is_recorded = is_timing_shape(subject.problem, limits(), subject.seed, shape);
        if (reference_time > 0) {
            b.reference_gb_per_s = bytes / reference_time / 1e9;
            b.reference_origin = Origin::modelled;
        } else if (const double share = recorded_share(subject.stage.name(), shape.shape_class);
                   is_recorded && share > 0) {
            b.reference_gb_per_s = share * b.copy_gb_per_s;
            b.reference_origin = Origin::modelled;
        } else if (const ProfileReference* recorded = profile_.reference(subject.stage.name(), shape.shape_class);
                   is_recorded && recorded) {
            b.reference_gb_per_s = recorded->share_of_copy * b.copy_gb_per_s;
            b.reference_origin = Origin::profile;
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
