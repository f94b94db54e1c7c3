#include "explain/same_place.hpp"

#include <utility>

#include "explain/index_text.hpp"
#include "explain/launch_facts.hpp"
#include "explain/questions.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// What the row is multiplied by in `row * cols + column`, or `cols * row + column`: is it this name, and no other?
bool goes_on_by(const Tree& tree, NodeId index, std::string_view name, std::string_view other) {
    bool has_name = false, has_other = false, is_sum = false;
    for (const NodeId part : nodes_in(tree, index)) {
        if (tree[part].kind != NodeKind::binary) continue;
        is_sum = is_sum || tree[part].word == "+";
        for (const NodeId factor : {tree[part].child, child_of(tree, part, 1)}) {
            const std::string_view word = tree[part].word == "*" ? plain_name(tree, factor) : "";
            has_name = has_name || word == name;
            has_other = has_other || word == other;
        }
    }
    return is_sum && has_name && !has_other;
}

}  // namespace

std::string advice_on_row_length(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    if (layout == nullptr || layout->extent_names.size() != 2 || layout->extents.size() != 2) return {};
    const std::string &high = layout->extent_names[0], &wide = layout->extent_names[1];
    if (layout->extents[0] == layout->extents[1]) return {};
    const int line = scene.line();
    const Facts& facts = scene.facts;
    const auto told = [&](int at) { return say("row_elements_line_adds", layout->name, wide, at, high, wide); };
    // height = gridDim.y * TILE
    for (const source::Access* access : accesses_to(facts, line, name_in_line(scene))) {
        const auto flat = access->indices.size() == 1 ? flat_index(*facts.tree, access->indices[0]) : std::nullopt;
        const std::string_view pitch = flat ? plain_name(*facts.tree, flat->length) : "";
        const source::Definition* const set = set_before(facts, pitch, line);
        if (set != nullptr && mentions(*facts.tree, set->value, "gridDim"))
            return say("line_makes_blocks_together", set->at.line, pitch, layout->name, wide);
    }
    for (const source::Access* access : accesses_to(facts, line, layout->name))
        for (const NodeId index : access->indices) {
            if (goes_on_by(*facts.tree, index, high, wide)) return told(line);
            for (const std::string_view name : names_in(*facts.tree, index))
                if (const source::Definition* set = set_before(facts, name, line);
                    set != nullptr && goes_on_by(*facts.tree, set->value, high, wide))
                    return told(set->at.line);
        }
    return {};
}

namespace {

// Of two threads of one block that store to one element: where the next row of threads begins, which is further on than
// this one is long. 0: it is not so, or not known.
std::int64_t rows_begin_apart(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const LaunchInfo* launch = scene.launch();
    if (launch == nullptr || finding.place.block != finding.other.block || finding.width_bytes == 0) return 0;
    const vgpu::Dim3 &a = finding.place.thread, &b = finding.other.thread;
    const std::int64_t down = std::int64_t{a.y} - b.y, along = std::int64_t{b.x} - a.x;
    const std::int64_t apart = down == 1 ? along : down == -1 ? -along : 0;
    const std::int64_t element = finding.offset_bytes / finding.width_bytes;
    // The address itself has to say so.
    const bool fits = element == apart * a.y + a.x && element == apart * b.y + b.x;
    return fits && apart > 0 && apart < launch->block.x && a.z == b.z ? apart : 0;
}

// The index may name the length of a row.
std::string advice_on_short_rows(const Scene& scene, const std::string& name, std::int64_t apart) {
    const LaunchInfo& launch = *scene.launch();
    const auto accesses = accesses_to(scene.facts, scene.line(), name);
    const auto flat = accesses.size() == 1 && accesses.front()->indices.size() == 1
                          ? flat_index(scene.tree(), accesses.front()->indices.front())
                          : std::nullopt;
    const source::Definition* const set =
        flat ? set_before(scene.facts, plain_name(scene.tree(), flat->length), scene.line()) : nullptr;
    if (set == nullptr) return say("threads_row_store_elements", launch.block.x, apart, name);
    const DeclaredBlock declared = declared_block(scene.facts, launch.line);
    return say("row_shorter_than_block", set->at.line, name, apart, set->name, in_one_line(scene.tree(), set->value),
               declared.line == 0 ? launch.line : declared.line, launch.block.x);
}

// Two blocks side by side that store to one element: the second begins less than a block's width further on.
std::string advice_on_overlap(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const LaunchInfo* launch = scene.launch();
    if (launch == nullptr) return {};
    const source::Loop* const loop = scene.facts.loop_at(finding.place.line);
    const bool is_first = finding.place.block.x + finding.place.block.y < finding.other.block.x + finding.other.block.y;
    const vgpu::ThreadPlace &before = is_first ? finding.place : finding.other,
                            &behind = is_first ? finding.other : finding.place;
    const std::int64_t x = std::int64_t{before.thread.x} - behind.thread.x,
                       y = std::int64_t{before.thread.y} - behind.thread.y;
    if (before.block.z != behind.block.z || (x != 0) == (y != 0)) return {};
    const bool is_next = behind.block.x + behind.block.y == before.block.x + before.block.y + 1 &&
                         (behind.block.x == before.block.x || behind.block.y == before.block.y);
    const std::int64_t apart = x + y, threads = x != 0 ? launch->block.x : launch->block.y;
    if (!is_next || apart <= 0 || apart >= threads || (loop != nullptr && x == 0)) return {};
    // One step along x, and a whole block of steps along y.
    const bool is_across = (x != 0) == (behind.block.x == before.block.x);
    // A tile that is turned goes along the other axis.
    if (is_across && apart == 1 && loop == nullptr && !has_word(scene.tree(), "__shared__"))
        return say("step_leads_same_element", x != 0 ? "x" : "y", x != 0 ? launch->block.y : launch->block.x,
                   x != 0 ? "y" : "x");
    const char axis = x != 0 ? 'x' : 'y';
    const DeclaredBlock declared = declared_block(scene.facts, launch->line);
    const int line = declared.line == 0 ? launch->line : declared.line;
    const std::string thread = std::string("threadIdx.") + axis;
    for (const int made : lines_that_bring("threadIdx", scene.facts, scene.line(), name_in_line(scene)))
        for (const source::Definition& set : scene.facts.definitions)
            if (set.at.line == made && mentions(scene.tree(), set.value, thread) &&
                (loop == nullptr || !mentions(scene.tree(), set.value, loop->variable)))
                return say("index_begins_before_block_ends", threads, axis, line, set.name, made,
                           in_one_line(scene.tree(), set.value), apart, to_text(behind.block), to_text(before.block));
    if (loop != nullptr) return {};
    return say("block_threads_there_block", threads, axis, line, to_text(behind.block), apart, to_text(before.block));
}

// Two blocks that differ in z alone.
std::string advice_on_layers(const Scene& scene) {
    const vgpu::Dim3 &a = scene.finding.place.block, &b = scene.finding.other.block;
    if (a.x != b.x || a.y != b.y || a.z == b.z) return {};
    const std::set<int> of_z = lines_that_mention(scene.tree(), "blockIdx.z");
    for (const int line : lines_that_mention(scene.tree(), "blockIdx.y"))
        if (!of_z.contains(line)) return say("two_blocks_differ_blockidx", line);
    return say("two_blocks_differ_blockidx_alone");
}

}  // namespace

std::string advice_on_thread_step(const Scene& scene) {
    const Tree& tree = scene.tree();
    const LaunchInfo* launch = scene.launch();
    const source::Loop* const loop = scene.loop();
    if (launch == nullptr || loop == nullptr || loop->step_sign != "+=" || !scene.run.variant.empty()) return {};
    const source::Definition* const set = set_before(scene.facts, plain_name(tree, loop->start), loop->line);
    const NodeId first = set ? set->value : loop->start;
    const bool is_of_all =
        mentions(tree, first, "threadIdx.x") && (mentions(tree, first, "threadIdx.y") || launch->block.y == 1);
    const auto value = number_of(tree, loop->step, scene.facts.numbers);
    if (!is_of_all || !value || std::cmp_greater_equal(*value, launch->block.count())) return {};
    return say("loop_line_begins_number", loop->line, *value, launch->block.count());
}

std::string advice_on_shared_part(const Scene& scene) {
    const Tree& tree = scene.tree();
    const auto all = scene.accesses_to(name_in_line(scene));
    const auto flat = all.size() == 1 && all.front()->indices.size() == 1
                          ? flat_index(tree, all.front()->indices.front())
                          : std::nullopt;
    const source::Definition* const row =
        flat ? set_before(scene.facts, plain_name(tree, flat->row), scene.line()) : nullptr;
    const source::Definition* const column =
        flat ? set_before(scene.facts, plain_name(tree, flat->column), scene.line()) : nullptr;
    if (row == nullptr || column == nullptr || row == column) return {};
    // The names that stand in a sum by themselves.
    const auto added = [&](NodeId sum) {
        std::set<std::string_view> names;
        for (const NodeId node : nodes_in(tree, sum))
            if (binary(tree, node, "+") == node)
                for (const NodeId part : {tree[node].child, child_of(tree, node, 1)})
                    if (const std::string_view name = plain_name(tree, part); !name.empty()) names.insert(name);
        return names;
    };
    const auto of_column = added(column->value);
    for (const std::string_view name : added(row->value)) {
        const source::Definition* const set = set_before(scene.facts, name, row->at.line);
        if (of_column.contains(name) && set != nullptr && warpgrade::explain::differs_by_block(scene.facts, set->value))
            return say("row_and_column_add_same", row->at.line, row->name, column->at.line, column->name, name);
    }
    return {};
}

std::string advice_on_blocks(const Scene& scene) {
    if (std::string advice = advice_on_row_length(scene); !advice.empty()) return advice;
    if (std::string advice = advice_on_layers(scene); !advice.empty()) return advice;
    if (std::string advice = advice_on_overlap(scene); !advice.empty()) return advice;
    return say("blocks_run_any_order_part");
}

std::string advice_on_element(const Scene& scene, const std::string& name) {
    if (const std::int64_t apart = rows_begin_apart(scene); apart != 0) return advice_on_short_rows(scene, name, apart);
    if (std::string advice = advice_on_modulus(scene.facts, scene.line(), name); !advice.empty()) return advice;
    if (std::string advice = advice_on_thread_step(scene); !advice.empty()) return advice;
    return say("index_do_two_threads");
}

}  // namespace warpgrade
