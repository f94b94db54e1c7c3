#include "grade/witness_case.hpp"

#include <algorithm>

#include "base/confined.hpp"
#include "device/guarded.hpp"
#include "explain/telling.hpp"
#include "explain/wording.hpp"
#include "grade/finding_json.hpp"
#include "grade/partial_run.hpp"
#include "grade/planned_sizes.hpp"

namespace warpgrade {

namespace {

// Of a shape that is run whole; and within a check, of which it must take a small part.
constexpr std::uint64_t most_elements_of_run = std::uint64_t{1} << 22, most_elements_in_check = std::uint64_t{1} << 16;

std::vector<std::uint64_t> blocks_of(const proof::Witness& witness, const vgpu::Dim3& grid) {
    std::vector<std::uint64_t> blocks;
    for (const proof::Witness::Thread& thread : witness.threads) {
        const auto& at = thread.block;
        const bool is_inside = at[0] < grid.x && at[1] < grid.y && at[2] < grid.z;
        if (is_inside) blocks.push_back((static_cast<std::uint64_t>(at[2]) * grid.y + at[1]) * grid.x + at[0]);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

Result<CaseOutcome> run_blocks(const Bench& bench, const Shape& shape, const proof::Witness& witness,
                               const std::string& ptx, const LaunchLimits& limits) {
    constexpr std::uint64_t any_size = std::uint64_t{1} << 39;
    CaseOutcome outcome = unrun_case(bench.problem, shape, witness_variant);
    auto run = PartialRun::load(bench, ptx);
    if (!run) return run.error();
    if (!*run) return outcome;
    auto plan = (*run)->prepare(shape, limits, any_size);
    if (!plan) return plan.error();
    outcome.run.plan = std::move(*plan);
    const std::vector<LaunchInfo> launches = launches_of(outcome.run.plan);
    std::size_t number = 0;
    for (const PlannedStep& step : outcome.run.plan.steps) {
        const auto* launch = std::get_if<PlannedLaunch>(&step);
        if (launch == nullptr || number++ != witness.launch) continue;
        const vgpu::RunResult result = (*run)->run(launch->launch, blocks_of(witness, launch->launch.grid), limits);
        for (const vgpu::Finding& finding : result.findings) {
            if (finding.kind == vgpu::FindingKind::timeout || finding.kind == vgpu::FindingKind::uninitialized)
                continue;
            Diagnostic told = describe(finding, bench.path, bench.facts(), outcome.prepared, &launches);
            if (told.blame != Blame::learner) return told;
            told.facts.push_back("with this size only a few blocks were run");
            add(outcome, std::move(told), Verdict::fault);
        }
    }
    return outcome;
}

Result<CaseOutcome> run_witness(const Bench& bench, const Shape& shape, const proof::Witness& witness,
                                const std::string& ptx, const LaunchLimits& limits) {
    const std::uint64_t elements = bench.problem.elements(shape);
    if (elements <= (bench.budget != nullptr ? most_elements_in_check : most_elements_of_run)) {
        CaseOptions with;
        with.most_warp_instructions = most_work_of_case(elements);
        auto outcome = told_case(bench, shape, with);
        bench.program.release_all();
        return outcome;
    }
    auto planned = plan_case(bench, shape, ptx);
    if (!planned || !planned->passed() || witness.threads.empty()) return planned;
    return run_blocks(bench, shape, witness, ptx, limits);
}

}  // namespace

nlohmann::ordered_json json_of(const RefutedShape& refuted) {
    return {{"obligation", proof::to_string(refuted.what)},
            {"shape", refuted.at},
            {"whole", refuted.is_run},
            {"finding", finding_json(refuted.finding)}};
}

Result<std::optional<RefutedShape>> refuted(const Bench& bench, const std::string& type, const std::string& ptx,
                                            const std::vector<proof::Witness>& witnesses, const LaunchLimits& limits) {
    for (const proof::Witness& witness : witnesses) {
        if (work_time_is_over()) break;
        Shape shape;
        shape.extents = witness.shape;
        shape = bench.problem.with_numbers_of(shape, bench.problem.technique_shape());
        shape.type = type;
        const auto outcome =
            guarded("running the shape of a proof", [&] { return run_witness(bench, shape, witness, ptx, limits); });
        if (!outcome && is_out_of_memory(outcome.error())) continue;
        if (!outcome) return outcome.error();
        const Verdict verdict = outcome->result.verdict;
        if (verdict != Verdict::wrong && verdict != Verdict::fault && verdict != Verdict::launch_error) continue;
        RefutedShape told{witness.what, describe_case(shape), !outcome->result.is_planned, {}};
        const auto& findings = outcome->findings;
        const auto error = std::find_if(findings.begin(), findings.end(),
                                        [](const Diagnostic& one) { return one.severity == Severity::error; });
        if (error == findings.end() && !outcome->wrong) continue;
        told.finding = error != findings.end() ? *error : *outcome->wrong;
        return std::optional(std::move(told));
    }
    return std::optional<RefutedShape>();
}

}  // namespace warpgrade
