#include "run/index_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/text.hpp"
#include "course/source_outline.hpp"
#include "course/source_text.hpp"
#include "problem/expression.hpp"
#include "run/access_place.hpp"
#include "run/source_numbers.hpp"

namespace warpgrade {

namespace {

constexpr std::size_t longest = 300;  // of a line that a regular expression is given

// What stands behind `word =` on the line; nothing where it is not set there.
std::string_view set_to(std::string_view line, std::string_view word) {
    for (std::size_t from = 0; from < line.size();) {
        const int column = column_of(line.substr(from), word);
        if (column == 0) return {};
        from += static_cast<std::size_t>(column) - 1 + word.size();
        const std::string_view behind = trimmed(line.substr(from));
        if (behind.size() > 1 && behind[0] == '=' && behind[1] != '=') return trimmed(behind.substr(1));
    }
    return {};
}

}  // namespace

std::vector<std::vector<std::string_view>> accesses_of(std::string_view line, std::string_view name) {
    std::vector<std::vector<std::string_view>> all;
    while (const int column = column_of(line, name)) {
        line.remove_prefix(static_cast<std::size_t>(column) - 1 + name.size());
        std::vector<std::string_view> indices;
        for (std::string_view rest = trimmed(line); rest.starts_with("["); rest = trimmed(line)) {
            std::size_t end = 1;
            for (int open = 1; end < rest.size(); ++end) {
                open += (rest[end] == '[') - (rest[end] == ']');
                if (open == 0) break;
            }
            indices.push_back(trimmed(rest.substr(1, end - 1)));
            line = rest.substr(std::min(end + 1, rest.size()));
        }
        if (indices.empty()) break;  // no other place has one
        all.push_back(std::move(indices));
    }
    return all;
}

int line_that_sets(std::string_view source, int line, std::string_view word) {
    const Outline outline = outline_of(source);
    const FunctionText* function = outline.at(line);
    if (function == nullptr || !is_identifier(word)) return 0;
    const std::string code = without_comments(source);
    for (int above = line - 1; above >= function->line; --above)
        if (!set_to(line_of(code, above), word).empty()) return above;
    return 0;
}

std::vector<int> lines_of_index(std::string_view source, int line, std::string_view array) {
    const std::string code = without_comments(source);
    std::set<int> lines;
    for (const auto& indices : accesses_of(line_of(code, line), array))
        for (const std::string_view index : indices)
            for (const std::string& name : names_in(index))
                if (const int at = line_that_sets(source, line, name); at != 0) lines.insert(at);
    return {lines.begin(), lines.end()};
}

std::vector<int> lines_that_bring(std::string_view word, std::string_view source, int line, std::string_view array) {
    constexpr int deepest = 3;
    const std::string code = without_comments(source);
    std::set<int> lines;
    std::vector<std::pair<std::string, int>> names;  // to be found above a line
    for (const auto& indices : accesses_of(line_of(code, line), array))
        for (const std::string_view index : indices)
            for (const std::string& name : names_in(index)) names.emplace_back(name, line);
    for (int depth = 0; depth < deepest; ++depth) {
        std::vector<std::pair<std::string, int>> next;
        for (const auto& [name, below] : names) {
            const int at = line_that_sets(source, below, name);
            if (at == 0) continue;
            const std::string_view text = set_to(line_of(code, at), name);
            if (column_of(text, word) != 0)
                lines.insert(at);
            else
                for (const std::string& other : names_in(text.substr(0, text.find(';')))) next.emplace_back(other, at);
        }
        names = std::move(next);
    }
    return {lines.begin(), lines.end()};
}

std::vector<FloorDivision> floor_divisions(std::string_view source) {
    const Outline outline = outline_of(source);
    const auto text = [&](std::size_t i) {
        return i < outline.tokens.size() ? std::string_view(outline.tokens[i].text) : std::string_view();
    };
    std::vector<FloorDivision> all;
    for (const FunctionText& function : outline.functions) {
        if (function.side != Side::host) continue;
        // A number that it was given: rows, cols, n.
        std::set<std::string_view> parameters;
        for (std::size_t i = function.body_begin; i-- > 1 && text(i) != ";" && text(i) != "}";)
            if (outline.tokens[i].line < function.line)
                break;
            else if (is_identifier(text(i)) && outline.tokens[i - 1].is_word &&
                     (text(i + 1) == "," || text(i + 1) == ")"))
                parameters.insert(text(i));
        for (std::size_t i = function.body_begin; i + 2 < function.body_end; ++i) {
            if (text(i + 1) != "/" || !parameters.contains(text(i)) || !outline.tokens[i + 2].is_word) continue;
            static constexpr std::string_view before = "+-*/%.", behind = "+*%";
            if (i > 0 && text(i - 1).size() == 1 && before.find(text(i - 1)) != before.npos) continue;
            if (text(i + 3).size() == 1 && behind.find(text(i + 3)) != behind.npos && text(i + 4) != "0") continue;
            all.push_back(
                {outline.tokens[i].line, outline.tokens[i].column, std::string(text(i)), std::string(text(i + 2))});
        }
    }
    return all;
}

std::string advice_on_floor(const std::vector<FloorDivision>& divisions) {
    const FloorDivision& first = divisions.front();
    std::string lines = fmt::format("line {} rounds", first.line);
    if (divisions.size() > 1) lines = fmt::format("lines {} and {} round", first.line, divisions[1].line);
    return fmt::format("{} down, and the last, partial tile has no block: write ({} - 1) / {} + 1", lines, first.left,
                       first.right);
}

SourceMark mark_of_division(const FloorDivision& division, const std::string& path) {
    return {path, division.line, division.column, static_cast<int>(division.left.size()), "rounds down"};
}

LoopText loop_that_takes_bound_in(std::string_view source, int line, std::string_view array) {
    static const std::regex condition(R"re(;\s*(\w+)\s*<=)re");
    const std::string code = without_comments(source);
    const auto subscripts = subscripts_of(line_of(code, line), array);
    for (const LoopText& loop : loops_around(source, line)) {
        std::smatch match;
        if (loop.head.size() > longest || !std::regex_search(loop.head, match, condition)) continue;
        const std::string variable = match[1];
        if (std::any_of(subscripts.begin(), subscripts.end(),
                        [&](std::string_view subscript) { return column_of(subscript, variable) != 0; }))
            return loop;
    }
    return {};
}

std::string advice_on_modulus(std::string_view source, int line, std::string_view array) {
    const std::string code = without_comments(source);
    const auto extents = shared_extents(source, array);
    ExpressionScope scope;
    for (const auto& [name, number] : named_numbers(source)) scope.names.emplace(name, number.value);
    const auto accesses = accesses_of(line_of(code, line), array);
    if (extents.empty() || accesses.size() != 1 || accesses.front().size() != extents.size()) return {};
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::string_view index = accesses.front()[i];
        const int set = line_that_sets(source, line, index);
        const std::string text(set == 0 ? std::string_view() : set_to(line_of(code, set), index));
        static const std::regex modulus(R"re(^(\w+|\([^()]*\))\s*%\s*(\w+)\s*;)re");
        std::smatch match;
        if (text.size() > longest || !std::regex_search(text, match, modulus)) continue;
        const auto by = evaluate(match[2].str(), scope);
        if (!by.ok() || by.value <= extents[i]) continue;
        return fmt::format(
            "line {} lets `{}` go up to {}, and the {} of `{}` ends at {}: have two changed places, there or in the "
            "extents of `{}`?",
            set, index, by.value - 1,
            extents.size() == 1 ? "index"
            : i == 0            ? "first index"
                                : "second index",
            array, extents[i] - 1, array);
    }
    return {};
}

LeftOut variable_left_out(std::string_view source) {
    static const std::regex start(R"re(^[^;=]*?(\w+)\s*=)re");
    const std::string code = without_comments(source);
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    LeftOut found;
    for (int line = 1; line <= last; ++line) {
        const std::string_view text = line_of(code, line);
        const std::string_view array = stored_array(text);
        if (array.empty() || text.size() > longest) continue;
        const LoopText loop = loop_around(source, line);
        std::smatch match;
        if (loop.line == 0 || loop.head.size() > longest || !std::regex_search(loop.head, match, start)) continue;
        const std::string variable = match[1];
        // What is left of the = and what is right of it, with all indices.
        const auto has = [&](std::string_view name) {
            const auto accesses = accesses_of(text, name);
            return std::any_of(accesses.begin(), accesses.end(), [&](const auto& indices) {
                return std::any_of(indices.begin(), indices.end(),
                                   [&](std::string_view index) { return column_of(index, variable) != 0; });
            });
        };
        const std::vector<std::string> names = names_in(text);
        for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
            if (name == array || accesses_of(text, name).empty() || has(name) == has(array)) continue;
            if (found.line != 0) return {};
            found = {line, loop.line, has(name) ? std::string(array) : name, variable};
        }
    }
    return found;
}

int only_line_that_reads(std::string_view source, std::string_view array) {
    const std::string code = without_comments(source);
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    int found = 0;
    for (int line = 1; line <= last; ++line) {
        const std::string_view text = line_of(code, line);
        if (accesses_of(text, array).empty() || stored_array(text) == array) continue;
        if (found != 0) return 0;
        found = line;
    }
    return found;
}

std::string launch_argument(std::string_view source, int line, std::size_t n) {
    const std::string code = without_comments(source);
    const std::string_view text = line_of(code, line);
    const std::size_t open = text.find("<<<"), close = text.find(">>>");
    if (open == text.npos || close == text.npos || close < open) return {};
    int depth = 0;
    std::size_t number = 0, first = open + 3;
    for (std::size_t i = first; i <= close; ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if ((text[i] != ',' || depth != 0) && i != close) continue;
        if (number == n) return std::string(trimmed(text.substr(first, i - first)));
        ++number;
        first = i + 1;
    }
    return {};
}

}  // namespace warpgrade
