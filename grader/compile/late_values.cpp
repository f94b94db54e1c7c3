#include "compile/late_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "compile/static_locals.hpp"
#include "source/facts.hpp"

namespace warpgrade {
namespace {

using source::NodeId;
using source::NodeKind;

constexpr std::string_view refused_value = "error: dynamic initialization is not supported for a ";

struct Change {
    source::Range at;
    std::string text;
};

// One declaration, made anew.
class LateDeclaration {
public:
    LateDeclaration(const source::Tree& tree, NodeId node) : tree_(tree), node_(node) {}

    // Nothing: it is not understood. `calls`: what main() begins with.
    std::optional<std::string> text(bool is_of_function, std::string& calls) const {
        const std::vector<NodeId> children = children_of(tree_, node_);
        std::string made;
        for (std::size_t i = 1; i < children.size(); ++i) {
            const auto one = declarator(children[i], is_of_function, calls);
            if (!one) return std::nullopt;
            made += *one;
        }
        return made.empty() ? std::nullopt : std::optional(made);
    }

private:
    std::string_view between(source::TokenId first, source::TokenId last) const {
        if (first >= last) return {};
        const auto& tokens = tree_.tokens.code;
        const std::size_t from = tokens[first].at.offset, to = tokens[last - 1].at.end();
        return std::string_view(*tree_.tokens.text).substr(from, to - from);
    }

    // The declaration's words before the first name, without those of storage.
    std::string base_type(source::TokenId end) const {
        std::string type;
        for (source::TokenId i = tree_[node_].first; i < end; ++i) {
            const std::string_view word = tree_.tokens.code[i].text;
            if (word == "static" || word == "inline" || word == "thread_local") continue;
            type += (type.empty() ? "" : " ") + std::string(word);
        }
        return type;
    }

    std::optional<std::string> declarator(NodeId id, bool is_of_function, std::string& calls) const {
        const source::Node& node = tree_[id];
        if (node.kind != NodeKind::declarator) return std::nullopt;
        std::string pointers, value = "()";
        bool is_list = false;
        for (const NodeId child : children_of(tree_, id)) {
            if (tree_[child].kind == NodeKind::extent) return std::nullopt;
            if (tree_[child].kind == NodeKind::pointer) pointers += std::string(source::text_of(tree_, child)) + " ";
            if (tree_[child].kind != NodeKind::initialiser) continue;
            std::string_view words = source::text_of(tree_, child);
            if (words.starts_with('=')) {
                words.remove_prefix(1);
                while (!words.empty() && (words.front() == ' ' || words.front() == '\n')) words.remove_prefix(1);
                is_list = words.starts_with('{');
                value = is_list ? std::string(words) : "(" + std::string(words) + ")";
            } else {
                value = words;
            }
        }
        if (pointers.find('&') != std::string::npos) return std::nullopt;
        const NodeId first = source::child_of(tree_, node_, 1);
        std::string type = base_type(tree_[first].first) + " " + pointers;
        if (type.find("auto") != std::string::npos) type = "decltype" + value;
        return is_of_function ? of_function(std::string(node.word), type, value)
                              : of_file(std::string(node.word), type, value, calls);
    }

    // `using` names a type of several words.
    static std::string of_function(const std::string& name, const std::string& type, const std::string& value) {
        return fmt::format(
            "using __type_{0} = {1}; static __warpgrade::Later<__type_{0}> __later_{0}; static bool __is_made_{0}; "
            "if (!__is_made_{0}) {{ __is_made_{0} = true; new ((void*)&__later_{0}) __type_{0}{2}; "
            "__warpgrade::destroy_at_end((__type_{0}*)&__later_{0}); }} "
            "__type_{0}& {0} = reinterpret_cast<__type_{0}&>(__later_{0}.bytes);",
            name, type, value);
    }
    static std::string of_file(const std::string& name, const std::string& type, const std::string& value,
                               std::string& calls) {
        calls += fmt::format(" __make_{}();", name);
        return fmt::format(
            "using __type_{0} = {1}; static __warpgrade::Later<__type_{0}> __later_{0}; "
            "static __type_{0}& {0} = reinterpret_cast<__type_{0}&>(__later_{0}.bytes); "
            "static void __make_{0}() {{ new ((void*)&__later_{0}) __type_{0}{2}; "
            "__warpgrade::destroy_at_end((__type_{0}*)&__later_{0}); }}",
            name, type, value);
    }

    const source::Tree& tree_;
    NodeId node_;
};

bool has_name_on(const source::Tree& tree, NodeId declaration, const std::set<int>& lines) {
    for (const NodeId child : source::children_of(tree, declaration)) {
        if (tree[child].kind != NodeKind::declarator) continue;
        for (source::TokenId i = tree[child].first; i < tree[child].last; ++i)
            if (tree.tokens.code[i].text == tree[child].word) {
                if (lines.contains(tree.tokens.code[i].at.line)) return true;
                break;
            }
    }
    return false;
}

// The opening bracket of main's body.
const source::CodeToken* start_of_main(const source::Facts& facts) {
    for (const source::Function& function : facts.functions)
        if (function.name == "main" && !function.is_member && function.body != source::no_node)
            return &facts.tree->tokens.code[(*facts.tree)[function.body].first];
    return nullptr;
}

std::string changed(std::string_view source, std::vector<Change> changes) {
    std::ranges::sort(changes, [](const Change& a, const Change& b) { return a.at.offset > b.at.offset; });
    std::string text(source);
    for (const Change& change : changes) {
        const std::string_view before = source.substr(change.at.offset, change.at.length);
        const auto lines =
            std::count(before.begin(), before.end(), '\n') - std::count(change.text.begin(), change.text.end(), '\n');
        text.replace(change.at.offset, change.at.length,
                     change.text + std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(lines, 0)), '\n'));
    }
    return text;
}

}  // namespace

std::optional<std::string> with_late_values(std::string_view source, std::string_view log, std::string_view path) {
    const std::set<int> lines = lines_with_error(log, path, refused_value);
    if (lines.empty()) return std::nullopt;
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    std::vector<Change> changes;
    std::string calls;
    for (NodeId id = 0; id < tree.nodes.size(); ++id) {
        if (tree[id].kind != NodeKind::declaration || !has_name_on(tree, id, lines)) continue;
        const NodeId parent = tree[id].parent;
        const bool is_of_file = parent == tree.root;
        const bool is_of_function = parent != source::no_node && tree[parent].kind == NodeKind::block;
        if (!is_of_file && !is_of_function) return std::nullopt;
        auto text = LateDeclaration(tree, id).text(is_of_function, calls);
        if (!text) return std::nullopt;
        changes.push_back({source::range_of(tree, id), std::move(*text)});
    }
    if (changes.empty()) return std::nullopt;
    if (!calls.empty()) {
        const source::CodeToken* const start = start_of_main(facts);
        if (start == nullptr) return std::nullopt;
        changes.push_back({start->at, "{" + calls});
    }
    return changed(source, std::move(changes));
}

}  // namespace warpgrade
