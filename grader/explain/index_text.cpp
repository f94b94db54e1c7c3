#include "explain/index_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "explain/access_place.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

// The names in the indices of `array` on the line.
std::set<std::string_view> names_of_index(const Facts& facts, int line, std::string_view array) {
    std::set<std::string_view> names;
    for (const source::Access* access : accesses_to(facts, line, array))
        for (const NodeId index : access->indices) names.merge(names_in(*facts.tree, index));
    return names;
}

}  // namespace

int line_that_sets(const Facts& facts, int line, std::string_view word) {
    const source::Definition* const set = set_before(facts, word, line);
    return set ? set->at.line : 0;
}

std::vector<int> lines_of_index(const Facts& facts, int line, std::string_view array) {
    std::set<int> lines;
    for (const std::string_view name : names_of_index(facts, line, array))
        if (const int at = line_that_sets(facts, line, name); at != 0) lines.insert(at);
    return {lines.begin(), lines.end()};
}

std::vector<int> lines_that_bring(std::string_view word, const Facts& facts, int line, std::string_view array) {
    constexpr int deepest = 3;
    std::set<int> lines;
    std::set<std::pair<std::string_view, int>> names;  // to be found above a line
    for (const std::string_view name : names_of_index(facts, line, array)) names.emplace(name, line);
    for (int depth = 0; depth < deepest; ++depth) {
        std::set<std::pair<std::string_view, int>> next;
        for (const auto& [name, below] : names) {
            const source::Definition* const set = set_before(facts, name, below);
            if (set == nullptr) continue;
            if (mentions(*facts.tree, set->value, word))
                lines.insert(set->at.line);
            else
                for (const std::string_view other : names_in(*facts.tree, set->value))
                    next.emplace(other, set->at.line);
        }
        names = std::move(next);
    }
    return {lines.begin(), lines.end()};
}

namespace {

// How many elements a kernel is told of says nothing of how many blocks there are.
bool is_argument_of_kernel(const Facts& facts, NodeId node) {
    return std::ranges::any_of(facts.launches, [&](const source::Launch& launch) {
        return std::ranges::any_of(launch.arguments,
                                   [&](NodeId argument) { return is_within(*facts.tree, node, argument); });
    });
}

}  // namespace

std::vector<FloorDivision> floor_divisions(const Facts& facts) {
    const Tree& tree = *facts.tree;
    std::vector<FloorDivision> all;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const source::Function* const function =
            tree[node].kind == NodeKind::binary && tree[node].word == "/" ? function_around(facts, node) : nullptr;
        if (function == nullptr || function->side != source::Side::host) continue;
        // A number that it was given: rows, cols, n.
        const std::string_view left = plain_name(tree, tree[node].child);
        const bool is_given = std::ranges::any_of(
            function->parameters, [&](const source::Parameter& one) { return one.name == left && one.pointers == 0; });
        const NodeId right = inside(tree, child_of(tree, node, 1));
        if (!is_given || (tree[right].kind != NodeKind::name && tree[right].kind != NodeKind::number)) continue;
        NodeId part = node;
        while (tree[tree[part].parent].kind == NodeKind::parenthesised) part = tree[part].parent;
        const source::Node& around = tree[tree[part].parent];
        const bool is_first = around.child == part;
        static constexpr std::string_view before = "+-*/%", behind = "+*%";
        const bool is_more = around.kind == NodeKind::binary && around.word.size() == 1 &&
                             (is_first ? behind : before).find(around.word) != before.npos;
        const bool is_product = around.word == "*" &&
                                binary(tree, child_of(tree, tree[part].parent, 0), "/") != no_node &&
                                binary(tree, child_of(tree, tree[part].parent, 1), "/") != no_node;
        if (is_more && !is_product && (!is_first || text_of(tree, tree[part].next) != "0")) continue;
        if (is_argument_of_kernel(facts, node)) continue;
        const source::Range at = range_of(tree, node);
        all.push_back({at.line, at.column, std::string(left), in_one_line(tree, right)});
    }
    return all;
}

std::string advice_on_floor(const std::vector<FloorDivision>& divisions) {
    const FloorDivision& first = divisions.front();
    std::string lines = fmt::format("line {} rounds down", first.line);
    if (divisions.size() > 1 && divisions[1].line == first.line)
        lines = fmt::format("line {} rounds down twice", first.line);
    else if (divisions.size() > 1)
        lines = fmt::format("lines {} and {} round down", first.line, divisions[1].line);
    return say("down_last_partial_tile", lines, first.left, first.right);
}

SourceMark mark_of_division(const FloorDivision& division, const std::string& path) {
    return {path, division.line, division.column, static_cast<int>(division.left.size()), "rounds down"};
}

const source::Loop* loop_that_takes_bound_in(const Facts& facts, int line, std::string_view array) {
    const auto all = accesses_to(facts, line, array);
    const source::Loop* found = nullptr;
    if (!all.empty())
        for (const source::Loop* loop = loop_around(facts, all.front()->node); loop; loop = loop_around(facts, *loop))
            if (loop->sign == "<=" && has_index(facts, line, array, loop->variable)) found = loop;
    return found;
}

std::string advice_on_modulus(const Facts& facts, int line, std::string_view array) {
    const Tree& tree = *facts.tree;
    const auto extents = shared_extents(facts, array);
    const auto accesses = accesses_to(facts, line, array);
    if (extents.empty() || accesses.size() != 1 || accesses.front()->indices.size() != extents.size()) return {};
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::string_view index = plain_name(tree, accesses.front()->indices[i]);
        const source::Definition* const set = set_before(facts, index, line);
        const NodeId value = set ? binary(tree, set->value, "%") : no_node;
        // threadIdx.x % 32: of that many lanes
        if (value == no_node || tree[tree[value].child].kind == NodeKind::member) continue;
        const auto by = number_of(tree, child_of(tree, value, 1), facts.numbers);
        if (!by || *by <= extents[i]) continue;
        return say("line_lets_go_up", set->at.line, index, *by - 1,
                   extents.size() == 1 ? "index"
                   : i == 0            ? "first index"
                                       : "second index",
                   array, extents[i] - 1, array);
    }
    return {};
}

LeftOut variable_left_out(const Facts& facts) {
    LeftOut found;
    for (const source::Access& store : facts.accesses) {
        const source::Loop* const loop = loop_around(facts, store.node);
        if (loop == nullptr || loop->variable.empty() || store.kind != source::AccessKind::store ||
            store.is_dereference || stored_array(facts, store.line) != store.array)
            continue;
        const auto goes_by_it = [&](std::string_view array) {
            return has_index(facts, store.line, array, loop->variable) ||
                   !lines_that_bring(loop->variable, facts, store.line, array).empty();
        };
        for (const source::Access& load : facts.accesses_on(store.line)) {
            const bool is_loaded_by_it = goes_by_it(load.array);
            if (load.array == store.array || load.array.empty() || load.is_dereference ||
                is_loaded_by_it == goes_by_it(store.array))
                continue;
            const std::string_view lacks = is_loaded_by_it ? store.array : load.array;
            if (found.line != 0 && (found.line != store.line || found.array != lacks)) return {};
            found = {store.line, loop->line, std::string(lacks), std::string(loop->variable)};
        }
    }
    return found;
}

int only_line_that_reads(const Facts& facts, std::string_view array) {
    int found = 0;
    for (const source::Access& access : facts.accesses) {
        if (access.array != array || access.line == found || stored_array(facts, access.line) == array) continue;
        if (found != 0) return 0;
        found = access.line;
    }
    return found;
}

std::string launch_argument(const Facts& facts, int line, std::size_t n) {
    const source::Launch* const launch = launch_at(facts, line);
    const NodeId node = launch == nullptr
                            ? no_node
                            : std::array{launch->grid, launch->block, launch->dynamic_bytes, launch->stream}.at(n);
    return is_missing(*facts.tree, node) ? "" : in_one_line(*facts.tree, node);
}

}  // namespace warpgrade
