// What kernels and functions take, and what calls pass them.
#include <fmt/format.h>

#include <algorithm>

#include "explain/finders.hpp"
#include "explain/questions.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

NodeId part_of_kind(const Tree& tree, NodeId declarator, NodeKind kind) {
    NodeId part = tree[declarator].child;
    while (part != no_node && tree[part].kind != kind) part = tree[part].next;
    return part;
}

// __global__ void kernel(const float* in, int& rows)
std::vector<Finding> kernel_reference(const Facts& facts) {
    std::vector<Finding> found;
    for (const Function& function : facts.functions)
        for (const Parameter& parameter : function.parameters) {
            if (function.side != Side::kernel || !parameter.is_reference) continue;
            const NodeId mark = part_of_kind(*facts.tree, child_of(*facts.tree, parameter.node, 1), NodeKind::pointer);
            found.push_back({function.body, range_of(*facts.tree, mark), {{"what", std::string(parameter.name)}}});
        }
    return found;
}

// Calls of a function of the submission's own in which two arguments are in each other's position.
class Arguments {
public:
    Arguments(const Facts& facts, const Function& function) : facts_(facts), function_(function) {
        for (const Call& call : facts.calls)
            if (calls_.size() < 64 && call.name == function.name && !call.is_member &&
                call.arguments.size() == function.parameters.size())
                if (const Function* caller = function_around(facts, call.node); caller && caller->is_on_device())
                    calls_.push_back(&call);
    }

    void find(std::vector<Finding>& found) const {
        const Tree& tree = *facts_.tree;
        for (const Call* call : calls_) {
            const auto [i, j] = exchanged(*call);
            if (i == j) continue;
            std::string instead;
            for (std::size_t k = 0; k < call->arguments.size(); ++k)
                instead += (k == 0 ? "" : ", ") + in_one_line(text_of(tree, call->arguments[k == i   ? j
                                                                                            : k == j ? i
                                                                                                     : k]));
            found.push_back({call->node,
                             range_of(tree, call->arguments[i]),
                             {{"what", fmt::format("`{}` takes `{}` before `{}`", call->name,
                                                   function_.parameters[i].name, function_.parameters[j].name)},
                              {"other", in_one_line(text_of(tree, call->arguments[i]))},
                              {"more", in_one_line(text_of(tree, call->arguments[j]))},
                              {"instead", fmt::format("{}({})", call->name, instead)}}});
        }
    }

private:
    enum class Kind { other, whole, real };
    static Kind kind_of_type(std::string_view type) {
        return is_whole_number_type(type) ? Kind::whole : is_number_type(type) ? Kind::real : Kind::other;
    }
    Kind kind_of_parameter(std::size_t i) const {
        const Parameter& parameter = function_.parameters[i];
        return parameter.pointers > 0 ? Kind::other : kind_of_type(parameter.type);
    }
    // Of an argument that is one variable, or one element.
    Kind kind_of_argument(const Call& call, std::size_t i) const {
        const Tree& tree = *facts_.tree;
        NodeId node = inside(tree, call.arguments[i]);
        const bool is_element = tree[node].kind == NodeKind::subscript;
        while (tree[node].kind == NodeKind::subscript) node = inside(tree, tree[node].child);
        const Definition* const known = facts_.declaration_of(plain_name(tree, node), call.line);
        if (known == nullptr) return Kind::other;
        const bool is_array = part_of_kind(tree, known->node, NodeKind::pointer) != no_node ||
                              part_of_kind(tree, known->node, NodeKind::extent) != no_node;
        return is_array == is_element ? kind_of_type(known->type) : Kind::other;
    }
    bool names(const Call& call, std::size_t argument, std::size_t parameter) const {
        return names_in(*facts_.tree, call.arguments[argument]).contains(function_.parameters[parameter].name);
    }
    bool is_equal(NodeId a, NodeId b) const { return is_same(*facts_.tree, a, *facts_.tree, b); }

    // Two equal ones: none are exchanged, or that cannot be known.
    std::pair<std::size_t, std::size_t> exchanged(const Call& call) const {
        std::vector<std::pair<std::size_t, std::size_t>> by_name;
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
            for (std::size_t j = i + 1; j < call.arguments.size(); ++j) {
                if (are_exchanged_kinds(call, i, j) || differs_from_others(call, i, j)) return {i, j};
                if (names(call, i, j) && names(call, j, i) && !names(call, i, i) && !names(call, j, j))
                    by_name.emplace_back(i, j);
            }
        if (by_name.size() != 1 || !is_against_the_rest(call, by_name.front())) return {};
        return by_name.front();
    }
    // value, of type float, for `int index`, and the other way round.
    bool are_exchanged_kinds(const Call& call, std::size_t i, std::size_t j) const {
        const Kind a = kind_of_parameter(i), b = kind_of_parameter(j);
        return a != b && a != Kind::other && b != Kind::other && kind_of_argument(call, i) == b &&
               kind_of_argument(call, j) == a;
    }
    // All other calls, two at least, have both the other way round.
    bool differs_from_others(const Call& call, std::size_t i, std::size_t j) const {
        return calls_.size() > 2 && !is_equal(call.arguments[i], call.arguments[j]) &&
               std::ranges::all_of(calls_, [&](const Call* other) {
                   return other == &call || (is_equal(other->arguments[i], call.arguments[j]) &&
                                             is_equal(other->arguments[j], call.arguments[i]));
               });
    }
    // What transposes exchanges row and column on purpose, and with them the lengths of both: here all other numbers
    // are passed for parameters of their own names.
    bool is_against_the_rest(const Call& call, const std::pair<std::size_t, std::size_t>& two) const {
        std::size_t straight = 0;
        for (std::size_t k = 0; k < call.arguments.size(); ++k) {
            if (k == two.first || k == two.second || kind_of_parameter(k) != Kind::whole) continue;
            if (!names(call, k, k)) return false;
            ++straight;
        }
        return straight > 0;
    }

    const Facts& facts_;
    const Function& function_;
    std::vector<const Call*> calls_;
};
std::vector<Finding> exchanged_arguments(const Facts& facts) {
    constexpr std::size_t most_parameters = 12;
    std::vector<Finding> found;
    for (const Function& function : facts.functions) {
        const auto is_namesake = [&](const Function& other) { return other.name == function.name; };
        if (function.is_on_device() && function.side != Side::kernel && !function.is_member &&
            function.parameters.size() <= most_parameters && std::ranges::count_if(facts.functions, is_namesake) == 1)
            Arguments(facts, function).find(found);
    }
    return found;
}

}  // namespace

const std::vector<FinderRow> finders_of_calls{{"kernel_reference", kernel_reference},
                                              {"exchanged_arguments", exchanged_arguments}};

}  // namespace warpgrade::explain
