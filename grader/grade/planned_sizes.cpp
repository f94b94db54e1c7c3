#include "grade/planned_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/confined.hpp"
#include "base/make_diagnostic.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "grade/overflow_interpreter.hpp"
#include "grade/triage.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_of_a_launcher = 1 << 20;  // of a launcher
constexpr std::uint64_t most_steps_of_walk = 200'000;  // of its walk
constexpr const char* launcher_alone = "with this size only the launcher was run";

// Where the buffers would be: far from all that is there, and from one another.
struct Addresses {
    std::vector<vgpu::BufferSpec> specs;
    std::vector<std::uint64_t> addresses;
};

Addresses places_of(const Problem& problem, const Shape& shape) {
    constexpr std::uint64_t first = std::uint64_t{1} << 44, apart = std::uint64_t{1} << 30;
    Addresses places{problem.buffers(shape), {}};
    std::uint64_t next = first;
    for (const vgpu::BufferSpec& spec : places.specs) {
        places.addresses.push_back(next);
        next += (spec.bytes / apart + 2) * apart;
    }
    return places;
}

// Of a cudaMemset; nothing where it is inside of a buffer, or far from all of them.
std::optional<vgpu::Finding> leaves_buffer(const PlannedMemset& memset, const Addresses& places) {
    std::size_t b = places.addresses.size();
    while (b > 0 && places.addresses[b - 1] > memset.address) --b;
    if (b == 0 || memset.bytes == 0) return std::nullopt;
    const vgpu::BufferSpec& spec = places.specs[--b];
    const std::uint64_t at = memset.address - places.addresses[b];
    if (at <= spec.bytes && memset.bytes <= spec.bytes - at) return std::nullopt;
    vgpu::Finding finding;
    finding.kind = vgpu::FindingKind::out_of_bounds;
    finding.place.line = memset.line;
    finding.access = vgpu::AccessKind::write;
    finding.address = memset.address;
    finding.width_bytes = 1;
    finding.buffer = spec.name;
    finding.buffer_bytes = spec.bytes;
    finding.element_bytes = spec.element_bytes;
    // Its last byte; of a size that came of a negative number, as far as a message can tell.
    finding.offset_bytes = static_cast<std::int64_t>(std::min(memset.bytes - 1, std::uint64_t{1} << 62) + at);
    return finding;
}

Diagnostic describe_overflow(const ptx::Module& module, const Overflow& overflow, const Bench& bench,
                             const Shape& shape) {
    const int line = ptx::source_place(module, *overflow.function, overflow.location, bench.path).innermost.line;
    return make_error(
        Blame::learner, "size_overflow", say("size_computed_bits_do"),
        {mark_of_line(line, bench.path, bench.source, "")},
        {say("bits_hold", describe_case(shape), overflow.exact, overflow.found), say("launcher_alone_run_size")},
        say("make_std_size_t_where"));
}

}  // namespace

void add(CaseOutcome& outcome, Diagnostic finding, Verdict verdict) {
    if (outcome.passed()) {
        outcome.result.verdict = verdict;
        outcome.result.fail_by(finding.title, first_line(finding));
    }
    outcome.findings.push_back(std::move(finding));
}

CaseOutcome unrun_case(const Problem& problem, const Shape& shape, const char* variant) {
    CaseOutcome outcome;
    outcome.result.shape = shape;
    outcome.result.variant = variant;
    outcome.result.verdict = Verdict::pass;
    outcome.result.is_planned = true;
    outcome.prepared.shape = shape;
    for (const vgpu::BufferSpec& spec : problem.buffers(shape)) {
        const auto elements = spec.bytes / static_cast<std::uint64_t>(spec.element_bytes);
        outcome.prepared.layout.push_back({spec.name, {static_cast<std::int64_t>(elements)}, BufferRole::in});
    }
    outcome.prepared.layout.back().role = BufferRole::out;
    return outcome;
}

Result<CaseOutcome> plan_case(const Bench& bench, const Shape& shape, const std::string& ptx) {
    CaseOutcome outcome = unrun_case(bench.problem, shape, planned_variant);
    const Addresses places = places_of(bench.problem, shape);
    const auto arguments = bench.problem.arguments(shape, places.addresses);
    const std::string& launcher = bench.launchers.at(shape.type);
    vgpu::Limits limits;
    limits.warp_instructions = most_of_a_launcher;
    limits.is_time_over = &work_time_is_over();
    auto plan = bench.program.plan(launcher, arguments, limits);
    bench.program.release_all();
    if (!plan) return plan.error();
    outcome.run.plan = std::move(*plan);
    const std::vector<LaunchInfo> launches = launches_of(outcome.run.plan);
    std::vector<vgpu::Finding> findings = outcome.run.plan.findings;
    for (const PlannedStep& step : outcome.run.plan.steps)
        if (const auto* memset = std::get_if<PlannedMemset>(&step))
            if (auto finding = leaves_buffer(*memset, places)) findings.push_back(std::move(*finding));
    for (const vgpu::Finding& finding : findings) {
        if (finding.kind == vgpu::FindingKind::timeout) continue;  // many launches, one after another
        Diagnostic told = describe(finding, bench.path, bench.facts(), outcome.prepared, &launches);
        if (told.blame != Blame::learner) return told;
        told.facts.push_back(launcher_alone);
        add(outcome, std::move(told),
            finding.kind == vgpu::FindingKind::invalid_launch ? Verdict::launch_error : Verdict::fault);
    }
    // What the sizes came of says more than what is refused for them.
    const auto module = ptx::parse(ptx);
    if (!module) return outcome;
    std::uint64_t steps = most_steps_of_walk;
    const auto overflows = find_launcher_overflows(*module, launcher, arguments, steps);
    if (overflows.empty()) return outcome;
    Diagnostic told = describe_overflow(*module, overflows.front(), bench, shape);
    if (told.marks.front().line == 0) return outcome;
    std::vector<Diagnostic> refused;
    refused.swap(outcome.findings);
    outcome.result.verdict = Verdict::pass;
    add(outcome, std::move(told), refused.empty() ? Verdict::wrong : Verdict::launch_error);
    return outcome;
}

}  // namespace warpgrade
