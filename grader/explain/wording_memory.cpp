// Words for accesses to memory: outside of buffers, misaligned, into the input.
#include <fmt/format.h>

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/bounds_advice.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "explain/wording_memory.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

const char* verb(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "write";
        case vgpu::AccessKind::atomic: return "atomic operation";
        default: return "read";
    }
}

Advice advice_on_block(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const source::Constant* const threads = constant_named(scene.facts, "THREADS");
    if (!launch || scene.run.variant.starts_with("THREADS=") || threads == nullptr) return "";
    const auto size = static_cast<std::int64_t>(launch->block.count());
    if (*threads->number == size) return "";
    if (*threads->number == static_cast<std::int64_t>(launch->grid.count()))
        return {say("line_launches_blocks_threads", launch->line, launch->grid.count(), size, *threads->number),
                launch->line};
    return say("block_threads_threads_line", size, extents_text(launch->block), threads->at.line, *threads->number);
}

namespace {

using vgpu::AccessKind;
using vgpu::FindingKind;

// "row 33, column 0 of its 33 rows of 65": a learner's index of two extents.
std::string row_and_column(const BufferLayout& layout, std::int64_t index) {
    const std::int64_t cols = layout.extents[1];
    if (cols == 0) return {};
    const std::int64_t row = index >= 0 ? index / cols : -((-index + cols - 1) / cols);
    return say("matrix_row_column", layout.extents[0], cols, row, index - row * cols);
}

std::string how_far(std::int64_t index, std::int64_t count) {
    if (index < 0) return plural(static_cast<std::uint64_t>(-index), "element") + " before the start";
    if (index == count) return "one past the end";
    return plural(static_cast<std::uint64_t>(index - count + 1), "element") + " past the end";
}

Diagnostic out_of_bounds(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.buffer.empty()) {
        const bool is_null = finding.address + 4096 < 8192;  // a little before it, or a little behind
        diagnostic.title = fmt::format("{} {}", verb(finding.access),
                                       is_null ? "through a null pointer" : "at an address that is in no buffer");
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, "", finding.access, fmt::format("address 0x{:x}", finding.address)));
        diagnostic.help = is_null ? "which pointer is never set?" : say("print_index_work_out");
        return diagnostic;
    }
    const std::int64_t index = element_index(scene);
    const BufferLayout* layout = scene.layout();
    const std::int64_t count =
        layout ? layout->elements() : static_cast<std::int64_t>(finding.buffer_bytes) / scene.element_bytes();
    if (finding.is_freed && !has_word(*scene.facts.tree, "cudaFree")) {
        diagnostic.title = fmt::format("{} outside of every buffer", verb(finding.access));
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, "", finding.access, fmt::format("address 0x{:x}", finding.address)));
        diagnostic.facts.push_back(fmt::format("`{}` of an earlier call was there", finding.buffer));
        diagnostic.help = say("values_can_index_here_far");
        return diagnostic;
    }
    if (finding.is_freed) {
        diagnostic.title = fmt::format("{} of `{}` after it was freed", verb(finding.access), finding.buffer);
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.place, finding.buffer, finding.access, element_text(scene)));
        diagnostic.help = say("free_memory_only_after");
        return diagnostic;
    }
    diagnostic.title = fmt::format("{} {} of `{}`", verb(finding.access),
                                   index < 0 ? "before the start" : "past the end", finding.buffer);
    const std::string size = layout ? extents_text(*layout) : std::to_string(count);
    const std::string each =
        scene.is_of_submission() ? " of " + plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte") : "";
    if (index < count && index >= 0) {
        // The access begins inside and reaches out.
        diagnostic.marks.push_back(mark_of_access(
            scene, finding.place, finding.buffer, finding.access,
            say("bytes_but_ends_after", finding.width_bytes, element_text(scene), finding.buffer, size)));
        const int own = scene.element_bytes(), taken = finding.width_bytes;
        // A vector of the elements' type, or one element of another type.
        const bool is_other_type = (own == 4 && taken == 8 && has_word(*scene.facts.tree, "double") &&
                                    !has_word(*scene.facts.tree, "float2")) ||
                                   (own < 4 && taken <= 4);
        diagnostic.help = is_other_type ? say("element_access_takes_type", finding.buffer,
                                              plural(static_cast<std::uint64_t>(own), "byte"), taken)
                                        : say("vector_access_needs_elements");
    } else {
        diagnostic.marks.push_back(mark_of_access(scene, finding.place, finding.buffer, finding.access,
                                                  fmt::format("{}, but {} has {} element{}{}", element_text(scene),
                                                              finding.buffer, size, count == 1 ? "" : "s", each)));
        diagnostic.facts.push_back(how_far(index, count));
        give(diagnostic, guard_for(scene, layout, index));
    }
    if (layout && layout->extents.size() == 2 && !is_index_of_thread(scene)) {
        const std::string place = row_and_column(*layout, index);
        if (!place.empty()) diagnostic.facts.push_back(place);
    }
    return diagnostic;
}

Diagnostic misaligned(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("misaligned {} of {} bytes", verb(finding.access), finding.width_bytes);
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, finding.buffer, finding.access,
                       finding.buffer.empty() ? "in no buffer"
                                              : fmt::format("byte {} of `{}`", finding.offset_bytes, finding.buffer)));
    diagnostic.facts.push_back(say("address_multiple", finding.address, finding.width_bytes));
    diagnostic.help = finding.width_bytes > 4 ? say("access_bytes_needs_address", finding.width_bytes)
                                              : say("array_begins_such_address");
    if (scene.layout() != nullptr && scene.element_bytes() < finding.width_bytes && finding.width_bytes <= 4)
        diagnostic.help = say("element_here_access_takes", finding.buffer,
                              plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte"), finding.width_bytes);
    return diagnostic;
}

// float v[4]; and v[j] of a j that goes further.
Diagnostic out_of_own_array(const Scene& scene) {
    Diagnostic diagnostic;
    const int line = scene.finding.place.line;
    const Tree& tree = *scene.facts.tree;
    std::string name;
    std::int64_t length = 0;
    std::string_view index;
    for (const source::Access& access : scene.facts.accesses_on(line)) {
        const source::Definition* const declared = scene.facts.declaration_of(access.array, line);
        const NodeId extent = declared ? tree[declared->node].child : no_node;
        if (extent == no_node || tree[extent].kind != NodeKind::extent || declared->around.function < 0 ||
            shared_names(scene.facts).contains(access.array))
            continue;
        const auto number = number_of(tree, tree[extent].child, scene.facts.numbers);
        name = name.empty() ? std::string(access.array) : "";  // of two, it may be either
        length = number && scene.run.variant.find("THREADS=") == std::string::npos ? *number : 0;
        index = access.indices.size() == 1 ? plain_name(tree, access.indices[0]) : "";
        if (name.empty()) break;
    }
    diagnostic.title =
        say("outside_array_thread_own", verb(scene.finding.access), name.empty() ? "" : "`" + name + "`, ");
    diagnostic.marks.push_back(mark_at(scene, scene.finding.place, name,
                                       name.empty() || length == 0
                                           ? fmt::format("byte {}", scene.finding.offset_bytes)
                                           : fmt::format("`{}` has {} elements", name, length)));
    diagnostic.help = say("compare_index_length_array");
    const source::Loop* const loop = scene.facts.loop_at(line);
    const LaunchInfo* launch = scene.launch();
    const LoopTurns turns = turns_of(scene.facts, loop, launch != nullptr ? launch->block.x : 0);
    if (length != 0 && !turns.values.empty() && index == turns.variable)
        diagnostic.help = say("loop_line_elements_count", turns.variable, listed(turns.values), loop->line, name, name,
                              name, length - 1);
    return diagnostic;
}

Diagnostic write_to_constant(const Scene& scene) {
    Diagnostic diagnostic;
    diagnostic.title = say("constant_memory", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, scene.finding.place, scene.finding.buffer, scene.finding.access, element_text(scene)));
    diagnostic.help = say("kernel_cannot_change_constant");
    return diagnostic;
}

Diagnostic write_to_input(const Scene& scene) {
    const auto is_it = [&](const BufferLayout& buffer) { return buffer.name == scene.finding.buffer; };
    if (std::none_of(scene.run.layout.begin(), scene.run.layout.end(), is_it)) return write_to_constant(scene);
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("{} to `{}`, which is the input", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, scene.finding.place, scene.finding.buffer, scene.finding.access, element_text(scene)));
    const BufferLayout* scratch = scratch_of(scene);
    const std::string& out = scene.run.layout.back().name;
    if (stored_array(scene.facts, scene.finding.place.line) == out && out != scene.finding.buffer) {
        diagnostic.facts.push_back(say("line_stores_far_outside", out, scene.finding.buffer));
        diagnostic.help = say("values_can_index_here_2");
        return diagnostic;
    }
    diagnostic.help = fmt::format("store only to `{}`", out) + (scratch ? fmt::format(" and `{}`", scratch->name) : "");
    return diagnostic;
}

}  // namespace

Diagnostic describe_memory(const Scene& scene) {
    Diagnostic diagnostic;
    switch (scene.finding.kind) {
        case FindingKind::out_of_bounds: diagnostic = out_of_bounds(scene); break;
        case FindingKind::out_of_bounds_shared: diagnostic = describe_shared_bounds(scene); break;
        case FindingKind::misaligned: diagnostic = misaligned(scene); break;
        case FindingKind::uninitialized: diagnostic = describe_unwritten(scene); break;
        case FindingKind::write_to_input: diagnostic = write_to_input(scene); break;
        default:  // out_of_bounds_local
            diagnostic = out_of_own_array(scene);
    }
    diagnostic.facts.push_back(thread_fact(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
