#include "problem/words.hpp"

#include <algorithm>
#include <map>

namespace warpgrade {

namespace {

std::vector<std::string> names(auto... words) { return {words...}; }

// What was not written, then where wrong values came from.
const auto of_moves = names(
    "input_changed", "stale", "nothing_written", "some_not_written", "last_line_missing", "last_partial_tile_missing",
    "last_line_or_tile_missing", "square_corner", "guard_rows_cols_swapped", "grid_rows_cols_swapped",
    "only_first_element", "only_first_block", "one_line_of_blocks", "only_a_corner", "part_of_each_tile",
    "rows_skipped", "start_missing", "overwritten_lines", "diagonals_only", "scattered", "uninitialized_shared",
    "not_a_number", "zeros", "constant", "digits_lost", "mixed_within_tile", "wrong_tile", "misplaced", "garbage");
const auto of_sums = names("input_changed", "nothing_written", "sums_not_combined", "odd_block", "rounded",
                           "inaccurate", "special_lost", "element_lost", "element_repeated", "wrong_sum");
const auto of_any = names("input_changed", "nothing_written", "tail_not_written", "some_not_written", "stale", "zeros",
                          "not_a_number", "constant", "input_left", "shifted", "last_wrong", "unknown");

std::string with_names(std::string text, const std::map<std::string, std::string>& names) {
    for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
        const std::size_t end = text.find('}', at);
        if (end == std::string::npos) break;
        const auto found = names.find(text.substr(at + 1, end - at - 1));
        if (found == names.end()) continue;
        text.replace(at, end + 1 - at, found->second);
        at += found->second.size() - 1;
    }
    return text;
}

}  // namespace

const std::vector<std::string>& known_mistakes(ReferenceForm form) {
    return form == ReferenceForm::moves ? of_moves : form == ReferenceForm::sum ? of_sums : of_any;
}

const std::vector<std::string>& named_in_words() {
    static const std::vector<std::string> names{"in", "out", "scratch", "high", "wide"};
    return names;
}

void put_words(const ProblemDescription& problem, Judgement& judgement) {
    if (judgement.is_right) return;
    std::map<std::string, std::string> names;
    names["in"] = problem.input().name;
    names["out"] = problem.output().name;
    for (const DescribedBuffer& buffer : problem.buffers)
        if (buffer.role == BufferRole::scratch) names.emplace("scratch", buffer.name);
    if (problem.input().extents.size() == 2) {
        names["high"] = problem.input().extents[0];
        names["wide"] = problem.input().extents[1];
    }
    const auto own =
        std::ranges::find_if(problem.words, [&](const DescribedWords& words) { return words.of == judgement.pattern; });
    if (own != problem.words.end()) {
        if (!own->name.empty()) judgement.pattern = own->name;
        if (!own->title.empty()) judgement.title = own->title;
        if (!own->help.empty()) judgement.help = own->help;
    }
    judgement.title = with_names(std::move(judgement.title), names);
    judgement.help = with_names(std::move(judgement.help), names);
    for (std::string& fact : judgement.facts) fact = with_names(std::move(fact), names);
}

}  // namespace warpgrade
