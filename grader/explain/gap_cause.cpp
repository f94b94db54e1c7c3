#include "explain/gap_cause.hpp"

#include <algorithm>
#include <set>

#include "base/listed.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "problem/known_mistake.hpp"

namespace warpgrade {

namespace {

// `x < cols - 1`, or a return for x >= cols - 1: "cols"; "" where it is neither.
std::string extent_cut_short(const GuardText& guard, const GuardPart& part) {
    const std::size_t minus = part.right.rfind('-');
    if (part.sign != (guard.returns ? ">=" : "<") || minus == std::string::npos) return {};
    const std::string_view extent = trimmed(std::string_view(part.right).substr(0, minus)),
                           less = trimmed(std::string_view(part.right).substr(minus + 1));
    return less == "1" && is_identifier(extent) ? std::string(extent) : "";
}

// In `out[y * rows + x]` x runs along a row of `rows` elements; also where `index = y * rows + x` stands above.
struct Row {
    std::string_view index, length;
};
Row row_of_store(const Facts& facts, int line) {
    const Tree& tree = *facts.tree;
    const auto all = accesses_to(facts, line, stored_array(facts, line));
    if (all.size() != 1) return {};
    NodeId index = all.front()->indices.front();
    if (const source::Definition* set = set_before(facts, plain_name(tree, index), line)) index = set->value;
    const auto flat = flat_index(tree, index);
    return flat ? Row{plain_name(tree, flat->column), plain_name(tree, flat->length)} : Row{};
}

// What a thread that goes on is compared with.
std::string upper_bound(const GuardText& guard, std::string_view index) {
    for (const GuardPart& part : guard.parts)
        if (part.left == index && (guard.returns ? part.sign.front() == '>' : part.sign.front() == '<'))
            return part.right;
    return {};
}

// x > 0, x >= 1, or a return for x == 0 and the like: with a number on the right.
bool keeps_out_start(const GuardText& guard) {
    return std::ranges::any_of(guard.parts, [&](const GuardPart& part) {
        const bool is_number = part.right.find_first_not_of("0123456789 ") == part.right.npos;
        return is_number && part.sign.front() == (guard.returns ? '<' : '>');
    });
}

// Of the lines that make the index, those that end in + 1.
std::set<int> lines_that_add_one(const Facts& facts, int line, std::string_view array) {
    const Tree& tree = *facts.tree;
    std::set<int> lines;
    for (const int at : lines_of_index(facts, line, array))
        for (const source::Definition& set : facts.definitions)
            if (const NodeId value = set.at.line == at ? inside(tree, set.value) : no_node;
                value != no_node && tree[value].word == "+" && text_of(tree, child_of(tree, value, 1)) == "1")
                lines.insert(at);
    return lines;
}

// It is divided by something: a row and a column are made of it.
bool is_divided(const Facts& facts, std::string_view name) {
    const Tree& tree = *facts.tree;
    return std::ranges::any_of(tree.nodes, [&](const source::Node& node) {
        return node.kind == NodeKind::binary && (node.word == "/" || node.word == "%") &&
               plain_name(tree, node.child) == name;
    });
}

}  // namespace

GapCause gap_cause(std::string_view pattern, const Facts& facts, int line) {
    const Tree& tree = *facts.tree;
    const std::string_view array = stored_array(facts, line);
    const auto guards = guards_before(facts, line, array);
    if (line == 0 || guards.size() != 1) return {};
    const GuardText& guard = guards.front();
    GapCause cause;
    cause.line = guard.line;
    // if (x >= y): of two indices, and no extent.
    if (pattern == KnownMistake::some_not_written || pattern == KnownMistake::scattered)
        for (const GuardPart& part : guard.parts) {
            const auto is_index = [&](std::string_view word) {
                const source::Definition* const set = set_before(facts, word, line);
                return set != nullptr && mentions(tree, set->value, "threadIdx") && has_index(facts, line, array, word);
            };
            if (!guard.returns && is_index(part.left) && is_index(part.right))
                cause.help = say("test_line_true_only", guard.line, part.left, part.sign, part.right);
        }
    // if (i < rows) of the number of an element.
    if (pattern == KnownMistake::only_a_corner || pattern == KnownMistake::one_line_of_blocks ||
        pattern == KnownMistake::line_cut_short)
        for (const GuardPart& part : guard.parts) {
            const source::Definition* const set = set_before(facts, part.left, line);
            const bool counts =
                set != nullptr && mentions(tree, set->value, "blockIdx") && mentions(tree, set->value, "threadIdx") &&
                lines_that_mention(tree, "threadIdx.y").empty() && lines_that_mention(tree, "blockIdx.y").empty();
            const bool is_plain = std::ranges::all_of(part.right, is_word);
            if (counts && is_plain && is_divided(facts, part.left) && !guard.returns && part.sign == "<")
                cause.help = say("number_element_line_test", part.left, set->at.line, guard.line, part.right);
        }
    if (pattern == KnownMistake::start_missing) {
        const std::set<int> late = keeps_out_start(guard) ? std::set<int>() : lines_that_add_one(facts, line, array);
        if (!late.empty()) {
            cause.line = *late.begin();
            cause.is_index = true;
            cause.help = say("rows_columns_begin_line", late.size() == 1 ? "" : "s", listed(late));
        } else {
            cause.help = say("rows_columns_begin_edge", guard.line);
        }
    }
    if (pattern == KnownMistake::last_line_missing || pattern == KnownMistake::last_line_or_tile_missing)
        for (const GuardPart& part : guard.parts)
            if (const std::string extent = extent_cut_short(guard, part); !extent.empty()) {
                cause.is_test = true;
                cause.help = say("last_index_inside_test", extent, guard.line, part.left, part.sign);
            }
    if (pattern == KnownMistake::last_line_missing && !cause.is_test)
        cause.help = say("look_test_line_index", guard.line);
    if (pattern != KnownMistake::square_corner && pattern != KnownMistake::guard_rows_cols_swapped) return cause;
    const Row row = row_of_store(facts, line);
    const std::string bound = row.index.empty() ? "" : upper_bound(guard, row.index);
    cause.is_launch = !bound.empty() && bound == row.length;
    cause.is_test = !bound.empty() && !cause.is_launch;
    if (cause.is_test) cause.help = say("index_runs_along_row", row.index, row.length, guard.line, bound);
    return cause;
}

}  // namespace warpgrade
