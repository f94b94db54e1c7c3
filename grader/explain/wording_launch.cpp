// Words for the launcher and for runs that stop early.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "explain/advice_text.hpp"
#include "explain/descriptions.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "explain/wording_place.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// Of a block of more than 1024 threads.
Advice advice_on_large_block(const Scene& scene) {
    const std::int64_t x = scene.finding.block.x, y = scene.finding.block.y;
    if (scene.finding.block.z == 1) {
        for (const auto& [name, number] : scene.facts.numbers)
            if (const source::Constant* named = constant_named(scene.facts, name); x == y && number == x)
                return {say("line_threads_most", name, x, named->at.line, x, y, x * y), named->at.line};
        if (x * x <= 1024 && y == x + 1) return say("threads_would_padding_belongs", x, x * x);
        if (y * y <= 1024 && x == y + 1) return say("threads_would_padding_belongs", y, y * y);
    }
    if (!scene.run.layout.empty() && scene.run.layout.front().extents.size() == 1)
        return std::string(say("block_most_threads_launch")) +
               (has_word(scene.tree(), "blockIdx") ? ", or launch more blocks" : "");
    return say("block_most_threads_them");
}

// `return (n + THREADS - 1) / THREADS;` in the launcher or what it calls, which is 0 for this shape: its line.
int line_of_no_blocks(const Scene& scene) {
    const BufferLayout& in = scene.input();
    const Tree& tree = scene.tree();
    source::Numbers numbers = scene.facts.numbers;
    for (std::size_t i = 0; i < std::min(in.extent_names.size(), in.extents.size()); ++i)
        numbers[in.extent_names[i]] = in.extents[i];
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (tree[node].kind != NodeKind::return_statement) continue;
        const NodeId value = tree[node].child;
        const source::Function* const function = function_around(scene.facts, node);
        if (function != nullptr && !function->is_on_device() && value != no_node &&
            binary(tree, value, "/") != no_node && number_of(tree, value, numbers) == 0)
            return line_of(tree, node);
    }
    return 0;
}

// Where the grid of the launch is made; 0: in the launch itself, or not seen.
int line_of_grid(const Scene& scene) {
    const source::Launch* const launch = launch_at(scene.facts, scene.line());
    const source::Definition* const made =
        launch ? scene.facts.definition_before(plain_name(scene.tree(), launch->grid), launch->line) : nullptr;
    return made ? made->at.line : 0;
}

}  // namespace

Diagnostic describe_launch(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic = described(scene);
    const bool is_program = scene.run.layout.empty(),
               has_work = !is_program && (scene.input().elements() != 0 || scene.run.layout.back().elements() > 1);
    const source::Launch* const launch = launch_at(scene.facts, scene.line());
    const bool is_difference = launch && binary(scene.tree(), launch->grid, "-") != no_node;
    if (finding.refusal == vgpu::Refusal::no_threads && (is_program || (has_work && !is_difference))) {
        const auto divisions = floor_divisions(scene.facts);
        for (const FloorDivision& division : divisions)
            diagnostic.marks.insert(diagnostic.marks.end() - 1, mark_of_division(division, scene.path));
        if (!divisions.empty()) diagnostic.help = advice_on_floor(divisions);
    } else if (const int line =
                   finding.refusal == vgpu::Refusal::no_threads && !is_program ? line_of_no_blocks(scene) : 0;
               line != 0) {
        diagnostic.marks.push_back(mark_of_line(line, scene.path, scene.source, "0 for this shape"));
        diagnostic.mend_line = line;
    } else if (finding.refusal == vgpu::Refusal::grid_extent && finding.limit < 65536) {
        diagnostic.mend_line = line_of_grid(scene);
    } else if (finding.refusal == vgpu::Refusal::block_extent && finding.limit >= 1024) {
        give(diagnostic, advice_on_large_block(scene));
    }
    return diagnostic;
}

namespace {

// A call of the C library on a buffer. The compiler makes loads and stores of it, with the line of the launcher's head.
struct LibraryCall {
    int line = 0;
    std::string name;  // "memset"
};
std::optional<LibraryCall> library_call(const Scene& scene) {
    const int line = scene.line();
    const std::string& buffer = scene.finding.buffer;
    const source::Function* const function = scene.facts.function_at(line);
    if (buffer.empty() || function == nullptr || !accesses_to(scene.facts, line, buffer).empty()) return std::nullopt;
    static constexpr std::array names{"memset", "memcpy", "memmove", "fill", "fill_n", "copy", "copy_n"};
    for (const source::Call& call : scene.facts.calls) {
        const std::string_view name = call.name.substr(call.name.starts_with("std::") ? 5 : 0);
        const bool is_of_buffer = std::ranges::any_of(
            call.arguments, [&](NodeId argument) { return mentions(scene.tree(), argument, buffer); });
        if (call.line >= line && is_of_buffer && function_around(scene.facts, call.node) == function &&
            std::find(names.begin(), names.end(), name) != names.end())
            return LibraryCall{call.line, std::string(name)};
    }
    return std::nullopt;
}

}  // namespace

Diagnostic describe_host_dereference(const Scene& scene) {
    Diagnostic diagnostic = described(scene);
    const auto call = scene.finding.reason == vgpu::FindingReason::none ? library_call(scene) : std::nullopt;
    if (!call) return diagnostic;
    diagnostic.marks = {mark_of_line(call->line, scene.path, scene.source, "on the CPU", call->name)};
    diagnostic.help = call->name == "memset" ? say("cudamemset_sets_gpu_memory", scene.finding.buffer)
                                             : say("runs_cpu_well_kernel", call->name);
    return diagnostic;
}

}  // namespace warpgrade
