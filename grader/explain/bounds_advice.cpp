#include "explain/bounds_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/listed.hpp"
#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/same_place.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/thread_standing.hpp"
#include "explain/wording.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

const BufferLayout* scratch_of(const Scene& scene) {
    for (const BufferLayout& layout : scene.run.layout)
        if (layout.role == BufferRole::scratch) return &layout;
    return nullptr;
}

namespace {

using vgpu::AccessKind;

// A loop around the line that ends with one of the buffer's extents, and takes it in; 0: none.
int line_of_loop_to_extent(const Scene& scene, const BufferLayout& layout) {
    const source::Loop* const loop = loop_that_takes_bound_in(scene.facts, scene.line(), name_in_line(scene));
    if (loop == nullptr) return 0;
    const std::string bound = scene.text(loop->bound);
    const auto value = number_of(scene.tree(), loop->bound, scene.facts.numbers);
    for (std::size_t i = 0; i < layout.extents.size(); ++i)
        if ((i < layout.extent_names.size() && layout.extent_names[i] == bound) || value == layout.extents[i])
            return loop->line;
    return 0;
}

// The line calls it by the name of another buffer: that name is what the kernel was handed something else for.
std::string handed_over(const Scene& scene) {
    const int line = scene.line();
    const LaunchInfo* launch = scene.launch();
    const auto names_it = [&](const source::Access& access) { return access.array == scene.finding.buffer; };
    const auto accesses = scene.facts.accesses_on(line);
    const source::Function* const kernel = scene.facts.function_at(line);
    if (launch == nullptr || kernel == nullptr || std::ranges::any_of(accesses, names_it)) return {};
    // A kernel with one pointer for its results is handed partial sums and the result by turns.
    const BufferLayout* const layout = scene.layout();
    if (layout != nullptr && layout->role == BufferRole::scratch &&
        std::ranges::find(kernel->parameters, scene.finding.buffer, &source::Parameter::name) ==
            kernel->parameters.end())
        return {};
    for (const BufferLayout& other : scene.run.layout)
        if (other.name != scene.finding.buffer && !accesses_to(scene.facts, line, other.name).empty())
            return say("line_calls_compare_arguments", line, other.name, scene.finding.buffer, launch->line);
    return {};
}

// "65 (cols)": which of the launcher's extents it is, where only one is as long.
std::string named_extent(const Scene& scene, std::int64_t extent) {
    const BufferLayout& in = scene.input();
    if (in.extents.size() != 2 || in.extents[0] == in.extents[1] || in.extent_names.size() != 2)
        return std::to_string(extent);
    for (const int i : {0, 1})
        if (extent == in.extents[i]) return fmt::format("{} ({})", extent, in.extent_names[i]);
    return std::to_string(extent);
}

// Bytes counted where elements are.
bool has_sizeof(const Scene& scene) {
    for (const source::Access* access : scene.accesses_to(name_in_line(scene)))
        for (const NodeId index : access->indices)
            if (text_of(scene.tree(), index).find("sizeof") != std::string_view::npos) return true;
    return false;
}

// The only index of the only access to the array on the line; no_node: there are others, or none.
NodeId only_index(const Scene& scene) {
    const auto all = scene.accesses_to(name_in_line(scene));
    return all.size() == 1 && all.front()->indices.size() == 1 ? all.front()->indices.front() : no_node;
}

}  // namespace

// `weights[tid]` of int tid = threadIdx.x: it counts threads, and is no row and no column.
bool is_index_of_thread(const Scene& scene) {
    const Tree& tree = scene.tree();
    const source::Definition* const set = set_before(scene.facts, plain_name(tree, only_index(scene)), scene.line());
    return set != nullptr && mentions(tree, set->value, "threadIdx") && !mentions(tree, set->value, "blockIdx");
}

namespace {

// `in[i]` of one line of elements, with no test before it.
Advice guard_of_line(const Scene& scene, const BufferLayout& layout, bool is_write) {
    constexpr std::size_t longest_shown = 30;
    const Tree& tree = scene.tree();
    const std::string extent = layout.extent_names.size() == 1 && layout.extents[0] == layout.elements()
                                   ? layout.extent_names[0]
                                   : std::to_string(layout.elements());
    const std::string index = in_one_line(tree, only_index(scene));
    if (index.empty() || index.size() > longest_shown)
        return say("guard_very_index_uses", is_write ? "store" : "load", extent);
    const std::string test = fmt::format("{} < {}", index, extent);
    const source::Loop* const loop = scene.loop();
    const std::string condition = loop ? in_one_line(tree, loop->condition) : "";
    // for (i = start; i < stop; ...) of a stop that was computed, and goes past the end.
    const std::string_view stop = loop && loop->variable == index ? plain_name(tree, loop->bound) : "";
    if (!stop.empty() && loop->sign == "<" && stop != extent)
        if (const int set = line_that_sets(scene.facts, loop->line, stop); set != 0)
            return {say("loop_line_while_ends", loop->line, condition, name_in_line(scene), extent, stop, set), set};
    if (!stop.empty() && loop->sign == "<=")
        return {say("loop_line_while_last", loop->line, condition, stop), loop->line};
    const auto guards = guards_before(scene.facts, scene.line(), name_in_line(scene));
    for (const GuardText& guard : guards)
        for (const GuardPart& part : guard.parts)
            if (part.left == index && part.sign == "<" && part.right != extent && !guard.returns)
                return {say("test_line_compares_ends", guard.line, index, part.right, name_in_line(scene), extent),
                        guard.line};
    int tested = condition == test ? loop->line : 0;
    for (const GuardText& guard : guards)
        for (const GuardPart& part : guard.parts)
            if (part.left == index && part.right == extent && part.sign == (guard.returns ? ">=" : "<"))
                tested = guard.line;
    if (tested != 0) return say("line_tests_already_there", tested, test, extent);
    if (is_write) return say("only_threads_store_element", test);
    return say("only_threads_load_element", test, name_in_line(scene), index);
}

// `partial[tid] += in[i + s]` in the steps of a tree: the elements are added there, not what others have added up.
std::string advice_on_tree(const Scene& scene) {
    const Tree& tree = scene.tree();
    const source::Loop* const loop = scene.loop();
    const bool is_multiplied = loop != nullptr && loop->step_sign.find_first_of("*/<>") != std::string_view::npos;
    if (scene.finding.access != AccessKind::read || !is_multiplied) return {};
    static const auto adds = *source::pattern_of("$sums[$own] += $in[$from]");
    for (const source::Match& match : matches(adds, tree, loop->node)) {
        const std::string sums = in_one_line(tree, match.binding("sums")->first);
        if (match.at.line == scene.line() && shared_names(scene.facts).contains(sums) &&
            in_one_line(tree, match.binding("in")->first) == scene.finding.buffer &&
            mentions(tree, match.binding("from")->first, loop->variable))
            return say("step_adds_element_here", scene.finding.buffer, sums,
                       in_one_line(tree, match.binding("own")->first), loop->variable);
    }
    return {};
}

// What a later launch reads of the sums that the one before it left.
std::string advice_on_sums(const Scene& scene, const BufferLayout& scratch) {
    if (scene.launches == nullptr || scene.launches->size() < 2 || scene.finding.access != AccessKind::read) return {};
    const LaunchInfo &first = scene.launches->front(), &second = (*scene.launches)[1];
    if (second.kernel != scene.finding.kernel || first.grid.count() >= static_cast<std::uint64_t>(scratch.elements()))
        return {};
    return say("first_launch_leaves_sum", plural(first.grid.count(), "block"), scratch.name, second.line);
}

// turn<float>, of a shape whose elements are of another type and size.
Advice advice_on_type(const Scene& scene) {
    const std::string& type = scene.run.shape.type;
    const std::string& kernel = scene.finding.kernel;
    const std::size_t open = kernel.find('<');
    const LaunchInfo* const launch = scene.launch();
    if (type.empty() || launch == nullptr || open == std::string::npos ||
        scene.finding.width_bytes == scene.element_bytes() || kernel.find(type) != std::string::npos)
        return {};
    return {say("takes_here_element_type", launch->line, kernel,
                plural(static_cast<std::uint64_t>(scene.finding.width_bytes), "byte"), type, scene.element_bytes()),
            launch->line};
}

// if (y * cols + x < rows * cols): what is behind the end of one row is in the next. And tests of one of two indices.
std::string advice_on_flat_test(const Scene& scene, const std::vector<GuardText>& guards, const std::string& extents) {
    if (guards.size() != 1 || guards.front().parts.size() != 1) return {};
    const GuardText& guard = guards.front();
    const GuardPart& part = guard.parts.front();
    const Tree& tree = scene.tree();
    // What a side of the comparison is made of.
    const auto node_of = [&](const std::string& side, bool is_left) {
        if (const source::Definition* set = set_before(scene.facts, side, guard.line)) return set->value;
        for (const source::Guard& one : scene.facts.guards)
            for (const source::Comparison& comparison : one.comparisons)
                if (const NodeId node = is_left ? comparison.left : comparison.right;
                    one.line == guard.line && in_one_line(tree, node) == side)
                    return node;
        return no_node;
    };
    const NodeId left = node_of(part.left, true);
    const bool is_product = binary(tree, node_of(part.right, false), "*") != no_node;
    if (flat_index(tree, left) && !mentions(tree, left, "threadIdx") && !mentions(tree, left, "blockIdx") && is_product)
        return say("test_line_looks_alone", guard.line, part.left, extents);
    for (const source::Access* access : scene.accesses_to(name_in_line(scene))) {
        const auto flat = access->indices.size() == 1 ? flat_index(tree, access->indices[0]) : std::nullopt;
        const std::string_view row = flat ? plain_name(tree, flat->row) : "";
        const std::string_view column = flat ? plain_name(tree, flat->column) : "";
        if (row.empty() || column.empty() || row == column || (part.left != row && part.left != column)) continue;
        return say("test_line_looks_none", guard.line, part.left, part.left == row ? column : row, extents);
    }
    return {};
}

// in[x * cols + x]: one name for the row and for the column.
std::string advice_on_one_name(const Scene& scene) {
    const std::string name = name_in_line(scene);
    for (const source::Access* access : scene.accesses_to(name)) {
        const Tree& tree = scene.tree();
        const auto flat = access->indices.size() == 1 ? flat_index(tree, access->indices[0]) : std::nullopt;
        const std::string_view row = flat ? plain_name(tree, flat->row) : "";
        if (!row.empty() && row == plain_name(tree, flat->column)) return say("row_column_index_two", row, name);
    }
    return {};
}

// Both comparisons of a test with one and the same extent of a matrix that has two.
Advice advice_on_one_extent(const Scene& scene, const std::vector<GuardText>& guards) {
    const BufferLayout& in = scene.input();
    if (in.extents.size() != 2 || in.extents[0] == in.extents[1] || in.extent_names.size() != 2) return {};
    for (const GuardText& guard : guards) {
        if (guard.parts.size() != 2 || guard.parts[0].right != guard.parts[1].right ||
            guard.parts[0].left == guard.parts[1].left)
            continue;
        for (const int i : {0, 1})
            if (guard.parts[0].right == in.extent_names[i])
                return {say("test_line_compares_both", guard.line, guard.parts[0].left, guard.parts[1].left,
                            in.extent_names[i], in.extent_names[1 - i]),
                        guard.line};
    }
    return {};
}

// at(a, rows, cols, ...) of a matrix of rows x depth: the test in `at` compares with an extent of another one.
Advice advice_on_call(const Scene& scene, const BufferLayout& layout, const std::vector<GuardText>& guards) {
    const int line = scene.finding.place.called_from;
    const source::Function* const callee = guards.empty() ? nullptr : scene.facts.function_at(guards.front().line);
    if (line == 0 || callee == nullptr || layout.extent_names.size() != 2) return {};
    for (const source::Call& call : scene.facts.calls) {
        if (call.line != line || call.name != callee->name || call.arguments.size() != callee->parameters.size())
            continue;
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const std::string name(plain_name(scene.tree(), call.arguments[i]));
            const auto is_compared = [&](const GuardPart& part) { return part.right == callee->parameters[i].name; };
            const auto is_extent = [&](const BufferLayout& other) {
                return std::ranges::find(other.extent_names, name) != other.extent_names.end();
            };
            if (std::ranges::any_of(guards.front().parts, is_compared) && !is_extent(layout) &&
                std::ranges::any_of(scene.run.layout, is_extent))
                return {say("call_passes_other_extent", line, name, callee->name, layout.name, layout.extent_names[0],
                            layout.extent_names[1]),
                        line};
        }
    }
    return {};
}

// Past the one element that is the result.
Advice past_result(const Scene& scene, const BufferLayout* layout) {
    const bool is_write = scene.finding.access == AccessKind::write;
    if (layout->role == BufferRole::out && layout->elements() == 1)
        if (Advice block = advice_on_block(scene); !block.empty()) return block;
    const LaunchInfo* own = scene.launch();
    if (layout->role == BufferRole::out && layout->elements() == 1 && is_write && own != nullptr &&
        own->grid.count() > 1)
        if (const BufferLayout* scratch = scratch_of(scene))
            return say("holds_element_result_launch_line", layout->name, own->line, own->grid.count(), scratch->name);
    if (layout->role == BufferRole::out && layout->elements() == 1)
        if (const BufferLayout* scratch = scratch_of(scene))
            return say("holds_element_result_partial", layout->name, scratch->name);
    return {};
}

// `pos += cols` on the way: what the tests before the access compare is not what the index is made of.
std::string advice_on_walk(const Scene& scene) {
    const Facts& facts = scene.facts;
    std::string_view name;  // of the only index of the line
    for (const source::Access& access : scene.accesses())
        if (access.indices.size() == 1) {
            if (!name.empty()) return {};
            name = plain_name(scene.tree(), access.indices.front());
        }
    const auto known = facts.definitions_by_name.find(name);
    const source::Definition* const set = facts.declaration_of(name, scene.line());
    if (name.empty() || known == facts.definitions_by_name.end() || set == nullptr || set->value == no_node) return {};
    for (const source::Loop& loop : facts.loops)
        if (loop.variable == name) return {};
    for (const source::Guard& guard : facts.guards)
        if (mentions(scene.tree(), guard.condition, name)) return {};
    std::set<int> changed;
    for (const std::uint32_t one : known->second)
        if (const source::Definition& change = facts.definitions[one];
            change.kind == source::DefinitionKind::updated && change.around.function == set->around.function)
            changed.insert(change.at.line);
    if (changed.empty() || set->kind != source::DefinitionKind::declared) return {};
    return say("index_changes_in_lines", name, set->at.line, changed.size() == 1 ? "" : "s", listed(changed));
}

// "`y` below 65 (rows)": where the test has only one of row and column; "" of both, and of none.
std::string bound_of_tested_index(const Scene& scene, const GuardText& guard, const BufferLayout& layout) {
    const Tree& tree = scene.tree();
    const NodeId index = only_index(scene);
    const auto flat = index == no_node ? std::nullopt : flat_index(tree, index);
    if (!flat) return {};
    const auto is_tested = [&](NodeId part) {
        const std::string_view name = plain_name(tree, part);
        return !name.empty() && std::ranges::find(guard.parts, name, &GuardPart::left) != guard.parts.end();
    };
    const bool has_row = is_tested(flat->row), has_column = is_tested(flat->column);
    if (has_row == has_column) return {};
    return fmt::format("`{}` below {}", plain_name(tree, has_row ? flat->row : flat->column),
                       named_extent(scene, layout.extents[has_row ? 0 : 1]));
}

// Past a matrix. `advice`: on the test before the access, if there is any.
Advice past_matrix(const Scene& scene, const BufferLayout* layout, std::int64_t index, const Advice& advice) {
    const bool is_write = scene.finding.access == AccessKind::write;
    // A kernel that counts the elements through knows no row and no column.
    const LaunchInfo* launch = scene.launch();
    const bool is_line =
        (launch && launch->is_flat() && !mentions(scene.tree(), scene.facts.tree->root, "threadIdx.y")) ||
        is_index_of_thread(scene);
    if (is_line && !advice.empty()) return advice;
    if (is_line) return say("guard_very_index_uses", is_write ? "store" : "load", layout->elements());
    if (std::string walk = advice_on_walk(scene); !walk.empty()) return walk;
    // A thread that stores what came through shared memory has another place there than its own.
    if (Advice more = advice_on_left_out(scene.facts, scene.line(), name_in_line(scene)); !more.empty()) return more;
    const bool is_turned = is_write && has_word(scene.tree(), "__shared__");
    const bool is_inside = !is_turned && standing_of(scene) == Standing::inside;
    if (is_inside)
        if (std::string formula = wrong_formula(scene, *layout, index); !formula.empty()) return formula;
    if (std::string length = advice_on_row_length(scene); !length.empty()) return length;
    if (std::string one = advice_on_one_name(scene); !one.empty()) return one;
    if (is_inside || is_whole_tile_inside(scene))
        return say("thread_own_row_column", layout->name, named_extent(scene, layout->extents[1]));
    if (!advice.empty()) return advice;
    const auto guards = guards_before(scene.facts, scene.line(), name_in_line(scene));
    const std::string extents = say("row_below_column_below", layout->name, guards.empty() ? "has to be " : "",
                                    named_extent(scene, layout->extents[0]), named_extent(scene, layout->extents[1]));
    if (std::string flat = advice_on_flat_test(scene, guards, extents); !flat.empty()) return flat;
    if (Advice one = advice_on_one_extent(scene, guards); !one.empty()) return one;
    if (Advice call = advice_on_call(scene, *layout, guards); !call.empty()) return call;
    if (guards.empty()) return fmt::format("guard the {}: {}", is_write ? "store" : "load", extents);
    const GuardText& guard = guards.front();
    const std::string one = bound_of_tested_index(scene, guard, *layout);
    return {say("test_line_lets_thread", guard.line, one.empty() ? extents : one), guard.line};
}

}  // namespace

Advice guard_for(const Scene& scene, const BufferLayout* layout, std::int64_t index) {
    const auto look_at_test = [&](bool is_below_zero) {
        return advice_on_guard(scene.facts, scene.line(), name_in_line(scene), is_below_zero);
    };
    if (has_sizeof(scene)) return say("index_counts_elements_bytes");
    if (index == -32768 && has_word(scene.tree(), "short")) return say("follows_short_row_column");
    if (index < 0) {
        if (Advice advice = look_at_test(true); !advice.empty() && index > -65536) return advice;
        return say("index_went_below_zero");
    }
    if (layout)
        if (std::string advice = handed_over(scene); !advice.empty()) return advice;
    if (index > 2147483647) return say("index_far_outside_look");
    if (!layout) return say("compare_index_size_asked");
    const bool is_write = scene.finding.access == AccessKind::write;
    if (Advice result = past_result(scene, layout); !result.empty()) return result;
    if (layout->role == BufferRole::scratch)
        if (std::string advice = advice_on_sums(scene, *layout); !advice.empty()) return advice;
    if (layout->role == BufferRole::scratch) return say("holds_elements_use_block", layout->name, layout->elements());
    if (const int line = line_of_loop_to_extent(scene, *layout); line != 0)
        return {say("loop_line_takes_bound", line), line};
    if (const std::string column = advice_on_column_loop(scene.facts, scene.line(), name_in_line(scene));
        !column.empty() && layout->extents.size() == 2)
        return column;
    if (Advice type = advice_on_type(scene); !type.empty()) return type;
    if (std::string tree = advice_on_tree(scene); !tree.empty()) return tree;
    const Advice advice = look_at_test(false);
    if (layout->extents.size() != 2 && !advice.empty()) return advice;
    if (layout->extents.size() == 1 && scene.finding.kernel.empty())
        return say("bytes_counted_here_elements", layout->name, layout->elements() * scene.element_bytes(),
                   layout->elements(), scene.element_bytes());
    if (layout->extents.size() == 1 && layout->role == BufferRole::out &&
        layout->elements() != scene.input().elements())
        return say("elements_values_can_index", layout->name, layout->elements() - 1);
    if (layout->extents.size() != 2) return guard_of_line(scene, *layout, is_write);
    return past_matrix(scene, layout, index, advice);
}

}  // namespace warpgrade
