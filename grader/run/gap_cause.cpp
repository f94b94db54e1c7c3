#include "run/gap_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"

namespace warpgrade {

namespace {

// `x < cols - 1`, or a return for x >= cols - 1: "cols"; "" where it is neither.
std::string extent_cut_short(const GuardText& guard, const GuardPart& part) {
    static const std::regex less_one(R"re(^\s*(\w+)\s*-\s*1\s*$)re");
    std::smatch match;
    const char* cuts = guard.returns ? ">=" : "<";
    return part.sign == cuts && std::regex_match(part.right, match, less_one) ? match[1].str() : "";
}

// In `out[y * rows + x]` x runs along a row of `rows` elements.
struct Row {
    std::string index, length;
};
Row row_of_store(const std::string& code, int line) {
    static const std::regex sum(R"re(\*\s*(\w+)\s*\+\s*([A-Za-z_]\w*)\s*$)re");
    const std::string_view code_line = line_of(code, line);
    const auto subscripts = subscripts_of(code_line, stored_array(code_line));
    if (subscripts.size() != 1) return {};
    std::string text(subscripts.front());
    // const size_t index = y * rows + x; a few lines above.
    for (int above = line - 1; above > 0 && above > line - 5; --above) {
        if (text.empty() || !std::all_of(text.begin(), text.end(), is_word)) break;
        const std::string_view other = line_of(code, above);
        const int column = column_of(other, text);
        if (column == 0) continue;
        const std::string_view behind = trimmed(other.substr(static_cast<std::size_t>(column) - 1 + text.size()));
        if (behind.starts_with("=") && behind.ends_with(";"))
            text = trimmed(behind.substr(1, behind.size() - 2));
        else
            break;
    }
    std::smatch match;
    return text.size() < 200 && std::regex_search(text, match, sum) ? Row{match[2], match[1]} : Row{};
}

// What a thread that goes on is compared with.
std::string upper_bound(const GuardText& guard, const std::string& index) {
    for (const GuardPart& part : guard.parts)
        if (part.left == index && (guard.returns ? part.sign.front() == '>' : part.sign.front() == '<'))
            return part.right;
    return {};
}

// x > 0, x >= 1, or a return for x == 0 and the like: with a number on the right.
bool keeps_out_start(const GuardText& guard) {
    return std::any_of(guard.parts.begin(), guard.parts.end(), [&](const GuardPart& part) {
        const bool is_number = part.right.find_first_not_of("0123456789 ") == part.right.npos;
        return is_number && part.sign.front() == (guard.returns ? '<' : '>');
    });
}

// Of the lines that make the index, the first that ends in + 1.
int line_that_adds_one(const std::string& code, int line, std::string_view array) {
    static const std::regex one(R"re(\+\s*1\s*;)re");
    for (const int at : lines_of_index(code, line, array)) {
        const std::string text(line_of(code, at));
        if (text.size() < 200 && std::regex_search(text, one)) return at;
    }
    return 0;
}

// `word = ... threadIdx ...` on a line above.
bool line_of_index_in_threads(const std::string& code, int line, const std::string& word) {
    const int set = line_that_sets(code, line, word);
    return set != 0 && line_of(code, set).find("threadIdx") != std::string_view::npos;
}

}  // namespace

GapCause gap_cause(std::string_view pattern, std::string_view source, int line) {
    const std::string code = without_comments(source);
    const std::string_view store = line_of(code, line);
    const auto guards = guards_before(source, line, stored_array(store));
    if (line == 0 || guards.size() != 1) return {};
    const GuardText& guard = guards.front();
    GapCause cause;
    cause.line = guard.line;
    // if (x >= y): of two indices, and no extent.
    if (pattern == "some_not_written" || pattern == "scattered")
        for (const GuardPart& part : guard.parts) {
            const auto is_index = [&](const std::string& word) {
                for (const std::string_view subscript : subscripts_of(store, stored_array(store)))
                    if (column_of(subscript, word) != 0) return line_of_index_in_threads(code, line, word);
                return false;
            };
            if (!guard.returns && is_index(part.left) && is_index(part.right))
                cause.help = fmt::format(
                    "the test in line {} lets only those through for whom {} {} {}: each thread has one element here, "
                    "and "
                    "no other thread stores the rest",
                    guard.line, part.left, part.sign, part.right);
        }
    // if (i < rows) of the number of an element.
    if (pattern == "only_a_corner" || pattern == "one_line_of_blocks" || pattern == "line_cut_short")
        for (const GuardPart& part : guard.parts) {
            const int set = line_that_sets(source, line, part.left);
            const std::string_view text = set == 0 ? std::string_view() : line_of(code, set);
            const bool counts = text.find("blockIdx") != text.npos && text.find("threadIdx") != text.npos &&
                                code.find("threadIdx.y") == std::string::npos &&
                                code.find("blockIdx.y") == std::string::npos;
            const bool is_plain = std::all_of(part.right.begin(), part.right.end(), is_word);
            // A row and a column are made of it.
            const std::regex divided(R"re(\b)re" + part.left + R"re(\s*[/%])re");
            const bool is_number = !part.left.empty() && std::all_of(part.left.begin(), part.left.end(), is_word) &&
                                   std::regex_search(code, divided);
            if (counts && is_plain && is_number && !guard.returns && part.sign == "<")
                cause.help = fmt::format(
                    "`{}` is the number of an element, by line {}, and the test in line {} stops at `{}`: there are as "
                    "many "
                    "as rows times columns",
                    part.left, set, guard.line, part.right);
        }
    if (pattern == "start_missing") {
        const int late = keeps_out_start(guard) ? 0 : line_that_adds_one(code, line, stored_array(store));
        if (late != 0) {
            cause.line = late;
            cause.is_index = true;
            cause.help = fmt::format("rows and columns begin at 0: what is the + 1 in line {} for?", late);
        } else {
            cause.help = fmt::format(
                "rows and columns begin at 0, and those at the edge are elements like all others: whom does the test "
                "in line {} keep out?",
                guard.line);
        }
    }
    if (pattern == "last_line_missing" || pattern == "last_line_or_tile_missing")
        for (const GuardPart& part : guard.parts)
            if (const std::string extent = extent_cut_short(guard, part); !extent.empty()) {
                cause.is_test = true;
                cause.help = fmt::format(
                    "the last one inside is {0} - 1, and the test in line {1} lets {2} come to {0} - 2 only: write "
                    "{2} {3} {0}",
                    extent, guard.line, part.left, part.sign);
            }
    if (pattern == "last_line_missing" && !cause.is_test)
        cause.help = fmt::format(
            "look at the test in line {}: an index below its extent is inside, so `i < extent` is right and "
            "`i < extent - 1` leaves the last one out",
            guard.line);
    if (pattern != "square_corner" && pattern != "guard_rows_cols_swapped") return cause;
    const Row row = row_of_store(code, line);
    const std::string bound = row.index.empty() ? "" : upper_bound(guard, row.index);
    cause.is_launch = !bound.empty() && bound == row.length;
    cause.is_test = !bound.empty() && !cause.is_launch;
    if (cause.is_test)
        cause.help = fmt::format(
            "in the index `{0}` runs along a row of `{1}` elements, and the test in line {2} compares it with `{3}`: "
            "are the two extents taken for each other there?",
            row.index, row.length, guard.line, bound);
    return cause;
}

}  // namespace warpgrade
