#include "source/questions.hpp"

#include <algorithm>

namespace warpgrade::source {

namespace {

template <class T>
const T* at(const std::vector<T>& all, int index) {
    return index < 0 ? nullptr : &all[static_cast<std::size_t>(index)];
}

void collect(const Tree& tree, NodeId node, std::vector<NodeId>& found) {
    found.push_back(node);
    for (NodeId child = tree[node].child; child != no_node; child = tree[child].next) collect(tree, child, found);
}

bool is_called(const Tree& tree, NodeId node, std::string_view what) {
    const NodeKind kind = tree[node].kind;
    return (kind == NodeKind::name && tree[node].word == what) ||
           (kind == NodeKind::member && text_of(tree, node) == what);
}

}  // namespace

const Function* function_around(const Facts& facts, NodeId node) {
    return node < facts.around_node.size() ? at(facts.functions, facts.around_node[node].function) : nullptr;
}
const Loop* loop_around(const Facts& facts, NodeId node) {
    return node < facts.around_node.size() ? at(facts.loops, facts.around_node[node].loop) : nullptr;
}
const Loop* loop_around(const Facts& facts, const Loop& loop) { return at(facts.loops, loop.around.loop); }

std::vector<NodeId> nodes_in(const Tree& tree, NodeId node) {
    std::vector<NodeId> found;
    if (node != no_node) collect(tree, node, found);
    return found;
}

bool is_within(const Tree& tree, NodeId node, NodeId outer) {
    for (; node != no_node; node = tree[node].parent)
        if (node == outer) return true;
    return false;
}

std::set<std::string_view> names_in(const Tree& tree, NodeId node) {
    std::set<std::string_view> names;
    for (const NodeId part : nodes_in(tree, node))
        if (tree[part].kind == NodeKind::name) names.insert(tree[part].word);
    return names;
}

std::string_view plain_name(const Tree& tree, NodeId node) {
    while (node != no_node && (tree[node].kind == NodeKind::parenthesised || tree[node].kind == NodeKind::cast)) {
        NodeId last = tree[node].child;
        while (last != no_node && tree[last].next != no_node) last = tree[last].next;
        node = last;
    }
    const bool is_name = node != no_node && tree[node].kind == NodeKind::name && tree[node].child == no_node;
    return is_name ? tree[node].word : std::string_view();
}

bool mentions(const Tree& tree, NodeId node, std::string_view what) {
    const std::vector<NodeId> nodes = nodes_in(tree, node);
    return std::ranges::any_of(nodes, [&](NodeId part) { return is_called(tree, part, what); });
}

std::set<int> lines_that_mention(const Tree& tree, std::string_view what) {
    std::set<int> lines;
    for (NodeId node = 0; node < tree.nodes.size(); ++node)
        if (is_called(tree, node, what)) lines.insert(line_of(tree, node));
    return lines;
}

NodeId binary(const Tree& tree, NodeId node, std::string_view sign) {
    node = inside(tree, node);
    return node != no_node && tree[node].kind == NodeKind::binary && tree[node].word == sign ? node : no_node;
}

bool has_word(const Tree& tree, std::string_view word) {
    const auto& code = tree.tokens.code;
    return std::ranges::any_of(code, [&](const CodeToken& token) { return token.text == word; });
}

std::string in_one_line(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!is_blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

std::string in_one_line(const Tree& tree, NodeId node) { return in_one_line(text_of(tree, inside(tree, node))); }

std::vector<const Access*> accesses_to(const Facts& facts, int line, std::string_view array) {
    std::vector<const Access*> found;
    for (const Access& access : facts.accesses_on(line))
        if (access.array == array && !access.is_dereference) found.push_back(&access);
    return found;
}

bool has_index(const Facts& facts, int line, std::string_view array, std::string_view what) {
    const auto all = accesses_to(facts, line, array);
    return std::ranges::any_of(all, [&](const Access* access) {
        return std::ranges::any_of(access->indices, [&](NodeId index) { return mentions(*facts.tree, index, what); });
    });
}

const Definition* set_before(const Facts& facts, std::string_view name, int line) {
    const Function* const function = facts.function_at(line);
    const auto known = facts.definitions_by_name.find(name);
    if (function == nullptr || known == facts.definitions_by_name.end()) return nullptr;
    const Definition* found = nullptr;
    // In the head of the line's own loop a variable begins that hides others of its name.
    const Loop* const own = facts.loop_at(line);
    for (const std::uint32_t index : known->second) {
        const Definition& definition = facts.definitions[index];
        const bool is_of_head = own != nullptr && own->line == line && own->variable == name &&
                                own->start == definition.value && definition.at.line == line;
        const bool is_seen =
            (definition.at.line < line || is_of_head) && at(facts.functions, definition.around.function) == function;
        if (is_seen && definition.sign == "=" && definition.kind != DefinitionKind::parameter) found = &definition;
    }
    return found;
}

bool changes(const Facts& facts, NodeId node, std::string_view name) {
    const Tree& tree = *facts.tree;
    for (const NodeId part : nodes_in(tree, node)) {
        const Node& made = tree[part];
        const bool is_address = made.kind == NodeKind::unary && made.word == "&";
        const bool is_step = (made.kind == NodeKind::unary || made.kind == NodeKind::postfix) &&
                             (made.word == "++" || made.word == "--");
        if ((is_address || is_step || made.kind == NodeKind::assignment || made.kind == NodeKind::declarator) &&
            (made.kind == NodeKind::declarator ? made.word : plain_name(tree, made.child)) == name)
            return true;
    }
    return false;
}

std::vector<Test> tests_before(const Facts& facts, NodeId node) {
    const Tree& tree = *facts.tree;
    std::vector<Test> all;
    for (NodeId around = no_node; node != no_node && tree[node].kind != NodeKind::function; node = around) {
        around = tree[node].parent;
        if (around == no_node) break;
        std::vector<Test> exits;
        for (NodeId other = tree[around].child; tree[around].kind == NodeKind::block && other != node;
             other = tree[other].next) {
            const Guard* const guard =
                tree[other].kind == NodeKind::if_statement ? at(facts.guards, facts.around_node[other].guard) : nullptr;
            if (guard && guard->exit != Exit::none) exits.push_back({guard, nullptr, true});
        }
        all.insert(all.end(), exits.rbegin(), exits.rend());
        const NodeKind kind = tree[around].kind;
        if ((kind == NodeKind::if_statement || kind == NodeKind::conditional) && child_of(tree, around, 1) == node)
            all.push_back({at(facts.guards, facts.around_node[around].guard), nullptr, false});
        const Loop* const loop = at(facts.loops, facts.around_node[around].loop);
        if (loop && loop->node == around && loop->body == node) all.push_back({nullptr, loop, false});
    }
    return all;
}

const Constant* constant_named(const Facts& facts, std::string_view name) {
    const auto found = std::ranges::find_if(
        facts.constants, [&](const Constant& constant) { return constant.name == name && constant.number; });
    return found == facts.constants.end() || !facts.numbers.contains(name) ? nullptr : &*found;
}

const Launch* launch_at(const Facts& facts, int line) {
    const auto found = std::ranges::find_if(facts.launches, [&](const Launch& launch) { return launch.line == line; });
    return found == facts.launches.end() ? nullptr : &*found;
}

std::optional<FlatIndex> flat_index(const Tree& tree, NodeId index) {
    index = binary(tree, index, "+");
    if (index == no_node) return std::nullopt;
    NodeId product = tree[index].child;
    if (const NodeId sum = binary(tree, product, "+"); sum != no_node) product = child_of(tree, sum, 1);
    product = binary(tree, product, "*");
    if (product == no_node) return std::nullopt;
    return FlatIndex{tree[product].child, child_of(tree, product, 1), child_of(tree, index, 1)};
}

const Facts& Reading::of(const std::string& text) {
    std::call_once(is_read_, [&] {
        tree_ = parse(text);
        facts_ = facts_of(tree_);
    });
    return facts_;
}

}  // namespace warpgrade::source
