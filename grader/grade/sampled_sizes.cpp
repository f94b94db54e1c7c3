#include "grade/sampled_sizes.hpp"

#include <algorithm>
#include <cstring>

#include "base/make_diagnostic.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "grade/partial_run.hpp"
#include "grade/planned_sizes.hpp"

namespace warpgrade {

namespace {

// Elements of a block, what is tried first first: 65536 for each of eight warps, and for the block as a whole.
constexpr std::uint64_t enough_of_a_block[] = {1 << 19, (1 << 16) + (1 << 13)};
constexpr std::uint64_t most_scratch = std::uint64_t{64} << 20;
constexpr std::uint64_t elements_of_a_sector = 8;  // of 4 bytes
constexpr double least_counted = 0.9;              // of what is due: less is counted

// What one block of each launch leaves.
struct LeftByBlock {
    double loaded = 0;        // elements, those of other buffers too
    double counted = 0;       // sum of the output
    std::uint64_t kinds = 0;  // elements of the output that are not zero
    int line = 0;             // that counts most
};

class OneBlock {
public:
    explicit OneBlock(PartialRun run) : run_(std::move(run)) {}

    // Of the launch that has most threads; 0: nothing is launched.
    Result<std::uint64_t> blocks_of(const Shape& shape, const LaunchLimits& limits) {
        const auto plan = run_.prepare(shape, limits, most_scratch);
        if (!plan) return plan.error();
        std::uint64_t most = 0, blocks = 0;
        for (const PlannedStep& step : plan->steps)
            if (const auto* launch = std::get_if<PlannedLaunch>(&step)) {
                const std::uint64_t threads = launch->launch.grid.count() * launch->launch.block.count();
                if (threads > most) most = threads, blocks = launch->launch.grid.count();
            }
        return plan->findings.empty() ? blocks : 0;
    }

    // Nothing: a block does not end by itself, or more than a block's worth of memory is asked for.
    Result<std::optional<LeftByBlock>> run(const Shape& shape, const LaunchLimits& limits) {
        const auto plan = run_.prepare(shape, limits, most_scratch);
        if (!plan) return plan.error();
        LeftByBlock counted;
        std::uint64_t most_atomics = 0;
        for (const PlannedStep& step : plan->steps) {
            if (const auto* memset = std::get_if<PlannedMemset>(&step)) {
                if (!run_.set(*memset)) return std::optional<LeftByBlock>();
                continue;
            }
            const vgpu::Launch& launch = std::get<PlannedLaunch>(step).launch;
            const vgpu::RunResult result = run_.run(launch, {launch.grid.count() / 2}, limits);
            if (!result.is_complete) return std::optional<LeftByBlock>();
            counted.loaded += static_cast<double>(result.counters.global_load_sectors_ideal * elements_of_a_sector);
            for (const vgpu::LineCounters& line : result.by_line) {
                const std::uint64_t atomics =
                    line.counters.shared_atomic_operations + line.counters.global_atomic_operations;
                if (atomics > most_atomics) most_atomics = atomics, counted.line = line.line;
            }
        }
        const std::span<const std::byte> out = run_.output();
        for (std::size_t at = 0; at + 4 <= out.size(); at += 4) {
            std::uint32_t count = 0;
            std::memcpy(&count, out.data() + at, 4);
            counted.counted += count;
            counted.kinds += count != 0;
        }
        return std::optional(counted);
    }

private:
    PartialRun run_;
};

Diagnostic describe_narrow(const Bench& bench, const Shape& shape, const LeftByBlock& here) {
    const std::string out = bench.problem.buffers(shape).back().name;
    return make_error(Blame::learner, "wrong_output",
                      here.kinds > 1 ? say("counter_runs_over_carry") + out + "`" : say("counter_runs_over_elements"),
                      {mark_of_line(here.line, bench.path, bench.source, "")},
                      {say("shape_block_run_elements", describe_case(shape)),
                       here.kinds > 1 ? say("elements_expected", here.kinds, out)
                                      : say("block_loads_about_elements", here.loaded, here.counted)},
                      say("count_bits_add_narrow"));
}

}  // namespace

namespace {

// The smallest shape between the first and the last one of which a block gets so many elements, or nearly; the last one
// where none does. Nothing: the launcher starts no block.
Result<std::optional<Shape>> with_share(OneBlock& block, const Problem& problem, const std::vector<Shape>& shapes,
                                        std::uint64_t enough, const LaunchLimits& limits) {
    const auto has_enough = [&](const Shape& shape) -> Result<std::optional<bool>> {
        const auto blocks = block.blocks_of(shape, limits);
        if (!blocks) return blocks.error();
        if (*blocks == 0) return std::optional<bool>();
        return std::optional(problem.elements(shape) / *blocks >= enough);
    };
    Shape low = shapes.front(), high = shapes.back();
    const auto of_low = has_enough(low), of_high = has_enough(high);
    if (!of_low || !of_high) return !of_low ? of_low.error() : of_high.error();
    if (!*of_low || **of_low) return *of_low ? std::optional(low) : std::nullopt;
    if (!*of_high) return std::optional(low);
    if (!**of_high) return std::optional(high);
    while (high.extents[0] - low.extents[0] > low.extents[0] / 4) {
        Shape middle = low;
        middle.extents[0] += (high.extents[0] - low.extents[0]) / 2;
        const auto of_middle = has_enough(middle);
        if (!of_middle) return of_middle.error();
        (of_middle->value_or(false) ? high : low) = middle;
    }
    return std::optional(high);
}

}  // namespace

Result<std::optional<CaseOutcome>> run_one_block(const Bench& bench, const std::vector<Shape>& shapes,
                                                 const std::string& ptx, const LaunchLimits& limits) {
    using None = std::optional<CaseOutcome>;
    if (shapes.empty()) return None();
    auto loaded = PartialRun::load(bench, ptx);
    if (!loaded) return loaded.error();
    if (!*loaded) return None();
    OneBlock block(std::move(**loaded));
    std::optional<Shape> large;
    std::optional<LeftByBlock> here;
    for (const std::uint64_t enough : enough_of_a_block) {
        const auto shape = with_share(block, bench.problem, shapes, enough, limits);
        if (!shape) return shape.error();
        if (!(large = *shape)) return None();
        const auto left = block.run(*large, limits);
        if (!left) return left.error();
        if ((here = *left)) break;
    }
    if (!here || here->counted == 0) return None();
    const Shape small = bench.problem.with_numbers_of(bench.problem.technique_shape(), *large);
    const auto known = block.run(small, limits);
    if (!known) return known.error();
    // A block that leaves nothing behind waits for others to add what it counted.
    if (!*known || (*known)->kinds != 1) return None();
    CaseOutcome outcome;
    outcome.result.shape = *large;
    outcome.result.variant = sampled_variant;
    outcome.result.is_planned = true;
    outcome.result.verdict = Verdict::pass;
    const double due = (*known)->counted / (*known)->loaded * here->loaded;
    if (here->kinds == 1 && here->counted >= least_counted * due) return std::optional(std::move(outcome));
    add(outcome, describe_narrow(bench, *large, *here), Verdict::wrong);
    return std::optional(std::move(outcome));
}

}  // namespace warpgrade
