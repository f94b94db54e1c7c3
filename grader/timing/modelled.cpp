#include "timing/modelled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <future>
#include <new>

#include "base/confined.hpp"
#include "base/parallel.hpp"
#include "device/guarded.hpp"
#include "problem/pattern.hpp"
#include "problem/shapes.hpp"
#include "run/cases.hpp"
#include "run/placeholder_buffers.hpp"
#include "timing/modelled_work.hpp"

namespace warpgrade {

namespace {

const Doubt another_is_wrong{"another large shape came out wrong"};

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

// Of one that failed, or has a time.
Bandwidth ModelledSource::bandwidth_of(const Found& found, const Subject& subject, const Shape& shape,
                                       double reference_time) const {
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
    if (b.verdict != Verdict::ok) return b;
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
    } else if (const double share = recorded_share(subject.stage.name(), shape.shape_class); is_recorded && share > 0) {
        b.reference_gb_per_s = share * b.copy_gb_per_s;
        b.reference_origin = Origin::modelled;
    } else if (const ProfileReference* recorded = profile_.reference(subject.stage.name(), shape.shape_class);
               is_recorded && recorded) {
        b.reference_gb_per_s = recorded->share_of_copy * b.copy_gb_per_s;
        b.reference_origin = Origin::profile;
    }
    if (b.reference_gb_per_s > 0) b.share_of_reference = b.gb_per_s / b.reference_gb_per_s;
    b.share_low = b.share_high = b.share_of_reference;
    return b;
}

Result<std::vector<Bandwidth>> ModelledSource::bandwidths_of(const Subject& subject, const std::vector<Shape>& shapes) {
    std::vector<Shape> wanted = shapes.empty() ? shapes_that_count(subject) : shapes;
    if (wanted.empty()) return std::vector<Bandwidth>{};
    for (Shape& shape : wanted) shape.type = type_of(subject);
    const auto ready = program(subject, wanted);
    if (!ready) return ready.error();
    // Submission and reference side by side: two cores are the least a laptop has.
    const auto references = std::async(std::launch::async, [&] { return reference_seconds(subject, wanted); }).share();
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
        if (work.is_wrong_somewhere && found.is_unproved)
            if (auto status = run_all_of(another_is_wrong, subject, wanted[i], work, found); !status)
                return status.error();
        if (found.verdict == Verdict::ok && !found.timed) continue;
        all.push_back(bandwidth_of(found, subject, wanted[i], (*references.get())[i]));
    }
    return all;
}

}  // namespace warpgrade
