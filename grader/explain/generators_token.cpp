// One token for another one of its kind: a name, a built-in variable, an operator, a number. There are many such edits,
// and each is only worth telling if it makes all shapes right; so they rank behind the rules that know a mistake.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "explain/generators.hpp"
#include "explain/questions.hpp"
#include "source/numbers.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr std::int64_t most_number = 4096;

bool is_in_function(const Scene& scene, NodeId node) {
    return scene.facts.around_node[node].function >= 0 && !is_missing(scene.tree(), node);
}

// What is replaced on its own is quoted with what stands around it, up to a whole index, test or statement; a name or a
// number that is all of an argument or of a size with those beside it.
NodeId shown_around(const Tree& tree, NodeId node) {
    const auto is_on_one_line = [&](NodeId above) { return line_of(tree, above) == last_line_of(tree, above); };
    const NodeId token = node;
    while (tree[node].parent != no_node) {
        const NodeId above = tree[node].parent;
        const NodeKind kind = tree[above].kind;
        const bool is_operand = kind == NodeKind::binary || kind == NodeKind::unary || kind == NodeKind::postfix ||
                                kind == NodeKind::cast || kind == NodeKind::member || kind == NodeKind::parenthesised ||
                                kind == NodeKind::subscript || kind == NodeKind::assignment ||
                                kind == NodeKind::conditional;
        if (!is_operand || !is_on_one_line(above)) break;
        node = above;
    }
    while (range_of(tree, node).length == range_of(tree, token).length && tree[node].parent != no_node &&
           is_on_one_line(tree[node].parent))
        node = tree[node].parent;
    return node;
}

Edit& add(const Scene& scene, NodeId node, const Range& token, std::string_view after, std::vector<Edit>& edits) {
    const Tree& tree = scene.tree();
    const Range at = range_of(tree, shown_around(tree, node));
    const std::string_view text = *tree.tokens.text;
    std::string changed(text.substr(at.offset, token.offset - at.offset));
    changed.append(after).append(text.substr(token.end(), at.end() - token.end()));
    return edits.emplace_back(
        Edit{at, std::move(changed), token.line, std::string(text_of(tree, token)), std::string(after), node});
}

// Names that can stand for each other: whole numbers, or values of the same type. "": what has no such others.
std::string_view kind_of_value(const Facts& facts, const Definition& definition) {
    const Tree& tree = *facts.tree;
    for (NodeId part = tree[definition.node].child; part != no_node; part = tree[part].next)
        if (tree[part].kind == NodeKind::pointer || tree[part].kind == NodeKind::extent) return {};
    if (definition.type == "dim3" || definition.type == "auto") return {};
    return is_whole_number_type(definition.type) ? "int" : definition.type;
}

bool is_value(const Tree& tree, NodeId name) {
    const NodeId above = tree[name].parent;
    if (tree[name].kind != NodeKind::name || tree[name].child != no_node || above == no_node) return false;
    const NodeKind kind = tree[above].kind;
    // What is called, and what is assigned to: another one would leave the statement out and be right by chance.
    const bool is_first = (kind == NodeKind::call || kind == NodeKind::launch || kind == NodeKind::assignment) &&
                          tree[above].child == name;
    return !is_first && kind != NodeKind::member && kind != NodeKind::arrow;
}

bool is_in(const Tree& tree, NodeId node, NodeKind kind) {
    for (; node != no_node; node = tree[node].parent)
        if (tree[node].kind == kind) return true;
    return false;
}

// Another count for a launch can make its output right by chance: one block that does the work of all of them.
bool is_in_launch(const Tree& tree, NodeId node) { return is_in(tree, node, NodeKind::launch); }

// What a name counts: which of the threads, blocks or elements, or how many; or bits that an intrinsic gave.
enum class Counts : std::uint8_t { either, which, how_many, bits };

Counts counts_of(const Facts& facts, const Definition& definition) {
    const Function* const function = function_around(facts, definition.node);
    if (definition.kind == DefinitionKind::parameter)
        return function != nullptr && (function->side == Side::kernel || function->side == Side::host)
                   ? Counts::how_many
                   : Counts::either;
    for (const Loop& loop : facts.loops)
        if (loop.variable == definition.name) return Counts::either;
    if (definition.value == no_node) return Counts::either;
    const auto names = names_in(*facts.tree, definition.value);
    if (std::ranges::any_of(names, [](std::string_view name) { return name.starts_with("__"); })) return Counts::bits;
    const bool is_which = differs_by_thread(facts, definition.value) || differs_by_block(facts, definition.value);
    return is_which ? Counts::which : Counts::how_many;
}

// In the scope of the line, of the same kind, in the order of the text; none that is set there.
std::vector<std::string_view> others_in_scope(const Scene& scene, const Definition& named, NodeId use) {
    const Facts& facts = scene.facts;
    const int line = line_of(scene.tree(), use);
    const std::string_view kind = kind_of_value(facts, named);
    std::vector<std::string_view> names;
    if (kind.empty()) return names;
    const Function* const function = function_around(facts, use);
    const Counts own = counts_of(facts, named);
    for (const Definition& other : facts.definitions) {
        if (other.kind > DefinitionKind::declared || other.name == named.name || other.name.empty()) continue;
        const bool is_global = other.around.function < 0 && function_around(facts, other.node) == nullptr;
        if (is_global && !facts.numbers.contains(other.name)) continue;  // a variable in memory
        if (!is_global && function_around(facts, other.node) != function) continue;
        if (kind_of_value(facts, other) != kind || other.at.offset > range_of(scene.tree(), use).offset) continue;
        if (facts.declaration_of(other.name, line) != &other || is_within(scene.tree(), use, other.node)) continue;
        const Counts counts = counts_of(facts, other);
        if (own == counts || own == Counts::either || counts == Counts::either) names.push_back(other.name);
    }
    return names;
}

// Two arrays of the same kind of memory and the same number of subscripts.
std::vector<std::string_view> other_arrays(const Scene& scene, const Access& access) {
    std::set<std::string_view> names;
    const Memory memory = memory_of(scene.facts, access.array, access.line);
    const Function* const function = function_around(scene.facts, access.node);
    for (const Access& other : scene.facts.accesses)
        if (other.array != access.array && !other.array.empty() && other.indices.size() == access.indices.size() &&
            function_around(scene.facts, other.node) == function &&
            memory_of(scene.facts, other.array, access.line) == memory)
            names.insert(other.array);
    return {names.begin(), names.end()};
}

using Kinds = std::vector<std::string_view>;
// What is written for the other by mistake.
std::vector<std::string_view> other_operators(std::string_view sign) {
    static const std::array<Kinds, 9> kinds{{{"<", "<="},
                                             {">", ">="},
                                             {"+", "-", "*"},
                                             {"*", "/", "%"},
                                             {"<<", ">>"},
                                             {"&&", "||"},
                                             {"&", "|", "^"},
                                             {"=", "+=", "-="},
                                             {"*=", "/=", "<<=", ">>="}}};
    std::vector<std::string_view> others;
    for (const Kinds& kind : kinds)
        if (std::ranges::find(kind, sign) != kind.end())
            for (const std::string_view other : kind)
                if (other != sign && std::ranges::find(others, other) == others.end()) others.push_back(other);
    return others;
}

// True where the comparison is false, or of the sides exchanged.
std::vector<std::string_view> reversed(std::string_view sign) {
    static const std::map<std::string_view, Kinds> signs{{"<", {">", ">="}},  {"<=", {">", ">="}}, {">", {"<", "<="}},
                                                         {">=", {"<", "<="}}, {"==", {"!="}},      {"!=", {"=="}}};
    const auto known = signs.find(sign);
    return known == signs.end() ? Kinds() : known->second;
}

// The operator's own token, behind its left operand; nothing where it is written as several.
std::optional<Range> sign_of(const Tree& tree, NodeId node) {
    const NodeId left = child_of(tree, node, 0);
    if (left == no_node || is_missing(tree, left) || tree[left].last >= tree.tokens.code.size()) return std::nullopt;
    const CodeToken& token = tree.tokens.code[tree[left].last];
    return token.text == tree[node].word ? std::optional(token.at) : std::nullopt;
}

}  // namespace

namespace {

// Defined alike: `left = block % across * TILE`, and `top = block / across * TILE`.
bool are_siblings(const Facts& facts, const Definition& a, const Definition& b) {
    if (a.value == no_node || b.value == no_node) return false;
    const Tree& tree = *facts.tree;
    const Node &left = tree[a.value], &right = tree[b.value];
    if (left.last < left.first + 3 || left.last - left.first != right.last - right.first) return false;
    int differ = 0;
    for (std::size_t i = 0; i < left.last - left.first; ++i)
        if (tree.tokens.code[left.first + i].text != tree.tokens.code[right.first + i].text) ++differ;
    return differ == 1 || differ == 2;
}

std::vector<Edit> other_names(const Scene& scene, bool must_be_sibling) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (!is_value(tree, node) || !is_in_function(scene, node) || is_in_launch(tree, node)) continue;
        const int line = line_of(tree, node);
        const Definition* const named = scene.facts.declaration_of(tree[node].word, line);
        if (!named) continue;
        for (const std::string_view other : others_in_scope(scene, *named, node))
            if (!must_be_sibling || are_siblings(scene.facts, *named, *scene.facts.declaration_of(other, line)))
                add(scene, node, range_of(tree, node), other, edits);
    }
    return edits;
}

}  // namespace

std::vector<Edit> replace_name(const Scene& scene) { return other_names(scene, false); }
std::vector<Edit> replace_by_sibling(const Scene& scene) { return other_names(scene, true); }

namespace {

// `x + 1` or `x - 1`
bool is_neighbour_of(const Tree& tree, NodeId node, std::string_view name) {
    return tree[node].kind == NodeKind::binary && (tree[node].word == "+" || tree[node].word == "-") &&
           plain_name(tree, child_of(tree, node, 0)) == name && tree[child_of(tree, node, 1)].word == "1";
}

}  // namespace

std::vector<Edit> shift_name(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (!is_value(tree, node) || !is_in_function(scene, node)) continue;
        const NodeKind around = tree[tree[node].parent].kind;
        const bool is_whole = around == NodeKind::call || around == NodeKind::subscript;  // an argument, an index
        const Function* const function = function_around(scene.facts, node);
        if (!is_whole || function == nullptr || tree[tree[node].parent].child == node) continue;
        const std::string name(tree[node].word);
        const std::vector<NodeId> all = nodes_in(tree, function->body);
        if (!is_whole_number(scene.facts, name, line_of(tree, node)) ||
            std::ranges::none_of(all, [&](NodeId other) { return is_neighbour_of(tree, other, name); }))
            continue;
        for (const char* const shift : {" - 1", " + 1"}) add(scene, node, range_of(tree, node), name + shift, edits);
    }
    return edits;
}

std::vector<Edit> replace_array(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Access& access : scene.facts.accesses) {
        if (access.indices.empty() || !is_in_function(scene, access.node)) continue;
        const auto nodes = nodes_in(tree, access.node);
        const auto name = std::ranges::find_if(nodes, [&](NodeId node) { return tree[node].word == access.array; });
        if (name == nodes.end() || tree[*name].kind != NodeKind::name) continue;
        for (const std::string_view other : other_arrays(scene, access))
            add(scene, *name, range_of(tree, *name), other, edits);
    }
    return edits;
}

std::vector<Edit> replace_built_in(const Scene& scene) {
    static constexpr std::array<std::string_view, 4> names{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (tree[node].kind != NodeKind::name || !is_in_function(scene, node)) continue;
        const auto known = std::ranges::find(names, tree[node].word);
        if (known == names.end()) continue;
        // An index for the other index, an extent for the other extent.
        const auto other = (known - names.begin()) ^ 1;
        add(scene, node, range_of(tree, node), names[static_cast<std::size_t>(other)], edits);
    }
    return edits;
}

namespace {

// Of a sum or a product its right side; else no_node.
NodeId right_of_sum(const Tree& tree, NodeId node) {
    static constexpr std::array<std::string_view, 5> signs{"+", "-", "*", "/", "%"};
    const bool is_sum = tree[node].kind == NodeKind::binary && std::ranges::find(signs, tree[node].word) != signs.end();
    return is_sum ? child_of(tree, node, 1) : no_node;
}

// `n - 1`, `THREADS / 2`
bool has_number_behind(const Tree& tree, NodeId node) {
    const NodeId right = right_of_sum(tree, node);
    return right != no_node && tree[right].kind == NodeKind::number;
}

// The same, or `n / TILE`.
bool has_constant_behind(const Facts& facts, NodeId node) {
    const NodeId right = right_of_sum(*facts.tree, node);
    return has_number_behind(*facts.tree, node) ||
           (right != no_node && facts.numbers.contains(plain_name(*facts.tree, right)));
}

}  // namespace

std::vector<Edit> leave_out_number(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (!is_in_function(scene, node) || is_in(tree, node, NodeKind::extent) ||
            is_argument_of_launch(scene.facts, node) || !has_constant_behind(scene.facts, node))
            continue;
        const Range whole = range_of(tree, node), left = range_of(tree, child_of(tree, node, 0));
        Range gone = whole;
        gone.offset = left.end();
        gone.length = whole.end() - left.end();
        Edit& edit = add(scene, node, gone, "", edits);
        edit.what = in_one_line(text_of(tree, gone));
        edit.line = line_of(tree, node);
    }
    return edits;
}

namespace {

bool is_comparison(std::string_view sign) {
    static constexpr std::array<std::string_view, 8> signs{"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    return std::ranges::find(signs, sign) != signs.end();
}

std::vector<Edit> other_signs(const Scene& scene, bool are_comparisons, Kinds (*others)(std::string_view)) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const bool is_operator = tree[node].kind == NodeKind::binary || tree[node].kind == NodeKind::assignment;
        // With a number behind it the number is more likely wrong, or too much.
        const bool is_tried = is_operator && is_comparison(tree[node].word) == are_comparisons &&
                              is_in_function(scene, node) && !has_number_behind(tree, node) &&
                              !is_in(tree, node, NodeKind::extent);  // a larger array has room for any index
        const auto sign = is_tried ? sign_of(tree, node) : std::nullopt;
        // To add 0 is to leave out the store.
        const bool is_cleared = tree[node].word == "=" && number_of(tree, child_of(tree, node, 1), {}) == 0;
        if (!sign || is_cleared) continue;
        for (const std::string_view other : others(tree[node].word)) add(scene, node, *sign, other, edits);
    }
    return edits;
}

}  // namespace

std::vector<Edit> replace_comparison(const Scene& scene) { return other_signs(scene, true, other_operators); }
std::vector<Edit> reverse_comparison(const Scene& scene) { return other_signs(scene, true, reversed); }
std::vector<Edit> replace_operator(const Scene& scene) { return other_signs(scene, false, other_operators); }

std::vector<Edit> replace_number(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const std::string_view word = tree[node].word;
        std::int64_t number = 0;
        const bool is_whole =
            tree[node].kind == NodeKind::number &&
            std::from_chars(word.data(), word.data() + word.size(), number).ptr == word.data() + word.size();
        if (!is_whole || number > most_number || !is_in_function(scene, node) || is_in_launch(tree, node)) continue;
        std::vector<std::int64_t> others{number + 1, number - 1};
        if ((number & (number - 1)) == 0) others.insert(others.end(), {number * 2, number / 2});  // a size, a step
        for (const std::int64_t other : {16, 31, 32}) others.push_back(other);
        std::set<std::int64_t> tried{number};
        // `+ 0` and `* 1` are left out instead.
        const bool is_behind =
            has_number_behind(tree, tree[node].parent) && child_of(tree, tree[node].parent, 1) == node;
        for (const std::int64_t other : others)
            if (!(is_behind && other < 2) && other >= 0 && tried.insert(other).second)
                add(scene, node, range_of(tree, node), std::to_string(other), edits);
    }
    return edits;
}

namespace {

// `row - 2`, of a row or a column
bool is_offset(const Tree& tree, NodeId number) {
    const NodeId above = tree[number].parent;
    return tree[number].kind == NodeKind::number && (tree[above].word == "+" || tree[above].word == "-") &&
           child_of(tree, above, 1) == number;
}

}  // namespace

std::vector<Edit> replace_offsets(const Scene& scene) {
    std::map<std::pair<int, std::string_view>, std::vector<NodeId>> same;  // of a line
    const Tree& tree = scene.tree();
    for (NodeId node = 0; node < tree.nodes.size(); ++node)
        if (is_in_function(scene, node) && is_offset(tree, node) && !is_in_launch(tree, node))
            same[{line_of(tree, node), tree[node].word}].push_back(node);
    std::vector<Edit> edits;
    for (const auto& [place, nodes] : same) {
        const auto number = number_of(tree, nodes.front(), scene.facts.numbers);
        if (nodes.size() != 2 || !number || *number == 0 || *number > most_number) continue;
        const Range first = range_of(tree, nodes[0]), second = range_of(tree, nodes[1]);
        const std::string between = tree.tokens.text->substr(first.end(), second.offset - first.end());
        std::vector<std::string> others{std::to_string(*number + 1), std::to_string(*number - 1)};
        for (const auto& [name, value] : scene.facts.numbers)
            if (value != *number && value <= 2 * *number + 1) others.emplace_back(name);
        Range both = first;
        both.length = second.end() - first.offset;
        for (const std::string& other : others)
            edits.push_back({both, other + between + other, place.first, std::string(place.second), other, nodes[0]});
    }
    return edits;
}

}  // namespace warpgrade::explain
