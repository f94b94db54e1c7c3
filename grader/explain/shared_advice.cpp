#include "explain/shared_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// The thread's own part of what is added to `variable` in an index of `name` on the line: "threadIdx.y" of
// tile[threadIdx.y + j]; "" where there is none.
std::string added_to(const Scene& scene, const std::string& name, std::string_view variable) {
    const Tree& tree = scene.tree();
    for (const source::Access* access : scene.accesses_to(name))
        for (const NodeId index : access->indices)
            for (const NodeId part : nodes_in(tree, index)) {
                const NodeId left = tree[part].child, right = child_of(tree, part, 1);
                if (binary(tree, part, "+") != part) continue;
                for (const auto& [own, other] : {std::pair{left, right}, {right, left}})
                    if (const std::string text = in_one_line(tree, own);
                        (text == "threadIdx.x" || text == "threadIdx.y") && plain_name(tree, other) == variable)
                        return text;
            }
    return {};
}

}  // namespace

// `tile[threadIdx.y + j]` in a loop over j that does not go on by as many as the block has threads there.
Advice advice_on_step(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const Tree& tree = scene.tree();
    const source::Loop* const loop = scene.loop();
    const bool is_by_one = loop != nullptr && loop->step_sign == "++";
    if (launch == nullptr || loop == nullptr || (!is_by_one && loop->step_sign != "+=")) return {};
    const std::string by = is_by_one ? "1" : in_one_line(tree, loop->step);
    const bool is_plain = is_by_one || tree[inside(tree, loop->step)].kind == NodeKind::number;
    const auto known = is_by_one ? std::optional<std::int64_t>(1) : number_of(tree, loop->step, scene.facts.numbers);
    if (!known || (!is_plain && !scene.run.variant.empty())) return {};  // it may have another value there
    const std::int64_t value = *known;
    const std::string_view variable = loop->variable;
    const std::string added = added_to(scene, name, variable);
    if (added.empty()) return {};
    const std::string axis = added.substr(added.size() - 1);
    const bool is_x = axis == "x";
    const std::int64_t threads = is_x ? launch->block.x : launch->block.y;
    if (threads == value) return {};
    if (value == (is_x ? launch->block.y : launch->block.x))
        return say("loop_line_steps_many", loop->line, by, is_plain ? "" : fmt::format(" = {}", value),
                   is_x ? "y" : "x", variable, axis, is_x ? "y" : "x");
    return {say("block_threads_launch_line", threads, axis, launch->line, loop->line, by,
                is_plain ? "" : fmt::format(" = {}", value)),
            loop->line};
}

namespace {

// for (j = threadIdx.y; ...) and `tile[threadIdx.y + j]`.
Advice advice_on_start(const Scene& scene, const std::string& name) {
    const source::Loop* const loop = scene.loop();
    const std::string start = loop == nullptr ? "" : scene.text(loop->start);
    if (start.empty() || start != added_to(scene, name, loop->variable)) return {};
    // What other arrays are indexed with says which of the two is one too many.
    const Tree& tree = scene.tree();
    std::size_t others = 0, with_start = 0;
    for (const source::Access& access : scene.facts.accesses)
        for (const NodeId index : access.indices) {
            if (access.array == name || !is_within(tree, access.node, loop->body) ||
                !mentions(tree, index, loop->variable))
                continue;
            const std::set<std::string_view> names = names_in(tree, index);
            const bool has_start =
                mentions(tree, index, start) || std::ranges::any_of(names, [&](std::string_view one) {
                    const source::Definition* const set = set_before(scene.facts, one, loop->line);
                    return set != nullptr && mentions(tree, set->value, start);
                });
            ++others;
            with_start += has_start;
        }
    if (with_start != 0 && with_start != others) return {};
    const std::string instead = others == 0            ? fmt::format("let it begin at 0, or leave {} out", start)
                                : with_start == others ? "let it begin at 0"
                                                       : fmt::format("leave {} out", start);
    return {say("begins_line_index_adds", loop->variable, start, loop->line, start, instead), loop->line};
}

}  // namespace

// `partial[tid + s]` in a loop whose s begins with as many as the array has elements.
Advice advice_on_first_turn(const Scene& scene, const std::string& name, std::int64_t elements) {
    const LaunchInfo* launch = scene.launch();
    const source::Loop* const loop = scene.loop();
    if (launch == nullptr || !scene.run.variant.empty() || elements == 0) return {};
    const LoopTurns turns = turns_of(scene.facts, loop, launch->block.x);
    if (turns.values.empty() || turns.values.front() < elements ||
        !has_index(scene.facts, scene.line(), name, turns.variable))
        return {};
    return {say("loop_line_begins_elements", loop->line, turns.variable, turns.values.front(), name, elements),
            loop->line};
}

namespace {

// `tile[threadIdx.y * cols + threadIdx.x]`: as long as a row of the input is a row of the tile not.
std::string advice_on_pitch(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const auto& extents = scene.input().extent_names;
    for (const source::Access* access : scene.accesses_to(name)) {
        const Tree& tree = scene.tree();
        const auto flat = flat_index(tree, access->indices.front());
        const std::string_view length = flat ? plain_name(tree, flat->length) : "";
        if (launch != nullptr && std::find(extents.begin(), extents.end(), length) != extents.end())
            return say("how_long_row_whole", length, name, extents_text(launch->block));
    }
    return {};
}

// `warp_sums[lane]` where lane is threadIdx.x % 32, and the array is shorter than that.
std::string advice_on_lane(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const Tree& tree = scene.tree();
    const auto all = scene.accesses_to(name);
    const std::string_view index = all.size() == 1 ? plain_name(tree, all.front()->indices.front()) : "";
    const source::Definition* const set = set_before(scene.facts, index, scene.line());
    NodeId value = set ? binary(tree, set->value, "%") : no_node;
    if (set && value == no_node) value = binary(tree, set->value, "&");
    if (value == no_node || elements == 0 || in_one_line(tree, tree[value].child) != "threadIdx.x") return {};
    source::Numbers numbers = scene.facts.numbers;
    numbers.emplace("warpSize", 32);
    const std::int64_t by = number_of(tree, child_of(tree, value, 1), numbers).value_or(0);
    const std::int64_t of = tree[value].word == "%" ? by : tree[value].word == "&" && by == 31 ? 32 : 0;
    if (of <= static_cast<std::int64_t>(elements)) return {};
    return say("up_elements_alone_read", index, of - 1, name, elements);
}

bool has_name(const std::string& expression, std::string_view name) {  // and no member of that name
    const int column = column_of(expression, name);
    return column == 1 || (column > 1 && expression[static_cast<std::size_t>(column) - 2] != '.');
}

// The test looks at `tid`, and the index is `index`, which was made of it.
Advice advice_on_other_name(const Scene& scene, const std::string& name) {
    const auto made = variable_of_index(scene.facts, scene.line(), name);
    if (!made) return {};
    for (const GuardText& guard : guards_before(scene.facts, scene.line(), name))
        for (const GuardPart& part : guard.parts)
            if (part.left != made->name && has_name(made->expression, part.left))
                return say("test_line_looks_index", guard.line, part.left, made->name, made->line);
    return {};
}

// `slot` of partial[slot(tid)] decides where an element goes.
std::string advice_on_function(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const auto made = function_of_index(scene.facts, scene.line(), name);
    if (!made) return {};
    return say("line_makes_index_work", made->name, made->line, elements, name);
}

// `tile[threadIdx.y][threadIdx.x]` of a block that has more threads in x, or in y, than there are elements.
Advice advice_on_extents(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const auto extents = shared_extents(scene.facts, name);
    const auto all = scene.accesses_to(name);
    if (launch == nullptr || extents.size() != 2 || all.size() != 1 || all.front()->indices.size() != 2) return {};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string index = scene.text(all.front()->indices[i]);
        const std::int64_t threads = index == "threadIdx.x"   ? launch->block.x
                                     : index == "threadIdx.y" ? launch->block.y
                                                              : 0;
        if (const int declared = only_shared_array(scene.facts, name)->line; threads > extents[i])
            return {say("up_threads_line_launches", index, threads - 1, extents_text(launch->block), launch->line,
                        declared, i == 0 ? "first" : "second", name, extents[i]),
                    declared};
    }
    return {};
}

}  // namespace

// for (k = 0; k < t; k += 8) of a tile of t rows that is no multiple of 8.
Advice advice_on_last_turn(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const Tree& tree = scene.tree();
    const source::Loop* const loop = scene.loop();
    if (launch == nullptr || loop == nullptr || !scene.run.variant.empty() || loop->sign != "<" ||
        loop->step_sign != "+=")
        return {};
    const source::Definition* const set = set_before(scene.facts, plain_name(tree, loop->bound), loop->line);
    const std::int64_t step = number_of(tree, loop->step, scene.facts.numbers).value_or(0), rows = launch->block.x;
    if (set == nullptr || !mentions(tree, set->value, "blockDim.x") || step <= 0 || rows % step == 0) return {};
    return say("loop_line_steps_multiple", loop->line, step, rows, rows - 1);
}

namespace {

// `tile[threadIdx.y + j][threadIdx.x]` of a tile that has too few rows; `reach`: elements up to the last that the line
// comes to. Where the other index may go too far as well, nothing is known of this one.
std::string advice_on_rows(const Scene& scene, const std::string& name, std::int64_t reach) {
    const LaunchInfo* launch = scene.launch();
    const auto extents = shared_extents(scene.facts, name);
    const auto all = scene.accesses_to(name);
    if (launch == nullptr || extents.size() != 2 || all.size() != 1 || all.front()->indices.size() != 2) return {};
    const Tree& tree = scene.tree();
    const std::string column = in_one_line(tree, all.front()->indices[1]);
    const bool is_x = column == "threadIdx.x";
    if ((!is_x && column != "threadIdx.y") || (is_x ? launch->block.x : launch->block.y) > extents[1] ||
        reach <= extents[0] * extents[1] ||
        extents[0] * extents[1] * scene.finding.width_bytes != static_cast<std::int64_t>(scene.finding.buffer_bytes))
        return {};
    const source::SharedArray& declared = *only_shared_array(scene.facts, name);
    return say("line_first_index_up", in_one_line(tree, all.front()->indices[0]), (reach - 1) / extents[1], name,
               extents[0] - 1, declared.line, in_one_line(tree, declared.node));
}

// `partial[THREADS]`: the index is a number.
std::string advice_on_number(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const Tree& tree = scene.tree();
    const auto all = scene.accesses_to(name);
    if (all.size() != 1 || all.front()->indices.size() != 1 || !scene.run.variant.empty()) return {};
    const auto value = number_of(tree, all.front()->indices[0], scene.facts.numbers);
    if (!value || *value < static_cast<std::int64_t>(elements)) return {};
    const std::string index = in_one_line(tree, all.front()->indices[0]);
    return say("index_every_thread_elements", index,
               index == std::to_string(*value) ? "" : fmt::format(" = {}", *value), elements, name, elements - 1);
}

// A loop around the access that takes its bound in, or a test of the index with the length of the input.
Advice advice_on_bound(const Scene& scene, const std::string& name) {
    const int line = scene.line();
    const BufferLayout& in = scene.input();
    const auto where = [&](int at) { return at == line ? "on this line" : fmt::format("in line {}", at); };
    const auto accesses = accesses_to(scene.facts, line, name);
    for (const source::Test& test : tests_before(scene.facts, accesses.empty() ? no_node : accesses.front()->node)) {
        if (test.loop && test.loop->sign == "<=")
            return {say("loop_takes_bound_well", where(test.loop->line)), test.loop->line};
        std::vector<source::Comparison> all;
        if (test.loop) all.push_back({no_node, test.loop->condition, test.loop->bound, test.loop->sign});
        if (test.guard && !test.exits) all = test.guard->comparisons;
        for (const source::Comparison& one : all) {
            const std::string_view index = test.loop ? test.loop->variable : plain_name(scene.tree(), one.left);
            if (one.sign != "<" || plain_name(scene.tree(), one.right) != "n" || in.extents.size() != 1 ||
                index.empty() || !has_index(scene.facts, line, name, index))
                continue;
            const int at = test.loop ? test.loop->line : test.guard->line;
            return {
                say("test_compares_length_input", where(at), name,
                    scene.finding.access == vgpu::AccessKind::atomic ? say("place_input_value_there", index, in.name)
                                                                     : ""),
                at};
        }
    }
    return {};
}

}  // namespace

// The test or the loop that lets the index grow, as far as its text shows: the nearest of the line and those above it.
Advice index_advice(const Scene& scene, const std::string& name) {
    const int line = scene.line();
    if (std::string advice = advice_on_remainder(scene.facts, line); !advice.empty()) return advice;
    if (Advice advice = advice_on_extents(scene, name); !advice.empty()) return advice;
    if (Advice advice = advice_on_start(scene, name); !advice.empty()) return advice;
    if (Advice advice = advice_on_step(scene, name); !advice.empty()) return advice;
    if (std::string advice = advice_on_modulus(scene.facts, line, name); !advice.empty()) return advice;
    if (std::string advice = advice_on_pitch(scene, name); !advice.empty()) return advice;
    const std::int64_t width = std::max(1, scene.finding.width_bytes);
    const std::int64_t count = static_cast<std::int64_t>(scene.finding.buffer_bytes) / width;
    if (Advice advice = advice_on_first_turn(scene, name, count); !advice.empty()) return advice;
    if (std::string advice = advice_on_number(scene, name, static_cast<std::uint64_t>(count)); !advice.empty())
        return advice;
    const auto own = variable_of_index(scene.facts, line, name);
    const vgpu::Dim3 block = scene.finding.place.block;
    const bool is_later_block = block.x + block.y + block.z > 0;
    // The length of the input bounds such an index rightly, where it is one of the input.
    if (is_later_block && own && own->expression.find("blockIdx") != std::string::npos &&
        scene.finding.access != vgpu::AccessKind::atomic)
        return say("counts_through_blocks_blockidx", own->name, own->line, name);
    if (Advice advice = advice_on_bound(scene, name); !advice.empty()) return advice;
    for (const GuardText& guard : guards_before(scene.facts, line, name))
        for (const GuardPart& part : guard.parts)
            if (!guard.returns && part.sign == "<=" && std::ranges::all_of(part.left, is_word) &&
                std::ranges::all_of(part.right, is_word) && part.right != "0")
                return {say("test_line_lets_through", guard.line, part.left, part.right), guard.line};
    if (std::string advice = advice_on_rows(scene, name, static_cast<std::int64_t>(scene.finding.value) / width);
        !advice.empty())
        return advice;
    if (Advice advice = advice_on_other_name(scene, name); !advice.empty()) return advice;
    if (is_later_block) return say("block_thread_wrong_here", name);
    if (Advice advice = advice_on_block(scene); !advice.empty()) return advice;
    const LaunchInfo* launch = scene.launch();
    const std::uint64_t elements =
        scene.finding.buffer_bytes / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    if (std::string advice = advice_on_function(scene, name, elements); !advice.empty()) return advice;
    const bool is_line = shared_extents(scene.facts, name).size() < 2;
    const source::SharedArray* const declared = only_shared_array(scene.facts, name);
    if (std::string advice = advice_on_lane(scene, name, elements); !advice.empty()) return advice;
    if (const auto made = variable_of_index(scene.facts, scene.line(), name); made && is_line)
        return {say("values_does_take_line", made->name, made->line, elements, name), made->line};
    // Rows times the length of a row, in an array of one extent that has not room for all of them.
    const std::uint64_t needed =
        scene.finding.value / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    const auto accesses = accesses_to(scene.facts, line, name);
    const bool is_product =
        accesses.size() == 1 &&
        text_of(scene.tree(), accesses.front()->indices.front()).find('*') != std::string_view::npos;
    if (is_line && is_product && scene.finding.occurrences > 1 && needed > elements && needed < 2 * elements)
        return say("index_needs_elements_declared", needed, name, elements);
    if (launch && is_line && launch->block.count() == elements && scene.finding.offset_bytes >= 0)
        return say("element_threads_them_should", name, elements);
    if (launch && scene.finding.buffer_bytes != 0 && launch->block.count() > elements)
        return say(
            "elements_block_threads_them", name, elements,
            declared == nullptr ? "" : fmt::format(", by line {}, {}", declared->line, scene.text(declared->node)),
            launch->block.count());
    return say("values_can_index_here", name);
}

}  // namespace warpgrade
