#include "timing/modelled_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/confined.hpp"
#include "device/guarded.hpp"
#include "explain/telling.hpp"
#include "run/cases.hpp"

namespace warpgrade {

namespace {

using vgpu::FindingKind;
using vgpu::KernelProfile;
using vgpu::ProfileByKernel;

// Of the bytes of a buffer. Samples of uneven blocks, and edges, make it less than exact.
constexpr double enough = 0.95;
// Of the work of a kernel's warps. What few of them do (the last block, a first thread) may be missed by samples.
constexpr double worth_a_look = 0.04;
// Of the same, where a block's first warp may do for all what the others wait for.
constexpr double few_come_to = 0.01;
// Of what a kernel reads, which grows with the data.
constexpr double most_is = 0.9;
// Of a run of all blocks: instructions of all warps, some 3 s of a core, and bytes of buffers.
constexpr double most_instructions = 256e6, most_bytes = 700e6;
constexpr double work_of_an_instruction = 8;  // at most, in the unit of vgpu/budget.hpp
constexpr double usual_work_of_an_instruction = 3;
// Of the timing of one file, in the unit of vgpu/budget.hpp, some 12 to 25 ns: the samples of all shapes, what doubts
// ask for, and a run that none does.
constexpr std::uint64_t most_work = 360'000'000, most_of_samples = 220'000'000, most_of_doubts = 250'000'000,
                        most_unasked = 150'000'000;
constexpr std::int64_t whole_tiles = 128;  // a multiple of every usual tile
constexpr std::uint64_t work_of_a_whole_shape = 400'000'000;
constexpr double worth_a_first_run = 64 << 20;  // bytes
constexpr std::uint64_t made_bytes = 8;         // of contents, and of what they are compared with: cost one
constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();
constexpr double alike = 1.1;  // as many instructions as the samples tell, about
// More than this times what the samples tell, of an instruction worth a look: they did something else.
constexpr double far_more = 2;
// Of the work for each element where the output was right: what no block needs to do again where there is more to do
// for each (it clears its bins, it adds its sum) is less than that.
constexpr double most_missing = 0.4;

// Blocks that run alone find what others would have written missing, and wait for others in vain.
bool tells_something(const vgpu::Finding& finding) {
    switch (finding.kind) {
        case FindingKind::uninitialized:
        case FindingKind::race_global:
        case FindingKind::race_shared:
        case FindingKind::timeout:
        case FindingKind::deadlock: return false;
        case FindingKind::barrier_divergence:
            return finding.reason != vgpu::FindingReason::ended;  // no card waits for these
        default: return true;
    }
}

std::string in_words(FindingKind kind) {
    std::string words(to_string(kind));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string megabytes(double bytes) { return fmt::format("{:.3g}", bytes / 1e6); }

double sum(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

double instructions_of(const ProfileByKernel& profile) {
    double all = 0;
    for (const auto& [kernel, one] : profile) all += sum(one.instructions);
    return all;
}

double units_of(const ProfileByKernel& profile) {
    double all = 0;
    for (const auto& [kernel, one] : profile) all += sum(one.units);
    return all;
}

// The work for each warp in `checked` that `found` leaves out or does in another way, as a share of all work in
// `found`. More of the same (a longer loop) is no other way.
double other_work(const KernelProfile& found, const KernelProfile& checked) {
    double instructions = 0, units = 0;
    const auto each = [](const std::vector<double>& all, std::size_t i, double warps) {
        return i < all.size() ? all[i] / warps : 0;
    };
    for (std::size_t i = 0; i < found.instructions.size(); ++i) {
        const double own = each(found.instructions, i, found.warps), its = each(checked.instructions, i, checked.warps);
        instructions += its == 0 ? own : std::max(0.0, its - own);
    }
    for (std::size_t i = 0; i < found.requests.size(); ++i) {
        const double own = each(found.requests, i, found.warps), its = each(checked.requests, i, checked.warps);
        if (own == 0 || its == 0) continue;                                // the segment says it
        const double least = each(checked.units, i, checked.warps) / its;  // of a request
        units += std::max(0.0, least * own - each(found.units, i, found.warps));
    }
    return std::max(instructions / std::max(sum(found.instructions) / found.warps, 1.0),
                    units / std::max(sum(found.units) / found.warps, 1.0));
}

// The work for each warp in `checked` of code that no warp of `found` comes to, as a share of all its work there.
double left_out(const KernelProfile& found, const KernelProfile& checked) {
    double instructions = 0;
    for (std::size_t i = 0; i < checked.instructions.size(); ++i)
        if (i >= found.instructions.size() || found.instructions[i] == 0) instructions += checked.instructions[i];
    return instructions / std::max(sum(checked.instructions), 1.0);
}

// Each block has a part of it to store, other than of a sum.
bool has_long_output(const Problem& problem, const Shape& shape) {
    const auto buffers = problem.buffers(shape);
    return buffers.back().bytes >= buffers.front().bytes;
}

// Of these sites.
double units_at(const KernelProfile& profile, const std::set<std::size_t>& sites) {
    double units = 0;
    for (const std::size_t site : sites) units += site < profile.units.size() ? profile.units[site] : 0;
    return units;
}

// The work for each element in `checked` that is not done for each of `times` as many, as a share of all of it. A loop
// that runs longer does as much for each; what counts fewer of the elements that it loads does not. Behind its loop a
// warp does no more where it has had more elements.
double missing_for_each_element(const SampledPlan& plan, const ProfileByKernel& checked, double times) {
    double missing[2] = {0, 0}, all[2] = {0, 0};
    const auto add = [&](int what, const std::vector<double>& own, const std::vector<double>& its, double times_warps) {
        const std::vector<bool>& is_repeated = what == 0 ? plan.repeated.segments : plan.repeated.sites;
        for (std::size_t i = 0; i < its.size(); ++i) {
            const double due = (is_repeated[i] ? times : std::min(times, times_warps)) * its[i];
            missing[what] += std::max(0.0, due - (i < own.size() ? own[i] : 0));
            all[what] += due;
        }
    };
    for (const auto& [kernel, its] : checked) {
        const auto own = plan.profile.find(kernel);
        static const KernelProfile none;
        const KernelProfile& here = own == plan.profile.end() ? none : own->second;
        const double times_warps = here.warps == 0 ? times : here.warps / its.warps;
        add(0, here.instructions, its.instructions, times_warps);
        add(1, here.units, its.units, times_warps);
    }
    return std::max(missing[0] / std::max(all[0], 1.0), missing[1] / std::max(all[1], 1.0));
}

// Of an instruction, or an access, that is worth a look there is much more in `all` than the samples tell.
bool is_other_work(const ProfileByKernel& all, const ProfileByKernel& sampled) {
    const double instructions = instructions_of(all), units = units_of(all);
    const auto differs = [](const std::vector<double>& whole, const std::vector<double>* known, double total) {
        for (std::size_t i = 0; i < whole.size(); ++i)
            if (whole[i] > worth_a_look * total && whole[i] > far_more * (known && i < known->size() ? (*known)[i] : 0))
                return true;
        return false;
    };
    return std::any_of(all.begin(), all.end(), [&](const auto& one) {
        const auto known = sampled.find(one.first);
        const KernelProfile* its = known == sampled.end() ? nullptr : &known->second;
        return differs(one.second.instructions, its ? &its->instructions : nullptr, instructions) ||
               differs(one.second.units, its ? &its->units : nullptr, units);
    });
}

// Other work of the plan's, of a shape so many times as large, than there was on one whose output was right.
// `leaves_nothing_out`: code that few warps come to counts as well.
std::optional<std::string> other_way(const SampledPlan& plan, const ProfileByKernel& checked, const Shape& shape,
                                     double times_as_large, bool leaves_nothing_out) {
    const double all = instructions_of(plan.profile), all_checked = instructions_of(checked);
    for (const auto& [kernel, found] : plan.profile) {
        const auto known = checked.find(kernel);
        // Of little work here it counts what it was there: a kernel may do nothing where the input is long.
        const bool is_little = known == checked.end() || sum(known->second.instructions) < worth_a_look * all_checked;
        if (is_little && sum(found.instructions) < worth_a_look * all) continue;
        if (known == checked.end()) return fmt::format("another kernel runs here than on {}", to_string(shape));
        if (other_work(found, known->second) > worth_a_look ||
            (leaves_nothing_out && left_out(found, known->second) > few_come_to))
            return fmt::format("the kernels do not do here what they do on {}", to_string(shape));
    }
    // What each warp does is the same, and there may be too few of them.
    for (const auto& [kernel, sites] : plan.sites_of_data) {
        const auto found = plan.profile.find(kernel), known = checked.find(kernel);
        if (found == plan.profile.end() || known == checked.end()) continue;
        if (units_at(found->second, sites) < most_is * times_as_large * units_at(known->second, sites))
            return fmt::format("a kernel reads a smaller part of the data here than on {}", to_string(shape));
    }
    return std::nullopt;
}

double times_as_large(const Problem& problem, const Shape& shape, const Shape& other) {
    return static_cast<double>(problem.elements(shape)) /
           static_cast<double>(std::max<std::uint64_t>(1, problem.elements(other)));
}

double bytes_of(const Subject& subject, const Shape& shape) {
    double bytes = 0;
    for (const vgpu::BufferSpec& buffer : subject.problem.buffers(shape)) bytes += static_cast<double>(buffer.bytes);
    return bytes;
}

// Spends of `budget`.
Result<WholeRun> run_case_whole(const Subject& subject, const Shape& shape, const LaunchLimits& limits,
                                vgpu::Budget& budget, bool checks_races) {
    budget.spend(static_cast<std::uint64_t>(bytes_of(subject, shape)) / made_bytes);
    const WholeRun not_known{Verdict::timeout, "", {}};
    if (budget.is_spent() || work_time_is_over()) return not_known;
    auto program = make_virtual_device(limits)->load(subject.build.compiled.ptx, subject.path);
    if (!program) return program.error();
    const std::string source;  // findings are not shown
    const Bench bench{subject.problem, **program,    subject.build.launchers, subject.path,
                      source,          subject.seed, subject.threads,         &budget};
    CaseOptions with;
    with.checks_races = checks_races;
    with.most_warp_instructions = static_cast<std::uint64_t>(work_of_an_instruction * most_instructions);
    const auto run = [&](const Shape& one) {
        return guarded("running a timed shape", [&] { return told_case(bench, one, with); });
    };
    // A session runs a kernel that it does not know on one thread. Of a smaller shape it learns what it may do.
    if (bytes_of(subject, shape) > worth_a_first_run) {
        const auto first = run(subject.problem.technique_shape());
        if (!first && !is_out_of_memory(first.error())) return first.error();
    }
    if (work_time_is_over()) return not_known;
    auto outcome = run(shape);
    if (!outcome && is_out_of_memory(outcome.error())) return not_known;
    if (!outcome) return outcome.error();
    WholeRun whole{outcome->result.verdict, outcome->result.detail, std::move(outcome->run.result.profile)};
    if (outcome->result.judgement && !outcome->result.judgement->facts.empty())
        whole.detail += ": " + outcome->result.judgement->facts.front();
    return whole;
}

// A timed shape. Its output decides; races are looked for where it costs less.
Result<WholeRun> run_whole(const Subject& subject, const Shape& shape, const LaunchLimits& limits, WorkOfTiming& work,
                           vgpu::Budget& budget) {
    const auto elements = static_cast<double>(subject.problem.elements(shape));
    const std::uint64_t before = budget.left();
    if (work.work_of_an_element * elements > static_cast<double>(before)) return WholeRun{Verdict::timeout, "", {}};
    auto run = run_case_whole(subject, shape, limits, budget, false);
    if (run && run->verdict != Verdict::timeout)
        work.work_of_an_element = static_cast<double>(before - budget.left()) / elements;
    return run;
}

bool is_too_large(const SampledPlan& plan, const Subject& subject, const Shape& shape) {
    return instructions_of(plan.profile) > most_instructions || bytes_of(subject, shape) > most_bytes;
}

// A smaller one; once, though several may ask for it.
Result<WholeRun> run_between(const Subject& subject, const Shape& between, const LaunchLimits& limits,
                             WorkOfTiming& work, vgpu::Budget& budget) {
    const auto known = work.between.find(between.extents);
    if (known != work.between.end()) return known->second;
    const Problem& problem = subject.problem;
    const bool is_larger_than_checked = problem.elements(between) > problem.elements(problem.technique_shape());
    auto run = run_case_whole(subject, between, limits, budget, is_larger_than_checked);
    if (run) work.between[between.extents] = *run;
    return run;
}

double times_the_work(const ProfileByKernel& all, const ProfileByKernel& sampled) {
    const auto ratio = [](double whole, double known) { return known > 0 ? whole / known : 1; };
    const double times =
        std::max(ratio(instructions_of(all), instructions_of(sampled)), ratio(units_of(all), units_of(sampled)));
    return times > alike ? times : 1;
}

}  // namespace

std::optional<Doubt> doubt_about(const SampledPlan& plan, const SampledProgram& program, const Subject& subject,
                                 const Shape& shape, Whose whose) {
    const Problem& problem = subject.problem;
    for (const vgpu::Finding& finding : plan.findings)
        if (tells_something(finding)) return Doubt{"a fault in one of them: " + in_words(finding.kind)};
    if (plan.launches.empty()) return Doubt{"nothing is launched", true};
    if (plan.passes_on) return Doubt{"a launch reads what others left in memory of cudaMalloc"};
    const std::vector<vgpu::BufferSpec> buffers = problem.buffers(shape);
    const std::size_t out = buffers.size() - 1;
    const auto is_short = [&](double bytes, std::size_t buffer) {
        return bytes < enough * static_cast<double>(buffers[buffer].bytes);
    };
    const auto covers = [&](const char* does, double bytes, std::size_t buffer) {
        return Doubt{fmt::format("the blocks {} {} of {} MB of `{}`", does, megabytes(bytes),
                                 megabytes(static_cast<double>(buffers[buffer].bytes)), buffers[buffer].name)};
    };
    std::vector<std::byte> first_byte(1);
    const bool is_known = problem.expected(shape, 0, 0, first_byte), is_long = has_long_output(problem, shape);
    if (is_known) {
        const std::uint64_t seed = contents_seed(subject.seed, shape);
        const bool is_right =
            whose == Whose::course || program.has_stored([&](std::uint64_t first, std::span<std::byte> bytes) {
                problem.expected(shape, seed, first, bytes);
            });
        if (!is_right) return Doubt{"some blocks store something else than belongs there"};
    }
    // A sum of few elements is stored by few blocks, which samples may miss.
    if ((is_known || is_long) && plan.knows_all && is_short(plan.stored_bytes, out))
        return covers("store", plan.stored_bytes, out);
    if (!plan.knows_all) return Doubt{"there are too many launches to look at each"};
    // Where all blocks do the same, an element that one leaves out is left out by all.
    const double left_out = static_cast<double>(buffers[out].bytes) - plan.stored_bytes;
    const bool has_whole_tiles = std::all_of(shape.extents.begin(), shape.extents.end(),
                                             [](std::int64_t extent) { return extent % whole_tiles == 0; });
    if (is_known && whose == Whose::submission && plan.launches.size() == 1 && plan.is_even && has_whole_tiles &&
        left_out > 0.5)
        return Doubt{fmt::format("the blocks leave {:.0f} bytes of `{}` out", left_out, buffers[out].name)};
    if (is_short(plan.loaded_bytes, 0)) return covers("load", plan.loaded_bytes, 0);
    if (!plan.others_end) return Doubt{"blocks wait for others, or take too long"};
    if (!is_known && subject.checked) {
        const Shape checked = problem.technique_shape();
        const double times = times_as_large(problem, shape, checked);
        if (auto other = other_way(plan, *subject.checked, checked, times, is_long)) return Doubt{*other, true};
        if (missing_for_each_element(plan, *subject.checked, times) > most_missing)
            return Doubt{fmt::format("the kernels do less for each element here than on {}", to_string(checked)), true};
    }
    return std::nullopt;
}

WorkOfTiming::WorkOfTiming(bool has_end, bool runs_whole)
    : all(!has_end     ? without_end
          : runs_whole ? most_work + work_of_a_whole_shape
                       : most_work),
      samples(has_end ? most_of_samples : without_end, &all),
      doubts(!has_end     ? without_end
             : runs_whole ? most_of_doubts + work_of_a_whole_shape
                          : most_of_doubts,
             &all),
      unasked(!has_end     ? without_end
              : runs_whole ? most_unasked + work_of_a_whole_shape
                           : most_unasked,
              &all) {}

bool is_about_speed(const Subject& subject) {
    return subject.stage.technique_points == 0 && subject.stage.performance_points > 0;
}

// What a run of all blocks says of the samples, too.
Settled settled_by(const WholeRun& whole, const SampledPlan& plan) {
    if (whole.verdict == Verdict::timeout) return {};
    if (whole.verdict != Verdict::pass) return {whole.verdict, whole.detail};
    return {Verdict::pass, "", times_the_work(whole.profile, plan.profile), is_other_work(whole.profile, plan.profile),
            true};
}

Result<Settled> run_all_blocks(const SampledPlan& plan, const Subject& subject, const Shape& shape,
                               const LaunchLimits& limits, WorkOfTiming& work) {
    if (work_time_is_short()) return Settled{};
    // What a run takes, about: what it does not suffice for leaves nothing for a smaller shape.
    const double due =
        bytes_of(subject, shape) / made_bytes + usual_work_of_an_instruction * instructions_of(plan.profile);
    if (is_about_speed(subject) && !is_too_large(plan, subject, shape) &&
        due < static_cast<double>(work.unasked.left())) {
        const auto whole = run_whole(subject, shape, limits, work, work.unasked);
        if (!whole) return whole.error();
        if (whole->verdict != Verdict::timeout) return settled_by(*whole, plan);
    }
    const Shape between = subject.problem.with_numbers_of(subject.problem.large_shape(), shape);
    const auto whole = run_between(subject, between, limits, work, work.unasked);
    if (!whole) return whole.error();
    if (whole->verdict == Verdict::timeout) return Settled{};
    return Settled{whole->verdict, fmt::format("{}, on {}", whole->detail, to_string(between))};
}

Result<Settled> settle(const Doubt& doubt, const SampledPlan& plan, const Subject& subject, const Shape& shape,
                       const LaunchLimits& limits, WorkOfTiming& work) {
    if (work_time_is_short()) return Settled{};
    const bool is_large = is_too_large(plan, subject, shape);
    const Problem& problem = subject.problem;
    const Shape checked = problem.technique_shape(), like_checked = problem.with_numbers_of(checked, shape);
    std::vector<Shape> smaller;
    if (doubt.is_about_the_way && like_checked.extents != checked.extents) smaller.push_back(like_checked);
    if (doubt.is_about_the_way || is_large) smaller.push_back(problem.with_numbers_of(problem.large_shape(), shape));
    // One of them may do: if its output is wrong, or right and what runs on it is what runs here.
    for (const Shape& between : smaller) {
        const auto run = run_between(subject, between, limits, work, work.doubts);
        if (!run) return run.error();
        if (run->verdict != Verdict::pass && run->verdict != Verdict::timeout)
            return Settled{run->verdict, fmt::format("{}, on {}; {}", run->detail, to_string(between), doubt.sign)};
        const double times = times_as_large(problem, shape, between);
        const bool is_long = has_long_output(problem, shape);
        if (doubt.is_about_the_way && run->verdict == Verdict::pass &&
            !other_way(plan, run->profile, between, times, is_long) &&
            missing_for_each_element(plan, run->profile, times) <= most_missing)
            return Settled{Verdict::pass};
    }
    if (is_large) return Settled{};
    const auto whole = run_whole(subject, shape, limits, work, work.doubts);
    if (!whole) return whole.error();
    Settled settled = settled_by(*whole, plan);
    if (settled.verdict != Verdict::pass && settled.verdict != Verdict::none) settled.detail += "; " + doubt.sign;
    return settled;
}

}  // namespace warpgrade
