#include "host/checked_indices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "source/facts.hpp"

namespace warpgrade::host {

namespace {

// An array without pointers or brackets in its declarator, and whose values the compiler need not know.
bool is_plain_array(const source::Tree& tree, const source::Definition& declared) {
    if (declared.kind != source::DefinitionKind::declared || declared.around.function < 0) return false;
    const auto children = source::children_of(tree, declared.node);
    const bool has_extent = std::ranges::any_of(
        children, [&](source::NodeId child) { return tree[child].kind == source::NodeKind::extent; });
    const std::string_view statement = source::text_of(tree, tree[declared.node].parent);
    const std::string_view head = statement.substr(0, statement.find('['));
    return has_extent && head.find('(') == head.npos && head.find("constexpr") == head.npos &&
           head.find("__shared__") == head.npos;
}

bool is_checked(const source::Facts& facts, const source::Access& access) {
    if (access.array.empty() || access.indices.empty() || access.is_dereference || access.around.function < 0 ||
        access.kind == source::AccessKind::address || access.kind == source::AccessKind::atomic)
        return false;
    const source::Tree& tree = *facts.tree;
    const source::Function& function = facts.functions[static_cast<std::size_t>(access.around.function)];
    if (function.is_on_device() || function.is_constexpr || tree[access.node].last > tree.tokens.file_end) return false;
    const source::Definition* const declared = facts.declaration_of(access.array, access.line);
    return declared != nullptr && declared->around.function == access.around.function &&
           is_plain_array(tree, *declared);
}

// The words `clock` of calls that are not in device code; in a macro they are taken for the host's.
std::vector<source::Range> clocks_of_host(const source::Facts& facts) {
    std::vector<source::Range> found;
    if (facts.function_named("clock") != nullptr) return found;
    const source::Tokens& tokens = facts.tree->tokens;
    const auto add = [&](source::TokenId i, source::TokenId last) {
        for (; i + 1 < last; ++i)
            if (tokens.code[i].text == "clock" && tokens.code[i + 1].text == "(")
                return found.push_back(tokens.code[i].at);
    };
    for (const source::Call& call : facts.calls) {
        const source::Node& node = (*facts.tree)[call.node];
        const int around = call.around.function;
        const bool is_on_device = around >= 0 && facts.functions[static_cast<std::size_t>(around)].is_on_device();
        if ((call.name == "clock" || call.name == "std::clock") && !call.is_member && !is_on_device)
            add(node.first, node.last);
    }
    for (const source::Macro& macro : tokens.macros) add(macro.first, macro.last);
    return found;
}

}  // namespace

int CheckedIndices::column_before(int line, int column) const {
    int inserted = 0;
    for (const Insertion& one : insertions) {
        if (one.line != line || one.column + inserted > column) continue;
        inserted += std::min(one.length, column - one.column - inserted);
    }
    return column - inserted;
}

std::string CheckedIndices::with_columns_before(const std::string& ptx, const std::string& path) const {
    if (insertions.empty()) return ptx;
    static const std::regex of_file("\\.file\\s+(\\d+)\\s+\"([^\"]*)\""),
        of_place(R"((\.loc\s+|inlined_at )(\d+) (\d+) (\d+))");
    std::string file;
    for (std::sregex_iterator found(ptx.begin(), ptx.end(), of_file), end; found != end; ++found)
        if ((*found)[2].str().ends_with(path)) file = (*found)[1];
    std::string changed;
    auto rest = ptx.cbegin();
    for (std::sregex_iterator found(ptx.begin(), ptx.end(), of_place), end; found != end; ++found) {
        const std::smatch& place = *found;
        if (place[2] != file) continue;
        changed.append(rest, place[4].first);
        changed += std::to_string(column_before(std::stoi(place[3]), std::stoi(place[4])));
        rest = place[4].second;
    }
    return changed.append(rest, ptx.cend());
}

CheckedIndices with_checked_indices(const std::string& text) {
    const source::Tree tree = source::parse(text);
    const source::Facts facts = source::facts_of(tree);
    struct Piece {
        source::Range at;
        std::string text;
    };
    std::map<std::size_t, Piece> pieces;  // by offset
    for (const source::Range& clock : clocks_of_host(facts)) pieces[clock.offset] = {clock, "__warpgrade_"};
    for (const source::Access& access : facts.accesses) {
        if (!is_checked(facts, access)) continue;
        const bool is_store = access.kind != source::AccessKind::load;
        for (std::size_t i = 0; i < access.indices.size(); ++i) {
            const source::Node& index = tree[access.indices[i]];
            const source::Range first = tree.tokens.code[index.first].at, last = tree.tokens.code[index.last - 1].at;
            source::Range behind = last;
            behind.offset = last.end();
            behind.column = last.column + static_cast<int>(last.length);
            pieces[first.offset] = {first, fmt::format("__warpgrade_inside<{}, decltype({})>(", i, access.array)};
            pieces[behind.offset] = {
                behind, fmt::format(", \"{}\", {}, {})", access.array,
                                    facts.declaration_of(access.array, access.line)->at.line, is_store ? 1 : 0)};
        }
    }
    CheckedIndices checked;
    std::size_t at = 0;
    for (const auto& [offset, piece] : pieces) {
        checked.text += text.substr(at, offset - at) + piece.text;
        at = offset;
        checked.insertions.push_back({piece.at.line, piece.at.column, static_cast<int>(piece.text.size())});
    }
    checked.text += text.substr(at);
    return checked;
}

}  // namespace warpgrade::host
