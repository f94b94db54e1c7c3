#include "run/source_numbers.hpp"

#include <algorithm>
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
    const auto lines = static_cast<int>(std::count(code.begin(), code.end(), '\n')) + 1;
    for (int line = 1; line <= lines; ++line) {
        const std::string text(line_of(code, line));
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

std::vector<std::int64_t> shared_extents(std::string_view source, std::string_view name) {
    const std::string code = without_comments(source);
    const std::regex declaration(R"re(__shared__[^;\n]*\b)re" + std::string(name) +
                                 R"re(\s*((?:\[[^\];\n]+\]\s*)+))re");
    const ExpressionScope scope = scope_of(named_numbers(source));
    std::vector<std::int64_t> extents;
    int found = 0;
    for (auto at = std::sregex_iterator(code.begin(), code.end(), declaration); at != std::sregex_iterator();
         ++at, ++found) {
        const std::string brackets = (*at)[1];
        for (std::size_t open = brackets.find('['); open != std::string::npos; open = brackets.find('[', open + 1)) {
            const auto value = evaluate(
                trimmed(std::string_view(brackets).substr(open + 1, brackets.find(']', open) - open - 1)), scope);
            if (!value.ok() || value.value <= 0) return {};
            extents.push_back(value.value);
        }
    }
    return found == 1 ? extents : std::vector<std::int64_t>{};
}

}  // namespace warpgrade
