#include "problem/sum_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "problem/compared_output.hpp"
#include "problem/sum_suspects.hpp"

namespace warpgrade {

namespace {

Judgement wrong(SumMistake mistake, std::string fact) {
    Judgement judgement = wrong_output(std::move(mistake.pattern), std::move(mistake.title), std::move(mistake.help));
    const auto is_pattern = [&](std::string_view name) { return judgement.pattern == name; };
    judgement.is_recognised = !is_pattern("wrong_sum") && !is_pattern("odd_block") && !is_pattern("zero");
    judgement.is_cause = is_pattern("grid_too_small") || is_pattern("blocks_apart");
    judgement.effect = mistake.effect;
    judgement.facts.push_back(std::move(fact));
    if (!mistake.fact.empty()) judgement.facts.push_back(std::move(mistake.fact));
    judgement.first_wrong = 0;
    return judgement;
}

SumMistake wrong_sum(bool is_too_small, std::string fact, std::string help) {
    return {"wrong_sum",
            is_too_small ? "the sum is too small" : "the sum is too large",
            std::move(fact),
            std::move(help),
            {.is_too_small = is_too_small}};
}

// By which power of a block's threads, which an average in each launch leaves; 0: by none.
double divided_by(double expected, double found, std::uint64_t threads) {
    if (found == 0 || threads < 4) return 0;
    const double times = std::round(expected / found);
    if (std::fabs(expected / found - times) > 1e-5 * times) return 0;
    for (auto power = static_cast<double>(threads); power <= times; power *= static_cast<double>(threads))
        if (power == times) return times;
    return 0;
}

Judgement right() {
    Judgement judgement;
    judgement.is_right = true;
    return judgement;
}

Judgement judge_special(float found, const SumInput& input) {
    const bool is_nan = input.tier() == SumTier::not_a_number;
    if (is_nan ? std::isnan(found) : std::isinf(found) && found > 0) return right();
    const char* what = is_nan ? "NaN" : "infinity";
    return wrong(
        {"special_lost", fmt::format("{} in the input does not reach the sum", is_nan ? "a NaN" : "an infinity"), "",
         "an element is left out, or its value decides whether it is added"},
        fmt::format("{{out}}[0] is {:.9g}, but {{in}}[{}] is {}", found, input.needle(), what));
}

Judgement judge_needle(float found, const SumInput& input) {
    const double expected = input.sum();
    if (found == expected) return right();
    const std::string fact =
        fmt::format("{{out}}[0] is {:.9g}, expected {}: {{in}}[{}] is {}, every other element of the {} is 0", found,
                    expected, input.needle(), expected, input.n());
    if (found == 0)
        return wrong({"element_lost", fmt::format("element {} is not in the sum", input.needle()), "",
                      "which thread should load it, and what keeps it from doing so?"},
                     fact);
    const double times = found / expected;
    // More often than that no thread adds it: it is a sum with something else.
    if (times == std::floor(times) && times > 1 && times <= 65536)
        return wrong({"element_repeated", fmt::format("element {} is counted {} times", input.needle(), times), "",
                      "which threads load it? every element belongs to one"},
                     fact);
    return wrong({"wrong_sum", "the sum is wrong", "",
                  "something that is not in the input is added: is everything set before it is added to?"},
                 fact);
}

Judgement judge_accuracy(float found, const SumInput& input, const Case& prepared) {
    const double expected = input.sum();
    const double tolerance = sum_tolerance(input, prepared.observed);
    const double error = std::fabs(static_cast<double>(found) - expected);
    if (error <= tolerance) return right();  // false for NaN
    Judgement judgement = wrong(
        {"inaccurate", "the sum is further off than float additions in this order explain", "",
         "no order of float additions is so far off: are values rounded, cut or turned into another type on the way?"},
        fmt::format("{{out}}[0] is {:.9g}, the sum is {:.9g}", found, expected));
    judgement.facts.push_back(
        fmt::format("off by {:.3g}; at most {:.3g} is rounding, for the launches seen", error, tolerance));
    return judgement;
}

Judgement not_stored(DeviceProgram& program, const SumInput& input, const Case& prepared) {
    const bool has_scratch = prepared.buffers.size() > 2;
    if (input.n() > 0 && has_scratch && program.is_written(prepared.buffers[1], 0, sizeof(float)))
        return judgement_of(
            "not_written", "sums_not_combined", "{out}[0] was not written: the partial sums stay in `{scratch}`",
            "another launch has to add what the blocks left in `{scratch}`, until one sum is left for {out}[0]");
    return judgement_of("not_written", "nothing_written", "{out}[0] was not written",
                        input.n() == 0 ? "the sum of nothing is 0, and has to be stored too"
                                       : "is a kernel launched for this size, with at least one block, and does one "
                                         "of its threads store the sum to {out}[0]?");
}

// What is told without a search; nothing where it has to be searched for.
std::optional<SumMistake> told_by_value(float found, const SumInput& input, const SumInput* previous,
                                        std::uint64_t threads) {
    const double expected = input.sum();
    if (std::isinf(found))
        return SumMistake{"overflowed", "the sum is infinite", "",
                          "which type do values have on the way? what is larger than it holds becomes infinite: half "
                          "precision ends at 65504"};
    // What shared memory holds at first is -4.3e8, and no element is negative.
    if (std::isnan(found) || found < -1e8f)
        return SumMistake{
            "poison_included", "something that was not stored is in the sum",
            "`{out}`, `{scratch}` and shared memory hold anything at first",
            "store before adding: let threads past the end store 0, set what an atomic operation adds to, and add "
            "only the partial sums that were written"};
    if (previous && found == expected + previous->sum())
        return SumMistake{
            "not_reset", "the sum of the call before is still in it", "",
            "set what is added to at the start of every call: {out}[0], counters, `__device__` variables"};
    if (previous && found == previous->sum())
        return SumMistake{"stale", "{out}[0] holds the sum of the call before", "",
                          "every call has to do all of its work: nothing may be kept from the one before"};
    // The search keeps a sum for every prefix: half a gigabyte at 2^26.
    constexpr std::uint64_t most_searched = std::uint64_t{1} << 26;
    const char* const smaller = "check a smaller size first: there the mistake may be named";
    if (input.n() > most_searched) return SumMistake{"wrong_sum", "the sum is wrong", "", smaller};
    if (const double times = divided_by(expected, static_cast<double>(found), threads); times > 1)
        return SumMistake{
            "divided", fmt::format("the sum is divided by {:.0f}", times), "",
            "{out}[0] is the sum itself, not an average: what divides it, or makes it smaller, in each step?"};
    // Where most elements are 0, many parts of the input have one sum.
    if (input.sparse() != 0) return wrong_sum(found < expected, "", smaller);
    return std::nullopt;
}

// Of a sum that is no part's.
SumMistake unexplained(float found, const SumInput& input, bool is_second_call, std::uint64_t threads) {
    const double expected = input.sum(), off = static_cast<double>(found) - expected;
    if (input.has_fractions() && std::fabs(off) < 0.01 * expected)
        return {"rounded", "the sum is a little off, though no addition of these floats rounds", "",
                "are values rounded, cut or turned into another type on the way?"};
    const std::string fact = fmt::format("off by {:.9g}; elements are about {:.2g} on average", off,
                                         expected / static_cast<double>(std::max<std::uint64_t>(input.n(), 1)));
    if (!std::has_single_bit(threads) && off < 0)
        return {"odd_block",
                fmt::format("the sum is too small, and a block has {} threads, which is not a power of two", threads),
                fact,
                "a tree that halves or doubles its step pairs all elements only if their number is a power of two"};
    return wrong_sum(
        off < 0, fact,
        is_second_call
            ? "this is the second call on the same {scratch}: does it read partial sums that the first one left?"
            : "sum a shape of a few elements by hand, step by step");
}

}  // namespace

Judgement judge_sum(DeviceProgram& program, const Case& prepared, const SumInput& input, const SumInput* previous) {
    const int out = prepared.buffers.back();
    if (!program.is_written(out, 0, sizeof(float))) return not_stored(program, input, prepared);
    float found = 0;
    std::memcpy(&found, program.bytes(out).data(), sizeof found);
    switch (input.tier()) {
        case SumTier::not_a_number:
        case SumTier::infinity: return judge_special(found, input);
        case SumTier::needle: return judge_needle(found, input);
        case SumTier::accuracy: return judge_accuracy(found, input, prepared);
        case SumTier::exact: break;
    }
    if (found == input.sum()) return right();
    if (!prepared.is_told) return judgement_of("wrong_output", {}, {}, {});
    const std::string fact =
        fmt::format("{{out}}[0] is {:.9g}, expected {:.9g} ({}: any order gives exactly this)", found, input.sum(),
                    input.has_fractions() ? "fractions of few digits" : "whole numbers");
    const auto& launches = prepared.observed.launches;
    const std::uint64_t threads = launches.empty() ? 1 : launches.front().threads_per_block;
    auto mistake = told_by_value(found, input, previous, threads);
    if (!mistake) {
        std::span<const std::byte> scratch;
        if (prepared.buffers.size() > 2 && program.download(prepared.buffers[1]))
            scratch = program.bytes(prepared.buffers[1]);
        mistake = sum_of_a_part(static_cast<double>(found), input, prepared.observed, scratch);
    }
    return wrong(mistake ? std::move(*mistake) : unexplained(found, input, previous != nullptr, threads), fact);
}

}  // namespace warpgrade
