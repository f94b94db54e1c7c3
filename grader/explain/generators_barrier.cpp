// A barrier that is missing, or that only some threads reach.
#include <algorithm>

#include "explain/generators.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr const char* barrier_text = "__syncthreads();";

std::string indent_of(const Tree& tree, const Range& at) {
    const std::string& whole = *tree.tokens.text;
    const std::size_t begin = at.offset == 0 ? 0 : whole.rfind('\n', at.offset - 1) + 1;
    const std::size_t end = whole.find_first_not_of(" \t", begin);
    return whole.substr(begin, std::min(end, at.offset) - begin);
}

// The largest statement around the node that all threads of the block reach, inside of loops that all of them run.
NodeId reached_by_all(const Facts& facts, NodeId node) {
    const Tree& tree = *facts.tree;
    NodeId found = statement_of(tree, node);
    for (NodeId above = found; above != no_node && tree[above].kind != NodeKind::function; above = tree[above].parent)
        if (splits_threads(facts, above)) found = above;
    return found;
}

// A test before the statement, on the way to it, that some threads leave the kernel or the iteration at.
bool is_left_before(const Facts& facts, NodeId statement) {
    const Tree& tree = *facts.tree;
    for (; statement != no_node && tree[statement].kind != NodeKind::function; statement = tree[statement].parent) {
        const NodeId parent = tree[statement].parent;
        if (parent == no_node || tree[parent].kind != NodeKind::block) continue;
        for (NodeId other = tree[parent].child; other != statement && other != no_node; other = tree[other].next) {
            if (tree[other].kind != NodeKind::if_statement || !splits_threads(facts, other)) continue;
            const int index = facts.around_node[other].guard;
            if (index >= 0 && facts.guards[static_cast<std::size_t>(index)].exit != Exit::none) return true;
        }
    }
    return false;
}

bool is_barrier(const Tree& tree, NodeId statement) {
    if (statement == no_node || tree[statement].kind != NodeKind::expression_statement) return false;
    const NodeId call = tree[statement].child;
    return call != no_node && tree[call].kind == NodeKind::call &&
           plain_name(tree, tree[call].child) == "__syncthreads";
}

NodeId sibling_before(const Tree& tree, NodeId node) {
    NodeId before = no_node;
    for (NodeId other = tree[tree[node].parent].child; other != node && other != no_node; other = tree[other].next)
        before = other;
    return before;
}

// Before or after a statement; with braces where it is the body of a head.
Edit barrier_beside(const Facts& facts, NodeId statement, bool is_after) {
    const Tree& tree = *facts.tree;
    const Range at = range_of(tree, statement);
    const std::string indent = "\n" + indent_of(tree, at);
    const std::string text(text_of(tree, statement));
    Edit edit{at, {}, is_after ? last_line_of(tree, statement) : at.line, {}, {}, statement};
    if (tree[tree[statement].parent].kind != NodeKind::block) {
        edit.after =
            is_after ? "{ " + text + " " + barrier_text + " }" : "{ " + std::string(barrier_text) + " " + text + " }";
    } else if (is_after) {
        edit.at = {at.end(), 0, edit.line, 1};
        edit.after = indent + barrier_text;
    } else {
        edit.at.length = 0;
        edit.after = barrier_text + indent;
    }
    return edit;
}

// Statements with an access to shared memory on a marked line; all such statements where no line is marked.
std::vector<NodeId> anchors(const Scene& scene) {
    std::vector<NodeId> found;
    const bool is_marked = scene.marks_any();
    for (const Access& access : scene.facts.accesses) {
        if (is_marked ? !scene.marks(access.line) : memory_of(scene.facts, access.array, access.line) != Memory::shared)
            continue;
        const Function* const function = function_around(scene.facts, access.node);
        if (!function || !function->is_on_device()) continue;
        const NodeId statement = reached_by_all(scene.facts, access.node);
        if (statement == no_node || is_left_before(scene.facts, statement)) continue;
        if (std::ranges::find(found, statement) == found.end()) found.push_back(statement);
    }
    return found;
}

}  // namespace

std::vector<Edit> barrier_before(const Scene& scene) {
    std::vector<Edit> edits;
    for (const NodeId statement : anchors(scene))
        if (!is_barrier(scene.tree(), sibling_before(scene.tree(), statement)))
            edits.push_back(barrier_beside(scene.facts, statement, false));
    return edits;
}

std::vector<Edit> barrier_after(const Scene& scene) {
    std::vector<Edit> edits;
    for (const NodeId statement : anchors(scene))
        if (!is_barrier(scene.tree(), scene.tree()[statement].next))
            edits.push_back(barrier_beside(scene.facts, statement, true));
    return edits;
}

namespace {

// The innermost loop around each anchor that all threads run.
std::vector<const Loop*> loops_around(const Scene& scene) {
    std::vector<const Loop*> found;
    for (const NodeId anchor : anchors(scene))
        for (NodeId above = scene.tree()[anchor].parent; above != no_node; above = scene.tree()[above].parent) {
            const auto loop =
                std::ranges::find_if(scene.facts.loops, [&](const Loop& other) { return other.node == above; });
            if (loop == scene.facts.loops.end()) continue;
            if (loop->body != no_node && std::ranges::find(found, &*loop) == found.end()) found.push_back(&*loop);
            break;
        }
    return found;
}

std::vector<Edit> barriers_in_loops(const Scene& scene, bool is_end) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Loop* loop : loops_around(scene)) {
        NodeId statement = loop->body;
        if (tree[statement].kind == NodeKind::block) {
            const std::vector<NodeId> parts = children_of(tree, statement);
            if (parts.empty()) continue;
            statement = is_end ? parts.back() : parts.front();
        }
        if (!is_barrier(tree, statement)) edits.push_back(barrier_beside(scene.facts, statement, is_end));
    }
    return edits;
}

// What a statement has inside its braces, without the barrier.
std::string joined(const Tree& tree, const std::vector<NodeId>& statements, std::size_t first, std::size_t last) {
    Range at = range_of(tree, statements[first]);
    at.length = range_of(tree, statements[last - 1]).end() - at.offset;
    return std::string(text_of(tree, at));
}

// `if (c) { a; barrier; b; }` becomes `if (c) { a; } barrier; if (c) { b; }`.
Edit split_at(const Facts& facts, NodeId guard, const std::vector<NodeId>& parts, std::size_t at) {
    const Tree& tree = *facts.tree;
    const std::string head = "if (" + std::string(text_of(tree, child_of(tree, guard, 0))) + ") ";
    const std::string indent = "\n" + indent_of(tree, range_of(tree, guard));
    std::string text;
    if (at > 0) text += head + "{ " + joined(tree, parts, 0, at) + " }" + indent;
    text += barrier_text;
    if (at + 1 < parts.size()) text += indent + head + "{ " + joined(tree, parts, at + 1, parts.size()) + " }";
    return {range_of(tree, guard),
            text,
            line_of(tree, parts[at]),
            std::string(text_of(tree, child_of(tree, guard, 0))),
            {},
            guard};
}

}  // namespace

std::vector<Edit> barrier_at_loop_end(const Scene& scene) { return barriers_in_loops(scene, true); }
std::vector<Edit> barrier_at_loop_start(const Scene& scene) { return barriers_in_loops(scene, false); }

std::vector<Edit> barrier_after_loop(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Loop* loop : loops_around(scene))
        if (!is_barrier(scene.tree(), scene.tree()[loop->node].next))
            edits.push_back(barrier_beside(scene.facts, loop->node, true));
    return edits;
}

std::vector<Edit> barrier_out_of_guard(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Barrier& found : scene.facts.barriers) {
        const NodeId statement = statement_of(tree, found.node);
        if (found.name != "__syncthreads" || statement == no_node) continue;
        NodeId then = tree[statement].parent;
        const bool is_block = tree[then].kind == NodeKind::block;
        const NodeId guard = is_block ? tree[then].parent : then;
        if (guard == no_node || tree[guard].kind != NodeKind::if_statement || !splits_threads(scene.facts, guard))
            continue;
        if (!is_missing(tree, child_of(tree, guard, 2)) && child_of(tree, guard, 2) != no_node) continue;
        const std::vector<NodeId> parts = is_block ? children_of(tree, then) : std::vector{statement};
        const auto at = std::ranges::find(parts, statement);
        if (at != parts.end())
            edits.push_back(split_at(scene.facts, guard, parts, static_cast<std::size_t>(at - parts.begin())));
    }
    return edits;
}

std::vector<Edit> fence_before(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Call& call : scene.facts.calls) {
        if (call.name != "atomicAdd" && call.name != "atomicInc" && call.name != "atomicExch") continue;
        const Function* const function = function_around(scene.facts, call.node);
        const NodeId statement = statement_of(scene.tree(), call.node);
        if (!function || !function->is_on_device() || statement == no_node || call.arguments.empty()) continue;
        const NodeId before = sibling_before(scene.tree(), statement);
        if (before != no_node && text_of(scene.tree(), before).starts_with("__threadfence")) continue;
        Edit edit = barrier_beside(scene.facts, statement, false);
        const std::size_t name = edit.after.find(barrier_text);
        edit.after.replace(name, std::string(barrier_text).size(), "__threadfence();");
        edit.what = std::string(text_of(scene.tree(), call.node));
        edits.push_back(edit);
    }
    return edits;
}

}  // namespace warpgrade::explain
