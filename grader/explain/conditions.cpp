#include "explain/conditions.hpp"

#include <algorithm>
#include <sstream>

#include "base/text.hpp"
#include "explain/place.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

// `0`, `0.0f`
bool is_zero(const Place& place) {
    if (number(place) == 0) return true;
    const std::string text = place.text();
    return text.starts_with('0') && text.find_first_not_of("0.fFuUlL") == std::string::npos;
}
bool is_literal(const Place& place) {
    return place.node() != no_node && place.tree()[inside(place.tree(), place.node())].kind == NodeKind::number;
}
bool is_parameter(const Place& place) {
    const Function* const function = function_around(place.facts, place.match.first);
    if (!function) return false;
    const std::vector<std::string_view> names = whole_number_parameters(*function);
    return std::ranges::find(names, place.name()) != names.end();
}
bool is_in_memory(const Place& place, Memory memory) {
    return memory_of(place.facts, place.name(), place.line()) == memory;
}

// `a[i]`, `a[i][j]` or `*p`, of memory that threads share.
bool is_shared_element(const Place& place) {
    if (place.node() == no_node) return false;
    for (const Access& access : place.facts.accesses)
        if (access.node == inside(place.tree(), place.node()))
            return memory_of(place.facts, access.array, place.line()) != Memory::local;
    return false;
}
// Of shared memory, at the thread's own number: no other thread of the block stores there.
bool is_own_element(const Place& place) {
    if (place.node() == no_node) return false;
    const Tree& tree = place.tree();
    for (const Access& access : place.facts.accesses) {
        if (access.node != inside(tree, place.node()) || access.indices.size() != 1) continue;
        if (memory_of(place.facts, access.array, place.line()) != Memory::shared) return false;
        const std::string_view index = text_of(tree, inside(tree, access.indices.front()));
        const Definition* known = place.facts.declaration_of(index, place.line());
        const bool has_value = known != nullptr && known->value != no_node;
        return (has_value ? text_of(tree, inside(tree, known->value)) : index) == "threadIdx.x";
    }
    return false;
}

// A name for the number of the block.
bool is_block_number(const Place& place) {
    const Definition* const known = place.facts.declaration_of(place.name(), place.line());
    return known && known->value != no_node &&
           text_of(place.tree(), inside(place.tree(), known->value)).starts_with("blockIdx.") &&
           place.tree()[inside(place.tree(), known->value)].kind == NodeKind::member;
}

bool is_loop_part(const Place& place, NodeId Loop::*part) {
    const auto is_this = [&](const Loop& loop) {
        return loop.*part != no_node && is_within(place.tree(), place.match.first, loop.*part);
    };
    return std::ranges::any_of(place.facts.loops, is_this);
}
// The third part of a `for`, or the step of a `while`.
bool is_loop_step(const Place& place) {
    for (const Loop& loop : place.facts.loops) {
        if (place.tree()[loop.node].kind != NodeKind::for_statement) continue;
        if (is_within(place.tree(), place.match.first, child_of(place.tree(), loop.node, 2))) return true;
    }
    return false;
}
bool is_step_from_zero(const Place& place) {
    for (const Loop& loop : place.facts.loops)
        if (is_within(place.tree(), place.match.first, loop.node) &&
            !is_within(place.tree(), place.match.first, loop.body) && loop.start != no_node)
            return number_of(place.tree(), loop.start, place.facts.numbers) == 0;
    return false;
}
// `for (i = threadIdx.x; ...)`
bool starts_with_thread(const Place& place) {
    for (const Loop& loop : place.facts.loops)
        if (loop.start != no_node && is_within(place.tree(), place.match.first, loop.node) &&
            !is_within(place.tree(), place.match.first, loop.body))
            return text_of(place.tree(), inside(place.tree(), loop.start)) == "threadIdx.x";
    return false;
}
// Another access of the array has an index with `^`, and this one has none.
bool is_swizzled_elsewhere(const Place& place) {
    bool is_found = false;
    for (const Access& access : place.facts.accesses) {
        const bool has_xor = std::ranges::any_of(access.indices, [&](NodeId index) {
            return text_of(place.tree(), index).find('^') != std::string_view::npos;
        });
        if (access.array != place.name() || !has_xor) continue;
        if (access.node == place.match.first) return false;
        is_found = true;
    }
    return is_found;
}
bool is_loop_variable(const Place& place) {
    for (NodeId node = place.match.first; node != no_node; node = place.tree()[node].parent)
        for (const Loop& loop : place.facts.loops)
            if (loop.node == node && !loop.variable.empty() && loop.variable == place.name()) return true;
    return false;
}
bool is_one_of(std::string_view sign, std::string_view signs) {
    const auto all = split(signs, ' ');
    return std::ranges::find(all, sign) != all.end();
}
// Of the loop with this variable: it becomes smaller from step to step, or larger by a factor.
bool has_step(const Place& place, std::string_view signs) {
    for (const Loop& loop : place.facts.loops)
        if (loop.variable == place.name() && is_within(place.tree(), place.match.first, loop.node))
            return is_one_of(loop.step_sign, signs);
    return false;
}
// The start of a loop whose step is one of these.
bool starts_with_step(const Place& place, std::string_view signs) {
    for (const Loop& loop : place.facts.loops)
        if (loop.start != no_node && inside(place.tree(), loop.start) == place.match.first)
            return is_one_of(loop.step_sign, signs);
    return false;
}
// Not an operand of another operator.
bool is_alone(const Place& place) {
    NodeId above = place.tree()[place.match.first].parent;
    while (above != no_node &&
           (place.tree()[above].kind == NodeKind::parenthesised || place.tree()[above].kind == NodeKind::cast))
        above = place.tree()[above].parent;
    return above == no_node || place.tree()[above].kind != NodeKind::binary;
}
bool is_partial_mask(const Place& place) {
    constexpr std::int64_t all_lanes = 0xffffffff;
    const std::optional<std::int64_t> mask = number(place);
    return mask ? *mask != all_lanes && *mask != -1 : place.text() == "__activemask()";
}
bool is_in_guard(const Place& place) {
    const auto is_this = [&](const Guard& guard) {
        return is_within(place.tree(), place.match.first, guard.condition);
    };
    return std::ranges::any_of(place.facts.guards, is_this);
}
bool is_in_exit_guard(const Place& place) {
    const auto is_this = [&](const Guard& guard) {
        return guard.exit != Exit::none && is_within(place.tree(), place.match.first, guard.condition);
    };
    return std::ranges::any_of(place.facts.guards, is_this);
}
bool is_in_index(const Place& place) {
    for (const Access& access : place.facts.accesses)
        for (const NodeId index : access.indices)
            if (is_within(place.tree(), place.match.first, index)) return true;
    return false;
}
// A test that decides whether the match is reached compares this.
bool is_compared(const Place& place) {
    for (const Guard* guard : place.facts.guards_before(place.line()))
        for (const Comparison& comparison : guard->comparisons)
            for (const NodeId side : {comparison.left, comparison.right})
                if (side != no_node && place.node() != no_node &&
                    is_same(place.tree(), side, place.tree(), place.node()))
                    return true;
    for (NodeId node = place.match.first; node != no_node; node = place.tree()[node].parent)
        if (place.tree()[node].kind == NodeKind::conditional) return true;
    return false;
}
// The function shuffles or votes.
bool calls_warp(const Place& place) {
    const Function* const function = function_around(place.facts, place.match.first);
    return std::ranges::any_of(place.facts.calls, [&](const Call& call) {
        return call.name.starts_with("__") && call.name.ends_with("_sync") &&
               function_around(place.facts, call.node) == function;
    });
}
bool is_load(const Place& place) {
    return std::ranges::any_of(place.facts.accesses, [&](const Access& access) {
        return access.node == place.match.first && access.kind == source::AccessKind::load;
    });
}
bool is_definition_value(const Place& place) {
    const auto is_this = [&](const Definition& definition) {
        return definition.value != no_node && inside(place.tree(), definition.value) == place.match.first;
    };
    return std::ranges::any_of(place.facts.definitions, is_this);
}
bool is_loaded(const Place& place, source::AccessKind kind) {
    for (const Access& access : place.facts.accesses)
        if (place.node() != no_node && access.kind == kind && is_within(place.tree(), access.node, place.node()))
            return true;
    return false;
}
// A test before the match, or around it, lets only some threads of a block pass.
bool is_under_thread_guard(const Place& place) {
    for (NodeId node = place.tree()[place.match.first].parent; node != no_node; node = place.tree()[node].parent)
        if (place.tree()[node].kind == NodeKind::if_statement &&
            differs_by_thread(place.facts, child_of(place.tree(), node)))
            return true;
    return false;
}
bool is_narrow_type(const Place& place) {
    for (const char* word : {"char", "short", "uint8_t", "uint16_t"})
        if (place.text().find(word) != std::string::npos) return true;
    return false;
}
bool is_shared_type(const Place& place) { return place.text().find("__shared__") != std::string::npos; }
// The name gets a sum or a product, more than once: it is an accumulator.
bool is_accumulated(const Place& place) {
    const auto known = place.facts.definitions_by_name.find(place.name());
    if (known == place.facts.definitions_by_name.end()) return false;
    return std::ranges::any_of(known->second, [&](std::uint32_t index) {
        const Definition& definition = place.facts.definitions[index];
        return definition.kind == DefinitionKind::updated && definition.sign == "+=" &&
               function_around(place.facts, definition.node) == function_around(place.facts, place.match.first);
    });
}
bool is_declared_before_loop(const Place& place) {
    const Definition* const definition = place.facts.declaration_of(place.name(), place.line());
    return definition && definition->around.function >= 0 && loop_around(place.facts, place.match.first) &&
           loop_around(place.facts, definition->node) != loop_around(place.facts, place.match.first);
}
// A pointer or an array.
bool is_pointer(const Place& place) {
    const Definition* const definition = place.facts.declaration_of(place.name(), place.line());
    if (!definition) return false;
    for (NodeId part = child_of(place.tree(), definition->node); part != no_node; part = place.tree()[part].next)
        if (place.tree()[part].kind == NodeKind::pointer || place.tree()[part].kind == NodeKind::extent) return true;
    return false;
}
bool is_array_of_bytes(const Place& place) {
    const SharedArray* const shared = shared_array(place.facts, place.name(), place.line());
    const Definition* const definition = place.facts.declaration_of(place.name(), place.line());
    const std::string_view type = shared != nullptr ? shared->type : definition != nullptr ? definition->type : "";
    return type.find("char") != type.npos || type.find("byte") != type.npos;
}
bool is_whole_product(const Place& place) {
    for (std::size_t i = 0; i < place.of.size(); ++i) {
        const std::string_view name = place.name(i);
        if (name.empty() || !is_whole_number(place.facts, name, place.line())) return false;
        const Definition* const definition = place.facts.declaration_of(name, place.line());
        if (definition->type.find("long") != definition->type.npos ||
            definition->type.find("size_t") != definition->type.npos)
            return false;
    }
    return true;
}

const ConditionRow condition_rows[] = {
    {"name", 1, [](const Place& place) { return !place.name().empty(); }},
    {"literal", 1, is_literal},
    {"constant", 1, [](const Place& place) { return number(place).has_value(); }},
    {"zero", 1, is_zero},
    {"one", 1, [](const Place& place) { return number(place) == 1; }},
    {"sixteen", 1, [](const Place& place) { return number(place) == 16; }},
    {"below_warp", 1, [](const Place& place) { return number(place) && *number(place) > 0 && *number(place) < 32; }},
    {"whole_warp", 1, [](const Place& place) { return number(place) == 32; }},
    {"differ", 2, [](const Place& place) { return place.text(0) != place.text(1); }},
    {"parameter", 1, is_parameter},
    {"pointer", 1, is_pointer},
    {"array_of_bytes", 1, is_array_of_bytes},
    {"shared", 1, [](const Place& place) { return is_in_memory(place, Memory::shared); }},
    {"global", 1, [](const Place& place) { return is_in_memory(place, Memory::global); }},
    {"element", 1, is_shared_element},
    {"own", 1, is_own_element},
    {"by_thread", 1, [](const Place& place) { return differs_by_thread(place.facts, place.node()); }},
    {"block_number", 1, is_block_number},
    {"by_block", 1, [](const Place& place) { return differs_by_block(place.facts, place.node()); }},
    {"loads", 1, [](const Place& place) { return is_loaded(place, source::AccessKind::load); }},
    {"narrow_product", 2, is_whole_product},
    {"narrow_type", 1, is_narrow_type},
    {"shared_type", 1, is_shared_type},
    {"dimensions", 1, [](const Place& place) { return place.text().find("dim3") != std::string::npos; }},
    {"accumulated", 1, is_accumulated},
    {"declared_before_loop", 1, is_declared_before_loop},
    {"loop_variable", 1, is_loop_variable},
    {"shrinks", 1, [](const Place& place) { return has_step(place, "/= >>= -= --"); }},
    {"halves", 1, [](const Place& place) { return has_step(place, "/= >>="); }},
    {"counts", 1, [](const Place& place) { return has_step(place, "++ +="); }},
    {"loop_condition", 0, [](const Place& place) { return is_loop_part(place, &Loop::condition); }},
    {"zero_start", 0, is_step_from_zero},
    {"thread_start", 0, starts_with_thread},
    {"swizzled_elsewhere", 1, is_swizzled_elsewhere},
    {"halving_loop", 0, [](const Place& place) { return starts_with_step(place, "/= >>="); }},
    {"doubling_loop", 0, [](const Place& place) { return starts_with_step(place, "*= <<="); }},
    {"counting_loop", 0, [](const Place& place) { return starts_with_step(place, "++ +="); }},
    {"alone", 0, is_alone},
    {"partial_mask", 1, is_partial_mask},
    {"in_bytes", 1, [](const Place& place) { return place.text().find("sizeof") != std::string::npos; }},
    {"loop_step", 0, is_loop_step},
    {"in_loop", 0, [](const Place& place) { return loop_around(place.facts, place.match.first) != nullptr; }},
    {"in_guard", 0, is_in_guard},
    {"in_exit_guard", 0, is_in_exit_guard},
    {"in_index", 0, is_in_index},
    {"tested", 1, is_compared},
    {"calls_warp", 0, calls_warp},
    {"load", 0, is_load},
    {"definition_value", 0, is_definition_value},
    {"under_thread_guard", 0, is_under_thread_guard},
};

const ConditionRow* row_named(std::string_view name) {
    for (const ConditionRow& row : condition_rows)
        if (row.name == name) return &row;
    for (const ConditionRow& row : conditions_of_warnings)
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace

std::optional<Condition> condition_of(std::string_view text) {
    std::istringstream words{std::string(text)};
    Condition condition;
    words >> condition.name;
    condition.is_negated = condition.name == "not";
    if (condition.is_negated) words >> condition.name;
    for (std::string word; words >> word;) condition.of.push_back(word);
    const ConditionRow* const row = row_named(condition.name);
    if (!row || row->count != condition.of.size()) return {};
    return condition;
}

std::vector<std::string> condition_names() {
    std::vector<std::string> names;
    for (const ConditionRow& row : condition_rows) names.emplace_back(row.name);
    for (const ConditionRow& row : conditions_of_warnings) names.emplace_back(row.name);
    return names;
}

bool is_true(const Condition& condition, const Facts& facts, const Match& match) {
    Place place{facts, match, {}};
    for (const std::string& name : condition.of) {
        const Binding* const binding = match.binding(name);
        if (!binding) return false;
        place.of.push_back(binding);
    }
    return row_named(condition.name)->test(place) != condition.is_negated;
}

}  // namespace warpgrade::explain
