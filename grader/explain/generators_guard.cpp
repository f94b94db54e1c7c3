// Tests that are missing, and memory that is not cleared or too narrow.
#include <algorithm>
#include <set>

#include "explain/generators.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

// A test that the text has somewhere, as what has to be true after it.
struct Test {
    std::string text;
    std::set<std::string> names;
    NodeId node = no_node;
};

std::string_view negated(std::string_view sign) {
    if (sign == "<") return ">=";
    if (sign == ">=") return "<";
    if (sign == ">") return "<=";
    if (sign == "<=") return ">";
    return {};
}

void add_test(const Facts& facts, const std::string& text, NodeId node, std::vector<Test>& tests) {
    Test test{text, {}, node};
    for (const std::string_view name : names_in(*facts.tree, node)) test.names.emplace(name);
    const auto is_same = [&](const Test& other) { return other.text == text; };
    if (std::ranges::none_of(tests, is_same)) tests.push_back(std::move(test));
}

// Comparisons that decide by thread, those of an early `return` negated; whole tests where they are joined by &&.
std::vector<Test> tests_of(const Facts& facts) {
    std::vector<Test> tests;
    const Tree& tree = *facts.tree;
    for (const Guard& guard : facts.guards) {
        if (!differs_by_thread(facts, guard.condition)) continue;
        const bool is_exit = guard.exit != Exit::none;
        std::string whole;
        for (const Comparison& comparison : guard.comparisons) {
            if (comparison.right == no_node || comparison.sign.empty() || negated(comparison.sign).empty()) continue;
            const std::string_view sign = is_exit ? negated(comparison.sign) : comparison.sign;
            const std::string one = std::string(text_of(tree, comparison.left)) + " " + std::string(sign) + " " +
                                    std::string(text_of(tree, comparison.right));
            add_test(facts, one, comparison.node, tests);
            whole += (whole.empty() ? "" : " && ") + one;
        }
        if (guard.comparisons.size() > 1 && guard.connector == (is_exit ? "||" : "&&"))
            add_test(facts, whole, guard.condition, tests);
    }
    return tests;
}

bool are_known(const Facts& facts, const std::set<std::string>& names, int line) {
    return std::ranges::all_of(names, [&](const std::string& name) {
        return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim" ||
               facts.numbers.contains(name) || facts.declaration_of(name, line) != nullptr;
    });
}

// The tests around the node already have it.
bool is_tested(const Facts& facts, NodeId node, const std::string& test) {
    const Tree& tree = *facts.tree;
    for (; node != no_node; node = tree[node].parent) {
        const NodeKind kind = tree[node].kind;
        const bool has_test = kind == NodeKind::if_statement || kind == NodeKind::conditional;
        if (has_test && text_of(tree, child_of(tree, node)).find(test) != std::string_view::npos) return true;
    }
    return false;
}

// A test that decides whether the access is reached compares its first index.
bool has_bound(const Facts& facts, const Access& access) {
    const Tree& tree = *facts.tree;
    for (const Guard* guard : facts.guards_before(access.line))
        for (const Comparison& comparison : guard->comparisons)
            for (const NodeId side : {comparison.left, comparison.right})
                if (side != no_node && is_same(tree, side, tree, access.indices[0])) return true;
    return false;
}

bool has_barrier(const Facts& facts, NodeId statement) {
    return std::ranges::any_of(facts.barriers,
                               [&](const Barrier& barrier) { return is_within(*facts.tree, barrier.node, statement); });
}

Edit guarded(const Facts& facts, NodeId statement, const std::string& test, std::string_view array) {
    const Tree& tree = *facts.tree;
    const Range at = range_of(tree, statement);
    return {at,       "if (" + test + ") " + std::string(text_of(tree, statement)), at.line, test, std::string(array),
            statement};
}

// Statements of kernels that an access is in; not a declaration, which a test would hide.
NodeId guardable(const Facts& facts, const Access& access) {
    const Function* const function = function_around(facts, access.node);
    const NodeId statement = statement_of(*facts.tree, access.node);
    if (!function || !function->is_on_device() || statement == no_node) return no_node;
    const Tree& tree = *facts.tree;
    // The `else` behind it would be that of the new test.
    const NodeId around = tree[statement].parent;
    if (tree[around].kind == NodeKind::if_statement && tree[statement].next != no_node &&
        !is_missing(tree, tree[statement].next))
        return no_node;
    const bool is_plain = tree[statement].kind == NodeKind::expression_statement;
    return is_plain && !has_barrier(facts, statement) ? statement : no_node;
}

// Whether the access leads outside of what its function knows: to memory that other threads see.
bool is_seen_by_others(const Facts& facts, const Access& access) {
    const Memory memory = memory_of(facts, access.array, access.line);
    return memory == Memory::global || memory == Memory::shared;
}

}  // namespace

std::vector<Edit> guard_store(const Scene& scene) {
    std::vector<Edit> edits;
    const std::vector<Test> tests = tests_of(scene.facts);
    std::set<NodeId> done;
    for (const Access& access : scene.facts.accesses) {
        const NodeId statement = guardable(scene.facts, access);
        if (statement == no_node || !is_seen_by_others(scene.facts, access) || !done.insert(statement).second) continue;
        const std::set<std::string_view> used = names_in(scene.tree(), access.node);
        for (const Test& test : tests) {
            const bool is_about = std::ranges::any_of(
                used, [&](std::string_view name) { return test.names.contains(std::string(name)); });
            if (!is_about || !are_known(scene.facts, test.names, access.line) ||
                is_tested(scene.facts, access.node, test.text))
                continue;
            edits.push_back(guarded(scene.facts, statement, test.text, access.array));
        }
    }
    return edits;
}

std::vector<Edit> guard_statement(const Scene& scene) {
    std::vector<Edit> edits;
    for (const Access& access : scene.facts.accesses) {
        const NodeId statement = guardable(scene.facts, access);
        if (statement == no_node || access.indices.empty()) continue;
        const std::string index(text_of(scene.tree(), access.indices[0]));
        if (!differs_by_thread(scene.facts, access.indices[0]) || has_bound(scene.facts, access)) continue;
        std::vector<std::string> bounds;
        if (const SharedArray* const shared = shared_array(scene.facts, access.array, access.line)) {
            if (!shared->extents.empty() && shared->extents[0] != no_node)
                bounds.emplace_back(text_of(scene.tree(), shared->extents[0]));
        } else if (memory_of(scene.facts, access.array, access.line) == Memory::global &&
                   !plain_name(scene.tree(), access.indices[0]).empty()) {
            for (const std::string_view name : whole_number_parameters(*function_around(scene.facts, access.node)))
                bounds.emplace_back(name);
        }
        for (const std::string& bound : bounds)
            if (const std::string test = index + " < " + bound; !is_tested(scene.facts, access.node, test))
                edits.push_back(guarded(scene.facts, statement, test, access.array));
    }
    return edits;
}

std::vector<Edit> guard_load(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Access& access : scene.facts.accesses) {
        const Function* const function = function_around(scene.facts, access.node);
        if (access.kind != source::AccessKind::load || access.indices.size() != 1 || access.is_dereference || !function)
            continue;
        if (memory_of(scene.facts, access.array, access.line) != Memory::global) continue;
        if (!differs_by_thread(scene.facts, access.indices[0]) || has_bound(scene.facts, access)) continue;
        const std::string index(text_of(tree, access.indices[0])), text(text_of(tree, access.node));
        for (const std::string_view name : whole_number_parameters(*function)) {
            const std::string test = index + " < " + std::string(name);
            if (is_tested(scene.facts, access.node, test)) continue;
            edits.push_back(
                {range_of(tree, access.node), "(" + test + " ? " + text + " : 0)", access.line, test, {}, access.node});
        }
    }
    return edits;
}

std::vector<Edit> complete_guard(const Scene& scene) {
    std::vector<Edit> edits;
    const std::vector<Test> tests = tests_of(scene.facts);
    const Tree& tree = scene.tree();
    for (const Guard& guard : scene.facts.guards) {
        const Function* const function = function_around(scene.facts, guard.node);
        if (!function || !function->is_on_device() || guard.exit != Exit::none || guard.connector == "||") continue;
        if (!differs_by_thread(scene.facts, guard.condition)) continue;
        const std::string condition(text_of(tree, guard.condition));
        const auto add = [&](const std::string& test) {
            if (condition.find(test) == condition.npos)
                edits.push_back({range_of(tree, guard.condition), condition + " && " + test,
                                 line_of(tree, guard.condition), test, condition, guard.condition});
        };
        // A test of an index that this one already tests.
        const auto has_tested = [&](const Test& test) {
            return std::ranges::any_of(guard.comparisons, [&](const Comparison& comparison) {
                const std::string_view name = comparison.left == no_node ? "" : plain_name(tree, comparison.left);
                return !name.empty() && test.names.contains(std::string(name));
            });
        };
        for (const Test& test : tests)
            if (test.text.find("&&") == test.text.npos && !has_tested(test) &&
                function_around(scene.facts, test.node) == function && are_known(scene.facts, test.names, guard.line))
                add(test.text);
        // A whole number that the threads of the grid count along, and a parameter that no comparison of this test has.
        for (const Definition& definition : scene.facts.definitions) {
            if (function_around(scene.facts, definition.node) != function ||
                definition.kind != DefinitionKind::declared)
                continue;
            if (!is_whole_number(scene.facts, definition.name, guard.line) ||
                names_in(tree, guard.condition).contains(definition.name))
                continue;
            if (!differs_by_thread(scene.facts, definition.value) || !differs_by_block(scene.facts, definition.value))
                continue;
            for (const std::string_view parameter : whole_number_parameters(*function))
                if (!names_in(tree, guard.condition).contains(parameter))
                    add(std::string(definition.name) + " < " + std::string(parameter));
        }
    }
    return edits;
}

std::vector<Edit> clear_shared(const Scene& scene) {
    std::vector<Edit> edits;
    for (const SharedArray& shared : scene.facts.shared_arrays) {
        if (shared.extents.size() != 1 || shared.is_dynamic || shared.extents[0] == no_node ||
            shared.around.function < 0)
            continue;
        const NodeId statement = statement_of(scene.tree(), shared.node);
        // Where a line sets elements, clearing all would hide which of them it leaves out.
        const bool is_set = std::ranges::any_of(scene.facts.accesses, [&](const Access& access) {
            const NodeId outer = scene.tree()[access.node].parent;
            return access.array == shared.name && access.kind == source::AccessKind::store &&
                   access.around.function == shared.around.function && outer != no_node &&
                   !names_in(scene.tree(), child_of(scene.tree(), outer, 1)).contains(shared.name);
        });
        if (statement == no_node || is_set) continue;
        const Range at = range_of(scene.tree(), statement);
        const std::string size(text_of(scene.tree(), shared.extents[0])), name(shared.name);
        const std::string text = "\n    for (int each = threadIdx.x; each < " + size + "; each += blockDim.x) " + name +
                                 "[each] = 0;\n    __syncthreads();";
        edits.push_back({{at.end(), 0, shared.line, 1}, text, shared.line, name, size, statement});
    }
    return edits;
}

std::vector<Edit> bytes_of_elements(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const Launch& launch : scene.facts.launches) {
        const Function* const kernel = scene.facts.function_named(launch.kernel);
        if (!kernel || launch.dynamic_bytes == no_node || is_missing(tree, launch.dynamic_bytes)) continue;
        const std::string text(text_of(tree, launch.dynamic_bytes));
        if (text.find("sizeof") != text.npos) continue;
        for (const SharedArray& shared : scene.facts.shared_arrays) {
            if (!shared.is_dynamic || function_around(scene.facts, shared.node) != kernel) continue;
            const bool is_one = tree[launch.dynamic_bytes].kind == NodeKind::name ||
                                tree[launch.dynamic_bytes].kind == NodeKind::number;
            const std::string after =
                (is_one ? text : "(" + text + ")") + " * sizeof(" + std::string(shared.type) + ")";
            edits.push_back(
                {range_of(tree, launch.dynamic_bytes), after, launch.line, std::string(shared.name), {}, launch.node});
        }
    }
    return edits;
}

std::vector<Edit> type_of_elements(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    for (const SharedArray& shared : scene.facts.shared_arrays) {
        const Function* const function = function_around(scene.facts, shared.node);
        const NodeId declaration = tree[shared.node].parent;
        if (!function || !is_number_type(shared.type) || tree[declaration].kind != NodeKind::declaration) continue;
        std::set<std::string_view> types;  // that the kernel's pointers lead to
        for (const Parameter& parameter : function->parameters)
            if (parameter.pointers > 0) types.insert(parameter.type);
        if (types.size() != 1 || types.contains(shared.type) || !is_number_type(*types.begin())) continue;
        const Range type = range_of(tree, tree[declaration].child);
        std::string text(text_of(tree, type));
        const std::size_t at = text.rfind(shared.type);
        if (at == std::string::npos) continue;
        text.replace(at, shared.type.size(), *types.begin());
        edits.push_back({type, text, shared.line, std::string(shared.name), std::string(shared.type), shared.node});
    }
    return edits;
}

std::vector<Edit> widen_counters(const Scene& scene) {
    std::vector<Edit> edits;
    const Tree& tree = scene.tree();
    const auto is_cast = [&](std::string_view name) {  // its elements are of the type of the cast
        for (NodeId node = 0; node < tree.nodes.size(); ++node)
            if (tree[node].kind == NodeKind::cast && mentions(tree, node, name)) return true;
        return false;
    };
    for (const SharedArray& shared : scene.facts.shared_arrays) {
        const bool is_narrow =
            shared.type.find("char") != shared.type.npos || shared.type.find("short") != shared.type.npos ||
            shared.type.find("int8_t") != shared.type.npos || shared.type.find("int16_t") != shared.type.npos;
        const NodeId declaration = tree[shared.node].parent;
        if (!is_narrow || is_cast(shared.name) || declaration == no_node ||
            tree[declaration].kind != NodeKind::declaration)
            continue;
        const Range type = range_of(tree, tree[declaration].child);
        const std::string text(text_of(tree, type));
        const std::string after =
            text.find("extern") != text.npos ? "extern __shared__ unsigned" : "__shared__ unsigned";
        edits.push_back({type, after, shared.line, std::string(shared.name), std::string(shared.type), shared.node});
    }
    return edits;
}

}  // namespace warpgrade::explain
