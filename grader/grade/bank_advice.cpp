#include "grade/bank_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <string_view>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "source/numbers.hpp"
#include "source/questions.hpp"

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
std::int64_t length_in_index(const source::Facts& facts, int line, const std::string& array) {
    for (const source::Access* access : accesses_to(facts, line, array))
        if (const auto flat = flat_index(*facts.tree, access->indices.front()))
            if (const auto length = number_of(*facts.tree, flat->length, facts.numbers)) return *length;
    return 0;
}

// As many elements as some access to the array takes at once: its rows must begin at multiples of so many. Copies by
// hardware know the array by its address alone.
std::int64_t elements_at_once(const std::string& source, const std::string& code, const std::string& array) {
    static const std::regex copies(R"re(\bcp[._]async|memcpy_async|bulk)re");
    static const std::regex four(R"re(\b(?:u?int|float)4\b|\b(?:double|u?longlong|u?long)2\b)re"),
        two(R"re(\b(?:u?int|float)2\b|\bdouble\b)re");
    if (std::regex_search(without_comments(source, Literals::kept), copies)) return 4;  // asm is a literal
    std::int64_t most = 1;
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    for (int number = 1; number <= last; ++number) {
        const std::string line(line_of(code, number).substr(0, 400));
        if (column_of(line, array) == 0 || line.find("__shared__") != line.npos) continue;
        if (std::regex_search(line, four)) return 4;
        if (std::regex_search(line, two)) most = 2;
    }
    return most;
}

// Of rows that must begin at multiples of several elements: none of these is in as many banks as single ones could be.
std::string advice_on_wide_rows(const std::string& array, int declared, std::int64_t length, std::int64_t at_once) {
    if (length % at_once != 0) return {};
    const std::string need = fmt::format("accesses of {} bytes need rows of `{}` that begin at multiples of {} bytes",
                                         4 * at_once, array, 4 * at_once);
    if (std::gcd(length, bank_count) == at_once)
        return fmt::format("{}: {} rows in a bank are the least that such rows can have", need, at_once);
    const std::string place =
        declared == 0 ? "the length of a row" : fmt::format("its second extent, line {},", declared);
    return fmt::format("{}: make {} {}, so that only {} rows lie in one bank", need, place, length + at_once, at_once);
}

}  // namespace

Advice advice_on_banks(const std::string& source, const SourceMark& mark, double by, const LaunchInfo& launch) {
    source::Reading reading;
    const source::Facts& facts = reading.of(source);
    const std::string code = without_comments(source);
    const std::string_view line = line_of(code, mark.line);
    if (mark.column < 1 || static_cast<std::size_t>(mark.column) > line.size()) return {};
    const std::string array(
        line.substr(static_cast<std::size_t>(mark.column) - 1, static_cast<std::size_t>(mark.length)));
    const auto extents = shared_extents(facts, array);
    const int declared = line_of_words(code, array);
    if (extents.empty() || extents.size() > 2 || declared == 0) return {};
    if (launch.block.x == bank_count / 2 && by == 2)
        return fmt::format("a warp of a block that is {} wide has two rows of the tile: make block and tile {} wide",
                           launch.block.x, bank_count);
    const std::int64_t length = extents.size() == 2 ? extents[1] : length_in_index(facts, mark.line, array);
    if (length <= 0 || launch.block.x % bank_count != 0 || by != static_cast<double>(std::gcd(length, bank_count)))
        return {};
    if (const std::int64_t at_once = elements_at_once(source, code, array); at_once > 1)
        return {advice_on_wide_rows(array, extents.size() == 2 ? declared : 0, length, at_once), declared};
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
    return {fmt::format("rows of `{}` are {}: make its second extent, line {}, {}{}{}", array, why, declared, better,
                        least != better && launch.block.x == bank_count
                            ? fmt::format(", or {} where {} columns are enough", least, bank_count)
                            : "",
                        first),
            declared};
}

}  // namespace warpgrade
