#include "explain/guard_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/listed.hpp"
#include "course/source_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// Of comparisons by < and >, and of no other ones.
void add_guard(const Facts& facts, const source::Guard& guard, bool returns, std::vector<GuardText>& all) {
    GuardText text{guard.line, returns, std::string(guard.connector), {}};
    for (const source::Comparison& one : guard.comparisons)
        if (one.sign.find_first_of("<>") != one.sign.npos && !one.is_negated)
            text.parts.push_back(
                {in_one_line(*facts.tree, one.left), std::string(one.sign), in_one_line(*facts.tree, one.right)});
    if (!text.parts.empty()) all.push_back(std::move(text));
}

bool all_are(const GuardText& guard, char sign) {
    return std::ranges::all_of(guard.parts, [&](const GuardPart& part) { return part.sign.front() == sign; });
}

bool is_one_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") != text.npos &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool looks_below_zero(const GuardText& guard) {
    return std::ranges::any_of(guard.parts, [](const GuardPart& part) {
        return part.right == "0" || part.right == "-1" || part.left == "0" ||
               part.left.find("unsigned") != part.left.npos;
    });
}

// What the index adds to something that the test looks at without it: "y" and "y + j - 1".
struct Untested {
    std::string tested, whole;
};
Untested left_out(const Facts& facts, const GuardText& guard, NodeId index) {
    const Tree& tree = *facts.tree;
    for (const NodeId sum : nodes_in(tree, index)) {
        if (binary(tree, sum, "+") != sum) continue;
        const NodeId left = inside(tree, tree[sum].child), right = child_of(tree, sum, 1);
        const NodeId tested = tree[left].word == "+" ? child_of(tree, left, 1) : left;
        const std::string_view first = plain_name(tree, tested);
        const std::string more = in_one_line(tree, right);
        const bool is_more = is_one_word(more) || tree[right].kind == NodeKind::number;
        const auto looks_at = [&](const GuardPart& part) { return column_of(part.left, more) != 0; };
        const bool is_alone = std::ranges::any_of(
            guard.parts, [&](const GuardPart& part) { return part.left == first && is_one_word(part.right); });
        if (!is_more || !is_alone || std::ranges::any_of(guard.parts, looks_at)) continue;
        NodeId whole = sum;
        for (NodeId up = tree[sum].parent;
             whole != index && tree[up].child == whole && (tree[up].word == "+" || tree[up].word == "-");
             up = tree[up].parent)
            whole = up;
        source::Range at = range_of(tree, tested);
        at.length = range_of(tree, whole).end() - at.offset;
        return {std::string(first), source::in_one_line(text_of(tree, at))};
    }
    return {};
}

// Of all indices of the line: which of them went wrong is not known where there are several.
std::string left_out_text(const Facts& facts, const GuardText& guard, const std::vector<NodeId>& indices) {
    std::string tested;
    std::set<std::string> wholes;
    for (const NodeId index : indices)
        if (const Untested one = left_out(facts, guard, index);
            !one.whole.empty() && (tested.empty() || tested == one.tested)) {
            tested = one.tested;
            wholes.insert(one.whole);
        }
    if (wholes.empty()) return {};
    return say("index_goes_beyond_test", wholes.size() == 1 ? "the index goes to" : "the indices go to", listed(wholes),
               guard.line, tested);
}

// `y < 0 || y >= rows || x >= cols`: of one number both ends are looked at, and of another one alone.
std::string one_below_zero(const Facts& facts, const GuardText& guard, NodeId index) {
    const auto is_zero = [](const std::string& text) { return text == "0" || text == "-1"; };
    const auto looks_below = [&](const std::string& name) {
        return std::ranges::any_of(guard.parts, [&](const GuardPart& part) {
            return (is_zero(part.right) && part.left == name) || (is_zero(part.left) && part.right == name);
        });
    };
    std::string both, one;
    for (const GuardPart& part : guard.parts) {
        if (!is_one_word(part.left) || is_zero(part.right) || !mentions(*facts.tree, index, part.left)) continue;
        (looks_below(part.left) ? both : one) = part.left;
    }
    if (both.empty() || one.empty()) return {};
    return say("test_line_looks_both", both, guard.line, one);
}

std::string flaw_of(const Facts& facts, const GuardText& guard, NodeId index, bool is_below_zero) {
    const bool is_several = guard.parts.size() > 1;
    const char* all = guard.parts.size() == 2 ? "both" : "all";
    if (guard.returns && guard.connector == "&&" && is_several && all_are(guard, '>'))
        return say("test_line_keeps_thread", guard.line, all);
    if (!guard.returns && guard.connector == "||" && is_several && all_are(guard, '<'))
        return say("test_line_true_if", guard.line, all);
    if (is_below_zero && looks_below_zero(guard)) return one_below_zero(facts, guard, index);
    if (is_below_zero) return say("test_line_does_look", guard.line);
    for (const GuardPart& part : guard.parts) {
        const bool takes_extent_in = guard.returns ? part.sign == ">" : part.sign == "<=";
        if (takes_extent_in && is_one_word(part.left) && part.right.find('*') != part.right.npos &&
            part.right.find_first_of("+-/") == part.right.npos && mentions(*facts.tree, index, part.left))
            return say("last_index_inside_less", part.right, guard.line, guard.returns ? ">=" : "<", part.sign);
        if (takes_extent_in && is_one_word(part.right)) {
            const bool has_more = std::ranges::any_of(guard.parts, [&](const GuardPart& other) {
                return &other != &part && other.sign == part.sign && is_one_word(other.right);
            });
            return say("last_index_inside_test_line", part.right, guard.line, guard.returns ? ">=" : "<", part.sign,
                       has_more ? ", in each comparison" : "");
        }
    }
    return {};
}

// Where the tests of a line are looked for: at its first access to the array.
NodeId place_of(const Facts& facts, int line, std::string_view array) {
    const auto all = accesses_to(facts, line, array);
    if (!all.empty()) return all.front()->node;
    const bool is_line = line > 0 && static_cast<std::size_t>(line) < facts.statement_line.size();
    return is_line ? facts.statement_line[static_cast<std::size_t>(line)] : no_node;
}

// Each index of the accesses of the line to the array; no_node where there is none.
std::vector<NodeId> indices_of(const Facts& facts, int line, std::string_view array) {
    std::vector<NodeId> all;
    for (const source::Access* access : accesses_to(facts, line, array))
        all.insert(all.end(), access->indices.begin(), access->indices.end());
    return all;
}

}  // namespace

std::vector<GuardText> guards_before(const Facts& facts, int line, std::string_view array) {
    std::vector<GuardText> all;
    for (const source::Test& test : tests_before(facts, place_of(facts, line, array)))
        if (test.guard) add_guard(facts, *test.guard, test.exits, all);
    return all;
}

ShortBound bound_that_stops_early(const Facts& facts, int by) {
    const Tree& tree = *facts.tree;
    ShortBound found;
    int count = 0;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const std::string_view sign = tree[node].word;
        if (tree[node].kind != NodeKind::binary || (sign.front() != '<' && sign.front() != '>')) continue;
        const NodeId left = inside(tree, tree[node].child), right = inside(tree, child_of(tree, node, 1));
        const bool is_sum = binary(tree, left, "+") != no_node, is_difference = binary(tree, right, "-") != no_node;
        if (is_sum == is_difference || (sign.size() == 2 && sign[1] != '=')) continue;
        const std::string_view index = plain_name(tree, is_sum ? tree[left].child : left),
                               end = plain_name(tree, is_sum ? right : tree[right].child);
        const auto number = number_of(tree, child_of(tree, is_sum ? left : right, 1), {});
        // `>=` and `<` stop at the bound itself, the others after it.
        const bool is_exact = sign == "<" || sign == ">=";
        if (index.empty() || end.empty() || !number || *number - (is_exact ? 0 : 1) != by) continue;
        ++count;
        found = {line_of(tree, node), in_one_line(tree, node),
                 fmt::format("{} {} {}", index, sign.front() == '<' ? "<" : ">=", end)};
    }
    return count == 1 ? found : ShortBound{};
}

Advice advice_on_left_out(const Facts& facts, int line, std::string_view name) {
    const auto indices = indices_of(facts, line, name);
    for (const GuardText& guard : guards_before(facts, line, name))
        if (std::string text = left_out_text(facts, guard, indices); !text.empty())
            return {std::move(text), guard.line};
    return {};
}

std::string advice_on_column_loop(const Facts& facts, int line, std::string_view name) {
    const Tree& tree = *facts.tree;
    for (const NodeId index : indices_of(facts, line, name)) {
        const auto flat = flat_index(tree, index);
        const std::string_view pitch = flat ? plain_name(tree, flat->length) : "";
        const std::string_view column = flat ? plain_name(tree, flat->column) : "";
        if (pitch.empty() || column.empty()) continue;
        for (const source::Loop* loop = loop_around(facts, index); loop != nullptr; loop = loop_around(facts, *loop)) {
            const std::string_view bound = plain_name(tree, loop->bound);
            if (loop->variable == column && loop->sign == "<" && !bound.empty() && bound != pitch)
                return say("row_elements_loop_line", name, in_one_line(tree, index), pitch, loop->line, column, bound);
        }
    }
    return {};
}

Advice advice_on_guard(const Facts& facts, int line, std::string_view name, bool is_below_zero) {
    auto indices = indices_of(facts, line, name);
    if (indices.empty()) indices.push_back(no_node);
    for (const GuardText& guard : guards_before(facts, line, name)) {
        for (const NodeId index : indices)
            if (std::string flaw = flaw_of(facts, guard, index, is_below_zero); !flaw.empty())
                return {std::move(flaw), guard.line};
        // One below zero is the test's own matter.
        if (std::string text = is_below_zero ? "" : left_out_text(facts, guard, indices); !text.empty())
            return {std::move(text), guard.line};
    }
    return {};
}

}  // namespace warpgrade
