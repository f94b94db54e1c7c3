// Conditions that rows [[warning]] ask for.
#include <algorithm>

#include "explain/place.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

bool is_of_function(const Place& place, NodeId node) {
    return function_around(place.facts, node) == function_around(place.facts, place.match.first);
}
// The innermost lambda around it, or no_node: what a return leaves.
NodeId lambda_around(const Tree& tree, NodeId node) {
    while (node != no_node && tree[node].kind != NodeKind::lambda) node = tree[node].parent;
    return node;
}
// A __syncthreads() of the function, or of the lambda, comes after the match.
bool is_before_barrier(const Place& place) {
    const NodeId lambda = lambda_around(place.tree(), place.match.first);
    return std::ranges::any_of(place.facts.barriers, [&](const Barrier& barrier) {
        return barrier.name == "__syncthreads" && is_of_function(place, barrier.node) &&
               lambda_around(place.tree(), barrier.node) == lambda &&
               place.tree()[barrier.node].first >= place.tree()[place.match.last].last;
    });
}
bool has_shared_memory(const Place& place) {
    const Function* const function = function_around(place.facts, place.match.first);
    const auto is_shared = [](const CodeToken& token) { return token.text == "__shared__"; };
    const auto code = place.tree().tokens.code.begin();
    const Node& node = place.tree()[function == nullptr ? place.match.first : function->node];
    return std::any_of(code + node.first, code + node.last, is_shared) ||
           std::ranges::any_of(place.facts.shared_arrays,
                               [](const SharedArray& array) { return array.around.function < 0; });
}
bool is_assigned(const Place& place) {
    return std::ranges::any_of(place.facts.definitions, [&](const Definition& one) {
        return one.name == place.name() && one.kind == DefinitionKind::assigned;
    });
}
// How often the name is in the function and in macros, its declaration included.
std::ptrdiff_t mentions(const Place& place) {
    const Tokens& tokens = place.tree().tokens;
    const Function* const function = function_around(place.facts, place.match.first);
    if (function == nullptr) return 0;
    const auto code = tokens.code.begin();
    const auto is_name = [&](const CodeToken& token) { return token.text == place.name(); };
    return std::count_if(code + place.tree()[function->node].first, code + place.tree()[function->node].last, is_name) +
           std::count_if(code + tokens.file_end, tokens.code.end(), is_name);
}
// An array whose size is written, and from which nothing of the function loads.
bool is_only_stored(const Place& place) {
    const auto is_store = [&](const Access& access) {
        return access.array == place.name() && access.kind == source::AccessKind::store &&
               is_of_function(place, access.node);
    };
    const SharedArray* const array = shared_array(place.facts, place.name(), place.line());
    return array != nullptr && !array->is_dynamic &&
           mentions(place) - 1 == std::ranges::count_if(place.facts.accesses, is_store);
}
bool is_comparison_or_joined(const Tree& tree, NodeId node) {
    constexpr std::string_view signs = " < <= > >= == != && || ";
    return tree[node].kind == NodeKind::binary &&
           signs.find(" " + std::string(tree[node].word) + " ") != std::string_view::npos;
}
// A comparison without brackets around it.
bool is_bare_comparison(const Place& place) {
    return is_comparison_or_joined(place.tree(), place.node()) &&
           place.tree()[place.tree()[place.node()].parent].kind != NodeKind::parenthesised;
}
// Of type bool, or may be.
bool is_outcome(const Place& place) {
    const Node& node = place.tree()[place.node()];
    const Definition* const known = place.facts.declaration_of(place.name(), place.line());
    return is_comparison_or_joined(place.tree(), place.node()) || node.kind == NodeKind::call || node.word == "!" ||
           (known != nullptr && known->type == "bool");
}
// The launcher's parameters decide it, and no least of two numbers is taken.
bool is_by_parameter(const Place& place) {
    const Function* const function = function_around(place.facts, place.match.first);
    return function != nullptr && !leads_to_name(place.facts, place.node(), "min") &&
           !leads_to_name(place.facts, place.node(), "std::min") &&
           std::ranges::any_of(function->parameters, [&](const Parameter& parameter) {
               return leads_to_name(place.facts, place.node(), parameter.name);
           });
}
}  // namespace

const std::vector<ConditionRow> conditions_of_warnings{
    {"before_barrier", 0, is_before_barrier},
    {"shared_memory", 0, has_shared_memory},
    {"assigned", 1, is_assigned},
    {"unused", 1, [](const Place& place) { return mentions(place) == 1; }},
    {"only_stored", 1, is_only_stored},
    {"unfinished", 0,
     [](const Place& place) {
         return place.tree().tokens.text->find("// remove this line") != std::string::npos;  // of the stubs
     }},
    {"bare_comparison", 1, is_bare_comparison},
    {"outcome", 1, is_outcome},
    {"by_parameter", 1, is_by_parameter},
    {"before_block", 0, [](const Place& place) { return place.tree()[place.match.last].kind == NodeKind::block; }},
    {"in_macro", 0,
     [](const Place& place) { return place.tree()[place.match.first].first >= place.tree().tokens.file_end; }},
    {"empty", 1, [](const Place& place) { return place.text() == ";"; }},
    {"a_kernel", 0,
     [](const Place& place) {
         const Function* const function = function_around(place.facts, place.match.first);
         return function != nullptr && function->side == Side::kernel;
     }},
    {"shuffle", 1,
     [](const Place& place) { return place.text().starts_with("__shfl_") && place.text() != "__shfl_sync"; }},
    {"by_grid", 1, [](const Place& place) { return leads_to_name(place.facts, place.node(), "gridDim"); }},
    {"whole_value", 1, [](const Place& place) { return is_whole_value(place.facts, place.node()); }},
    {"negative", 1, [](const Place& place) { return place.text().starts_with('-'); }},
    {"effects", 1, [](const Place& place) { return has_effects(place.tree(), place.node()); }},
    {"below", 2, [](const Place& place) { return number(place) && number(place) < number(place, 1); }},
    {"names", 2,
     [](const Place& place) {
         const auto names = names_in(place.tree(), place.node());
         const auto others = names_in(place.tree(), place.node(1));
         return names.contains(place.name(1)) ||
                std::ranges::any_of(others, [&](std::string_view name) { return names.contains(name); });
     }},
    {"conditional_text", 0,
     [](const Place& place) {
         const Function* const function = function_around(place.facts, place.match.first);
         return function != nullptr && function->has_directives;
     }},
    {"on_host", 0, [](const Place& place) { return !function_around(place.facts, place.match.first)->is_on_device(); }},
    {"launches", 0,
     [](const Place& place) {
         return std::ranges::any_of(place.facts.launches, [&](const Launch& launch) {
             return function_around(place.facts, launch.node) == function_around(place.facts, place.match.first);
         });
     }},
};

}  // namespace warpgrade::explain
