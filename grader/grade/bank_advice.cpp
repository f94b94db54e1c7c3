#include "grade/bank_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <string_view>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "problem/expression.hpp"
#include "run/source_numbers.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t bank_count = 32;

// The line where the file declares it as an array of 4-byte elements; 0: none.
int line_of_words(const std::string& code, const std::string& array) {
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    for (int line = 1; line <= last; ++line) {
        const std::string_view text = line_of(code, line);
        if (column_of(text, "__shared__") == 0 || column_of(text, array) == 0) continue;
        return column_of(text, "float") != 0 || column_of(text, "int") != 0 ? line : 0;
    }
    return 0;
}

// L of `tile[r * L + c]`, where it is a number by the names of the file; 0: it is not.
std::int64_t length_in_index(const std::string& source, std::string_view line, const std::string& array) {
    static const std::regex product(R"re(\*\s*(\w+|\([^()]*\))\s*\+)re");
    ExpressionScope scope;
    for (const auto& [name, number] : named_numbers(source)) scope.names.emplace(name, number.value);
    for (const std::string_view subscript : subscripts_of(line, array)) {
        const std::string text(subscript);
        std::smatch match;
        if (text.size() > 200 || !std::regex_search(text, match, product)) continue;
        const auto value = evaluate(match[1].str(), scope);
        if (value.ok()) return value.value;
    }
    return 0;
}

}  // namespace

std::string advice_on_banks(const std::string& source, const SourceMark& mark, double by, const LaunchInfo& launch) {
    const std::string code = without_comments(source);
    const std::string_view line = line_of(code, mark.line);
    if (mark.column < 1 || static_cast<std::size_t>(mark.column) > line.size()) return {};
    const std::string array(
        line.substr(static_cast<std::size_t>(mark.column) - 1, static_cast<std::size_t>(mark.length)));
    const auto extents = shared_extents(source, array);
    const int declared = line_of_words(code, array);
    if (extents.empty() || extents.size() > 2 || declared == 0) return {};
    if (launch.block.x == bank_count / 2 && by == 2)
        return fmt::format("a warp of a block that is {} wide has two rows of the tile: make block and tile {} wide",
                           launch.block.x, bank_count);
    const std::int64_t length = extents.size() == 2 ? extents[1] : length_in_index(source, line, array);
    if (length <= 0 || launch.block.x % bank_count != 0 || by != static_cast<double>(std::gcd(length, bank_count)))
        return {};
    const std::string why = length % bank_count == 0
                                ? fmt::format("{} apart, so that a column lies in one of the 32 banks", length)
                                : fmt::format("{} apart, an even number, so that a column lies in {} of the 32 banks",
                                              length, bank_count / std::gcd(length, bank_count));
    const std::int64_t better = length % bank_count == 0 ? length + 1 : length - 1;
    if (extents.size() == 1)
        return fmt::format("rows of `{}` are {}: write {} in its index, on every line that uses it{}", array, why,
                           better,
                           extents[0] % better == 0 ? fmt::format("; its {} elements are room enough", extents[0])
                                                    : ", and give it room for that");
    // A padding of more than one, or one that went to the rows.
    const std::int64_t least = length > bank_count && length % bank_count == 0 ? bank_count + 1 : better;
    const std::string first =
        extents[0] == bank_count + 1 && length == bank_count ? "; one more in the first extent is one more row" : "";
    return fmt::format("rows of `{}` are {}: make its second extent, line {}, {}{}{}", array, why, declared, better,
                       least != better && launch.block.x == bank_count
                           ? fmt::format(", or {} where {} columns are enough", least, bank_count)
                           : "",
                       first);
}

}  // namespace warpgrade
