#include "explain/row_length.hpp"

#include "explain/index_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

// What the row is multiplied by in `row * cols + column`, or `cols * row + column`: is it this name, and no other?
bool goes_on_by(const Tree& tree, NodeId index, std::string_view name, std::string_view other) {
    bool has_name = false, has_other = false, is_sum = false;
    for (const NodeId part : nodes_in(tree, index)) {
        if (tree[part].kind != NodeKind::binary) continue;
        is_sum = is_sum || tree[part].word == "+";
        for (const NodeId factor : {tree[part].child, child_of(tree, part, 1)}) {
            const std::string_view word = tree[part].word == "*" ? plain_name(tree, factor) : "";
            has_name = has_name || word == name;
            has_other = has_other || word == other;
        }
    }
    return is_sum && has_name && !has_other;
}

}  // namespace

std::string advice_on_row_length(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    if (layout == nullptr || layout->extent_names.size() != 2 || layout->extents.size() != 2) return {};
    const std::string &high = layout->extent_names[0], &wide = layout->extent_names[1];
    if (layout->extents[0] == layout->extents[1]) return {};
    const int line = scene.finding.place.line;
    const Facts& facts = scene.facts;
    const auto told = [&](int at) { return say("row_elements_line_adds", layout->name, wide, at, high, wide); };
    // height = gridDim.y * TILE
    for (const source::Access* access : accesses_to(facts, line, name_in_line(scene))) {
        const auto flat = access->indices.size() == 1 ? flat_index(*facts.tree, access->indices[0]) : std::nullopt;
        const std::string_view pitch = flat ? plain_name(*facts.tree, flat->length) : "";
        const source::Definition* const set = set_before(facts, pitch, line);
        if (set != nullptr && mentions(*facts.tree, set->value, "gridDim"))
            return say("line_makes_blocks_together", set->at.line, pitch, layout->name, wide);
    }
    for (const source::Access* access : accesses_to(facts, line, layout->name))
        for (const NodeId index : access->indices) {
            if (goes_on_by(*facts.tree, index, high, wide)) return told(line);
            for (const std::string_view name : names_in(*facts.tree, index))
                if (const source::Definition* set = set_before(facts, name, line);
                    set != nullptr && goes_on_by(*facts.tree, set->value, high, wide))
                    return told(set->at.line);
        }
    return {};
}

}  // namespace warpgrade
