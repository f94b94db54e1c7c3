#include "problem/count_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpgrade {

namespace {

constexpr std::uint64_t warp = 32;

using Counts = std::span<const std::uint32_t>;

bool is_uniform(Counts counts) {
    return std::ranges::all_of(counts, [&](std::uint32_t c) { return c == counts.front(); });
}

std::string times(std::uint32_t count) {
    if (count == 0) return "not at all";
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

// "2", "2 and 8", "2, 8 and 32"
std::string list(const std::vector<std::uint64_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
    return text;
}

// "lanes 0 to 15 count twice, lanes 16 to 31 not at all"
std::string members_in_words(Counts counts, const std::string& one) {
    std::string text;
    for (std::size_t first = 0; first < counts.size();) {
        std::size_t last = first;
        while (last + 1 < counts.size() && counts[last + 1] == counts[first]) ++last;
        text += first == 0 ? "" : ", ";
        text += first == last ? fmt::format("{} {}", one, first) : fmt::format("{}s {} to {}", one, first, last);
        if (counts[first] == 0) text += first == last ? " does not count" : " do not count";
        if (counts[first] != 0)
            text += fmt::format(" {}{}", first == last ? "counts " : "count ", times(counts[first]));
        first = last + 1;
    }
    return text;
}

std::size_t groups_of(Counts counts) {
    std::size_t groups = 1;
    for (std::size_t i = 1; i < counts.size(); ++i) groups += counts[i] != counts[i - 1];
    return groups;
}

// The first load is right, and the second one takes as many elements side by side, from another place on.
std::optional<CountPattern> second_load_elsewhere(Counts c, std::uint64_t threads) {
    std::vector<std::uint32_t> rest(c.begin(), c.end());
    for (std::uint64_t i = 0; i < threads; ++i)
        if (rest[i]-- == 0) return std::nullopt;
    const auto first = static_cast<std::uint64_t>(std::ranges::find(rest, 1u) - rest.begin());
    for (std::uint64_t i = 0; i < rest.size(); ++i)
        if (rest[i] != (i >= first && i < first + threads ? 1u : 0u)) return std::nullopt;
    if (first == 0 || first >= threads) return std::nullopt;
    const std::string apart =
        fmt::format("the two elements of a thread stand {} apart, as many as a block has threads", threads);
    if (first == 1)
        return CountPattern{"second_load_beside", "the second load of each thread takes its neighbour's first element",
                            "", apart, SumPart::second_load};
    return CountPattern{
        "second_load_near",
        fmt::format("the second load of each thread is {} elements after its first one, and not {}", first, threads),
        "", apart, SumPart::second_load};
}

// Where all threads' elements are at one distance: what happens to the first of each thread, the second, ...
std::optional<CountPattern> by_load(const BlockCounts& block) {
    const Counts c = block.counts;
    const std::uint64_t threads = block.threads, each = c.size() / threads;
    if (each < 2) return std::nullopt;
    std::vector<std::uint32_t> rows;
    for (std::uint64_t m = 0; m < each; ++m) {
        if (!is_uniform(c.subspan(m * threads, threads))) break;
        rows.push_back(c[m * threads]);
    }
    if (rows.size() == each) {
        CountPattern found{"loads_uneven", "", "", "", SumPart::loads};
        const std::string apart = fmt::format("in[i] and in[i + {}], each guarded by itself", threads);
        if (each == 2 && rows[0] == 1 && rows[1] == 0)
            found = {"second_load_missing", "the second element of each thread is missing", "",
                     "a thread has two elements: " + apart, SumPart::second_load};
        else if (each == 2 && rows[0] == 0 && rows[1] == 1)
            found = {"first_load_missing", "the first element of each thread is missing", "",
                     "a thread has two elements: " + apart, SumPart::loads};
        else if (each == 2 && rows[0] == 2 && rows[1] == 0)
            found = {"first_load_twice", "the first element of each thread is counted twice, the second not at all", "",
                     "a thread has two elements, and adds each of them once: " + apart, SumPart::second_load};
        else
            return std::nullopt;
        return found;
    }
    if (each == 2) return second_load_elsewhere(c, threads);
    return std::nullopt;
}

std::optional<CountPattern> single_element(const BlockCounts& block) {
    const Counts c = block.counts;
    if (c.size() < 2 || std::ranges::count_if(c, [](std::uint32_t n) { return n != 0; }) != 1) return std::nullopt;
    const auto at = static_cast<std::uint64_t>(std::ranges::find_if(c, [](auto n) { return n != 0; }) - c.begin());
    if (c[at] == 1 && at == 0)
        return CountPattern{"nothing_added", "nothing is added: the sum of a block is its first element",
                            fmt::format("of a block's {} elements only in[0] is counted", c.size()),
                            "do the steps that add run at all, and is their result the one that is stored?",
                            SumPart::tree};
    if (c[at] == 1)
        return CountPattern{"one_element",
                            fmt::format("of a block's {} elements only the one at {} is in its sum", c.size(), at), "",
                            "is there an = where += is meant? or is it another thread's sum that is stored in the end?",
                            SumPart::result};
    return std::nullopt;
}

// Every step of a tree over that many threads takes in the same element.
std::optional<CountPattern> same_partner(Counts row) {
    if (!std::has_single_bit(row.size()) || row.size() < 8 || row[0] != 1) return std::nullopt;
    const auto steps = static_cast<std::uint32_t>(std::bit_width(row.size()) - 1);
    std::size_t partner = 0;
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (row[i] == 0) continue;
        if (row[i] != steps || partner != 0) return std::nullopt;
        partner = i;
    }
    if (partner == 0) return std::nullopt;
    return CountPattern{
        "same_partner", fmt::format("each of the {} steps adds the same element again", steps),
        fmt::format("of {} elements it counts in[0] once, in[{}] {} times, and no other", row.size(), partner, steps),
        "the partner of a thread has to be another one in each step: where in its index is the step?", SumPart::tree};
}

// A step over 2^b elements that is left out loses those whose index has that bit.
std::optional<CountPattern> missing_steps(const BlockCounts& block) {
    const Counts row = block.counts.first(block.threads);
    if (!std::has_single_bit(row.size()) || row.size() < 4 || row[0] != 1) return std::nullopt;
    std::uint64_t lost = 0;
    for (std::uint64_t step = 1; step < row.size(); step *= 2)
        if (row[step] == 0) lost |= step;
    for (std::uint64_t i = 0; i < row.size(); ++i)
        if (row[i] != ((i & lost) == 0 ? 1u : 0u)) return std::nullopt;
    if (lost == 0) return std::nullopt;
    std::vector<std::uint64_t> steps;
    for (std::uint64_t step = 1; step < row.size(); step *= 2)
        if ((lost & step) != 0) steps.push_back(step);
    const std::uint64_t kept = block.counts.size() >> steps.size();
    const std::string fact =
        fmt::format("of a block's {} elements {} {} counted", block.counts.size(), kept, kept == 1 ? "is" : "are");
    const std::uint64_t between_warps = row.size() - warp;  // the bits from 32 up
    if (block.has_shuffles && row.size() > warp && lost == between_warps)
        return CountPattern{"first_warp_only", "only the sum of the block's first warp is in that of the block", fact,
                            "the sums of its warps have to meet: in shared memory, a barrier, and one warp adds them",
                            SumPart::tree};
    const bool is_shuffled = block.has_shuffles && steps.back() < warp;
    return CountPattern{
        "steps_missing",
        fmt::format("the step{} over {} {}{} {} missing in the sum of a {}", steps.size() == 1 ? "" : "s", list(steps),
                    is_shuffled ? "lane" : "element", steps.size() == 1 && steps.front() == 1 ? "" : "s",
                    steps.size() == 1 ? "is" : "are", is_shuffled ? "warp" : "block"),
        fact,
        is_shuffled ? "five steps, over 16, 8, 4, 2 and 1 lanes, each once: with which does it begin, and end?"
                    : fmt::format("each of 1, 2, 4 to {} has to be a step: where does the loop begin, how does it go "
                                  "on, and where does it end?",
                                  row.size() / 2),
        is_shuffled ? SumPart::shuffles : SumPart::tree,
        steps};
}

// One that is made twice doubles them.
std::optional<CountPattern> repeated_steps(const BlockCounts& block) {
    const Counts row = block.counts.first(block.threads);
    if (!std::has_single_bit(row.size()) || row.size() < 4) return std::nullopt;
    std::vector<std::uint64_t> steps;
    for (std::uint64_t step = 1; step < row.size(); step *= 2)
        if (row[step] == 2) steps.push_back(step);
    for (std::uint64_t i = 0; i < row.size(); ++i) {
        std::uint32_t due = 1;
        for (const std::uint64_t step : steps) due *= (i & step) != 0 ? 2 : 1;
        if (row[i] != due) return std::nullopt;
    }
    if (steps.empty()) return std::nullopt;
    const bool is_shuffled = block.has_shuffles && steps.back() < warp;
    return CountPattern{
        "steps_repeated",
        fmt::format("the step{} over {} {}{} {} made twice in the sum of a {}", steps.size() == 1 ? "" : "s",
                    list(steps), is_shuffled ? "lane" : "element", steps == std::vector<std::uint64_t>{1} ? "" : "s",
                    steps.size() == 1 ? "is" : "are", is_shuffled ? "warp" : "block"),
        "",
        "the elements that a loop adds and those that follow must not overlap: with which step does the loop end, and "
        "the "
        "other begin?",
        is_shuffled ? SumPart::shuffles : SumPart::tree,
        steps};
}

// Of 32 lanes one, or the half that the first step has not to bring.
std::optional<CountPattern> few_lanes(Counts lanes) {
    const auto some = std::ranges::count_if(lanes, [](std::uint32_t n) { return n != 0; });
    const auto at = std::ranges::find_if(lanes, [](std::uint32_t n) { return n != 0; }) - lanes.begin();
    if (some == 1 && lanes[static_cast<std::size_t>(at)] == warp)
        return CountPattern{"own_value_back",
                            fmt::format("the sum of a warp is {} times the value of lane {}", warp, at), "",
                            "a lane that has no partner gets its own value back in each step: __shfl_down_sync ends "
                            "with the sum in lane 0, __shfl_up_sync in lane 31",
                            SumPart::shuffles};
    if (some == 1 && lanes[static_cast<std::size_t>(at)] == 1)
        return CountPattern{"one_lane", fmt::format("the sum of a warp is the value of lane {} alone", at), "",
                            "does each step add what the shuffle brings to what the lane has?", SumPart::shuffles};
    if (lanes[0] == 2 && lanes[warp / 2] == 0 && is_uniform(lanes.first(warp / 2)) && is_uniform(lanes.last(warp / 2)))
        return CountPattern{"halves_apart", "in the sum of a warp " + members_in_words(lanes, "lane"), "",
                            "one step brings a lane its own value again, and none what is 16 lanes further on: with "
                            "which distance does it begin?",
                            SumPart::shuffles};
    return std::nullopt;
}

// Threads without an element bring the last one again: i < n ? i : n - 1.
std::optional<CountPattern> last_repeated(const ShapeCounts& shape) {
    const Counts c = shape.counts;
    const std::uint64_t threads = shape.threads * shape.blocks;
    if (shape.blocks != 1 || c.size() >= threads || c.back() != 1 + threads - c.size() ||
        !is_uniform(c.first(c.size() - 1)) || c.front() != 1)
        return std::nullopt;
    return CountPattern{
        "last_repeated",
        fmt::format("the last element is counted {}: each thread without an element adds it again", times(c.back())),
        "", "let threads past the end bring 0, and no element: i < n ? in[i] : 0", SumPart::loads};
}

// Each block begins where it should, and goes on to the end of the input.
std::optional<CountPattern> blocks_go_on(const ShapeCounts& shape) {
    if (shape.counts.size() <= 2 * shape.threads) return std::nullopt;
    for (std::uint64_t i = 0; i < shape.counts.size(); ++i)
        if (shape.counts[i] != i / shape.threads + 1) return std::nullopt;
    return CountPattern{
        "blocks_go_on", fmt::format("the elements of block b, {} each, are counted b + 1 times", shape.threads), "",
        "each block continues through the elements of the blocks after it: a loop over the whole input steps "
        "by all threads of the grid, gridDim.x * blockDim.x",
        SumPart::loads};
}

// Two loads behind one test, that of the second.
std::optional<CountPattern> pair_dropped(const ShapeCounts& shape) {
    const Counts c = shape.counts;
    if (c.size() <= shape.threads + 1 || c.size() >= 2 * shape.threads) return std::nullopt;
    for (std::uint64_t i = 0; i < c.size(); ++i)
        if (c[i] != (i >= shape.threads || i + shape.threads < c.size() ? 1u : 0u)) return std::nullopt;
    return CountPattern{"pair_dropped",
                        fmt::format("an element is left out where the one {} after it is past the end", shape.threads),
                        "",
                        fmt::format("each of the two loads has a test of its own: i < n for in[i], and i + {0} < n for "
                                    "in[i + {0}] alone",
                                    shape.threads),
                        SumPart::second_load};
}

}  // namespace

std::optional<CountPattern> pattern_of_shape(const ShapeCounts& shape) {
    if (shape.counts.size() < 2 || shape.threads == 0) return std::nullopt;
    for (const auto pattern : {&last_repeated, &blocks_go_on, &pair_dropped})
        if (auto found = pattern(shape)) return found;
    return std::nullopt;
}

std::string counts_as_title(std::span<const std::uint32_t> counts) {
    const auto none = static_cast<std::size_t>(std::ranges::count(counts, 0u));
    const auto once = static_cast<std::size_t>(std::ranges::count(counts, 1u));
    const std::size_t all = counts.size(), more = all - none - once;
    if (none == all) return {};
    if (none != 0 && more == 0) {
        const auto first = static_cast<std::size_t>(std::ranges::find(counts, 0u) - counts.begin());
        return first == once
                   ? fmt::format("only the first {} of {} elements {} counted", once, all, once == 1 ? "is" : "are")
                   : fmt::format("{} of {} elements are left out", none, all);
    }
    if (none == 0)
        return more == all ? "every element is counted more than once"
                           : fmt::format("{} of {} elements are counted more than once", more, all);
    return "some elements are counted more than once, and others not at all";
}

std::string counts_in_words(std::span<const std::uint32_t> counts, const std::string& before,
                            const std::string& after) {
    constexpr int most_groups = 5;
    std::string text;
    int groups = 0;
    const auto named = [&](std::size_t i) { return before + std::to_string(i) + after; };
    for (std::size_t first = 0; first < counts.size(); ++groups) {
        std::size_t last = first;
        while (last + 1 < counts.size() && counts[last + 1] == counts[first]) ++last;
        if (groups == most_groups) return text + ", and so on";
        text += first == 0 ? "" : ", ";
        text += first == last ? fmt::format("{} {}", named(first), times(counts[first]))
                              : fmt::format("{} to {} {}", named(first), named(last), times(counts[first]));
        first = last + 1;
    }
    return text;
}

std::optional<CountPattern> pattern_of_counts(const BlockCounts& block) {
    const Counts c = block.counts;
    if (c.empty() || block.threads == 0 || c.size() % block.threads != 0) return std::nullopt;
    if (is_uniform(c)) {
        if (c.front() < 2) return std::nullopt;
        const std::string help =
            c.front() == block.threads ? "as often as a block has threads: let one of them add the block's sum"
            : c.front() == warp        ? "as often as a warp has lanes: let one of them add the warp's sum"
            : block.has_shuffles
                ? "are two threads adding the same pair? a step over 32 lanes brings each its own value"
                : "are two threads adding the same pair, or does more than one add the block's sum?";
        return CountPattern{"multiplied", fmt::format("every element is counted {}", times(c.front())), "", help,
                            SumPart::atomics};
    }
    if (auto found = by_load(block)) return found;
    if (auto found = single_element(block)) return found;
    const Counts row = c.first(block.threads);
    for (std::uint64_t m = 1; m < c.size() / block.threads; ++m)
        if (!std::ranges::equal(row, c.subspan(m * block.threads, block.threads))) return std::nullopt;
    if (auto found = same_partner(row)) return found;
    if (auto found = missing_steps(block)) return found;
    if (auto found = repeated_steps(block)) return found;
    const auto all = [&](auto&& expected) {
        for (std::uint64_t i = 0; i < row.size(); ++i)
            if (row[i] != expected(i)) return false;
        return true;
    };
    if (row.size() > 2 && std::has_single_bit(row.size()) &&
        all([](std::uint64_t i) { return static_cast<std::uint32_t>(std::popcount(i) + 1); }))
        return CountPattern{"all_partials", "the partial sums of all threads are added, not only the last one", "",
                            "one thread has the sum of the block: let it alone add it", SumPart::atomics};
    if (row.size() > 2 && all([](std::uint64_t i) { return static_cast<std::uint32_t>(i + 1); }))
        return CountPattern{"blocks_one_apart", "each block begins one element after the one before",
                            "in[0] is counted once, in[1] twice, in[2] 3 times, and so on",
                            "block b begins at element b times the threads of a block: blockIdx.x * blockDim.x",
                            SumPart::loads};
    if (row.size() % warp != 0) return std::nullopt;
    constexpr std::size_t most_groups = 4;
    const bool is_by_lane = all([&](std::uint64_t i) { return row[i % warp]; });
    if (is_by_lane && block.has_shuffles)
        if (auto found = few_lanes(row.first(warp))) return found;
    if (is_by_lane && groups_of(row.first(warp)) <= most_groups)
        return CountPattern{"lanes_uneven", "in the sum of a warp " + members_in_words(row.first(warp), "lane"), "",
                            block.has_shuffles
                                ? "five steps, over 16, 8, 4, 2 and 1 lanes, each once: which of them goes elsewhere?"
                                : "follow the elements of one warp through the steps",
                            block.has_shuffles ? SumPart::shuffles : SumPart::tree};
    std::vector<std::uint32_t> warps;
    for (std::uint64_t w = 0; w < row.size(); w += warp) {
        if (!is_uniform(row.subspan(w, warp))) return std::nullopt;
        warps.push_back(row[w]);
    }
    if (groups_of(warps) > most_groups) return std::nullopt;
    return CountPattern{"warps_uneven", "in the sum of a block " + members_in_words(warps, "warp"), "",
                        "each warp's sum has a place of its own, and each place is added once", SumPart::tree};
}

}  // namespace warpgrade
