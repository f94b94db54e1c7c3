#include "grade/index_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/confined.hpp"
#include "base/make_diagnostic.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "grade/overflow_interpreter.hpp"
#include "ptx/module.hpp"
#include "run/placeholder_buffers.hpp"

namespace warpgrade {

namespace {

// More than 2^32 elements, in whole tiles of any usual size; nothing where the problem does not allow as many.
std::optional<Shape> far_shape(const Problem& problem) {
    const std::size_t extents = problem.technique_shape().extents.size();
    if (extents == 0 || extents > 2) return std::nullopt;
    auto shape = problem.parse_shape(extents == 1 ? "5000000512" : "70016x70144");
    if (!shape || problem.elements(*shape) <= std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return *shape;
}

// An extent that an argument cannot hold is none that the launcher may be called with.
bool hold_extents(const std::vector<std::vector<std::byte>>& arguments, const Shape& shape) {
    return std::ranges::all_of(shape.extents, [&](std::int64_t extent) {
        return std::ranges::any_of(arguments, [&](const std::vector<std::byte>& argument) {
            std::int64_t value = 0;
            if (argument.size() > sizeof value) return false;
            std::memcpy(&value, argument.data(), argument.size());
            return value == extent;
        });
    });
}

// The only extent is among a kernel's parameters with its lower 32 bits alone.
bool is_cut_in(const std::vector<std::byte>& parameters, std::int64_t extent) {
    const auto low = static_cast<std::uint32_t>(extent);
    bool is_cut = false;
    for (std::size_t at = 0; at + sizeof low <= parameters.size(); at += sizeof low) {
        std::uint32_t word = 0;
        std::int64_t whole = 0;
        std::memcpy(&word, parameters.data() + at, sizeof word);
        if (at + sizeof whole <= parameters.size()) std::memcpy(&whole, parameters.data() + at, sizeof whole);
        if (whole == extent) return false;
        is_cut = is_cut || word == low;
    }
    return is_cut;
}

// Blocks far out: the last, and some a little before it, since the last rows of a folded grid hold nothing.
std::vector<vgpu::Dim3> far_blocks(vgpu::Dim3 grid) {
    const auto near_end = [](std::uint32_t count) { return count - 1 - (count - 1) / 32; };
    std::vector<vgpu::Dim3> blocks;
    for (const std::uint32_t z : {grid.z - 1, 0u})
        for (const bool is_last : {true, false})
            blocks.push_back(is_last ? vgpu::Dim3{grid.x - 1, grid.y - 1, z}
                                     : vgpu::Dim3{near_end(grid.x), near_end(grid.y), z});
    return blocks;
}

}  // namespace

Result<std::optional<Diagnostic>> narrow_index(const Bench& bench, const std::string& type, const std::string& ptx) {
    auto shape = far_shape(bench.problem);
    if (!shape) return std::optional<Diagnostic>{};
    shape->type = type;
    const auto addresses = allocate_placeholders(bench.program, bench.problem, *shape);
    if (!addresses) return addresses.error();
    std::vector<MemoryRange> ranges;
    for (const vgpu::BufferSpec& spec : bench.problem.buffers(*shape))
        ranges.push_back({(*addresses)[ranges.size()], spec.bytes});
    const auto arguments = bench.problem.arguments(*shape, *addresses);
    if (!hold_extents(arguments, *shape)) return std::optional<Diagnostic>{};
    vgpu::Limits limits;
    limits.warp_instructions = 200'000;
    limits.is_time_over = &work_time_is_over();
    auto plan = bench.program.plan(bench.launchers.at(type), arguments, limits);
    bench.program.release_all();
    if (!plan) return plan.error();
    const auto module = ptx::parse(ptx);
    if (!module) return std::optional<Diagnostic>{};

    std::uint64_t steps = 1'000'000;
    for (const PlannedStep& step : plan->steps) {
        const auto* launch = std::get_if<PlannedLaunch>(&step);
        if (!launch || launch->launch.grid.count() == 0) continue;
        for (const vgpu::Dim3 block : far_blocks(launch->launch.grid)) {
            std::uint64_t own = std::min<std::uint64_t>(steps, 400'000);
            steps -= own;
            const auto overflows = find_overflows(*module, launch->launch, block, ranges, own);
            steps += own;
            std::vector<std::int64_t> lines;  // each once
            for (const Overflow& one : overflows) {
                const int line = ptx::source_place(*module, *one.function, one.location, bench.path).innermost.line;
                if (line == 0 && lines.empty()) break;
                if (line != 0 && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
            }
            if (lines.empty()) continue;
            const Overflow& overflow = overflows.front();
            // every shape that was run may be right
            Diagnostic diagnostic =
                make_diagnostic(Blame::learner, Severity::warning, "index_overflow", say("index_computed_bits_do"),
                                {{bench.path, static_cast<int>(lines.front()), 0, 1, ""}},
                                {say("run_block_computes", describe_case(*shape), block.x, block.y, block.z,
                                     overflow.exact, overflow.found)});
            lines.erase(lines.begin());
            std::ranges::sort(lines);
            if (!lines.empty())
                diagnostic.facts.push_back(
                    fmt::format("the same in line{} {}", lines.size() == 1 ? "" : "s", listed(lines)));
            diagnostic.help = say("keep_std_size_t_where");
            return std::optional(std::move(diagnostic));
        }
    }
    const auto* first = plan->steps.empty() ? nullptr : std::get_if<PlannedLaunch>(&plan->steps.front());
    if (first != nullptr && shape->extents.size() == 1 && is_cut_in(first->launch.parameters, shape->extents.front())) {
        return std::optional(make_diagnostic(
            Blame::learner, Severity::warning, "narrow_count",  // every shape that was run may be right
            say("takes_number_elements_bits", first->display_name), {{bench.path, first->line, 0, 1, ""}},
            {say("run_handed", describe_case(*shape), static_cast<std::uint32_t>(shape->extents.front()))},
            say("kernel_parameter_compared_std")));
    }
    return std::optional<Diagnostic>{};
}

}  // namespace warpgrade
