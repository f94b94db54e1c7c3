#include "problem/count_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "problem/effect_reader.hpp"

namespace warpgrade {

extern const char* const count_rules;  // that the build makes of counts.toml

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
        return CountPattern{"first_warp_only", "only the sum of the first warp is in the sum of the block", fact,
                            "the sums of its warps have to meet: in shared memory, a barrier, and one warp adds them",
                            SumPart::tree};
    const bool is_shuffled = block.has_shuffles && steps.back() < warp;
    return CountPattern{
        "steps_missing",
        fmt::format("the step{} over {} {}{} {} missing in the sum of a {}", steps.size() == 1 ? "" : "s", list(steps),
                    is_shuffled ? "lane" : "element", steps.size() == 1 && steps.front() == 1 ? "" : "s",
                    steps.size() == 1 ? "is" : "are", is_shuffled ? "warp" : "block"),
        fact,
        is_shuffled ? fmt::format("make five steps, over 16, 8, 4, 2 and 1 lanes, each once: {} {} missing",
                                  list(steps), steps.size() == 1 ? "is" : "are")
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

using Names = std::map<std::string, std::int64_t, std::less<>>;

EffectCase case_of(Counts counts, std::uint64_t threads, Names names) {
    EffectCase of;
    of.variables = {"i", "t"};
    of.scope.names = std::move(names);
    of.scope.names["n"] = static_cast<std::int64_t>(counts.size());
    of.scope.names["threads"] = static_cast<std::int64_t>(threads);
    const auto count = [counts](std::int64_t i) {
        return i < 0 || i >= static_cast<std::int64_t>(counts.size())
                   ? std::int64_t{-1}
                   : std::int64_t{counts[static_cast<std::size_t>(i)]};
    };
    of.scope.functions["count"] = {1, [count](std::span<const std::int64_t> n) { return count(n[0]); }};
    of.holds = [counts, threads](std::span<const std::vector<Formula>> holds, const std::vector<std::int64_t>& first) {
        std::vector<std::int64_t> values = first;
        values.resize(first.size() + 2);
        for (std::uint64_t i = 0; i < counts.size(); ++i) {
            values[first.size()] = static_cast<std::int64_t>(i);
            values[first.size() + 1] = static_cast<std::int64_t>(i % threads);
            if (holds.front().front().value(values).value != counts[i]) return false;
        }
        return true;
    };
    return of;
}

// By counts.toml.
std::optional<CountPattern> by_rule(Counts counts, std::uint64_t threads, Names names) {
    static const std::vector<EffectRule> rules = rules_inside(
        count_rules, "counts.toml", case_of({}, 1, {{"is_shape", 0}, {"is_alike", 0}, {"has_shuffles", 0}}));
    auto found = find_effect(rules, case_of(counts, threads, std::move(names)));
    if (!found) return std::nullopt;
    static const std::vector<std::string> parts{"", "loads", "second_load", "tree", "shuffles", "atomics", "result"};
    const auto part = std::ranges::find(parts, found->part) - parts.begin();
    return CountPattern{found->pattern, found->title, found->fact, found->help, static_cast<SumPart>(part)};
}

}  // namespace

std::optional<CountPattern> pattern_of_shape(const ShapeCounts& shape) {
    if (shape.counts.size() < 2 || shape.threads == 0) return std::nullopt;
    const Counts c = shape.counts;
    const std::uint64_t threads = shape.threads * shape.blocks;
    // Threads without an element, or without a second one, bring the last one again: i < n ? i : n - 1. Of two elements
    // many mistakes look like that.
    const bool is_of_idle = c.size() < threads && c.back() == 1 + threads - c.size();
    if (shape.blocks == 1 && (is_of_idle || (c.size() > 2 && c.back() > 1)) && c.front() == 1 &&
        is_uniform(c.first(c.size() - 1)))
        return CountPattern{"last_repeated",
                            fmt::format("the last element is counted {}{}", times(c.back()),
                                        is_of_idle ? ": each thread without an element adds it again"
                                                   : ", and every other element once"),
                            "", "a thread without an element should add 0: which element does it take here?",
                            SumPart::loads};
    return by_rule(c, shape.threads, {{"is_shape", 1}, {"is_alike", 0}, {"has_shuffles", 0}});
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
    const Counts row = c.first(block.threads);
    bool is_alike = true;
    for (std::uint64_t m = 1; m < c.size() / block.threads; ++m)
        is_alike = is_alike && std::ranges::equal(row, c.subspan(m * block.threads, block.threads));
    if (auto found =
            by_rule(c, block.threads, {{"is_shape", 0}, {"is_alike", is_alike}, {"has_shuffles", block.has_shuffles}}))
        return found;
    if (!is_alike) return std::nullopt;
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
    if (row.size() % warp != 0) return std::nullopt;
    constexpr std::size_t most_groups = 4;
    const bool is_by_lane = all([&](std::uint64_t i) { return row[i % warp]; });
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
                        "each warp's sum has an element of its own, and each element is added once", SumPart::tree};
}

}  // namespace warpgrade
