#include "explain/counted_lines.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "explain/access_place.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

// Accesses to shared arrays that store, by the assignment that each is the left side of.
std::vector<NodeId> assignments_to_shared(const Facts& facts) {
    std::vector<NodeId> all;
    const auto shared = shared_names(facts);
    for (const source::Access& access : facts.accesses) {
        const NodeId parent = facts.tree->nodes[access.node].parent;
        const source::Node& made = facts.tree->nodes[parent];
        if (shared.contains(access.array) && made.kind == NodeKind::assignment && made.child == access.node)
            all.push_back(parent);
    }
    return all;
}

}  // namespace

int first_line_like(const Facts& facts, std::string_view pattern) {
    const auto all = matches(*source::pattern_of(pattern), *facts.tree);
    return all.empty() ? 0 : all.front().at.line;
}

std::optional<std::pair<std::string, int>> brought_by_idle(const Facts& facts) {
    const Tree& tree = *facts.tree;
    for (const source::Match& match : matches(*source::pattern_of("$test ? $array[$index] : $brought"), tree)) {
        const std::string brought = in_one_line(tree, match.binding("brought")->first);
        const bool is_number = brought.find_first_not_of("-0123456789.f") == brought.npos;
        if (is_number && brought.find_first_of("123456789") != brought.npos) return std::pair{brought, match.at.line};
    }
    return std::nullopt;
}

bool adds_in_place(const Facts& facts) {
    const auto all = assignments_to_shared(facts);
    return std::ranges::any_of(all, [&](NodeId node) { return facts.tree->nodes[node].word == "+="; });
}

int line_of_same_twice(const Facts& facts) {
    for (const source::Match& match : matches(*source::pattern_of("$a + $a"), *facts.tree))
        if (!plain_name(*facts.tree, match.binding("a")->first).empty()) return match.at.line;
    return 0;
}

int line_of_product(const Facts& facts) {
    const Tree& tree = *facts.tree;
    for (const NodeId node : assignments_to_shared(facts)) {
        if (tree[node].word == "*=" || binary(tree, child_of(tree, node, 1), "*") != no_node)
            return line_of(tree, node);
    }
    return 0;
}

int line_with_most(const std::vector<vgpu::LineCounters>& by_line, std::uint64_t vgpu::Counters::*made_of) {
    int found = 0;
    std::uint64_t most = 0;
    for (const vgpu::LineCounters& line : by_line)
        if (line.counters.*made_of > most) {
            most = line.counters.*made_of;
            found = line.line;
        }
    return found;
}

namespace {

// Of the lines that load as often as any.
int last_line_of_loads(const vgpu::RunResult& result) {
    const int first = line_with_most(result.by_line, &vgpu::Counters::global_load_requests);
    std::uint64_t most = 0;
    for (const vgpu::LineCounters& line : result.by_line)
        if (line.line == first) most = line.counters.global_load_requests;
    int last = first;
    for (const vgpu::LineCounters& line : result.by_line)
        if (most != 0 && line.counters.global_load_requests == most) last = std::max(last, line.line);
    return last;
}

}  // namespace

int line_of_shuffles(const vgpu::RunResult& result, const Facts& facts) {
    constexpr int most_apart = 8;  // of one row of steps
    int found = 0, first = 0;
    for (const source::Call& call : facts.calls)
        if (call.name.starts_with("__shfl_")) {
            found = std::max(found, call.line);
            first = first == 0 ? call.line : std::min(first, call.line);
        }
    return found != 0 && found - first <= most_apart ? found
                                                     : line_with_most(result.by_line, &vgpu::Counters::shuffles);
}

int line_of_part(SumPart part, const vgpu::RunResult& result, const Facts& facts) {
    switch (part) {
        case SumPart::loads: return line_with_most(result.by_line, &vgpu::Counters::global_load_requests);
        case SumPart::second_load: return last_line_of_loads(result);
        case SumPart::atomics: return line_with_most(result.by_line, &vgpu::Counters::global_atomic_operations);
        case SumPart::tree:
            if (const int line = line_with_most(result.by_line, &vgpu::Counters::shared_load_requests); line != 0)
                return line;
            if (const int line = line_with_most(result.by_line, &vgpu::Counters::shared_store_requests); line != 0)
                return line;  // that nobody reads
            return line_with_most(result.by_line, &vgpu::Counters::global_atomic_operations);
        case SumPart::shuffles: return line_of_shuffles(result, facts);
        case SumPart::result: return line_with_most(result.by_line, &vgpu::Counters::global_store_requests);
        case SumPart::unknown: break;
    }
    return 0;
}

int line_of_todo(const Facts& facts) {
    const std::string& text = *facts.tree->tokens.text;
    for (const source::Token& token : facts.tree->tokens.all)
        if (token.kind == source::TokenKind::comment && token.at.column > 1 &&
            text.compare(token.at.offset, 7, "// TODO") == 0)
            return token.at.line;
    return 0;
}

std::string advice_on_shuffles(const Facts& facts) {
    const Tree& tree = *facts.tree;
    const auto shuffle = std::ranges::find_if(facts.calls, [&](const source::Call& call) {
        return call.name.starts_with("__shfl_") && call.arguments.size() >= 3 &&
               !plain_name(tree, call.arguments[1]).empty();
    });
    if (shuffle == facts.calls.end()) return "";
    const std::string_view value = plain_name(tree, shuffle->arguments[1]);
    const bool has_width = shuffle->arguments.size() > 3;
    const std::string width = has_width ? in_one_line(tree, shuffle->arguments[3]) : "";
    const bool is_distance = std::ranges::any_of(facts.loops, [&](const source::Loop& loop) {
        return loop.variable == value && tree[loop.node].kind == NodeKind::for_statement;
    });
    if (is_distance) return say("passed_here_value_second", value);
    if (shuffle->name == "__shfl_sync") return say("shfl_sync_brings_lanes_value");
    if (has_width && width != "32" && width != "warpSize" && width != "WARP")
        return say("fourth_argument_parts_warp", width);
    if (shuffle->name == "__shfl_up_sync") return say("shfl_up_sync_takes_lanes_before");
    return "";
}

}  // namespace warpgrade
