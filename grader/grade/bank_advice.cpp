#include "grade/bank_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/say.hpp"
#include "grade/tried_pitch.hpp"
#include "source/numbers.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

// The line where it is declared as an array of 4-byte elements; 0: none.
int line_of_words(const source::Facts& facts, const std::string& name) {
    const source::SharedArray* const array = only_shared_array(facts, name);
    return array && (column_of(array->type, "float") != 0 || column_of(array->type, "int") != 0) ? array->line : 0;
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
std::int64_t elements_at_once(const source::Facts& facts, const std::string& array) {
    static constexpr std::string_view of_four[]{"float4", "int4",   "uint4",     "double2",
                                                "long2",  "ulong2", "longlong2", "ulonglong2"};
    static constexpr std::string_view of_two[]{"float2", "int2", "uint2", "double"};
    struct Line {
        bool names_array = false, declares_it = false;
        std::int64_t at_once = 1;
    };
    std::map<int, Line> lines;
    for (const source::CodeToken& token : facts.tree->tokens.code) {
        for (const std::string_view copy : {"cp.async", "cp_async", "memcpy_async", "bulk"})
            if (token.text.find(copy) != token.text.npos) return 4;  // in the text of an asm, too
        Line& line = lines[token.at.line];
        line.names_array = line.names_array || token.text == array;
        line.declares_it = line.declares_it || token.text == "__shared__";
        if (std::ranges::count(of_two, token.text) != 0) line.at_once = std::max<std::int64_t>(line.at_once, 2);
        if (std::ranges::count(of_four, token.text) != 0) line.at_once = 4;
    }
    std::int64_t most = 1;
    for (const auto& [number, line] : lines)
        if (line.names_array && !line.declares_it) most = std::max(most, line.at_once);
    return most;
}

// Of rows that must begin at multiples of several elements: none of these is in as many banks as single ones could be.
std::string advice_on_wide_rows(const std::string& array, int declared, std::int64_t length, std::int64_t at_once) {
    if (length % at_once != 0) return {};
    const std::string need = say("accesses_bytes_need_rows", 4 * at_once, array, 4 * at_once);
    if (std::gcd(length, bank_count) == at_once) return say("rows_bank_least_such", need, at_once);
    const std::string place =
        declared == 0 ? "the length of a row" : fmt::format("its second dimension (line {})", declared);
    return say("make_only_rows_lie", need, place, length + at_once, at_once);
}

}  // namespace

Advice advice_on_banks(const source::Facts& facts, int line, const std::string& array, double by,
                       const LaunchInfo& launch) {
    const auto extents = shared_extents(facts, array);
    const int declared = line_of_words(facts, array);
    if (extents.empty() || extents.size() > 2 || declared == 0) return {};
    if (launch.block.x == bank_count / 2 && by == 2) return say("warp_block_wide_two", launch.block.x, bank_count);
    const std::int64_t length = extents.size() == 2 ? extents[1] : length_in_index(facts, line, array);
    if (length <= 0 || launch.block.x % bank_count != 0 || by != static_cast<double>(std::gcd(length, bank_count)))
        return {};
    if (const std::int64_t at_once = elements_at_once(facts, array); at_once > 1)
        return {advice_on_wide_rows(array, extents.size() == 2 ? declared : 0, length, at_once), declared};
    const std::string why = length % bank_count == 0
                                ? say("apart_column_lies_banks", length)
                                : say("apart_even_number_column", length, bank_count / std::gcd(length, bank_count));
    const std::int64_t better = length + pitch_steps(length).front();
    if (extents.size() == 1)
        return say("rows_write_index_every", array, why, better,
                   extents[0] % better == 0 ? fmt::format("; its {} elements are room enough", extents[0])
                                            : ", and give it room for that");
    // A padding of more than one, or one that went to the rows.
    const std::int64_t least = length > bank_count && length % bank_count == 0 ? bank_count + 1 : better;
    const std::string first = extents[0] == bank_count + 1 && length == bank_count ? say("more_first_extent_more") : "";
    return {say("rows_make_second_extent", array, why, declared, better,
                least != better && launch.block.x == bank_count
                    ? fmt::format(", or {} where {} columns are enough", least, bank_count)
                    : "",
                first),
            declared};
}

}  // namespace warpgrade
