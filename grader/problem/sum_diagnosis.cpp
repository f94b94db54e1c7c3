#include "problem/sum_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "problem/compared_output.hpp"
#include "problem/effects.hpp"
#include "problem/known_mistake.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

namespace {

Judgement wrong(FoundEffect found, std::string fact) {
    Judgement judgement = wrong_output(std::move(found.pattern), std::move(found.title), std::move(found.help));
    judgement.is_recognised = !found.is_general;
    judgement.is_cause = found.is_cause;
    judgement.effect = found.effect;
    judgement.place = found.place;
    judgement.facts.push_back(std::move(fact));
    if (!found.fact.empty()) judgement.facts.push_back(std::move(found.fact));
    judgement.first_wrong = 0;
    return judgement;
}

// Sums and parts of sums as whole numbers of 2^-16, which exact contents are multiples of; -1: it is no such number.
std::int64_t in_units(double sum) {
    const double units = sum * 65536;
    return units == std::floor(units) && units >= 0 && units < 0x1p61 ? static_cast<std::int64_t>(units) : -1;
}

// What the rules of a sum are asked of: which part of its elements is the sum of?
class SumScope {
public:
    SumScope(float found, const SumInput& input, const SumInput* previous, const ObservedRun& run,
             std::span<const std::byte> scratch)
        : input_(input), scratch_(scratch) {
        const double total = input.sum(), sum = static_cast<double>(found);
        if (!run.launches.empty()) {
            threads_ = run.launches.front().threads_per_block;
            blocks_ = run.launches.front().blocks;
        }
        const double times = total > 0 ? sum / total : 0, divisor = sum != 0 ? std::round(total / sum) : 0;
        const bool is_divided = std::fabs(total / sum - divisor) <= 1e-5 * divisor && divisor < 0x1p61;
        auto& names = of.scope.names;
        names = {{"n", number(input.n())},
                 {"threads", number(threads_)},
                 {"blocks", number(blocks_)},
                 {"launches", static_cast<std::int64_t>(run.launches.size())},
                 {"found", in_units(sum) < 0 ? -2 : in_units(sum)},  // no part has it
                 {"total", in_units(total)},
                 {"times", times == std::floor(times) && times < 0x1p61 ? static_cast<std::int64_t>(times) : 0},
                 {"divisor", is_divided ? static_cast<std::int64_t>(divisor) : 0},
                 {"sparse", number(input.sparse())},
                 {"before", previous ? in_units(previous->sum()) : -1},
                 {"is_second_call", previous ? 1 : 0},
                 {"is_too_small", sum < total ? 1 : 0},
                 {"is_infinite", std::isinf(found) ? 1 : 0},
                 // What shared memory holds at first is -4.3e8, and no element is negative.
                 {"is_garbage", std::isnan(found) || found < -1e8f ? 1 : 0}};
        using Numbers = std::span<const std::int64_t>;
        of.scope.functions = {
            {"sum", {2, [this](Numbers n) { return in_units(between(n[0], n[1])); }}},
            {"every", {4, [this](Numbers n) { return in_units(every(n[0], n[1], n[2], n[3])); }}},
            {"left", {1, [this](Numbers n) { return in_units(left(n[0], n[0] + 1)); }}},
            {"all_left", {1, [this](Numbers n) { return in_units(left(0, n[0])); }}},
        };
    }
    SumScope(const SumScope&) = delete;

    EffectCase of;

private:
    static std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

    double between(std::int64_t first, std::int64_t last) {
        if (prefix_.empty()) {
            prefix_.reserve(input_.n() + 1);
            prefix_.push_back(0);
            for (std::uint64_t i = 0; i < input_.n(); ++i)
                prefix_.push_back(prefix_.back() + static_cast<double>(input_.element(i)));
        }
        const auto at = [&](std::int64_t i) {
            return prefix_[static_cast<std::size_t>(std::clamp<std::int64_t>(i, 0, number(input_.n())))];
        };
        return at(last) - at(first);
    }
    // `count` stretches of `length` elements; `period` from one beginning to the next.
    double every(std::int64_t first, std::int64_t period, std::int64_t length, std::int64_t count) {
        if (period <= 0) return -1;
        double sum = 0;
        for (std::int64_t k = 0, at = first; k < count && at < number(input_.n()); ++k, at += period)
            sum += between(at, at + length);
        return sum;
    }
    // Of what these blocks have left in the scratch.
    double left(std::int64_t first, std::int64_t last) const {
        if (first < 0 || last < first || scratch_.size() / sizeof(float) < static_cast<std::size_t>(last)) return -1;
        double sum = 0;
        for (std::int64_t b = first; b < last; ++b)
            sum += static_cast<double>(read_as<float>(scratch_.data() + b * static_cast<std::int64_t>(sizeof(float))));
        return sum;
    }

    const SumInput& input_;
    std::span<const std::byte> scratch_;  // as the launches leave it
    std::uint64_t threads_ = 0, blocks_ = 0;
    std::vector<double> prefix_;
};

Judgement right() {
    Judgement judgement;
    judgement.is_right = true;
    return judgement;
}

Judgement judge_special(float found, const SumInput& input) {
    const bool is_nan = input.tier() == SumTier::not_a_number;
    if (is_nan ? std::isnan(found) : std::isinf(found) && found > 0) return right();
    const char* what = is_nan ? "NaN" : "infinity";
    return wrong({"special_lost",
                  fmt::format("{} in the input does not reach the sum", is_nan ? "a NaN" : "an infinity"),
                  "an element is left out, or its value decides whether it is added",
                  {.is_weak = true}},
                 fmt::format("{{out}}[0] is {:.9g}, but {{in}}[{}] is {}", found, input.needle(), what));
}

Judgement judge_needle(float found, const SumInput& input) {
    const double expected = input.sum();
    if (found == expected) return right();
    const std::string fact =
        fmt::format("{{out}}[0] is {:.9g}, expected {}: {{in}}[{}] is {}, every other element of the {} is 0", found,
                    expected, input.needle(), expected, input.n());
    if (found == 0)
        return wrong({"element_lost",
                      fmt::format("element {} is not in the sum", input.needle()),
                      "which thread should load it, and what keeps it from doing so?",
                      {.is_weak = true}},
                     fact);
    const double times = found / expected;
    // More often than that no thread adds it: it is a sum with something else.
    if (times == std::floor(times) && times > 1 && times <= 65536)
        return wrong({"element_repeated",
                      fmt::format("element {} is counted {} times", input.needle(), times),
                      "which threads load it? every element belongs to one",
                      {.is_weak = true}},
                     fact);
    return wrong({"wrong_sum",
                  "the sum is wrong",
                  "something that is not in the input is added: is everything set before it is added to?",
                  {},
                  "",
                  false,
                  true},
                 fact);
}

Judgement judge_accuracy(float found, const SumInput& input, const Case& prepared) {
    const double expected = input.sum();
    const double tolerance = sum_tolerance(input, prepared.observed);
    const double error = std::fabs(static_cast<double>(found) - expected);
    if (error <= tolerance) return right();  // false for NaN
    Judgement judgement = wrong(
        {"inaccurate",
         "the sum is further off than float additions in this order explain",
         "no order of float additions is so far off: are values rounded, cut or turned into another type on the way?",
         {.is_weak = true}},
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

// Of a sum that is no part's.
FoundEffect unexplained(float found, const SumInput& input, bool is_second_call, std::uint64_t threads) {
    const double expected = input.sum(), off = static_cast<double>(found) - expected;
    if (input.has_fractions() && std::fabs(off) < 0.01 * expected)
        return {"rounded", "the sum is a little off, though no addition of these floats rounds",
                "are values rounded, cut or turned into another type on the way?"};
    FoundEffect effect{"wrong_sum",
                       off < 0 ? "the sum is too small" : "the sum is too large",
                       is_second_call ? "this is the second call on the same {scratch}: does it read partial sums that "
                                        "the first one left?"
                                      : "follow a few elements by hand, step by step: which thread adds each of them?",
                       {.is_too_small = off < 0},
                       fmt::format("off by {:.9g}; elements are about {:.2g} on average", off,
                                   expected / static_cast<double>(std::max<std::uint64_t>(input.n(), 1))),
                       false,
                       true};
    if (std::has_single_bit(threads) || off >= 0) return effect;
    effect.pattern = name_of(KnownMistake::odd_block);
    effect.title =
        fmt::format("the sum is too small, and a block has {} threads, which is not a power of two", threads);
    effect.help = "a tree that halves or doubles its step pairs all elements only if their number is a power of two";
    effect.effect = {};
    return effect;
}

}  // namespace

Judgement judge_sum(const ProblemDescription& problem, DeviceProgram& program, const Case& prepared,
                    const SumInput& input, const SumInput* previous) {
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
    std::span<const std::byte> scratch;
    if (prepared.buffers.size() > 2 && program.download(prepared.buffers[1]))
        scratch = program.bytes(prepared.buffers[1]);
    const SumScope scope(found, input, previous, prepared.observed, scratch);
    if (auto effect = find_effect(problem.rules, scope.of)) return wrong(std::move(*effect), fact);
    const auto& launches = prepared.observed.launches;
    const std::uint64_t threads = launches.empty() ? 1 : launches.front().threads_per_block;
    return wrong(unexplained(found, input, previous != nullptr, threads), fact);
}

}  // namespace warpgrade
