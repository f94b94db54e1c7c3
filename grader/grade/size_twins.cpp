#include "grade/size_twins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "base/make_diagnostic.hpp"
#include "build/submission.hpp"
#include "compile/compiler.hpp"
#include "explain/say.hpp"
#include "grade/planned_sizes.hpp"
#include "grade/sampled_sizes.hpp"
#include "problem/shapes.hpp"
#include "run/cases.hpp"

namespace warpgrade {

namespace {

struct Twin {
    const char* what;  // "whose counters in shared memory have 16 bits"
    const char* help;
    std::string (*make)(std::string ptx);  // the same text: there is nothing to make wrong
};

// The launcher hands over a grid as 12 bytes, x first.
std::string exchange_grid(std::string ptx) {
    const std::string_view word = "[param1+";
    for (std::size_t at = 0; (at = ptx.find(".b8 param1[12];", at)) != ptx.npos; ++at) {
        const std::size_t x = ptx.find("[param1+0]", at), y = ptx.find("[param1+4]", at);
        if (x != ptx.npos && y != ptx.npos) std::swap(ptx[x + word.size()], ptx[y + word.size()]);
    }
    return ptx;
}

// What is loaded of a counter is what a narrower one would hold.
std::string narrow_to(std::string ptx, std::string_view type) {
    if (ptx.find(".shared.add.u32") == ptx.npos) return ptx;
    for (const std::string_view load : {"ld.shared.", "ld.volatile.shared."})
        for (std::size_t at = 0; (at = ptx.find(load, at)) != ptx.npos;) {
            at += load.size();
            if (const auto was = ptx.substr(at, 3); was == "u32" || was == "b32") ptx.replace(at, 3, type);
        }
    return ptx;
}

constexpr const char* add_large = "add_shapes_value_sampled";
const std::array twins{
    Twin{"extents_grids_exchanged", "add_shape_check_square", exchange_grid},
    Twin{"whose_counters_shared_memory", add_large, [](std::string ptx) { return narrow_to(std::move(ptx), "u16"); }},
    Twin{"whose_counters_shared_memory_bits", add_large,
         [](std::string ptx) { return narrow_to(std::move(ptx), "u8"); }},
};

Diagnostic complaint(const Problem& problem, const std::string& title, std::string help) {
    return make_error(Blame::course, "sizes_not_checked", title, {{problem.description().toml_path, 0, 0, 1, ""}}, {},
                      std::move(help));
}

// The cheap shapes first. Nothing: it could not be run.
std::optional<bool> is_caught(const Bench& bench, const std::string& type, const std::string& ptx) {
    const auto fails = [](const Result<CaseOutcome>& outcome) {
        return outcome && outcome->result.verdict != Verdict::pass;
    };
    for (const Shape& shape : bench.problem.planned_shapes(type))
        if (fails(plan_case(bench, shape, ptx))) return true;
    const auto block = run_one_block(bench, bench.problem.sampled_shapes(type), ptx, {});
    if (!block) return std::nullopt;
    if (*block && !(*block)->passed()) return true;
    const std::vector<std::string> types{type};
    for (const Shape& shape : bench.problem.shapes(bench.seed, types))
        if (fails(run_case(bench, shape))) return true;
    return false;
}

// A twin of some solution; nothing where no solution has what is made wrong.
std::optional<bool> is_caught(const Twin& twin, const Problem& problem, const Assignment& assignment,
                              const std::vector<const Stage*>& stages, std::uint64_t seed) {
    for (const Stage* stage : stages) {
        const std::string path = (std::filesystem::path(assignment.solutions) / stage->file).string();
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) continue;
        const auto source = read_submission(path);
        if (!source) continue;
        const auto built = compile_stage(*stage, problem, path, *source, {});
        if (!built || !built->compiled.ok || !built->failures.empty()) continue;
        const std::string ptx = twin.make(built->compiled.ptx);
        if (ptx == built->compiled.ptx) continue;
        const auto device = make_virtual_device();
        const auto program = device->load(ptx, path);
        if (!program) continue;
        const std::string text;  // findings are not shown
        const Bench bench{problem, **program, built->launchers, path, text, seed, 1};
        if (const auto caught = is_caught(bench, shown_type(stage->types), ptx)) return caught;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> check_sizes(const Problem& problem, const std::vector<const Stage*>& stages,
                                    const Assignment& assignment, std::uint64_t seed) {
    std::vector<Diagnostic> found;
    const std::string type = shown_type(stages.empty() ? std::vector<std::string>{} : stages.front()->types);
    const std::vector<std::string> types{type};
    std::vector<Shape> shapes = problem.shapes(seed, types);
    const std::vector<Shape> planned = problem.planned_shapes(type);
    shapes.insert(shapes.end(), planned.begin(), planned.end());
    const auto& names = problem.description().extents;
    constexpr std::int64_t many = 65536;  // one more block than a grid takes in y and z
    for (std::size_t e = 0; e < names.size(); ++e)
        if (std::ranges::none_of(
                shapes, [&](const Shape& shape) { return e < shape.extents.size() && shape.extents[e] >= many; }))
            found.push_back(complaint(problem,
                                      fmt::format("no shape of {} has a `{}` of 65536", problem.name(), names[e]),
                                      say("add_planned_launcher_row")));
    const auto is_large = [&](const Shape& shape) {
        const auto buffers = problem.buffers(shape);
        return std::ranges::any_of(buffers, [](const vgpu::BufferSpec& spec) {
            return spec.bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
        });
    };
    if (std::ranges::none_of(planned, is_large))
        found.push_back(
            complaint(problem, say("shape_more_than_bytes", problem.name()), say("add_planned_launcher_counts")));
    for (const Twin& twin : twins)
        if (const auto caught = is_caught(twin, problem, assignment, stages, seed); caught && !*caught)
            found.push_back(
                complaint(problem, say("shape_tells_solution_same", problem.name(), say(twin.what)), say(twin.help)));
    return found;
}

}  // namespace warpgrade
