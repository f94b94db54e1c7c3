// Definitions of names, accesses to memory, calls and launches.
#include <algorithm>
#include <array>

#include "source/collect.hpp"

namespace warpgrade::source {

namespace {

std::string_view last_part(std::string_view name) {
    const std::size_t colons = name.rfind("::");
    return colons == name.npos ? name : name.substr(colons + 2);
}

// Without brackets and casts.
NodeId without_casts(const Tree& tree, NodeId node) {
    node = inside(tree, node);
    while (node != no_node && tree[node].kind == NodeKind::cast) node = inside(tree, child_of(tree, node, 1));
    return node;
}

// What a function of CUDA's does to the memory of its n-th argument.
struct Role {
    std::string_view function;
    std::size_t argument;
    AccessKind kind;
};
// CUDA C++ Programming Guide: read-only and cache-hint loads and stores, asynchronous copies, memcpy, warp matrices.
constexpr std::array<Role, 19> roles{{{"__ldg", 0, AccessKind::load},
                                      {"__ldca", 0, AccessKind::load},
                                      {"__ldcg", 0, AccessKind::load},
                                      {"__ldcs", 0, AccessKind::load},
                                      {"__ldcv", 0, AccessKind::load},
                                      {"__ldlu", 0, AccessKind::load},
                                      {"__stcg", 0, AccessKind::store},
                                      {"__stcs", 0, AccessKind::store},
                                      {"__stwb", 0, AccessKind::store},
                                      {"__stwt", 0, AccessKind::store},
                                      {"__pipeline_memcpy_async", 0, AccessKind::store},
                                      {"__pipeline_memcpy_async", 1, AccessKind::load},
                                      {"memcpy", 0, AccessKind::store},
                                      {"memcpy", 1, AccessKind::load},
                                      {"memset", 0, AccessKind::store},
                                      {"load_matrix_sync", 1, AccessKind::load},
                                      {"store_matrix_sync", 0, AccessKind::store},
                                      {"memcpy_async", 1, AccessKind::store},
                                      {"memcpy_async", 2, AccessKind::load}}};

std::optional<AccessKind> role_of(std::string_view function, std::size_t argument) {
    const std::string_view name = last_part(function);
    if (name.starts_with("atomic") && name.size() > 6 && name[6] >= 'A' && name[6] <= 'Z')
        return argument == 0 ? std::optional(AccessKind::atomic) : std::nullopt;
    // cooperative_groups::memcpy_async has the group first.
    const std::size_t shift = function == "cuda::memcpy_async" ? 1 : 0;
    for (const Role& role : roles)
        if (role.function == name && role.argument == argument + shift) return role.kind;
    return {};
}

// The kind of an access whose address `node` is an argument of a call; none where it is not.
std::optional<AccessKind> role_in_call(const Tree& tree, NodeId node, NodeId call) {
    if (tree[call].kind != NodeKind::call || tree[call].child == node) return {};
    std::size_t argument = 0;
    for (NodeId other = tree[tree[call].child].next; other != node; other = tree[other].next) ++argument;
    return role_of(tree[tree[call].child].word, argument);
}

bool is_initialiser_of_reference(const Tree& tree, NodeId node) {
    if (tree[node].kind != NodeKind::initialiser) return false;
    const NodeId mark = tree[tree[node].parent].child;
    return tree[mark].kind == NodeKind::pointer && tree[mark].word == "&";
}

bool is_reference_type(const Tree& tree, NodeId type) {
    return tree[type].first < tree[type].last && tree.tokens.code[tree[type].last - 1].text == "&";
}

// What an expression is used for: its value, its place or its address.
AccessKind use_of(const Tree& tree, NodeId node) {
    bool is_address = false;
    int steps = 0;
    for (NodeId up = tree[node].parent; up != no_node && steps < 64; node = up, up = tree[node].parent, ++steps) {
        const Node& parent = tree[up];
        const bool is_first = parent.child == node;
        switch (parent.kind) {
            case NodeKind::parenthesised: continue;
            case NodeKind::member:
                if (!is_address) continue;
                return AccessKind::address;
            case NodeKind::arrow: is_address = false; continue;
            case NodeKind::subscript:
                if (!is_first) return is_address ? AccessKind::address : AccessKind::load;
                is_address = false;
                continue;
            case NodeKind::unary:
                if (parent.word == "&" && !is_address) {
                    is_address = true;
                    continue;
                }
                if (parent.word == "*" && is_address) {
                    is_address = false;
                    continue;
                }
                if ((parent.word == "++" || parent.word == "--") && !is_address) return AccessKind::update;
                return is_address ? AccessKind::address : AccessKind::load;
            case NodeKind::postfix: return is_address ? AccessKind::address : AccessKind::update;
            case NodeKind::cast:
                if (is_address || is_reference_type(tree, parent.child)) continue;
                return AccessKind::load;
            case NodeKind::assignment:
                if (!is_first || is_address) return is_address ? AccessKind::address : AccessKind::load;
                return parent.word == "=" ? AccessKind::store : AccessKind::update;
            case NodeKind::binary:
                if (is_address && (parent.word == "+" || parent.word == "-")) continue;
                return is_address ? AccessKind::address : AccessKind::load;
            case NodeKind::call:
                if (is_address) return role_in_call(tree, node, up).value_or(AccessKind::address);
                return AccessKind::load;
            case NodeKind::initialiser:
                return is_address || is_initialiser_of_reference(tree, up) ? AccessKind::address : AccessKind::load;
            default: return is_address ? AccessKind::address : AccessKind::load;
        }
    }
    return AccessKind::load;
}

std::string_view array_name(const Tree& tree, NodeId node) {
    node = without_casts(tree, node);
    if (node == no_node) return {};
    const NodeKind kind = tree[node].kind;
    if (kind == NodeKind::unary && tree[node].word == "&") return array_name(tree, tree[node].child);
    return kind == NodeKind::name || kind == NodeKind::member || kind == NodeKind::arrow ? tree[node].word
                                                                                         : std::string_view();
}

// `p`, `p + i`, `p + r * cols + c`: the name, and what is added to it.
void read_pointer(const Tree& tree, NodeId node, Access& access) {
    node = without_casts(tree, node);
    while (node != no_node && (tree[node].word == "+" || tree[node].word == "-") &&
           tree[node].kind == NodeKind::binary && access.indices.size() < 16) {
        access.indices.insert(access.indices.begin(), child_of(tree, node, 1));
        node = without_casts(tree, tree[node].child);
    }
    if (node != no_node &&
        (tree[node].kind == NodeKind::postfix || (tree[node].kind == NodeKind::unary && tree[node].word != "&")))
        node = without_casts(tree, tree[node].child);
    access.array = array_name(tree, node);
    access.is_dereference = true;
}

}  // namespace

Definition definition_of(const Tree& tree, NodeId node) {
    Definition definition;
    definition.node = node;
    const Node& made = tree[node];
    NodeId named = node;
    if (made.kind == NodeKind::declarator) {
        const NodeKind parent = tree[made.parent].kind;
        definition.kind = parent == NodeKind::parameter ? DefinitionKind::parameter : DefinitionKind::declared;
        definition.name = made.word;
        if (const NodeId type = tree[made.parent].child; tree[type].kind == NodeKind::type)
            definition.type = tree[type].word;
        for (NodeId part = made.child; part != no_node; part = tree[part].next) {
            if (tree[part].kind != NodeKind::initialiser) continue;
            definition.sign = tree[part].word;
            definition.value =
                tree[part].word == "=" || (tree[part].child != no_node && tree[tree[part].child].next == no_node)
                    ? tree[part].child
                    : part;
        }
    } else if (made.kind == NodeKind::assignment || made.word == "++" || made.word == "--") {
        named = inside(tree, made.child);
        if (named == no_node || tree[named].kind != NodeKind::name) return {};
        definition.name = tree[named].word;
        definition.sign = made.word;
        definition.kind = made.word == "=" ? DefinitionKind::assigned : DefinitionKind::updated;
        definition.value = child_of(tree, node, 1);
    }
    if (definition.name.empty()) return {};
    for (TokenId i = tree[named].first; i < tree[named].last; ++i)
        if (tree.tokens.code[i].text.data() == definition.name.data()) definition.at = tree.tokens.code[i].at;
    definition.at.length = definition.name.size();
    return definition;
}

Access access_of(const Tree& tree, NodeId node) {
    Access access;
    const Node& made = tree[node];
    if (made.kind == NodeKind::subscript) {
        const NodeId parent = made.parent;
        if (parent != no_node && tree[parent].kind == NodeKind::subscript && tree[parent].child == node) return {};
        NodeId base = node;
        while (base != no_node && tree[base].kind == NodeKind::subscript) {
            for (NodeId index = tree[tree[base].child].next; index != no_node; index = tree[index].next)
                access.indices.push_back(index);
            base = inside(tree, tree[base].child);
        }
        std::ranges::reverse(access.indices);
        access.array = array_name(tree, base);
    } else if (made.kind == NodeKind::unary && made.word == "*") {
        const NodeId target = without_casts(tree, made.child);
        if (is_missing(tree, target) || (tree[target].kind == NodeKind::unary && tree[target].word == "&")) return {};
        read_pointer(tree, made.child, access);
    } else {
        return {};
    }
    access.node = node;
    access.line = line_of(tree, node);
    access.kind = use_of(tree, node);
    return access;
}

Call call_of(const Tree& tree, NodeId node) {
    Call call;
    const NodeId callee = tree[node].child;
    call.node = node;
    call.line = line_of(tree, node);
    call.is_member = tree[callee].kind == NodeKind::member || tree[callee].kind == NodeKind::arrow;
    if (call.is_member || tree[callee].kind == NodeKind::name) call.name = tree[callee].word;
    for (NodeId argument = tree[callee].next; argument != no_node; argument = tree[argument].next)
        call.arguments.push_back(argument);
    return call;
}

std::vector<Access> accesses_of(const Tree& tree, const Call& call) {
    std::vector<Access> found;
    if (call.is_member) return found;
    for (std::size_t i = 0; i < std::min<std::size_t>(call.arguments.size(), 4); ++i) {
        const std::optional<AccessKind> kind = role_of(call.name, i);
        const NodeId target = without_casts(tree, call.arguments[i]);
        if (!kind || is_missing(tree, target)) continue;
        const NodeId addressed = tree[target].kind == NodeKind::unary && tree[target].word == "&"
                                     ? inside(tree, tree[target].child)
                                     : no_node;
        if (addressed != no_node && tree[addressed].kind != NodeKind::name)
            continue;  // a subscript: an access of its own
        Access access;
        read_pointer(tree, call.arguments[i], access);
        access.node = call.arguments[i];
        access.kind = *kind;
        access.line = line_of(tree, access.node);
        found.push_back(access);
    }
    return found;
}

// CUDA C++ Programming Guide: synchronization functions, cooperative groups, cuda::barrier.
bool is_barrier(const Call& call) {
    if (call.is_member) return call.name == "sync" || call.name == "arrive_and_wait" || call.name == "barrier_wait";
    static constexpr std::array<std::string_view, 5> names{"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                                           "__syncthreads_or", "__syncwarp"};
    const bool is_qualified_sync = call.name.ends_with("::sync") && call.arguments.size() == 1;
    return is_qualified_sync || std::ranges::find(names, call.name) != names.end();
}

Launch launch_of(const Tree& tree, NodeId node) {
    Launch launch;
    launch.node = node;
    launch.line = line_of(tree, node);
    const NodeId callee = tree[node].child, settings = tree[callee].next, arguments = tree[settings].next;
    launch.kernel = tree[inside(tree, callee)].word;
    launch.grid = child_of(tree, settings);
    launch.block = child_of(tree, settings, 1);
    launch.dynamic_bytes = child_of(tree, settings, 2);
    launch.stream = child_of(tree, settings, 3);
    launch.arguments = children_of(tree, arguments);
    return launch;
}

}  // namespace warpgrade::source
