// Words for accesses to memory: outside of buffers, misaligned, into the input.
#include <fmt/format.h>

#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/bounds_advice.hpp"
#include "explain/descriptions.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/questions.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "explain/wording_memory.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

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
    if (finding.buffer.empty() || finding.is_freed) return described(scene);
    Diagnostic diagnostic;
    const std::int64_t index = element_index(scene);
    const BufferLayout* layout = scene.layout();
    const std::int64_t count =
        layout ? layout->elements() : static_cast<std::int64_t>(finding.buffer_bytes) / scene.element_bytes();
    diagnostic.title = fmt::format("{} {} of `{}`", verb(finding.access),
                                   index < 0 ? "before the start" : "past the end", finding.buffer);
    const std::string size = layout ? extents_text(*layout) : std::to_string(count);
    const std::string each =
        scene.is_of_submission() ? " of " + plural(static_cast<std::uint64_t>(scene.element_bytes()), "byte") : "";
    if (index < count && index >= 0) {
        // The access begins inside and reaches out.
        diagnostic.marks.push_back(mark_of_access(scene, finding.place, finding.buffer, finding.access,
                                                  say("bytes_but_ends_after", finding.width_bytes, element_text(scene),
                                                      finding.buffer, size, count == 1 ? "" : "s")));
        const int own = scene.element_bytes(), taken = finding.width_bytes;
        // A vector of the elements' type, or one element of another type.
        const bool is_other_type =
            (own == 4 && taken == 8 && has_word(scene.tree(), "double") && !has_word(scene.tree(), "float2")) ||
            (own < 4 && taken <= 4);
        const std::string each_own = plural(static_cast<std::uint64_t>(own), "byte");
        const source::Definition* const pointer = scene.facts.declaration_of(name_in_line(scene), scene.line());
        if (is_other_type)
            give(diagnostic, pointer == nullptr || !explain::is_number_type(pointer->type)
                                 ? Advice(say("element_access_takes_type", finding.buffer, each_own, taken))
                                 : Advice(say("pointer_of_other_type", pointer->at.line, pointer->name, pointer->type,
                                              finding.buffer, each_own),
                                          pointer->at.line));
        else
            diagnostic.help = say("vector_access_needs_elements");
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

// float v[4]; and v[j] of a j that goes further.
Diagnostic out_of_own_array(const Scene& scene) {
    Diagnostic diagnostic;
    const int line = scene.line();
    const Tree& tree = scene.tree();
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

}  // namespace

Diagnostic describe_memory(const Scene& scene) {
    Diagnostic diagnostic;
    switch (scene.finding.kind) {
        case FindingKind::out_of_bounds: diagnostic = out_of_bounds(scene); break;
        case FindingKind::out_of_bounds_shared: diagnostic = describe_shared_bounds(scene); break;
        case FindingKind::uninitialized: diagnostic = describe_unwritten(scene); break;
        case FindingKind::out_of_bounds_local: diagnostic = out_of_own_array(scene); break;
        default: diagnostic = described(scene);
    }
    diagnostic.facts.push_back(thread_fact(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
