#include "compile/static_locals.hpp"

#include <algorithm>
#include <charconv>

#include "source/facts.hpp"

namespace warpgrade {
namespace {

constexpr std::string_view refusal = "): error: dynamic initialization is not supported for a function-scope static";

// The word `static` of a declaration in a function of the host whose values no parameter is in.
std::optional<source::Range> static_to_remove(const source::Facts& facts, int line) {
    const source::Function* const function = facts.function_at(line);
    if (!function || function->side != source::Side::host) return {};
    const source::NodeId node = facts.statement_line[static_cast<std::size_t>(line)];
    const source::Tree& tree = *facts.tree;
    if (tree[node].kind != source::NodeKind::declaration) return {};
    std::optional<source::Range> found;
    for (source::TokenId i = tree[node].first; i < tree[node].last; ++i) {
        const source::CodeToken& token = tree.tokens.code[i];
        if (token.text == "static") found = token.at;
        if (std::ranges::any_of(function->parameters,
                                [&](const source::Parameter& parameter) { return parameter.name == token.text; }))
            return {};
    }
    return found;
}

}  // namespace

std::set<int> lines_with_error(std::string_view log, std::string_view path, std::string_view error) {
    std::set<int> lines;
    for (std::size_t at = log.find(error); at != log.npos; at = log.find(error, at + 1)) {
        const std::size_t open = log.rfind('(', at);
        if (open == log.npos || open < path.size() || log.substr(open - path.size(), path.size()) != path) continue;
        int line = 0;
        std::from_chars(log.data() + open + 1, log.data() + at, line);
        if (line > 0) lines.insert(line);
    }
    return lines;
}

std::optional<std::string> without_static_locals(std::string_view source, std::string_view log, std::string_view path) {
    const std::set<int> lines = lines_with_error(log, path, refusal);
    if (lines.empty()) return std::nullopt;
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    std::string text(source);
    for (const int line : lines) {
        if (line > tree.tokens.line_count) return std::nullopt;
        const auto word = static_to_remove(facts, line);
        if (!word) return std::nullopt;
        text.replace(word->offset, word->length, word->length, ' ');
    }
    return text;
}

}  // namespace warpgrade
