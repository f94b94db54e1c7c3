#include "run/source_numbers.hpp"

#include <regex>
#include <utility>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "problem/expression.hpp"

namespace warpgrade {

namespace {

ExpressionScope scope_of(const std::map<std::string, SourceNumber, std::less<>>& numbers) {
    ExpressionScope scope;
    for (const auto& [name, number] : numbers) scope.names.emplace(name, number.value);
    return scope;
}

}  // namespace

std::map<std::string, SourceNumber, std::less<>> named_numbers(std::string_view source) {
    static const std::regex constant(
        R"re(^\s*(?:static\s+)?(?:constexpr|const)\s+(?:static\s+)?(?:unsigned\s+)?\w+\s+(\w+)\s*=\s*([^;]+);)re");
    static const std::regex macro(R"re(^\s*#\s*define\s+(\w+)\s+(\S.*)$)re");
    std::map<std::string, SourceNumber, std::less<>> numbers;
    const std::string code = without_comments(source);
    int line = 0;
    for (const std::string_view code_line : split(code, '\n')) {
        ++line;
        const std::string text(code_line);  // of 20000 characters at most: a regular expression needs stack for each
        std::smatch match;
        if (!std::regex_search(text, match, constant) && !std::regex_search(text, match, macro)) continue;
        const std::string right = match[2];
        const auto value = evaluate(trimmed(right), scope_of(numbers));
        if (!value.ok()) continue;
        SourceNumber number{value.value, line, {}};
        for (const auto& [name, known] : numbers)
            if (column_of(right, name) != 0) {
                number.names.insert(name);
                number.names.insert(known.names.begin(), known.names.end());
            }
        numbers.emplace(match[1], std::move(number));
    }
    return numbers;
}

SharedText shared_text(std::string_view source, std::string_view name) {
    constexpr std::string_view word = "__shared__";
    const std::string code = without_comments(source);
    SharedText found;
    for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + word.size())) {
        const std::string_view rest = std::string_view(code).substr(at, code.find_first_of(";\n", at) - at);
        const int column = column_of(rest, name);
        if (column == 0) continue;
        const std::string_view text = trimmed(rest.substr(static_cast<std::size_t>(column) - 1));
        if (!trimmed(text.substr(name.size())).starts_with("[")) continue;
        if (found.line != 0) return {};
        found = {line_at(code, at), std::string(text)};
    }
    return found;
}

std::vector<std::int64_t> shared_extents(std::string_view source, std::string_view name) {
    const ExpressionScope scope = scope_of(named_numbers(source));
    const SharedText found = shared_text(source, name);
    std::vector<std::int64_t> extents;
    if (found.line == 0) return extents;
    std::string_view rest = trimmed(std::string_view(found.text).substr(name.size()));
    for (; rest.starts_with("["); rest = trimmed(rest)) {
        const std::size_t close = rest.find(']');
        if (close == std::string_view::npos) return {};
        const auto value = evaluate(trimmed(rest.substr(1, close - 1)), scope);
        if (!value.ok() || value.value <= 0) return {};
        extents.push_back(value.value);
        rest.remove_prefix(close + 1);
    }
    return extents;
}

}  // namespace warpgrade
