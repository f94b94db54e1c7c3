#include "compile/sides.hpp"

#include <algorithm>
#include <set>

#include "source/facts.hpp"

namespace warpgrade {
namespace {

using source::NodeId;
using source::NodeKind;
using source::TokenId;

constexpr std::string_view mark_of_host = "__attribute__((deprecated(\"__host__\"))) ";

class Marks {
public:
    explicit Marks(std::string_view text) : text_(text), tree_(source::parse(text)), facts_(source::facts_of(tree_)) {}

    std::string text() {
        for (const auto* functions : {&facts_.functions, &facts_.prototypes})
            for (const source::Function& function : *functions)
                if (function.side == source::Side::host && !function.is_constexpr && !is_defaulted(function.node) &&
                    !is_defined_elsewhere(function))
                    mark_declaration(tree_[function.node].first);
        for (const source::Variable& variable : facts_.variables)
            if (!variable.is_on_device && !variable.is_constant)
                mark_declaration(tree_[tree_[variable.node].parent].first);
        for (NodeId id = 0; id < tree_.nodes.size(); ++id)
            if (tree_[id].kind == NodeKind::lambda) mark_lambda(id);
        std::string marked(text_);
        for (auto place = places_.rbegin(); place != places_.rend(); ++place) marked.insert(*place, mark_of_host);
        return marked;
    }

private:
    std::string_view word(TokenId i) const { return i < tree_.tokens.file_end ? tree_.tokens.code[i].text : ""; }

    bool is_defaulted(NodeId function) const {
        for (TokenId i = tree_[function].first; i + 1 < tree_[function].last; ++i)
            if (word(i) == "=" && (word(i + 1) == "default" || word(i + 1) == "delete")) return true;
        return false;
    }
    // `float Vector::dot(...) { ... }`: the class says which side it is of.
    bool is_defined_elsewhere(const source::Function& function) const {
        if (function.is_member || function.body == source::no_node) return false;
        for (TokenId i = tree_[function.node].first; i + 1 < tree_[function.body].first && word(i) != "("; ++i)
            if (word(i) == "::" && (word(i + 1) == function.name || word(i + 1) == "operator" || word(i + 1) == "~"))
                return true;
        return false;
    }

    // Behind `template <...>`, `extern "C"` and `friend`.
    void mark_declaration(TokenId i) {
        for (TokenId before = source::no_token; i != before;) {
            before = i;
            if (word(i) == "template" && word(i + 1) == "<") i = past_angles(i + 1);
            if (word(i) == "extern" && word(i + 1).starts_with('"')) i += 2;
            if (word(i) == "friend") ++i;
        }
        if (i < tree_.tokens.file_end) places_.insert(tree_.tokens.code[i].at.offset);
    }
    TokenId past_angles(TokenId i) const {
        int depth = 0;
        for (; i < tree_.tokens.file_end; ++i) {
            if (word(i) == "(") i = source::closing(tree_.tokens, i);
            depth += word(i) == "<" ? 1 : word(i) == ">" ? -1 : 0;
            if (depth == 0) return i + 1;
        }
        return i;
    }

    // `[=](int i) mutable -> float {`: behind its parameters, of which it has some.
    void mark_lambda(NodeId lambda) {
        const source::Around& around = facts_.around_node[lambda];
        if (tree_[lambda].first >= tree_.tokens.file_end || around.function < 0 ||
            facts_.functions[static_cast<std::size_t>(around.function)].side != source::Side::host)
            return;
        TokenId i = source::closing(tree_.tokens, tree_[lambda].first) + 1;
        if (word(i) != "(") return;
        i = source::closing(tree_.tokens, i) + 1;
        while (word(i) == "mutable" || word(i) == "noexcept") ++i;
        if (word(i) == "{" || word(i) == "->") places_.insert(tree_.tokens.code[i].at.offset);
    }

    std::string_view text_;
    source::Tree tree_;
    source::Facts facts_;
    std::set<std::size_t> places_;  // offsets
};

}  // namespace

std::string with_marked_sides(std::string_view source) { return Marks(source).text(); }

}  // namespace warpgrade
