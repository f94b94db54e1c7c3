#include "explain/access_place.hpp"

#include <algorithm>

#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

bool is_stored_to(const source::Access& access) {
    return access.kind != source::AccessKind::load && access.kind != source::AccessKind::address;
}
bool is_loaded_from(const source::Access& access) { return access.kind != source::AccessKind::store; }

AccessPlace place_of(const Tree& tree, const source::Access& access) {
    const source::Range at = range_of(tree, access.node);
    for (source::TokenId i = tree[access.node].first; i < tree[access.node].last; ++i)
        if (const source::CodeToken& token = tree.tokens.code[i]; token.text.data() == access.array.data())
            return {token.at.line == at.line ? token.at.column : 0, static_cast<int>(access.array.size())};
    return {};
}

// `atomicAdd` of a call.
AccessPlace atomic_call(const Facts& facts, int line) {
    for (const source::Call& call : facts.calls)
        if (call.line == line && call.name.starts_with("atomic"))
            return {range_of(*facts.tree, call.node).column, static_cast<int>(call.name.size())};
    return {};
}

bool has_plain_name(const Facts& facts, int line, std::string_view name) {
    const Tree& tree = *facts.tree;
    return std::ranges::any_of(tree.nodes, [&](const source::Node& node) {
        return node.kind == NodeKind::name && node.word == name && tree.tokens.code[node.first].at.line == line &&
               tree[node.parent].kind != NodeKind::subscript;
    });
}

}  // namespace

std::set<std::string_view> shared_names(const Facts& facts) {
    std::set<std::string_view> names;
    for (const source::SharedArray& array : facts.shared_arrays)
        if (!array.extents.empty()) names.insert(array.name);
    return names;
}

AccessPlace access_place(const Facts& facts, int line, std::string_view name, vgpu::AccessKind access,
                         const std::set<std::string_view>& others) {
    const bool is_store = access == vgpu::AccessKind::write, is_load = access == vgpu::AccessKind::read;
    std::vector<const source::Access*> side, pure;  // what it may be, and of these what does nothing else
    for (const source::Access& one : facts.accesses_on(line)) {
        if ((one.array != name && others.contains(one.array)) || one.array.empty()) continue;
        if ((is_store && !is_stored_to(one)) || (is_load && !is_loaded_from(one))) continue;
        side.push_back(&one);
        if (is_load ? !is_stored_to(one) : !is_loaded_from(one)) pure.push_back(&one);
    }
    for (const auto* some : {&pure, &side})
        for (const source::Access* one : *some)
            if (one->array == name) return place_of(*facts.tree, *one);
    if (!name.empty() && has_plain_name(facts, line, name)) return {};
    if (!is_store && !is_load) return atomic_call(facts, line);
    const auto& rest = pure.empty() ? side : pure;
    const bool is_one = !rest.empty() && std::ranges::all_of(rest, [&](const source::Access* one) {
        return one->array == rest.front()->array;
    });
    return is_one ? place_of(*facts.tree, *rest.front()) : AccessPlace{};
}

const source::SharedArray* only_shared_array(const Facts& facts, std::string_view name) {
    const source::SharedArray* found = nullptr;
    for (const source::SharedArray& array : facts.shared_arrays) {
        if (array.name != name || array.extents.empty()) continue;
        if (found != nullptr) return nullptr;
        found = &array;
    }
    return found;
}

std::vector<std::int64_t> shared_extents(const Facts& facts, std::string_view name) {
    std::vector<std::int64_t> extents;
    if (const source::SharedArray* array = only_shared_array(facts, name))
        for (const auto& size : array->sizes) {
            if (!size || *size <= 0) return {};
            extents.push_back(*size);
        }
    return extents;
}

std::string_view stored_array(const Facts& facts, int line) {
    std::string_view array;
    for (const source::Access& access : facts.accesses_on(line)) {
        if (access.kind != source::AccessKind::store) continue;
        if (!array.empty() && array != access.array) return {};
        array = access.array;
    }
    return array;
}

}  // namespace warpgrade
